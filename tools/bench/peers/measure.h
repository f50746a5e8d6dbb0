// What the load clients share: clocks, another process's CPU and memory, latencies, the report.
#ifndef QUIVER_BENCH_MEASURE_H
#define QUIVER_BENCH_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t clock_ns(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t) != 0) return 0;
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

// User and system time of all threads that a process has or had, in nanoseconds.
static inline uint64_t process_cpu_ns(int pid) {
  clockid_t clock;
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0) return 0;
  return clock_ns(clock);
}

// A field of /proc/PID/smaps_rollup in bytes; 0 if it cannot be read.
static inline uint64_t process_memory_bytes(int pid, const char *field) {
  char path[64], line[256];
  uint64_t kib = 0;
  size_t length = strlen(field);
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, field, length) == 0 && line[length] == ':')
      kib = strtoull(line + length + 1, NULL, 10);
  fclose(file);
  return kib * 1024;
}

// Takes as many descriptors as the process may have.
static inline void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

__attribute__((noreturn)) static inline void die(const char *what) {
  perror(what);
  exit(1);
}

// Latencies in 64 steps to each power of two: 1.6 % apart.
struct histogram {
  uint64_t count;
  uint64_t buckets[64 * 64];
};

static inline void histogram_add(struct histogram *h, uint64_t ns) {
  unsigned index;
  if (ns < 128) {
    index = (unsigned)(ns / 2);
  } else {
    unsigned shift = 63u - (unsigned)__builtin_clzll(ns) - 6u;
    index = shift * 64 + (unsigned)((ns >> shift) - 64);
  }
  h->buckets[index]++;
  h->count++;
}

static inline uint64_t histogram_quantile(const struct histogram *h, double q) {
  uint64_t wanted = (uint64_t)(q * (double)h->count), seen = 0;
  for (unsigned index = 0; index < 64 * 64; index++) {
    seen += h->buckets[index];
    if (seen > wanted)
      return index < 64 ? index * 2 : (uint64_t)(64 + index % 64) << (index / 64);
  }
  return 0;
}

struct load_options {
  char host[128];
  int port;
  int connections;
  int depth;          // calls in flight on each connection
  double seconds;     // that are measured
  double warmup;      // seconds before
  int pid;            // the server's; 0: its CPU is not measured
  unsigned method;    // Quiver's method id
  unsigned timeout_ms;  // each call's deadline; 0: none
  const char *token_file;
  const char *request;  // the message in hexadecimal digits; NULL: the echo's
  const char *ca_file;  // the server speaks TLS by a certificate of this authority; NULL: plain
  int raw;            // the peer echoes bytes: no handshake
  int idle;           // connections to hold without calls
  int sources;        // loopback addresses that idle connections come from
  int keys;           // each call has an idempotency key of its own, ordered by time
  int distinct;       // each call's message has an unknown field with another value
  double rate;        // calls a second that are offered, whatever is answered; 0: as many as go
};

static inline struct load_options load_options_parse(int argc, char **argv) {
  struct load_options o = {"127.0.0.1", 7450, 1, 1, 2, 0.5, 0, 769, 1000, NULL, NULL, NULL, 0, 0, 1, 0,
                           0, 0};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--raw") == 0) {
      o.raw = 1;
      continue;
    }
    if (strcmp(name, "--keys") == 0) {
      o.keys = 1;
      continue;
    }
    if (strcmp(name, "--distinct") == 0) {
      o.distinct = 1;
      continue;
    }
    if (i + 1 >= argc) {
      fprintf(stderr, "%s: %s wants a value\n", argv[0], name);
      exit(64);
    }
    const char *value = argv[++i];
    if (strcmp(name, "--connect") == 0) {
      const char *colon = strrchr(value, ':');
      if (!colon || (size_t)(colon - value) >= sizeof o.host) {
        fprintf(stderr, "%s: --connect wants HOST:PORT\n", argv[0]);
        exit(64);
      }
      memcpy(o.host, value, (size_t)(colon - value));
      o.host[colon - value] = 0;
      o.port = atoi(colon + 1);
    } else if (strcmp(name, "--connections") == 0) o.connections = atoi(value);
    else if (strcmp(name, "--depth") == 0) o.depth = atoi(value);
    else if (strcmp(name, "--seconds") == 0) o.seconds = atof(value);
    else if (strcmp(name, "--warmup") == 0) o.warmup = atof(value);
    else if (strcmp(name, "--pid") == 0) o.pid = atoi(value);
    else if (strcmp(name, "--method") == 0) o.method = (unsigned)atoi(value);
    else if (strcmp(name, "--timeout-ms") == 0) o.timeout_ms = (unsigned)atoi(value);
    else if (strcmp(name, "--token-file") == 0) o.token_file = value;
    else if (strcmp(name, "--ca") == 0) o.ca_file = value;
    else if (strcmp(name, "--request") == 0) o.request = value;
    else if (strcmp(name, "--idle") == 0) o.idle = atoi(value);
    else if (strcmp(name, "--sources") == 0) o.sources = atoi(value);
    else if (strcmp(name, "--rate") == 0) o.rate = atof(value);
    else {
      fprintf(stderr, "%s: unknown option %s\n", argv[0], name);
      exit(64);
    }
  }
  return o;
}

// The measured span of a load: latencies, calls and the server's CPU after the warm-up.
struct load_span {
  uint64_t starts, ends, began, cpu_began;
  int open;  // 0 before, 1 in, 2 after
  int pid;
  uint64_t calls, errors;
  struct histogram latencies;
};

static inline void load_span_init(struct load_span *s, const struct load_options *o) {
  memset(s, 0, sizeof *s);
  s->pid = o->pid;
  s->starts = now_ns() + (uint64_t)(o->warmup * 1e9);
  s->ends = s->starts + (uint64_t)(o->seconds * 1e9);
}

// Counts calls that have ended with one reading of the clock; returns 0 when the span is over.
static inline int load_span_tick(struct load_span *s, uint64_t now) {
  if (s->open == 0 && now >= s->starts) {
    s->open = 1;
    s->began = now;
    s->cpu_began = process_cpu_ns(s->pid);
  } else if (s->open == 1 && now >= s->ends) {
    s->open = 2;
    uint64_t cpu = process_cpu_ns(s->pid) - s->cpu_began;
    double seconds = (double)(now - s->began) / 1e9;
    printf("{\"calls\":%llu,\"errors\":%llu,\"seconds\":%.6f,"
           "\"p50Nanoseconds\":%llu,\"p99Nanoseconds\":%llu,\"p999Nanoseconds\":%llu,"
           "\"serverCPUNanoseconds\":%llu}\n",
           (unsigned long long)s->calls, (unsigned long long)s->errors, seconds,
           (unsigned long long)histogram_quantile(&s->latencies, 0.5),
           (unsigned long long)histogram_quantile(&s->latencies, 0.99),
           (unsigned long long)histogram_quantile(&s->latencies, 0.999), (unsigned long long)cpu);
    fflush(stdout);
  }
  return s->open != 2;
}

static inline void load_span_add(struct load_span *s, uint64_t began, uint64_t now) {
  if (s->open != 1) return;
  s->calls++;
  histogram_add(&s->latencies, now - began);
}

// EchoMessage in 40 bytes: 16 of payload, 14 of text, a number of five.
static const uint8_t echo_message[40] = {
    0x0A, 16,  'q', 'u', 'i', 'v', 'e', 'r', 0,   1,   2,   3,   4,    5,    6,    7,    8,   9,
    0x12, 14,  't', 'w', 'e', 'l', 'v', 'e', ' ', 'a', 'r', 'r', 'o',  'w',  's',  '.',
    0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F};

#endif
