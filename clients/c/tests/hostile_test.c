/* Clients in two threads against servers that send what no server should: frames and TLS records that
 * are cut, too long, out of order, repeated or random. Each call ends with a status, each client gives
 * back its memory, and each connection shows the token of its own client.
 *
 * usage: hostile_test SECONDS SEED [CERTIFICATES]   the folder that tools/dev-certificates has made;
 * without it, or in a library without TLS, plain connections only */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core.h"
#include "hostile_server.h"
#include "quiver/services.h"

#define LANES 2
#define BRIEF_ROUNDS 1000

static atomic_int failures;

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      atomic_fetch_add(&failures, 1);                                         \
    }                                                                         \
  } while (0)

/* A client's thread and the thread of its server. */
typedef struct lane {
  hostile_server server;
  pthread_t client_thread, server_thread;
  dice dice;
  char token_file[64];
  size_t live; /* bytes that the client holds */
  time_t end;
  unsigned rounds, calls, succeeded;
} lane;

static const char *certificates;

/* Counts memory, so that each client is seen to give it back. */
static void *resize(void *context, void *pointer, size_t size) {
  lane *lane = context;
  size_t *block = pointer == NULL ? NULL : (size_t *)pointer - 2;
  if (block != NULL) lane->live -= *block;
  if (size == 0) {
    free(block);
    return NULL;
  }
  block = realloc(block, size + 2 * sizeof(size_t));
  if (block == NULL) abort();
  *block = size;
  lane->live += size;
  return block + 2;
}

static void check_end(lane *lane, quiver_call *call) {
  const quiver_status *status = quiver_call_status(call);
  lane->calls++;
  EXPECT(status != NULL);
  if (status == NULL) return;
  EXPECT((unsigned)status->code <= QUIVER_UNAUTHENTICATED);
  EXPECT(is_utf8((const uint8_t *)status->message, strlen(status->message)));
  if (status->code == QUIVER_OK) lane->succeeded++;
}

/* ---- The calls of a round */

static void call_unary(lane *lane, quiver_client *client, const quiver_call_options *options) {
  Quiver__V1__EchoMessage request = QUIVER__V1__ECHO_MESSAGE__INIT, *reply;
  request.payload.len = chance(&lane->dice, 4) ? below(&lane->dice, 100000) : 10;
  request.payload.data = calloc(1, request.payload.len + 1);
  quiver_call *call = NULL;
  quiver_code code = quiver_diagnostics_echo(client, &request, options, &reply, &call);
  EXPECT((code == QUIVER_OK) == (reply != NULL));
  check_end(lane, call);
  quiver_message_free(reply);
  quiver_call_free(call);
  free(request.payload.data);
}

static void call_watch(lane *lane, quiver_client *client, const quiver_call_options *options) {
  Quiver__V1__WatchItemsRequest request = QUIVER__V1__WATCH_ITEMS_REQUEST__INIT;
  Quiver__V1__WatchItemsResponse *message;
  quiver_call *call = quiver_equipment_watch_items(client, &request, options);
  for (unsigned count = below(&lane->dice, 20); count > 0; count--) {
    if (quiver_equipment_watch_items_next(call, &message) == 0) break;
    quiver_message_free(message);
  }
  quiver_call_cancel(call);
  while (quiver_equipment_watch_items_next(call, &message) == 1) quiver_message_free(message);
  check_end(lane, call);
  quiver_call_free(call);
}

static void call_source(lane *lane, quiver_client *client, const quiver_call_options *options) {
  Quiver__V1__SourceRequest request = QUIVER__V1__SOURCE_REQUEST__INIT;
  Quiver__V1__EchoMessage *message;
  request.count = 5;
  quiver_call *call = quiver_diagnostics_source(client, &request, options);
  while (quiver_diagnostics_source_next(call, &message) == 1) quiver_message_free(message);
  check_end(lane, call);
  quiver_call_free(call);
}

static void call_sink(lane *lane, quiver_client *client, const quiver_call_options *options) {
  quiver_call *call = quiver_diagnostics_sink(client, options);
  Quiver__V1__EchoMessage sent = QUIVER__V1__ECHO_MESSAGE__INIT;
  Quiver__V1__SinkResponse *reply;
  sent.payload.len = below(&lane->dice, 40000);
  sent.payload.data = calloc(1, sent.payload.len + 1);
  for (unsigned count = below(&lane->dice, 8); count > 0; count--)
    if (!quiver_diagnostics_sink_send(call, &sent)) break;
  quiver_code code = quiver_diagnostics_sink_reply(call, &reply);
  EXPECT((code == QUIVER_OK) == (reply != NULL));
  check_end(lane, call);
  quiver_message_free(reply);
  quiver_call_free(call);
  free(sent.payload.data);
}

static void call_talk(lane *lane, quiver_client *client, const quiver_call_options *options) {
  quiver_call *call = quiver_diagnostics_echo_stream(client, options);
  Quiver__V1__EchoMessage sent = QUIVER__V1__ECHO_MESSAGE__INIT, *message;
  for (unsigned count = below(&lane->dice, 5); count > 0; count--) {
    if (!quiver_diagnostics_echo_stream_send(call, &sent)) break;
    if (quiver_diagnostics_echo_stream_next(call, &message) == 0) break;
    quiver_message_free(message);
  }
  quiver_call_finish(call);
  while (quiver_diagnostics_echo_stream_next(call, &message) == 1) quiver_message_free(message);
  check_end(lane, call);
  quiver_call_free(call);
}

static void call_many(lane *lane, quiver_client *client, const quiver_call_options *options) {
  Quiver__V1__GetHubRequest request = QUIVER__V1__GET_HUB_REQUEST__INIT;
  unsigned open = 1 + below(&lane->dice, 12);
  for (unsigned place = 0; place < open; place++)
    EXPECT(quiver_submit(client, &quiver_equipment_get_hub_method, options, &request.base, lane) != NULL);
  while (open > 0) {
    quiver_client_turn(client, -1);
    quiver_call *call;
    while ((call = quiver_client_next(client)) != NULL) {
      ProtobufCMessage *reply;
      (void)quiver_stream_reply(call, &quiver__v1__get_hub_response__descriptor, &reply);
      quiver_message_free(reply);
      check_end(lane, call);
      quiver_call_free(call);
      open--;
    }
  }
}

static void play(lane *lane) {
  static void (*const kinds[])(struct lane *, quiver_client *, const quiver_call_options *) = {
    call_unary, call_watch, call_source, call_sink, call_talk, call_many};
  quiver_allocator allocator = {resize, lane};
  char server[64], authority[512];
  bool is_tls = certificates != NULL && chance(&lane->dice, 2);
  snprintf(server, sizeof server, "%s127.0.0.1:%u", is_tls ? "tls://" : "", lane->server.port);
  snprintf(authority, sizeof authority, "%s/ca.pem", certificates != NULL ? certificates : "");
  quiver_options options = {
    .server = server,
    .token_file = lane->token_file,
    .ca_file = authority,
    .server_name = "localhost",
    .max_attempts = 1 + below(&lane->dice, 3),
    .max_message_bytes = chance(&lane->dice, 3) ? 4096 : 0,
    .compression = has_compression() && chance(&lane->dice, 2),
    .allocator = &allocator,
    .time_limits = {.hello_ms = 60, .frame_ms = 60, .message_ms = 60, .keepalive_ms = 20, .keepalive_timeout_ms = 40}};
  const char *error = NULL;
  quiver_client *client = quiver_client_new(&options, &error);
  EXPECT(client != NULL);
  if (client == NULL) return;
  for (unsigned count = 1 + below(&lane->dice, 3); count > 0; count--) {
    quiver_call_options given = {.timeout_ms = 10 + below(&lane->dice, 80), .wait_for_ready = chance(&lane->dice, 3)};
    kinds[below(&lane->dice, sizeof kinds / sizeof kinds[0])](lane, client, &given);
  }
  quiver_client_free(client);
  EXPECT(lane->live == 0);
  lane->rounds++;
}

/* Makes a connection in each of many clients, so that those of both threads are made at the same time. */
static void show_tokens(lane *lane) {
  char server[64];
  snprintf(server, sizeof server, "127.0.0.1:%u", lane->server.port);
  quiver_options options = {.server = server, .token_file = lane->token_file, .max_attempts = 1};
  atomic_store(&lane->server.is_brief, true);
  for (unsigned round = 0; round < BRIEF_ROUNDS; round++) {
    quiver_client *client = quiver_client_new(&options, NULL);
    Quiver__V1__GetHubRequest request = QUIVER__V1__GET_HUB_REQUEST__INIT;
    Quiver__V1__GetHubResponse *reply;
    EXPECT(quiver_equipment_get_hub(client, &request, NULL, &reply, NULL) != QUIVER_OK);
    quiver_client_free(client);
  }
  atomic_store(&lane->server.is_brief, false);
}

static void *run_lane(void *argument) {
  lane *lane = argument;
  show_tokens(lane);
  while (time(NULL) < lane->end && atomic_load(&failures) == 0) play(lane);
  return NULL;
}

static void begin(lane *lane, unsigned number, uint64_t seed, time_t end) {
  memset(lane, 0, sizeof *lane);
  lane->dice.state = seed * 2 + number;
  lane->end = end;
  snprintf(lane->server.token, sizeof lane->server.token, "qv_thread_%u_%0*u", number, 10 + 400 * (int)number, 7);
  snprintf(lane->token_file, sizeof lane->token_file, "/tmp/quiver.XXXXXX");
  int file = mkstemp(lane->token_file);
  size_t length = strlen(lane->server.token);
  EXPECT(file >= 0 && write(file, lane->server.token, length) == (ssize_t)length);
  close(file);
  hostile_server_open(&lane->server, seed * 2 + number, certificates);
  EXPECT(pthread_create(&lane->server_thread, NULL, hostile_server_run, &lane->server) == 0);
}

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: hostile_test SECONDS SEED [CERTIFICATES]\n");
    return 64;
  }
  unsigned seconds = (unsigned)strtoul(words[1], NULL, 10);
  uint64_t seed = strtoull(words[2], NULL, 10);
#ifdef QUIVER_TLS
  certificates = count > 3 ? words[3] : NULL;
#endif
  printf("seed %llu\n", (unsigned long long)seed);
  fflush(stdout);
  /* A client that waits for ever is a failure as well. */
  alarm(seconds + 60);
  static lane lanes[LANES];
  for (unsigned number = 0; number < LANES; number++)
    begin(&lanes[number], number, seed, time(NULL) + seconds);
  for (unsigned number = 0; number < LANES; number++)
    EXPECT(pthread_create(&lanes[number].client_thread, NULL, run_lane, &lanes[number]) == 0);
  unsigned rounds = 0, calls = 0, succeeded = 0, connections = 0, wrong = 0;
  for (unsigned number = 0; number < LANES; number++) {
    lane *lane = &lanes[number];
    pthread_join(lane->client_thread, NULL);
    hostile_server_stop(&lane->server);
    pthread_join(lane->server_thread, NULL);
    hostile_server_close(&lane->server);
    unlink(lane->token_file);
    rounds += lane->rounds;
    calls += lane->calls;
    succeeded += lane->succeeded;
    connections += lane->server.connections;
    wrong += lane->server.wrong_tokens;
  }
  printf(
    "%u rounds, %u calls (%u OK), %u connections, %u with the token of another client\n", rounds, calls,
    succeeded, connections, wrong);
  EXPECT(rounds > 0 && connections > 0);
  EXPECT(wrong == 0);
  return atomic_load(&failures) == 0 ? 0 : 1;
}
