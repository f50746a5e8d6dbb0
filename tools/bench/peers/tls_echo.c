// The floor for a server with TLS: one thread, one epoll, libssl on the socket
// itself, every byte back at once. TLS 1.3, TLS_AES_128_GCM_SHA256, ALPN quiver/1.
#define _GNU_SOURCE
#include "measure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

struct connection {
  int fd;
  SSL *ssl;
};

static char buffer[64 * 1024];
static SSL_CTX *context;

static int choose(SSL *ssl, const unsigned char **chosen, unsigned char *count,
                  const unsigned char *offered, unsigned int offered_count, void *argument) {
  static const unsigned char wanted[] = "\x08quiver/1";
  (void)ssl, (void)argument;
  return SSL_select_next_proto((unsigned char **)(uintptr_t)chosen, count, wanted,
                               sizeof wanted - 1, offered, offered_count) == OPENSSL_NPN_NEGOTIATED
             ? SSL_TLSEXT_ERR_OK
             : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static void make_context(const char *certificate, const char *key) {
  context = SSL_CTX_new(TLS_server_method());
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
      !SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") ||
      SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
    ERR_print_errors_fp(stderr);
    exit(1);
  }
  SSL_CTX_set_alpn_select_cb(context, choose, NULL);
  SSL_CTX_set_num_tickets(context, 1);
}

static int listener_on(int port) {
  int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0) die("socket");
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) die("bind");
  if (listen(fd, 4096) != 0) die("listen");
  return fd;
}

static void drop(struct connection *c) {
  SSL_free(c->ssl);
  close(c->fd);
  free(c);
}

static void accept_all(int epoll, int listener) {
  for (;;) {
    int one = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct connection *c = calloc(1, sizeof *c);
    if (!c || !(c->ssl = SSL_new(context))) die("SSL_new");
    c->fd = fd;
    SSL_set_fd(c->ssl, fd);
    SSL_set_accept_state(c->ssl);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) drop(c);
  }
}

// Reads the records that have come and writes what they held at once; a peer that does not read is
// waited for.
static void echo(struct connection *c) {
  size_t count = 0, more = 0, written = 0;
  while (count < sizeof buffer &&
         SSL_read_ex(c->ssl, buffer + count, sizeof buffer - count, &more) == 1)
    count += more;
  int over = count < sizeof buffer && SSL_get_error(c->ssl, 0) != SSL_ERROR_WANT_READ;
  while (count > 0 && SSL_write_ex(c->ssl, buffer, count, &written) != 1) {
    if (SSL_get_error(c->ssl, 0) != SSL_ERROR_WANT_WRITE) {
      over = 1;
      break;
    }
  }
  ERR_clear_error();
  if (over) drop(c);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: tls_echo PORT CERTIFICATE KEY\n");
    return 64;
  }
  raise_descriptor_limit();
  make_context(argv[2], argv[3]);
  int listener = listener_on(atoi(argv[1])), epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[256], event = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) != 0) die("epoll");
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      if (events[i].data.ptr == NULL) accept_all(epoll, listener);
      else echo(events[i].data.ptr);
    }
  }
}
