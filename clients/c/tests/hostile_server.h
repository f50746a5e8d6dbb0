/* A server that sends what no server should, from a seed. */
#ifndef HOSTILE_SERVER_H
#define HOSTILE_SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Random numbers from a seed (splitmix64). */
typedef struct dice {
  uint64_t state;
} dice;

static inline uint64_t roll(dice *dice) {
  uint64_t number = dice->state += 0x9E3779B97F4A7C15u;
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9u;
  number = (number ^ number >> 27) * 0x94D049BB133111EBu;
  return number ^ number >> 31;
}

/* A number under `limit`; 0 for none. */
static inline uint32_t below(dice *dice, uint32_t limit) {
  return limit == 0 ? 0 : (uint32_t)(roll(dice) % limit);
}

/* True once in `count` times. */
static inline bool chance(dice *dice, uint32_t count) { return below(dice, count) == 0; }

/* One that listens on a port of this machine. It takes TLS and plain connections one after the other. */
typedef struct hostile_server {
  char token[512]; /* that each connection must show */
  unsigned port;
  unsigned connections, wrong_tokens;
  int listener;
  atomic_bool has_stopped, is_brief; /* brief: closes each connection behind its HELLO */
  void *tls; /* SSL_CTX; NULL: plain only */
  dice dice;
} hostile_server;

/* Listens. Ends the process where that cannot be. */
void hostile_server_open(hostile_server *server, uint64_t seed, const char *certificates);
/* Serves until it is stopped; for pthread_create. */
void *hostile_server_run(void *server);
/* From another thread. */
void hostile_server_stop(hostile_server *server);
void hostile_server_close(hostile_server *server);

#endif
