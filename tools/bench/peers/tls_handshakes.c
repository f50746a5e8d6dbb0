// Connects with TLS 1.3 again and again, one connection after the other, until the ticket has come;
// with --resume each begins with the ticket of the one before. Prints what load prints: a call is a
// connection.
#define _GNU_SOURCE
#include "measure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

static struct load_options options;
static SSL_SESSION *ticket;
static int has_ticket;

static int take_ticket(SSL *ssl, SSL_SESSION *session) {
  (void)ssl;
  SSL_SESSION_free(ticket);
  ticket = session;
  has_ticket = 1;
  return 1;
}

static void fail(const char *what) {
  ERR_print_errors_fp(stderr);
  fprintf(stderr, "tls_handshakes: %s\n", what);
  exit(1);
}

static SSL_CTX *make_context(void) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  if (!options.ca_file) fail("--ca is missing");
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") ||
      !SSL_CTX_load_verify_file(context, options.ca_file))
    fail("cannot make a TLS client of --ca");
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_alpn_protos(context, (const unsigned char *)"\x08quiver/1", 9);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, take_ticket);
  return context;
}

static int connected(void) {
  struct sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port)};
  struct timeval patience = {.tv_sec = 5};
  int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (inet_pton(AF_INET, options.host, &peer.sin_addr) != 1) fail("--connect wants an IPv4 host");
  if (fd < 0 || connect(fd, (struct sockaddr *)&peer, sizeof peer) != 0) die("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return fd;
}

// One connection, up to its ticket. Ends it with a reset, so that no port stays taken.
static void shake(SSL_CTX *context, int resume) {
  int fd = connected();
  char byte;
  struct linger reset = {.l_onoff = 1};
  SSL *ssl = SSL_new(context);
  if (!ssl || !SSL_set_fd(ssl, fd)) fail("out of memory");
  if (resume && ticket) SSL_set_session(ssl, ticket);
  has_ticket = 0;
  if (SSL_connect(ssl) != 1) fail("the handshake failed");
  if (resume && ticket && !SSL_session_reused(ssl)) fail("the server did not resume");
  // Quiver's server says nothing before the client does: one byte at a time comes the ticket.
  SSL_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
  SSL_clear_mode(ssl, SSL_MODE_AUTO_RETRY);
  while (!has_ticket) {
    int n = SSL_read(ssl, &byte, 1);
    if (n <= 0 && SSL_get_error(ssl, n) != SSL_ERROR_WANT_READ) fail("no ticket came");
    if (n <= 0 && !has_ticket && (errno == EAGAIN || errno == EWOULDBLOCK)) fail("no ticket came");
  }
  SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
  SSL_free(ssl);
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  close(fd);
}

int main(int argc, char **argv) {
  int resume = 0, kept = 0;
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--resume") == 0) resume = 1;
    else argv[kept++] = argv[i];
  }
  options = load_options_parse(kept, argv);
  SSL_CTX *context = make_context();
  struct load_span span;
  shake(context, 0);
  load_span_init(&span, &options);
  while (load_span_tick(&span, now_ns())) {
    uint64_t began = now_ns();
    shake(context, resume);
    load_span_add(&span, began, now_ns());
  }
  return 0;
}
