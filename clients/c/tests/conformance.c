/* The C client under test: makes the calls that it reads as lines of JSON.
 *
 * usage: conformance [--asynchronous]   with quiver_call_submit, and replies only as
 * quiver_client_next returns their calls
 *
 * docs/client-conformance.md describes the lines; quiver-conformance --client runs this program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "quiver/message.h"
#include "quiver/services.h"

typedef Quiver__V1__EchoMessage Echo;

static const quiver_method methods[] = {
  {65281, "quiver.conformance.Peer/Mutate", false, false, true, 0},
  {65282, "quiver.conformance.Peer/Unary", false, false, false, 0},
  {65283, "quiver.conformance.Peer/Upload", true, false, false, 0},
  {65284, "quiver.conformance.Peer/Download", false, true, false, 0},
  {65285, "quiver.conformance.Peer/Talk", true, true, false, 0}};
static const char *const names[] = {"mutate", "unary", "upload", "download", "talk"};

typedef struct payload {
  struct payload *next;
  size_t length;
  uint8_t data[];
} payload;

typedef struct running {
  struct running *next;
  long id;
  quiver_call *call;
  long wanted; /* messages to read; -1: all */
  payload *first, **last;
  bool finishes, has_ended, is_watch;
  bool is_due; /* its reply may be read; always so for calls that are not asynchronous */
} running;

static quiver_client *client;
static running *calls;
static bool is_asynchronous;

/* ---- JSON of one level */

/* The text behind "name": in a line; NULL if there is none. */
static const char *value_of(const char *line, const char *name) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", name);
  const char *found = strstr(line, quoted);
  return found == NULL ? NULL : found + strlen(quoted);
}

static long number_of(const char *line, const char *name, long otherwise) {
  const char *value = value_of(line, name);
  return value == NULL ? otherwise : strtol(value, NULL, 10);
}

static bool is_true(const char *line, const char *name) {
  const char *value = value_of(line, name);
  return value != NULL && strncmp(value, "true", 4) == 0;
}

/* A copy of a string, whose only escape is \/; to be freed. */
static char *string_of(const char *line, const char *name) {
  const char *value = value_of(line, name);
  if (value == NULL || *value != '"') return NULL;
  size_t length = strcspn(value + 1, "\""), at = 0;
  char *made = malloc(length + 1);
  for (size_t place = 1; place <= length; place++)
    if (value[place] != '\\') made[at++] = value[place];
  made[at] = 0;
  return made;
}

static unsigned digit(char one) { return one <= '9' ? (unsigned)(one - '0') : (unsigned)(one - 'a' + 10); }

static size_t from_hex(const char *text, size_t length, uint8_t *out) {
  for (size_t place = 0; place + 1 < length; place += 2)
    out[place / 2] = (uint8_t)(digit(text[place]) << 4 | digit(text[place + 1]));
  return length / 2;
}

static void put_hex(const uint8_t *data, size_t length) {
  for (size_t place = 0; place < length; place++) printf("%02x", data[place]);
}

static void put_text(const char *text) {
  for (; *text != 0; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    if ((unsigned char)*text >= 0x20) putchar(*text);
  }
}

static void put_entries(const char *name, const quiver_entry *entries, size_t count) {
  printf(",\"%s\":\"", name);
  for (size_t place = 0; place < count; place++) {
    printf("%s%s=", place > 0 ? "," : "", entries[place].key);
    put_hex(entries[place].value, entries[place].length);
  }
  putchar('"');
}

/* ---- Calls */

static uint8_t *encode(const char *line, size_t *length) {
  char *text = string_of(line, "payload");
  Echo message = QUIVER__V1__ECHO_MESSAGE__INIT;
  message.payload.data = malloc(strlen(text) / 2 + 1);
  message.payload.len = from_hex(text, strlen(text), message.payload.data);
  uint8_t *data = malloc(quiver__v1__echo_message__get_packed_size(&message) + 1);
  *length = quiver__v1__echo_message__pack(&message, data);
  free(message.payload.data);
  free(text);
  return data;
}

static size_t read_metadata(char *text, quiver_entry *entries, uint8_t *values) {
  size_t count = 0;
  for (char *one = text != NULL ? strtok(text, ",") : NULL; one != NULL; one = strtok(NULL, ",")) {
    char *equals = strchr(one, '=');
    *equals = 0;
    entries[count].key = one;
    entries[count].value = values;
    entries[count].length = from_hex(equals + 1, strlen(equals + 1), values);
    values += entries[count++].length;
  }
  return count;
}

static void start(const char *line) {
  running *running = calloc(1, sizeof *running);
  running->id = number_of(line, "id", 0);
  running->last = &running->first;
  char *method = string_of(line, "method"), *metadata = string_of(line, "metadata");
  char *key = string_of(line, "key"), *epoch = string_of(line, "epoch");
  quiver_call_options options;
  memset(&options, 0, sizeof options);
  quiver_entry entries[64];
  uint8_t values[8192], key_bytes[QUIVER_KEY_BYTES];
  options.timeout_ms = (uint32_t)number_of(line, "timeout_ms", 0);
  options.wait_for_ready = is_true(line, "wait_for_ready");
  options.metadata = entries;
  options.metadata_count = read_metadata(metadata, entries, values);
  if (key != NULL) {
    from_hex(key, 2 * QUIVER_KEY_BYTES, key_bytes);
    options.key = key_bytes;
  }
  options.position.sequence = number_of(line, "after", 0);
  if (epoch != NULL) options.position.store_epoch = strtoull(epoch, NULL, 10);
  const quiver_method *found = &quiver_equipment_watch_items_method;
  for (size_t place = 0; place < 5; place++)
    if (strcmp(method, names[place]) == 0) found = &methods[place];
  size_t length = 0;
  uint8_t *data = encode(line, &length);
  if (found->span_field != 0) length = 0;
  const uint8_t *request = found->request_streams ? NULL : data;
  running->call =
    is_asynchronous ? quiver_call_submit(client, found, &options, request, length, running)
                    : quiver_call_start(client, found, &options, request, length);
  running->is_watch = found->span_field != 0;
  running->wanted = found->reply_streams ? 0 : -1;
  running->next = calls;
  calls = running;
  free(data);
  free(method);
  free(metadata);
  free(key);
  free(epoch);
}

static void put_message(running *running, const uint8_t *data, size_t length) {
  Echo *message =
    (Echo *)quiver_message_unpack(&quiver__v1__echo_message__descriptor, data, length);
  if (message == NULL) {
    quiver_call_reject(running->call, "the reply does not decode");
    return;
  }
  printf("{\"event\":\"message\",\"id\":%ld,\"payload\":\"", running->id);
  put_hex(message->payload.data, message->payload.len);
  puts("\"}");
  quiver_message_free(message);
}

static void put_span(running *running, const uint8_t *data, size_t length) {
  Quiver__V1__WatchItemsResponse *message = (Quiver__V1__WatchItemsResponse *)quiver_message_unpack(
    &quiver__v1__watch_items_response__descriptor, data, length);
  if (message == NULL || message->span == NULL) {
    quiver_call_reject(running->call, "the reply does not decode");
  } else {
    const Quiver__V1__WatchSpan *span = message->span;
    printf(
      "{\"event\":\"span\",\"id\":%ld,\"after\":%lld,\"upto\":%lld,\"epoch\":\"%llu\","
      "\"snapshot\":%s,\"incomplete\":%s}\n",
      running->id, (long long)span->after, (long long)span->upto,
      (unsigned long long)span->store_epoch, span->snapshot ? "true" : "false",
      span->incomplete ? "true" : "false");
  }
  quiver_message_free(message);
}

static void put_end(running *running) {
  const quiver_status *status = quiver_call_status(running->call);
  if (status == NULL || running->has_ended) return;
  running->has_ended = true;
  size_t count;
  const quiver_entry *initial = quiver_call_initial_metadata(running->call, &count);
  printf("{\"event\":\"end\",\"id\":%ld,\"code\":%d,\"text\":\"", running->id, status->code);
  put_text(status->message);
  printf(
    "\",\"not_processed\":%s,\"retry_after_ms\":%d", status->not_processed ? "true" : "false",
    status->retry_after_ms);
  put_entries("details", status->details, status->detail_count);
  put_entries("initial", initial, count);
  put_entries("trailing", status->metadata, status->metadata_count);
  puts("}");
}

/* Does for a call what can be done without waiting. */
static void advance(running *running) {
  while (running->first != NULL && quiver_call_has_room(running->call)) {
    payload *one = running->first;
    running->first = one->next;
    if (running->first == NULL) running->last = &running->first;
    quiver_call_send(running->call, one->data, one->length);
    free(one);
  }
  if (running->finishes && running->first == NULL) {
    running->finishes = false;
    quiver_call_finish(running->call);
  }
  if (is_asynchronous && !running->is_due) return;
  running->is_due = false;
  const uint8_t *data;
  size_t length;
  while (running->wanted != 0) {
    int result = quiver_call_poll(running->call, &data, &length);
    if (result < 0) break;
    if (result == 0) {
      put_end(running);
      running->wanted = 0;
      break;
    }
    if (running->wanted > 0) running->wanted--;
    if (running->is_watch)
      put_span(running, data, length);
    else
      put_message(running, data, length);
  }
}

static void close_client(void) {
  while (calls != NULL) {
    running *next = calls->next;
    quiver_call_free(calls->call);
    for (payload *one = calls->first; one != NULL;) {
      payload *after = one->next;
      free(one);
      one = after;
    }
    free(calls);
    calls = next;
  }
  quiver_client_free(client);
  client = NULL;
}

static void command(const char *line) {
  char *operation = string_of(line, "op");
  running *running = calls;
  long id = number_of(line, "id", 0);
  while (running != NULL && running->id != id) running = running->next;
  if (running != NULL) running->is_due = true;
  if (strcmp(operation, "connect") == 0) {
    close_client();
    quiver_options options;
    memset(&options, 0, sizeof options);
    char *server = string_of(line, "server"), *token = string_of(line, "token");
    options.server = server;
    options.token = token;
    options.compression = is_true(line, "compression");
    char *ca = string_of(line, "ca"), *name = string_of(line, "server_name");
    char *certificate = string_of(line, "certificate"), *key = string_of(line, "key");
    options.ca_file = ca;
    options.server_name = name;
    options.certificate_file = certificate;
    options.key_file = key;
    options.time_limits = (quiver_time_limits){
      .keepalive_ms = (uint32_t)number_of(line, "keepalive_ms", 0),
      .keepalive_timeout_ms = (uint32_t)number_of(line, "keepalive_timeout_ms", 0),
      .frame_ms = (uint32_t)number_of(line, "frame_timeout_ms", 0),
      .message_ms = (uint32_t)number_of(line, "message_timeout_ms", 0),
      .hello_ms = (uint32_t)number_of(line, "hello_timeout_ms", 0)};
    const char *error;
    client = quiver_client_new(&options, &error);
    if (client == NULL) fprintf(stderr, "%s\n", error);
    free(server);
    free(token);
    free(ca);
    free(name);
    free(certificate);
    free(key);
  } else if (strcmp(operation, "call") == 0) {
    start(line);
  } else if (strcmp(operation, "close") == 0) {
    close_client();
    puts("{\"event\":\"closed\"}");
  } else if (running != NULL && strcmp(operation, "read") == 0) {
    long count = number_of(line, "count", 0);
    running->wanted = count == 0 ? -1 : running->wanted + count;
  } else if (running != NULL && strcmp(operation, "cancel") == 0) {
    quiver_call_cancel(running->call);
    running->wanted = -1;
  } else if (running != NULL && strcmp(operation, "finish") == 0) {
    running->finishes = true;
  } else if (running != NULL && strcmp(operation, "send") == 0) {
    size_t length;
    uint8_t *data = encode(line, &length);
    payload *made = malloc(sizeof(payload) + length);
    made->next = NULL;
    made->length = length;
    memcpy(made->data, data, length);
    *running->last = made;
    running->last = &made->next;
    free(data);
  }
  free(operation);
}

int main(int count_of_words, char **words) {
  is_asynchronous = count_of_words > 1 && strcmp(words[1], "--asynchronous") == 0;
  size_t capacity = 65536, length = 0;
  char *input = malloc(capacity);
  puts("{\"event\":\"ready\",\"compression\":true,\"time_limits\":true}");
  fflush(stdout);
  for (;;) {
    struct pollfd fds[18];
    int timeout = -1, count = 0;
    if (client != NULL) count = quiver_client_prepare(client, fds, 17, &timeout);
    fds[count] = (struct pollfd){STDIN_FILENO, POLLIN, 0};
    poll(fds, (nfds_t)count + 1, timeout);
    if (fds[count].revents != 0) {
      if (length + 65536 > capacity) input = realloc(input, capacity *= 2);
      ssize_t got = read(STDIN_FILENO, input + length, 65536);
      if (got <= 0) break;
      length += (size_t)got;
    }
    char *newline;
    while ((newline = memchr(input, '\n', length)) != NULL) {
      *newline = 0;
      command(input);
      length -= (size_t)(newline + 1 - input);
      memmove(input, newline + 1, length);
    }
    if (client != NULL) quiver_client_process(client);
    quiver_call *call;
    while (client != NULL && (call = quiver_client_next(client)) != NULL)
      ((running *)quiver_call_context(call))->is_due = true;
    for (running *running = calls; running != NULL; running = running->next) advance(running);
    fflush(stdout);
  }
  close_client();
  free(input);
  return 0;
}
