/* Sockets, and TLS by OpenSSL where the library is built with it. */
#include "link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- Addresses */

static char *copy(const quiver_allocator *allocator, const char *text, size_t length) {
  char *made = memory_resize(allocator, NULL, length + 1);
  if (made == NULL) return NULL;
  memcpy(made, text, length);
  made[length] = 0;
  return made;
}

static bool parse_address(
  const quiver_allocator *allocator, address *address, const char *text, size_t length) {
  if (length > 6 && strncmp(text, "tls://", 6) == 0) {
    address->is_tls = true;
    text += 6;
    length -= 6;
  } else if (length > 6 && strncmp(text, "tcp://", 6) == 0) {
    text += 6;
    length -= 6;
  }
  if (length >= 5 && strncmp(text, "unix:", 5) == 0) {
    address->is_unix = true;
    if (address->is_tls || length == 5) return false;
    if (length - 5 >= sizeof(((struct sockaddr_un *)0)->sun_path)) return false;
    address->host = copy(allocator, text + 5, length - 5);
    return address->host != NULL;
  }
  size_t colon = length;
  while (colon > 0 && text[colon - 1] != ':') colon--;
  if (colon < 2) return false;
  size_t digits = length - colon;
  if (digits == 0 || digits > 5) return false;
  long port = 0;
  for (size_t place = colon; place < length; place++) {
    if (text[place] < '0' || text[place] > '9') return false;
    port = port * 10 + (text[place] - '0');
  }
  if (port < 1 || port > 65535) return false;
  snprintf(address->port, sizeof address->port, "%ld", port);
  size_t size = colon - 1;
  if (text[0] == '[' && size > 2 && text[size - 1] == ']') {
    text++;
    size -= 2;
  } else if (memchr(text, ':', size) != NULL) {
    return false;
  }
  address->host = copy(allocator, text, size);
  return address->host != NULL;
}

address *parse_addresses(const quiver_allocator *allocator, const char *text, const char **reason) {
  address *first = NULL, **end = &first;
  for (;;) {
    size_t length = strcspn(text, ",");
    address *made = memory_resize(allocator, NULL, sizeof(address));
    if (made != NULL) memset(made, 0, sizeof *made);
    if (made == NULL || !parse_address(allocator, made, text, length)) {
      *reason = "an address is HOST:PORT, [IPv6]:PORT, unix:PATH or tls://HOST:PORT";
      memory_free(allocator, made);
      free_addresses(allocator, first);
      return NULL;
    }
    *end = made;
    end = &made->next;
    if (text[length] == 0) return first;
    text += length + 1;
  }
}

void free_addresses(const quiver_allocator *allocator, address *addresses) {
  while (addresses != NULL) {
    address *next = addresses->next;
    memory_free(allocator, addresses->host);
    memory_free(allocator, addresses);
    addresses = next;
  }
}

bool is_local(const address *address) {
  struct in_addr four;
  /* A name may begin with "127.", too. */
  return address->is_unix || strcmp(address->host, "localhost") == 0 ||
         strcmp(address->host, "::1") == 0 ||
         (inet_pton(AF_INET, address->host, &four) == 1 && ntohl(four.s_addr) >> 24 == 127);
}

/* ---- TLS */

#ifdef QUIVER_TLS
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/* The most sessions that are kept; a server gives two for each connection. */
#define MOST_SESSIONS 8
/* The most bytes of one reading from the socket: those of a TLS record. */
#define READ_BYTES 16384
/* The most readings of a turn, so that a server that sends without end does not hold the thread, and
 * deadlines are reached. */
#define READS_OF_A_TURN 4
/* The most bytes after the handshake that hold no data: session tickets and updates of keys are a few
 * hundred bytes each, and the record that is not complete yet has at most READ_BYTES and its tag. */
#define MOST_BYTES_WITHOUT_DATA (16 * READ_BYTES)

struct tls_context {
  SSL_CTX *ssl;
  /* Sessions that connections may resume, the oldest first, each with the name of its server. */
  struct {
    SSL_SESSION *session;
    char name[256];
  } sessions[MOST_SESSIONS];
  unsigned session_count;
};

static const unsigned char alpn[] = "\x08quiver/1";

static void forget_session(tls_context *context, unsigned place) {
  context->session_count--;
  memmove(
    &context->sessions[place], &context->sessions[place + 1],
    (context->session_count - place) * sizeof context->sessions[0]);
}

/* Keeps a copy of a session that the server has given: OpenSSL spoils the session of a connection
 * that ends without a close_notify. */
static int keep_session(SSL *ssl, SSL_SESSION *given) {
  link_state *link = SSL_get_app_data(ssl);
  tls_context *context = link->context;
  if (strlen(link->name) >= sizeof context->sessions[0].name) return 0;
  SSL_SESSION *session = SSL_SESSION_dup(given);
  if (session == NULL) return 0;
  if (context->session_count == MOST_SESSIONS) {
    SSL_SESSION_free(context->sessions[0].session);
    forget_session(context, 0);
  }
  context->sessions[context->session_count].session = session;
  strcpy(context->sessions[context->session_count++].name, link->name);
  return 0;
}

/* Has a connection resume the latest session of its server, which is used once. */
static void resume_session(link_state *link, SSL *ssl) {
  tls_context *context = link->context;
  for (unsigned place = context->session_count; place-- > 0;) {
    if (strcmp(context->sessions[place].name, link->name) != 0) continue;
    SSL_SESSION *session = context->sessions[place].session;
    (void)SSL_set_session(ssl, session);
    SSL_SESSION_free(session);
    forget_session(context, place);
    return;
  }
}

tls_context *tls_context_new(
  const char *ca_file, const char *certificate_file, const char *key_file, const char **reason) {
  tls_context *context = calloc(1, sizeof *context);
  if (context == NULL) {
    *reason = "no memory";
    return NULL;
  }
  SSL_CTX *ssl = context->ssl = SSL_CTX_new(TLS_client_method());
  *reason = NULL;
  if (ssl == NULL || SSL_CTX_set_min_proto_version(ssl, TLS1_3_VERSION) != 1 ||
      SSL_CTX_set_alpn_protos(ssl, alpn, sizeof alpn - 1) != 0)
    *reason = "OpenSSL offers no TLS 1.3";
  else if (ca_file != NULL ? SSL_CTX_load_verify_locations(ssl, ca_file, NULL) != 1
                           : SSL_CTX_set_default_verify_paths(ssl) != 1)
    *reason = "the trusted roots cannot be read";
  else if (certificate_file != NULL &&
           (SSL_CTX_use_certificate_chain_file(ssl, certificate_file) != 1 ||
            SSL_CTX_use_PrivateKey_file(
              ssl, key_file != NULL ? key_file : certificate_file, SSL_FILETYPE_PEM) != 1))
    *reason = "the certificate or its key cannot be read";
  if (*reason != NULL) {
    tls_context_free(context);
    ERR_clear_error();
    return NULL;
  }
  SSL_CTX_set_verify(ssl, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(ssl, keep_session);
  return context;
}

void tls_context_free(tls_context *context) {
  if (context == NULL) return;
  while (context->session_count > 0)
    SSL_SESSION_free(context->sessions[--context->session_count].session);
  SSL_CTX_free(context->ssl);
  free(context);
}

static bool tls_begin(
  link_state *link, tls_context *context, const char *name) {
  SSL *ssl = SSL_new(context->ssl);
  BIO *input = BIO_new(BIO_s_mem()), *output = BIO_new(BIO_s_mem());
  if (ssl == NULL || input == NULL || output == NULL) {
    SSL_free(ssl);
    BIO_free(input);
    BIO_free(output);
    return false;
  }
  BIO_set_mem_eof_return(input, -1);
  SSL_set_bio(ssl, input, output);
  SSL_set_connect_state(ssl);
  (void)SSL_set_app_data(ssl, link);
  link->tls = ssl;
  link->context = context;
  link->name = name;
  resume_session(link, ssl);
  X509_VERIFY_PARAM *parameters = SSL_get0_param(ssl);
  if (X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1) return true;
  X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(ssl, name) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1;
}

static bool flush_cipher(link_state *link);

/* Moves what OpenSSL has written to the socket, as far as it takes it. */
static bool tls_flush(link_state *link) {
  for (;;) {
    if (!flush_cipher(link)) return false;
    if (link->cipher.end > link->cipher.start) return true;
    BIO *output = SSL_get_wbio((SSL *)link->tls);
    int pending = (int)BIO_ctrl_pending(output);
    if (pending == 0) return true;
    if (!buffer_reserve(link->allocator, &link->cipher, (size_t)pending)) return false;
    int count = BIO_read(output, link->cipher.data + link->cipher.end, pending);
    if (count <= 0) return true;
    link->cipher.end += (size_t)count;
  }
}

static bool tls_failed(link_state *link, const char *what) {
  long verified = SSL_get_verify_result((SSL *)link->tls);
  const char *why = verified != X509_V_OK ? X509_verify_cert_error_string(verified)
                                          : ERR_reason_error_string(ERR_peek_last_error());
  snprintf(link->error, sizeof link->error, "%s: %s", what, why != NULL ? why : "it ended");
  ERR_clear_error();
  return false;
}

static bool tls_handshake(link_state *link) {
  SSL *ssl = link->tls;
  ERR_clear_error();
  int result = SSL_do_handshake(ssl);
  if (result != 1) {
    int error = SSL_get_error(ssl, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      (void)tls_flush(link);
      /* The first answer is the alert unexpected_message (10). */
      link->is_foreign = link->first_count > 6 && link->first[0] == 21 && link->first[6] == 10;
      return tls_failed(
        link, link->is_foreign ? "the server does not use TLS on this port"
        : SSL_get_verify_result(ssl) != X509_V_OK ? "the server's certificate is not accepted"
                                                      : "the TLS handshake failed");
    }
    if (link->has_input_ended) {
      snprintf(
        link->error, sizeof link->error, "the server ended the TLS handshake%s",
        link->first_count == 0 ? " without an answer: it may not speak TLS" : "");
      return false;
    }
    return tls_flush(link);
  }
  const unsigned char *name;
  unsigned length;
  SSL_get0_alpn_selected(ssl, &name, &length);
  if (length != sizeof alpn - 2 || memcmp(name, alpn + 1, length) != 0) {
    snprintf(link->error, sizeof link->error, "the server did not agree on quiver/1 by ALPN");
    return false;
  }
  link->is_connected = true;
  return tls_flush(link);
}

static long read_socket(link_state *link, uint8_t *data, size_t capacity);

/* Keeps the first bytes of the handshake. False: they are not those of TLS. */
static bool check_first(link_state *link, const uint8_t *data, size_t length) {
  size_t room = sizeof link->first - link->first_count;
  memcpy(link->first + link->first_count, data, length < room ? length : room);
  link->first_count += (unsigned)(length < room ? length : room);
  const char *name = protocol_of(link->first, link->first_count);
  if (name != NULL && strcmp(name, "TLS") == 0) return true;
  snprintf(
    link->error, sizeof link->error, "what answers does not speak TLS%s%s", name != NULL ? ": it speaks " : "",
    name != NULL ? name : "");
  link->is_foreign = true;
  return false;
}

/* Gives OpenSSL what one reading from the socket brings: its bytes, 0 where nothing is there or the
 * input has ended, or -1. */
static long tls_fill(link_state *link) {
  uint8_t bytes[READ_BYTES];
  long count = read_socket(link, bytes, sizeof bytes);
  if (count > 0 && !link->is_connected && !check_first(link, bytes, (size_t)count)) return -1;
  if (count < 0 && link->first_count == 0)
    snprintf(link->error, sizeof link->error, "the server ended the TLS handshake without an answer: it may not speak TLS");
  if (count > 0 && BIO_write(SSL_get_rbio((SSL *)link->tls), bytes, (int)count) != count) {
    snprintf(link->error, sizeof link->error, "no memory for TLS");
    return -1;
  }
  return count;
}
#else
tls_context *tls_context_new(
  const char *ca_file, const char *certificate_file, const char *key_file, const char **reason) {
  (void)ca_file;
  (void)certificate_file;
  (void)key_file;
  *reason = "this library was built without TLS";
  return NULL;
}

void tls_context_free(tls_context *context) { (void)context; }
#endif

/* ---- Sockets */

static bool system_error(link_state *link, const char *what) {
  snprintf(link->error, sizeof link->error, "%s: %s", what, strerror(errno));
  return false;
}

static bool begin_socket(link_state *link, int family, const struct sockaddr *where, socklen_t size) {
  int descriptor = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return system_error(link, "no socket");
  if (family != AF_UNIX) {
    int yes = 1;
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  if (connect(descriptor, where, size) != 0 && errno != EINPROGRESS && errno != EINTR) {
    (void)system_error(link, "no connection");
    close(descriptor);
    return false;
  }
  link->descriptor = descriptor;
  return true;
}

/* ---- Names of hosts */

/* A look-up of a name by a thread of its own. The thread and the link own it together: whoever lets
 * go last frees it. Its memory comes from malloc, since the client's allocator is of one thread. */
struct lookup {
  atomic_int owners;
  atomic_bool is_done;
  int wake, result;
  struct addrinfo *found;
  char port[6];
  char host[];
};

static void leave_lookup(lookup *lookup) {
  if (atomic_fetch_sub(&lookup->owners, 1) > 1) return;
  if (lookup->found != NULL) freeaddrinfo(lookup->found);
  if (lookup->wake >= 0) close(lookup->wake);
  free(lookup);
}

static int find_host(const char *host, const char *port, int flags, struct addrinfo **found) {
  struct addrinfo hints;
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  return getaddrinfo(host, port, &hints, found);
}

static void *run_lookup(void *argument) {
  lookup *lookup = argument;
  lookup->result = find_host(lookup->host, lookup->port, 0, &lookup->found);
  atomic_store(&lookup->is_done, true);
  char byte = 0;
  ssize_t ignored = write(lookup->wake, &byte, 1);
  (void)ignored;
  leave_lookup(lookup);
  return NULL;
}

static bool begin_lookup(link_state *link, const address *address, int wake) {
  size_t size = strlen(address->host) + 1;
  lookup *made = calloc(1, sizeof *made + size);
  if (made == NULL) return false;
  memcpy(made->host, address->host, size);
  memcpy(made->port, address->port, sizeof made->port);
  made->wake = fcntl(wake, F_DUPFD_CLOEXEC, 0);
  atomic_store(&made->owners, 2);
  pthread_t thread;
  pthread_attr_t attributes;
  bool has_begun = made->wake >= 0 && pthread_attr_init(&attributes) == 0;
  if (has_begun) {
    has_begun = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
                pthread_create(&thread, &attributes, run_lookup, made) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (!has_begun) {
    atomic_store(&made->owners, 1);
    leave_lookup(made);
    return false;
  }
  link->lookup = made;
  return true;
}

/* Tries the addresses of the host that are left. */
static bool try_next(link_state *link) {
  while (link->next_address != NULL) {
    struct addrinfo *found = link->next_address;
    link->next_address = found->ai_next;
    if (begin_socket(link, found->ai_family, found->ai_addr, found->ai_addrlen)) return true;
  }
  return false;
}

/* The look-up is over: begins to connect to what it has found. */
static bool end_lookup(link_state *link) {
  lookup *lookup = link->lookup;
  link->lookup = NULL;
  link->addresses = link->next_address = lookup->found;
  lookup->found = NULL;
  int result = lookup->result;
  if (result != 0)
    snprintf(link->error, sizeof link->error, "%s: %s", lookup->host, gai_strerror(result));
  leave_lookup(lookup);
  return result == 0 && try_next(link);
}

bool link_open(
  link_state *link, const quiver_allocator *allocator, const address *address,
  tls_context *context, const char *server_name, int wake) {
  memset(link, 0, sizeof *link);
  link->descriptor = -1;
  link->allocator = allocator;
  bool has_begun;
  if (address->is_unix) {
    struct sockaddr_un where;
    memset(&where, 0, sizeof where);
    where.sun_family = AF_UNIX;
    memcpy(where.sun_path, address->host, strlen(address->host));
    has_begun = begin_socket(link, AF_UNIX, (struct sockaddr *)&where, sizeof where);
  } else {
    struct addrinfo *found = NULL;
    if (find_host(address->host, address->port, AI_NUMERICHOST, &found) == 0) {
      link->addresses = link->next_address = found;
      has_begun = try_next(link);
    } else {
      has_begun = begin_lookup(link, address, wake);
      if (!has_begun) snprintf(link->error, sizeof link->error, "no thread can look up the host");
    }
  }
#ifdef QUIVER_TLS
  if (has_begun && address->is_tls &&
      !tls_begin(link, context, server_name != NULL ? server_name : address->host)) {
    snprintf(link->error, sizeof link->error, "no memory for TLS");
    has_begun = false;
  }
#else
  (void)context;
  (void)server_name;
#endif
  if (!has_begun) link_close(link);
  return has_begun;
}

/* Whether the socket is connected: 1 yes, 0 not yet, -1 no. */
static int connected(link_state *link) {
  struct pollfd watched = {link->descriptor, POLLOUT, 0};
  if (poll(&watched, 1, 0) <= 0) return 0;
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(link->descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
    errno = error;
    (void)system_error(link, "no connection");
    return -1;
  }
  return 1;
}

bool link_advance(link_state *link) {
  if (link->is_connected) return true;
  if (link->lookup != NULL) return !atomic_load(&link->lookup->is_done) || end_lookup(link);
  if (!link->is_open) {
    int result = connected(link);
    if (result == 0) return true;
    if (result < 0) {
      close(link->descriptor);
      link->descriptor = -1;
      return try_next(link);
    }
    link->is_open = true;
    if (link->tls == NULL) {
      link->is_connected = true;
      return true;
    }
  }
#ifdef QUIVER_TLS
  for (unsigned turn = 0; turn < READS_OF_A_TURN && !link->is_connected; turn++) {
    long count = tls_fill(link);
    if (count < 0 || !tls_handshake(link)) return false;
    if (count == 0) break;
  }
  return true;
#else
  return false;
#endif
}

static long write_socket(link_state *link, const uint8_t *data, size_t length) {
  for (;;) {
    ssize_t count = send(link->descriptor, data, length, MSG_NOSIGNAL);
    if (count >= 0) return (long)count;
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    (void)system_error(link, "the connection was lost");
    return -1;
  }
}

#ifdef QUIVER_TLS
static bool flush_cipher(link_state *link) {
  buffer *cipher = &link->cipher;
  while (cipher->end > cipher->start) {
    long count = write_socket(link, cipher->data + cipher->start, cipher->end - cipher->start);
    if (count < 0) return false;
    if (count == 0) return true;
    cipher->start += (size_t)count;
  }
  cipher->start = cipher->end = 0;
  return true;
}
#endif

bool link_has_output(const link_state *link) { return link->cipher.end > link->cipher.start; }

long link_write(link_state *link, const uint8_t *data, size_t length) {
  if (link->tls == NULL) return write_socket(link, data, length);
#ifdef QUIVER_TLS
  if (!tls_flush(link)) return -1;
  if (link_has_output(link) || length == 0) return 0;
  ERR_clear_error();
  int count = SSL_write(link->tls, data, length > 65536 ? 65536 : (int)length);
  if (count <= 0) {
    (void)tls_failed(link, "TLS failed");
    return -1;
  }
  return tls_flush(link) ? count : -1;
#else
  return -1;
#endif
}

static long read_socket(link_state *link, uint8_t *data, size_t capacity) {
  for (;;) {
    ssize_t count = recv(link->descriptor, data, capacity, 0);
    if (count > 0) return (long)count;
    if (count == 0) {
      link->has_input_ended = true;
      return 0;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    (void)system_error(link, "the connection was lost");
    return -1;
  }
}

long link_read(link_state *link, uint8_t *data, size_t capacity) {
  if (link->tls == NULL) return read_socket(link, data, capacity);
#ifdef QUIVER_TLS
  for (unsigned turn = 0;; turn++) {
    ERR_clear_error();
    int count = SSL_read(link->tls, data, (int)capacity);
    if (count > 0) {
      link->bytes_without_data = 0;
      return count;
    }
    int error = SSL_get_error(link->tls, count);
    if (error == SSL_ERROR_ZERO_RETURN) {
      link->has_input_ended = true;
      return 0;
    }
    if (error != SSL_ERROR_WANT_READ) {
      (void)tls_flush(link);
      (void)tls_failed(link, "TLS failed");
      return -1;
    }
    if (link->bytes_without_data > MOST_BYTES_WITHOUT_DATA) {
      snprintf(link->error, sizeof link->error, "the server sent too many TLS records without data");
      return -1;
    }
    /* The socket is readable still, if there is more. */
    if (turn == READS_OF_A_TURN) return 0;
    long got = tls_fill(link);
    if (got < 0) return -1;
    if (got == 0) {
      if (!link->has_input_ended) return 0;
      snprintf(link->error, sizeof link->error, "the connection ended without a close_notify");
      return -1;
    }
    link->bytes_without_data += (size_t)got;
  }
#else
  return -1;
#endif
}

void link_half_close(link_state *link) {
#ifdef QUIVER_TLS
  if (link->tls != NULL) {
    (void)SSL_shutdown(link->tls);
    (void)tls_flush(link);
    ERR_clear_error();
  }
#endif
  (void)shutdown(link->descriptor, SHUT_WR);
}

void link_close(link_state *link) {
  if (link->descriptor >= 0) close(link->descriptor);
  link->descriptor = -1;
#ifdef QUIVER_TLS
  SSL_free(link->tls);
#endif
  link->tls = NULL;
  if (link->lookup != NULL) leave_lookup(link->lookup);
  link->lookup = NULL;
  if (link->addresses != NULL) freeaddrinfo(link->addresses);
  link->addresses = link->next_address = NULL;
  if (link->allocator != NULL) buffer_free(link->allocator, &link->cipher);
}

short link_events(const link_state *link, bool has_output) {
  if (!link->is_connected && !link->is_open) return POLLOUT;
  return (short)(POLLIN | (has_output || link_has_output(link) ? POLLOUT : 0));
}
