// What Glibc's module leaves out of the calls that a shard makes. No feature macros here: they
// would give other shapes to the types that Glibc's module defines.
#pragma once
#include <sys/epoll.h>
#include <sys/socket.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);

static inline int quiver_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  return accept4(listener, address, length, flags);
}

#include <sys/syscall.h>

extern long syscall(long, ...);

// The cores that the process may run on, a bit each; answers how many bytes were written, or -1.
static inline long quiver_affinity(unsigned char *mask, unsigned long size) {
  return syscall(SYS_sched_getaffinity, 0, size, mask);
}
