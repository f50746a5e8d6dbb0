// What Glibc's module leaves out of the calls that a shard makes. No feature macros here: they
// would give other shapes to the types that Glibc's module defines.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

// SO_PEERCRED, whose structure glibc hides without feature macros: pid, uid and gid.
static inline int quiver_peer_user(int descriptor, unsigned int *user) {
  struct { int process; unsigned int user, group; } peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *user = peer.user;
  return 0;
}

#ifdef __GLIBC__
#include <malloc.h>

// How much free memory at the end of a heap is kept from the kernel, and from which size on a block
// is memory of its own; both in bytes. Answers 0 where the C library refuses.
static inline int quiver_keep_freed(int kept, int own) {
  return mallopt(M_TRIM_THRESHOLD, kept) && mallopt(M_MMAP_THRESHOLD, own);
}

// Returns the free memory of all heaps to the kernel; answers 1 where there was any.
static inline int quiver_release_freed(void) { return malloc_trim(0); }
#endif
