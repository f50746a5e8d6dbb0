// What Glibc's module leaves out of the calls that a shard makes.
#pragma once
#define _GNU_SOURCE 1
#include <sys/epoll.h>
#include <sys/socket.h>

static inline int quiver_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  extern int accept4(int, struct sockaddr *, socklen_t *, int);
  return accept4(listener, address, length, flags);
}
