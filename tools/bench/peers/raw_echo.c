// The lower bound that servers are compared with: one thread, one epoll, every byte back at once.
#define _GNU_SOURCE
#include "measure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

static char buffer[64 * 1024];

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

static void accept_all(int epoll, int listener) {
  for (;;) {
    int one = 1, fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) close(fd);
  }
}

// Reads once and writes it back; a peer that does not read is waited for.
static void echo(int fd) {
  ssize_t count = read(fd, buffer, sizeof buffer), written = 0;
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  while (written < count) {
    ssize_t n = write(fd, buffer + written, (size_t)(count - written));
    if (n > 0) written += n;
    else if (n < 0 && errno != EAGAIN && errno != EINTR) count = 0;
  }
  if (count <= 0) close(fd);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: raw_echo PORT\n");
    return 64;
  }
  raise_descriptor_limit();
  int listener = listener_on(atoi(argv[1])), epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[256], event = {.events = EPOLLIN, .data.fd = listener};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) != 0) die("epoll");
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      if (events[i].data.fd == listener) accept_all(epoll, listener);
      else echo(events[i].data.fd);
    }
  }
}
