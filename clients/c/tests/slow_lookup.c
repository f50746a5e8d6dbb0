/* To be preloaded: a name server that answers nothing about slow.example for five seconds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(
  const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  int is_numeric = hints != NULL && (hints->ai_flags & AI_NUMERICHOST) != 0;
  if (node != NULL && strcmp(node, "slow.example") == 0 && !is_numeric) {
    sleep(5);
    return EAI_AGAIN;
  }
  int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
  return next(node, service, hints, found);
}
