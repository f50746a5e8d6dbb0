/* The client against a real quiverd --diagnostics, and kills of it.
 *
 * usage: live_test FOLDER   FOLDER holds the sockets, the data and the token of the server, which this
 * program starts: QUIVER_PROGRAMS names the folder of quiverd. With QUIVER_TLS, tls://HOST:PORT, and
 * QUIVER_CA the calls go over TLS. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "quiver/services.h"

static char address[256], token_file[256], data_folder[256];
static char *tls_listen, *tls_certificate, *tls_key;
static pid_t server;
static int failures;

#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                            \
    }                                                                        \
  } while (0)

typedef Quiver__V1__EchoMessage Echo;

static quiver_client *connect_to(const char *where, bool compression) {
  quiver_options options;
  memset(&options, 0, sizeof options);
  options.server = where;
  options.token_file = token_file;
  options.compression = compression;
  const char *error;
  quiver_client *client = quiver_client_new(&options, &error);
  if (client == NULL) {
    fprintf(stderr, "live_test: %s\n", error);
    exit(1);
  }
  return client;
}

static void start_server(void) {
  char program[512];
  snprintf(program, sizeof program, "%s/quiverd", getenv("QUIVER_PROGRAMS"));
  server = fork();
  if (server == 0) {
    freopen("/dev/null", "w", stderr);
    if (tls_listen != NULL)
      execl(
        program, program, "--init", "--data", data_folder, "--listen", address, "--diagnostics", "--listen",
        tls_listen, "--tls-certificate", tls_certificate, "--tls-key", tls_key, (char *)NULL);
    execl(
      program, program, "--init", "--data", data_folder, "--listen", address, "--diagnostics", (char *)NULL);
    _exit(127);
  }
  struct stat info;
  for (int turn = 0; turn < 600 && stat(token_file, &info) != 0; turn++) usleep(100000);
  quiver_client *client = connect_to(address, false);
  Quiver__V1__HealthCheckRequest request = QUIVER__V1__HEALTH_CHECK_REQUEST__INIT;
  quiver_call_options options = {.wait_for_ready = true, .timeout_ms = 60000};
  Quiver__V1__HealthCheckResponse *reply;
  quiver_code code = quiver_health_check(client, &request, &options, &reply, NULL);
  if (code != QUIVER_OK) {
    fprintf(stderr, "live_test: the server does not answer: %s\n", quiver_code_name(code));
    exit(1);
  }
  quiver_message_free(reply);
  quiver_client_free(client);
}

static void stop_server(int number) {
  int status = 0;
  kill(server, number);
  waitpid(server, &status, 0);
  if (number == SIGTERM) EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* An echo of some bytes; whether they came back. */
static bool echoes(quiver_client *client, size_t length) {
  Echo request = QUIVER__V1__ECHO_MESSAGE__INIT, *reply;
  request.payload.len = length;
  request.payload.data = malloc(length + 1);
  for (size_t place = 0; place < length; place++) request.payload.data[place] = (uint8_t)(place % 251);
  quiver_code code = quiver_diagnostics_echo(client, &request, NULL, &reply, NULL);
  bool is_same = code == QUIVER_OK && reply->payload.len == length &&
                 (length == 0 || memcmp(reply->payload.data, request.payload.data, length) == 0);
  quiver_message_free(reply);
  free(request.payload.data);
  return is_same;
}

/* A token goes unencrypted to this machine only, and never to a name that looks like its address. */
static void test_local_addresses(void) {
  static const char *const local[] = {"127.0.0.1:1", "127.9.8.7:1", "[::1]:1", "localhost:1"};
  static const char *const others[] = {
    "127.evil.example:1", "127.0.0.1.evil.example:1", "127.0.0.999:1", "[::2]:1", "192.0.2.1:1"};
  quiver_options options;
  memset(&options, 0, sizeof options);
  options.token = "qv_x";
  for (size_t place = 0; place < sizeof local / sizeof local[0]; place++) {
    options.server = local[place];
    quiver_client *client = quiver_client_new(&options, NULL);
    EXPECT(client != NULL);
    quiver_client_free(client);
  }
  for (size_t place = 0; place < sizeof others / sizeof others[0]; place++) {
    options.server = others[place];
    quiver_client *client = quiver_client_new(&options, NULL);
    EXPECT(client == NULL);
    quiver_client_free(client);
  }
}

static void test_unary_calls(quiver_client *client) {
  EXPECT(echoes(client, 0));
  EXPECT(echoes(client, 10));
  EXPECT(echoes(client, 1000000));
  quiver_call *calls[200];
  Echo request = QUIVER__V1__ECHO_MESSAGE__INIT, *reply;
  for (size_t place = 0; place < 200; place++) {
    request.number = place;
    calls[place] = quiver_stream(client, &quiver_diagnostics_echo_method, NULL, &request.base);
  }
  for (size_t place = 0; place < 200; place++) {
    int result = quiver_stream_next(
      calls[place], &quiver__v1__echo_message__descriptor, (ProtobufCMessage **)&reply);
    EXPECT(result == 1 && reply->number == place);
    quiver_message_free(reply);
    quiver_call_free(calls[place]);
  }
  request.payload.len = 5 << 20;
  request.payload.data = calloc(1, request.payload.len);
  quiver_call *call;
  EXPECT(quiver_diagnostics_echo(client, &request, NULL, &reply, &call) == QUIVER_RESOURCE_EXHAUSTED);
  EXPECT(quiver_call_status(call)->not_processed);
  quiver_call_free(call);
  free(request.payload.data);
}

static void test_streams(quiver_client *client) {
  Quiver__V1__SourceRequest request = QUIVER__V1__SOURCE_REQUEST__INIT;
  request.count = 20000;
  quiver_call *call = quiver_diagnostics_source(client, &request, NULL);
  Echo *message;
  uint64_t number = 0;
  while (quiver_diagnostics_source_next(call, &message) == 1) {
    number++;
    EXPECT(message->number == number);
    quiver_message_free(message);
  }
  EXPECT(number == 20000 && quiver_call_status(call)->code == QUIVER_OK);
  quiver_call_free(call);

  static const size_t sizes[] = {27182, 8, 1828, 459045};
  call = quiver_diagnostics_sink(client, NULL);
  size_t sum = 0;
  for (size_t place = 0; place < 4; place++) {
    Echo sent = QUIVER__V1__ECHO_MESSAGE__INIT;
    sent.payload.len = sizes[place];
    sent.payload.data = calloc(1, sizes[place]);
    EXPECT(quiver_diagnostics_sink_send(call, &sent));
    sum += sizes[place];
    free(sent.payload.data);
  }
  Quiver__V1__SinkResponse *counts;
  EXPECT(quiver_diagnostics_sink_reply(call, &counts) == QUIVER_OK);
  EXPECT(counts != NULL && counts->message_count == 4 && counts->payload_bytes == sum);
  quiver_message_free(counts);
  quiver_call_free(call);

  call = quiver_diagnostics_echo_stream(client, NULL);
  for (number = 1; number < 20; number++) {
    Echo sent = QUIVER__V1__ECHO_MESSAGE__INIT;
    sent.number = number;
    EXPECT(quiver_diagnostics_echo_stream_send(call, &sent));
    EXPECT(quiver_diagnostics_echo_stream_next(call, &message) == 1 && message->number == number);
    quiver_message_free(message);
  }
  quiver_call_finish(call);
  EXPECT(quiver_diagnostics_echo_stream_next(call, &message) == 0);
  EXPECT(quiver_call_status(call)->code == QUIVER_OK);
  quiver_call_free(call);
}

static void test_statuses(quiver_client *client) {
  for (unsigned code = 1; code <= 16; code++) {
    Quiver__V1__Detail detail = QUIVER__V1__DETAIL__INIT, *details[1] = {&detail};
    Quiver__V1__FailRequest request = QUIVER__V1__FAIL_REQUEST__INIT;
    detail.type = "quiver.v1.Riser";
    detail.value = (ProtobufCBinaryData){2, (uint8_t *)"\x08\x01"};
    request.code = code;
    request.message = "as asked";
    request.n_details = 1;
    request.details = details;
    Quiver__V1__FailResponse *reply;
    quiver_call *call;
    EXPECT(quiver_diagnostics_fail(client, &request, NULL, &reply, &call) == (quiver_code)code);
    const quiver_status *status = quiver_call_status(call);
    EXPECT(status->origin == QUIVER_ORIGIN_SERVER && strcmp(status->message, "as asked") == 0);
    EXPECT(status->detail_count == 1 && strcmp(status->details[0].key, "quiver.v1.Riser") == 0);
    quiver_call_free(call);
  }
  Quiver__V1__DelayRequest request = QUIVER__V1__DELAY_REQUEST__INIT;
  Quiver__V1__DelayResponse *reply;
  request.delay_ms = 1;
  quiver_call_options options = {.timeout_ms = 20000};
  EXPECT(quiver_diagnostics_delay(client, &request, &options, &reply, NULL) == QUIVER_OK);
  EXPECT(
    reply->optional_time_left_ms_case ==
    QUIVER__V1__DELAY_RESPONSE__OPTIONAL_TIME_LEFT_MS_TIME_LEFT_MS);
  EXPECT(reply->time_left_ms > 0 && reply->time_left_ms <= 20000);
  quiver_message_free(reply);
  request.delay_ms = 60000;
  options.timeout_ms = 50;
  EXPECT(
    quiver_diagnostics_delay(client, &request, &options, &reply, NULL) == QUIVER_DEADLINE_EXCEEDED);
  quiver_call *call = quiver_stream(client, &quiver_diagnostics_delay_method, NULL, &request.base);
  quiver_client_turn(client, 20);
  quiver_call_cancel(call);
  EXPECT(quiver_call_status(call)->code == QUIVER_CANCELLED);
  quiver_call_free(call);
  EXPECT(echoes(client, 3));
}

/* What was submitted, and what came of it. */
typedef struct submitted {
  uint64_t wanted, messages;
  bool has_ended;
} submitted;

/* Reads the calls that the client returns until so many have ended. */
static void take_calls(quiver_client *client, size_t count) {
  for (size_t ended = 0; ended < count;) {
    quiver_client_turn(client, -1);
    for (quiver_call *call; (call = quiver_client_next(client)) != NULL;) {
      submitted *one = quiver_call_context(call);
      EXPECT(!one->has_ended);
      const uint8_t *data;
      size_t length;
      /* One message a turn: the call must come again. */
      if (quiver_call_poll(call, &data, &length) == 1) {
        one->messages++;
        Echo *message = (Echo *)quiver_message_unpack(
          &quiver__v1__echo_message__descriptor, data, length);
        EXPECT(message != NULL && (one->wanted == 0 || message->number == one->wanted));
        quiver_message_free(message);
      } else if (quiver_call_status(call) != NULL) {
        one->has_ended = true;
        ended++;
        quiver_call_free(call);
      }
    }
  }
}

static void test_asynchronous_calls(quiver_client *client) {
  submitted many[300];
  memset(many, 0, sizeof many);
  Echo request = QUIVER__V1__ECHO_MESSAGE__INIT, *reply;
  for (size_t place = 0; place < 300; place++) {
    request.number = many[place].wanted = place + 1;
    EXPECT(
      quiver_submit(client, &quiver_diagnostics_echo_method, NULL, &request.base, &many[place]) !=
      NULL);
  }
  EXPECT(quiver_client_next(client) == NULL);
  take_calls(client, 300);
  for (size_t place = 0; place < 300; place++) EXPECT(many[place].messages == 1);

  /* A stream, whose messages come one by one; a call that fails; one that cannot start. */
  submitted source = {0, 0, false}, failed = {0, 0, false}, refused = {0, 0, false};
  Quiver__V1__SourceRequest some = QUIVER__V1__SOURCE_REQUEST__INIT;
  some.count = 5000;
  quiver_submit(client, &quiver_diagnostics_source_method, NULL, &some.base, &source);
  Quiver__V1__FailRequest fail = QUIVER__V1__FAIL_REQUEST__INIT;
  fail.code = QUIVER_ABORTED;
  quiver_submit(client, &quiver_diagnostics_fail_method, NULL, &fail.base, &failed);
  quiver_entry entry = {"UPPER", (const uint8_t *)"x", 1};
  quiver_call_options options = {.metadata = &entry, .metadata_count = 1};
  quiver_call *call =
    quiver_submit(client, &quiver_diagnostics_echo_method, &options, &request.base, &refused);
  EXPECT(quiver_client_next(client) == call);
  EXPECT(quiver_call_status(call)->code == QUIVER_INVALID_ARGUMENT);
  quiver_call_free(call);
  take_calls(client, 2);
  EXPECT(source.messages == 5000 && failed.messages == 0);

  /* A blocking call while others end, and calls that are freed in the queue and before it. */
  quiver_call *calls[40];
  for (size_t place = 0; place < 40; place++) {
    request.number = place;
    calls[place] = quiver_submit(client, &quiver_diagnostics_echo_method, NULL, &request.base, NULL);
  }
  EXPECT(echoes(client, 20000) && echoes(client, 20));
  for (size_t place = 0; place < 20; place++) quiver_call_free(calls[2 * place]);
  uint64_t sum = 0;
  for (size_t place = 0; place < 20; place++) {
    while ((call = quiver_client_next(client)) == NULL) quiver_client_turn(client, -1);
    EXPECT(
      quiver_stream_reply(
        call, &quiver__v1__echo_message__descriptor, (ProtobufCMessage **)&reply) == QUIVER_OK);
    EXPECT(reply != NULL && reply->number % 2 == 1);
    if (reply != NULL) sum += reply->number;
    quiver_message_free(reply);
    quiver_call_free(call);
  }
  EXPECT(sum == 400);
  EXPECT(quiver_client_next(client) == NULL);
  for (size_t place = 0; place < 40; place++)
    calls[place] = quiver_submit(client, &quiver_diagnostics_echo_method, NULL, &request.base, NULL);
  for (size_t place = 0; place < 40; place++) quiver_call_free(calls[place]);
  EXPECT(quiver_client_next(client) == NULL && echoes(client, 3));
}

static int64_t create(quiver_client *client, const char *brand, const uint8_t *key) {
  Quiver__V1__Riser riser = QUIVER__V1__RISER__INIT, *made;
  Quiver__V1__CreateRiserRequest request = QUIVER__V1__CREATE_RISER_REQUEST__INIT;
  riser.brand = (char *)brand;
  riser.model = "X";
  request.riser = &riser;
  quiver_call_options options = {.key = key, .wait_for_ready = true, .timeout_ms = 60000};
  quiver_code code = quiver_equipment_create_riser(client, &request, &options, &made, NULL);
  int64_t id = code == QUIVER_OK ? made->id : -(int64_t)code;
  quiver_message_free(made);
  return id;
}

static void test_keys(quiver_client *client) {
  static const uint8_t key[QUIVER_KEY_BYTES] = {1, 2, 3};
  int64_t first = create(client, "Hoyt", key);
  EXPECT(first > 0 && create(client, "Hoyt", key) == first);
  EXPECT(create(client, "Gillo", key) == -QUIVER_ALREADY_EXISTS);
}

static void test_wrong_token(void) {
  quiver_options options;
  memset(&options, 0, sizeof options);
  options.server = address;
  options.token = "qv_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  quiver_client *client = quiver_client_new(&options, NULL);
  Echo request = QUIVER__V1__ECHO_MESSAGE__INIT, *reply;
  EXPECT(
    quiver_diagnostics_echo(client, &request, NULL, &reply, NULL) == QUIVER_UNAUTHENTICATED);
  quiver_client_free(client);
  options.server = "unix:/nonexistent/socket";
  client = quiver_client_new(&options, NULL);
  quiver_call *call;
  EXPECT(quiver_diagnostics_echo(client, &request, NULL, &reply, &call) == QUIVER_UNAVAILABLE);
  EXPECT(quiver_call_status(call)->not_processed);
  quiver_call_free(call);
  quiver_client_free(client);
  options.server = "archery.example:7450";
  EXPECT(quiver_client_new(&options, NULL) == NULL);
}

/* A watch and a writer, over kills of the server. */
static void test_watch_over_kills(void) {
  quiver_client *reader = connect_to(address, false), *writer = connect_to(address, false);
  Quiver__V1__WatchItemsRequest request = QUIVER__V1__WATCH_ITEMS_REQUEST__INIT;
  quiver_call *watch = quiver_equipment_watch_items(reader, &request, NULL);
  Quiver__V1__WatchItemsResponse *message;
  int64_t last = 0, wanted[60] = {0};
  bool is_seen[60] = {false};
  size_t made = 0, seen = 0;
  for (size_t turn = 0; turn < 3; turn++) {
    for (size_t place = 0; place < 20; place++) {
      wanted[made] = create(writer, "watched", NULL);
      EXPECT(wanted[made] > 0);
      made++;
    }
    while (seen < made && quiver_equipment_watch_items_next(watch, &message) == 1) {
      EXPECT(message->span->snapshot || message->span->after == last);
      if (!message->span->incomplete) last = message->span->upto;
      for (size_t item = 0; item < message->n_changed; item++)
        for (size_t place = 0; place < made; place++)
          if (wanted[place] == message->changed[item]->id && !is_seen[place]) {
            is_seen[place] = true;
            seen++;
          }
      quiver_message_free(message);
    }
    EXPECT(seen == made);
    stop_server(SIGKILL);
    start_server();
  }
  quiver_call_free(watch);
  quiver_client_free(reader);
  quiver_client_free(writer);
}

/* A request stream that has taken messages is never answered without them by another server. */
static void test_streams_move_whole(void) {
  char both[600];
  snprintf(both, sizeof both, "localhost:1,%s", address);
  for (int turn = 0; turn < 20; turn++) {
    quiver_client *client = connect_to(both, false);
    quiver_call *call = quiver_diagnostics_sink(client, NULL);
    for (int place = 0; place < 2; place++) {
      Echo sent = QUIVER__V1__ECHO_MESSAGE__INIT;
      quiver_diagnostics_sink_send(call, &sent);
    }
    Quiver__V1__SinkResponse *counts = NULL;
    quiver_code code = quiver_diagnostics_sink_reply(call, &counts);
    EXPECT(code == QUIVER_UNAVAILABLE ||
           (code == QUIVER_OK && counts != NULL && counts->message_count == 2));
    if (counts != NULL) quiver_message_free(counts);
    quiver_call_free(call);
    quiver_client_free(client);
  }
}

static void test_all(const char *where, bool compression) {
  quiver_client *client = connect_to(where, compression);
  test_unary_calls(client);
  test_streams(client);
  test_statuses(client);
  test_asynchronous_calls(client);
  quiver_client_free(client);
}

int main(int count, char **words) {
  if (count != 2 || getenv("QUIVER_PROGRAMS") == NULL) {
    fprintf(stderr, "usage: QUIVER_PROGRAMS=FOLDER live_test FOLDER\n");
    return 64;
  }
  snprintf(address, sizeof address, "unix:%s/socket", words[1]);
  snprintf(data_folder, sizeof data_folder, "%s/data", words[1]);
  snprintf(token_file, sizeof token_file, "%s/data/admin.token", words[1]);
  tls_listen = getenv("QUIVER_TLS");
  tls_certificate = getenv("QUIVER_TLS_CERTIFICATE");
  tls_key = getenv("QUIVER_TLS_KEY");
  test_local_addresses();
  start_server();
  test_streams_move_whole();
  test_all(address, false);
  test_all(address, true);
  if (tls_listen != NULL) test_all(tls_listen, true);
  quiver_client *client = connect_to(address, false);
  test_keys(client);
  quiver_client_free(client);
  test_wrong_token();
  test_watch_over_kills();
  stop_server(SIGTERM);
  if (failures == 0) puts("the C client agrees with quiverd");
  return failures == 0 ? 0 : 1;
}
