/* What a server can make the client read: messages with many elements, and TLS without data.
 *
 * usage: limits_test CERTIFICATES   the folder that tools/dev-certificates has made; without it, or in
 * a library without TLS, messages only */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "link.h"
#include "quiver/services.h"

static int failures;

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                             \
    }                                                                         \
  } while (0)

/* ---- Messages (section 4.1 of PROTOCOL.md) */

/* Whether a SourceRequest is accepted whose `sizes` are in so many packed lists and single fields, with
 * its `count` behind them. */
static bool is_accepted(const size_t *lists, size_t list_count, size_t singles) {
  size_t room = 64 + singles * 4;
  for (size_t place = 0; place < list_count; place++) room += 16 + lists[place];
  uint8_t *bytes = malloc(room);
  size_t length = 0, sizes = singles;
  for (size_t place = 0; place < list_count; place++) {
    bytes[length++] = 1 << 3 | 2;
    length += put_varint(bytes + length, lists[place]);
    memset(bytes + length, 1, lists[place]);
    length += lists[place];
    sizes += lists[place];
  }
  for (size_t place = 0; place < singles; place++) {
    /* In three bytes, so that the estimate of the memory, which follows the length, is no limit. */
    memcpy(bytes + length, (uint8_t[]){1 << 3, 0x81, 0x80, 0}, 4);
    length += 4;
  }
  bytes[length++] = 2 << 3;
  bytes[length++] = 7;
  Quiver__V1__SourceRequest *made = (Quiver__V1__SourceRequest *)quiver_message_unpack(
    &quiver__v1__source_request__descriptor, bytes, length);
  if (made != NULL) EXPECT(made->n_sizes == sizes && made->count == 7);
  bool is_made = made != NULL;
  quiver_message_free(made);
  free(bytes);
  return is_made;
}

static void test_elements(void) {
  EXPECT(is_accepted((size_t[]){10}, 1, 10));
  /* Packed elements have a limit of their own, and leave that of the fields as it is. */
  EXPECT(is_accepted((size_t[]){300000}, 1, 0));
  EXPECT(is_accepted((size_t[]){600000, 400000}, 2, 1000));
  EXPECT(is_accepted((size_t[]){1048576}, 1, 0));
  EXPECT(!is_accepted((size_t[]){1048577}, 1, 0));
  EXPECT(!is_accepted((size_t[]){600000, 448577}, 2, 0));
  /* With `count` there are 262,144 fields, and one more. */
  EXPECT(is_accepted(NULL, 0, 262143));
  EXPECT(!is_accepted(NULL, 0, 262144));
  EXPECT(!is_accepted((size_t[]){1}, 1, 262143));
}

#ifdef QUIVER_TLS
#include <fcntl.h>
#include <openssl/ssl.h>

/* ---- TLS, over a Unix socket, whose bytes that wait can be counted */

/* The most that one turn may take from the socket. */
#define MOST_OF_A_TURN 65536

typedef struct pair {
  link_state link;
  int server;
} pair;

static const char *folder;
static quiver_allocator allocator;

static int waiting(const pair *pair) {
  int count = 0;
  EXPECT(ioctl(pair->link.descriptor, FIONREAD, &count) == 0);
  return count;
}

/* A link of the client, and the server's end of its socket. */
static tls_context *begin(pair *pair) {
  char path[] = "/tmp/quiver.XXXXXX";
  int held = mkstemp(path);
  unlink(path);
  close(held);
  struct sockaddr_un where = {.sun_family = AF_UNIX};
  strcpy(where.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  EXPECT(bind(listener, (struct sockaddr *)&where, sizeof where) == 0 && listen(listener, 1) == 0);
  char authority[512];
  snprintf(authority, sizeof authority, "%s/ca.pem", folder);
  const char *reason = NULL;
  tls_context *context = tls_context_new(authority, NULL, NULL, &reason);
  if (context == NULL) {
    fprintf(stderr, "limits_test: %s\n", reason);
    exit(1);
  }
  address address = {.host = path, .is_unix = true, .is_tls = true};
  EXPECT(link_open(&pair->link, &allocator, &address, context, "localhost", -1));
  pair->server = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
  unlink(path);
  close(listener);
  return context;
}

static void end(pair *pair, tls_context *context) {
  link_close(&pair->link);
  close(pair->server);
  tls_context_free(context);
}

/* Sends until the socket takes no more; the bytes. */
static size_t fill(int socket, const uint8_t *bytes, size_t length) {
  size_t sent = 0;
  while (sent < length) {
    ssize_t count = send(socket, bytes + sent, length - sent, MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += (size_t)count;
  }
  return sent;
}

/* A turn of the handshake takes a bounded part of what a server sends, so that deadlines are reached. */
static void test_handshake(void) {
  pair pair;
  tls_context *context = begin(&pair);
  /* Records of a ServerHello that is never complete. */
  size_t size = 200 * (5 + 1024), sent;
  uint8_t *bytes = calloc(1, size);
  for (size_t place = 0; place < size; place += 5 + 1024)
    memcpy(bytes + place, (uint8_t[]){22, 3, 3, 4, 0}, 5);
  memcpy(bytes + 5, (uint8_t[]){2, 0, 0xFF, 0xFF}, 4);
  sent = fill(pair.server, bytes, size);
  EXPECT(sent > 2 * MOST_OF_A_TURN);
  EXPECT(link_advance(&pair.link) && !pair.link.is_connected);
  EXPECT((int)sent - waiting(&pair) > 0 && (int)sent - waiting(&pair) <= MOST_OF_A_TURN);
  /* What is longer than any ServerHello ends it. */
  bool is_going = true;
  for (int turn = 0; turn < 100 && is_going; turn++) {
    sent = fill(pair.server, bytes + 5 + 1024, size - 5 - 1024);
    is_going = link_advance(&pair.link);
  }
  EXPECT(!is_going && pair.link.error[0] != 0);
  free(bytes);
  end(&pair, context);
}

static int choose(
  SSL *ssl, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
  unsigned size, void *argument) {
  (void)ssl;
  (void)argument;
  *chosen = offered + 1;
  *length = offered[0];
  return size > offered[0] ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static SSL *accept_tls(pair *pair, SSL_CTX **made) {
  SSL_CTX *context = *made = SSL_CTX_new(TLS_server_method());
  char certificate[512], key[512];
  snprintf(certificate, sizeof certificate, "%s/server.pem", folder);
  snprintf(key, sizeof key, "%s/server.key", folder);
  EXPECT(SSL_CTX_use_certificate_chain_file(context, certificate) == 1);
  EXPECT(SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1);
  SSL_CTX_set_alpn_select_cb(context, choose, NULL);
  SSL *ssl = SSL_new(context);
  SSL_set_fd(ssl, pair->server);
  SSL_set_accept_state(ssl);
  bool is_done = false;
  for (int turn = 0; turn < 100 && !(is_done && pair->link.is_connected); turn++) {
    EXPECT(link_advance(&pair->link));
    is_done = SSL_do_handshake(ssl) == 1;
  }
  EXPECT(is_done && pair->link.is_connected);
  /* From here on it is sent in large pieces, of which the socket holds more. */
  SSL_set0_wbio(ssl, BIO_new(BIO_s_mem()));
  return ssl;
}

static void make_ticket(SSL *ssl) {
  EXPECT(SSL_new_session_ticket(ssl) == 1 && SSL_do_handshake(ssl) == 1);
}

/* Sends what the server's side of TLS has made, as far as the socket takes it. */
static void flush(const pair *pair, SSL *ssl) {
  uint8_t *bytes;
  long length = BIO_get_mem_data(SSL_get_wbio(ssl), &bytes);
  size_t sent = fill(pair->server, bytes, (size_t)length);
  uint8_t *none = malloc(sent + 1);
  if (sent > 0) EXPECT(BIO_read(SSL_get_wbio(ssl), none, (int)sent) == (int)sent);
  free(none);
}

/* A turn takes a bounded part of records without data, and a connection a bounded sum of them. */
static void test_records_without_data(void) {
  pair pair;
  tls_context *context = begin(&pair);
  SSL_CTX *server_context;
  SSL *ssl = accept_tls(&pair, &server_context);
  uint8_t data[16384];
  /* Data comes behind a few tickets. */
  for (int number = 0; number < 4; number++) {
    make_ticket(ssl);
    EXPECT(SSL_write(ssl, "data", 4) == 4);
    flush(&pair, ssl);
    EXPECT(link_read(&pair.link, data, sizeof data) == 4 && memcmp(data, "data", 4) == 0);
  }
  /* Session tickets hold none. */
  for (int number = 0; number < 5000; number++) make_ticket(ssl);
  flush(&pair, ssl);
  int before = waiting(&pair);
  EXPECT(before > MOST_OF_A_TURN + 16384);
  EXPECT(link_read(&pair.link, data, sizeof data) == 0);
  EXPECT(before - waiting(&pair) > 0 && before - waiting(&pair) <= MOST_OF_A_TURN);
  long count = 0;
  for (int turn = 0; turn < 100 && count == 0; turn++) {
    flush(&pair, ssl);
    count = link_read(&pair.link, data, sizeof data);
  }
  EXPECT(count == -1 && strstr(pair.link.error, "without data") != NULL);
  SSL_free(ssl);
  SSL_CTX_free(server_context);
  end(&pair, context);
}
#endif

static void *resize(void *context, void *pointer, size_t size) {
  (void)context;
  if (size > 0) return realloc(pointer, size);
  free(pointer);
  return NULL;
}

int main(int count, char **words) {
  test_elements();
#ifdef QUIVER_TLS
  if (count > 1) {
    allocator.resize = resize;
    folder = words[1];
    test_handshake();
    test_records_without_data();
  }
#else
  (void)count;
  (void)words;
  (void)resize;
#endif
  if (failures == 0) printf("the limits of the C client hold\n");
  return failures == 0 ? 0 : 1;
}
