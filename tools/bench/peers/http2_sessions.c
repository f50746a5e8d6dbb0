// What an idle HTTP/2 connection costs at least: a server that gives each connection a session of
// libnghttp2 without callbacks, sends its SETTINGS, and answers what comes as the library does.
#define _GNU_SOURCE
#include "measure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <nghttp2/nghttp2.h>
#include <sys/epoll.h>
#include <sys/socket.h>

struct connection {
  int fd;
  nghttp2_session *session;
};

static uint8_t buffer[64 * 1024];

static void end(struct connection *c) {
  nghttp2_session_del(c->session);
  close(c->fd);
  free(c);
}

// Writes what the session has to send; returns 0 when the connection has failed.
static int flush(struct connection *c) {
  const uint8_t *bytes;
  ssize_t count;
  while ((count = nghttp2_session_mem_send(c->session, &bytes)) > 0)
    if (write(c->fd, bytes, (size_t)count) != count) return 0;
  return count == 0;
}

static void accept_all(int epoll, int listener, nghttp2_session_callbacks *callbacks) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    struct connection *c = calloc(1, sizeof *c);
    if (!c || nghttp2_session_server_new(&c->session, callbacks, c) != 0) die("no memory");
    c->fd = fd;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, NULL, 0) != 0 || !flush(c) ||
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
      end(c);
  }
}

static void receive(struct connection *c) {
  ssize_t count = read(c->fd, buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0 || nghttp2_session_mem_recv(c->session, buffer, (size_t)count) != count || !flush(c))
    end(c);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: http2_sessions PORT\n");
    return 64;
  }
  raise_descriptor_limit();
  int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener < 0) die("socket");
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) die("bind");
  if (listen(listener, 4096) != 0) die("listen");
  nghttp2_session_callbacks *callbacks;
  if (nghttp2_session_callbacks_new(&callbacks) != 0) die("no memory");
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[256], event = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) != 0) die("epoll");
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      if (!events[i].data.ptr) accept_all(epoll, listener, callbacks);
      else receive(events[i].data.ptr);
    }
  }
}
