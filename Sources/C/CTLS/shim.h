// libssl, with the macros and the typed stacks that Swift does not import as static inline functions.
#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

// TLS 1.3 and nothing else. Answers 0 where libssl refuses.
static inline int quiver_tls_only_1_3(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) &&
         SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION);
}

static inline void quiver_tls_set_mode(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

static inline void quiver_tls_set_session_cache(SSL_CTX *context, long mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}

static inline void quiver_tls_set_max_certificate_list(SSL_CTX *context, long bytes) {
  SSL_CTX_set_max_cert_list(context, bytes);
}

static inline int quiver_tls_set_sni(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int quiver_tls_reason(unsigned long error) { return ERR_GET_REASON(error); }

// Keys a cipher and a MAC for one session ticket; answers 0 where libcrypto refuses.
static inline int quiver_tls_key_ticket(EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
                                        const unsigned char *cipher_key,
                                        const unsigned char *mac_key, const unsigned char *iv,
                                        int encrypt) {
  char digest[] = "SHA256";
  OSSL_PARAM parameters[3];
  parameters[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)mac_key, 32);
  parameters[1] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0);
  parameters[2] = OSSL_PARAM_construct_end();
  return EVP_MAC_CTX_set_params(mac, parameters) &&
         EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, cipher_key, iv, encrypt);
}

// Calls `take` with each URI (kind 6) and DNS name (kind 2) of a certificate.
static inline void quiver_tls_each_name(const X509 *certificate, void *argument,
                                        void (*take)(void *argument, int kind,
                                                     const unsigned char *bytes, int count)) {
  GENERAL_NAMES *names =
      (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  int count = names ? sk_GENERAL_NAME_num(names) : 0;
  for (int i = 0; i < count; i++) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_URI && name->type != GEN_DNS) continue;
    const ASN1_IA5STRING *text = name->d.ia5;
    take(argument, name->type, ASN1_STRING_get0_data(text), ASN1_STRING_length(text));
  }
  GENERAL_NAMES_free(names);
}

// The SHA-256 of a certificate's SubjectPublicKeyInfo, 32 bytes; answers 0 where it cannot be had.
static inline int quiver_tls_public_key_hash(const X509 *certificate, unsigned char *hash) {
  unsigned char *bytes = NULL;
  unsigned int size = 0;
  int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &bytes);
  int done = count > 0 && EVP_Digest(bytes, (size_t)count, hash, &size, EVP_sha256(), NULL);
  OPENSSL_free(bytes);
  return done;
}

// Seconds from now until a certificate's end, negative behind it.
static inline long long quiver_tls_seconds_left(const X509 *certificate) {
  int days = 0, seconds = 0;
  if (!ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate))) return 0;
  return (long long)days * 86400 + seconds;
}

// An end of a certificate's validity as text, `2026-11-22 04:48 UTC`; empty where it is malformed.
static inline void quiver_tls_time_text(const ASN1_TIME *time, char *text, size_t size) {
  struct tm parts;
  text[0] = 0;
  if (ASN1_TIME_to_tm(time, &parts)) strftime(text, size, "%Y-%m-%d %H:%M UTC", &parts);
}

// Whether an error is one of the system's, an errno.
static inline int quiver_tls_is_system(unsigned long error) { return ERR_SYSTEM_ERROR(error) != 0; }

static inline void quiver_tls_set_options(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

static inline void quiver_tls_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline void quiver_tls_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
