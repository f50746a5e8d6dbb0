// Calls Diagnostics/Echo with so many calls in flight for so many seconds, by the C client.
//   quiver_client DEPTH SECONDS     prints the calls and the CPU seconds of the process, without the first
//                                   0.3 s, and all calls (for counts of instructions)
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "quiver/services.h"

static double cpu(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int depth = atoi(argv[1]);
  double seconds = atof(argv[2]);
  const char *error;
  quiver_client *client = quiver_client_new(NULL, &error);
  if (client == NULL) return fprintf(stderr, "%s\n", error), 1;
  static const quiver_method echo = {769, "quiver.v1.Diagnostics/Echo", false, false, false, 0};
  uint8_t message[40] = {0x0A, 38};
  unsigned long count = 0, total = 0, errors = 0;
  int open = depth;
  for (int place = 0; place < depth; place++)
    quiver_call_submit(client, &echo, NULL, message, sizeof message, NULL);
  double begin = now() + 0.3, end = begin + seconds, used = 0;
  bool measures = false, stops = false;
  while (open > 0) {
    double time = now();
    if (!measures && time >= begin) {
      measures = true;
      count = 0;
      used = cpu();
    }
    if (!stops && time >= end) {
      stops = true;
      used = cpu() - used;
    }
    for (quiver_call *call; (call = quiver_client_next(client)) != NULL;) {
      const uint8_t *reply;
      size_t length;
      bool is_good = quiver_call_poll(call, &reply, &length) == 1 && length == sizeof message;
      if (!is_good) errors++;
      total++;
      if (is_good && !stops) count++;
      quiver_call_free(call);
      if (stops)
        open--;
      else
        quiver_call_submit(client, &echo, NULL, message, sizeof message, NULL);
    }
    quiver_client_turn(client, 100);
  }
  printf(
    "{\"calls\": %lu, \"errors\": %lu, \"cpu\": %.6f, \"all\": %lu}\n", count, errors, used, total);
  quiver_client_free(client);
  return 0;
}
