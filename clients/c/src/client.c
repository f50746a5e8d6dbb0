/* A client: connections, calls over them, retries, and watches that resume. */
#include "link.h"
#include "login.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define MOST_CONNECTIONS 16
#define LINGER_MS 1000u
#define CONNECT_TIMEOUT_MS 10000u
#define NEVER UINT64_MAX
#define TOKEN_ROOM 4096u
#define INPUT_BYTES 65536u
#define MOST_TIMEOUT 2147483647u
#define RETRY_TOKENS 100 /* in tenths */
/* What a call keeps inside its own object, so that small messages need no further memory. */
#define OWN_HEAD 160u
#define OWN_REQUEST 128u
#define OWN_REPLY 160u
/* The most ended calls whose memory is kept for others. */
#define MOST_SPARE_CALLS 256u
/* Output of asynchronous calls that is written without waiting for the end of the turn. */
#define FLUSH_BYTES 32768u
/* Deadlines under this time are counted from the exact clock, the others from the coarse one. */
#define EXACT_TIMEOUT_MS 1000u

/* The memory of spare calls is not accessible under the address sanitizer. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER
#endif
#ifdef HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

typedef struct connection {
  link_state link;
  core core;
  quiver_client *client;
  bool is_used, is_lingering, is_counted, has_more;
  uint64_t opened, idle_since, linger_until;
} connection;

enum call_state { CALL_WAITS, CALL_SLEEPS, CALL_IS_OPEN, CALL_HAS_ENDED };

struct quiver_call {
  stream stream; /* First, so that the core's events find the call. */
  quiver_client *client;
  const quiver_method *method;
  quiver_call *previous, *next; /* of the client's calls */
  quiver_call *before, *after;  /* in the queue of quiver_client_next */
  void *context;                /* of the application, for an asynchronous call */
  connection *connection;       /* while it is open */
  enum call_state state;
  bool waits_for_ready, may_have_run, was_resent, is_reply_begun, is_finished, has_key, is_watch;
  bool is_asynchronous, is_queued, has_succeeded, is_own_reply_used, states_position;
  uint64_t deadline, wake;
  unsigned attempt, retries, steps, unsent, watch_failures;
  quiver_position position;
  uint8_t key[QUIVER_KEY_BYTES];
  uint8_t *request; /* a unary request, kept for retries */
  size_t request_length;
  uint8_t *head;
  size_t head_capacity;
  quiver_entry *metadata; /* one block with its texts */
  size_t metadata_count;
  message *first, **last; /* of the reply, not received yet */
  message *current;       /* that the application reads */
  uint8_t *inflated;
  parsed *status, *headers; /* no status: it has succeeded, or there was no memory for one */
  uint8_t own_head[OWN_HEAD], own_request[OWN_REQUEST];
  _Alignas(message) uint8_t own_reply[OWN_REPLY];
};

struct quiver_client {
  quiver_allocator allocator;
  address *addresses, *next_address;
  tls_context *tls;
  char *token, *token_file, *server_name;
  bool compression;
  uint32_t max_message, timeout_ms, max_attempts, max_connections, max_calls, idle_timeout_ms;
  quiver_time_limits time_limits;
  connection connections[MOST_CONNECTIONS];
  unsigned place_count; /* of the connections that were ever used */
  quiver_call *calls;
  quiver_call *spare_calls; /* by `next` */
  uint32_t spare_count;
  quiver_call *queue_first, *queue_last; /* for quiver_client_next */
  uint32_t call_count, waiting_count;
  quiver_position known; /* the latest of replies (section 7.7); sequence 0: none was stated */
  uint64_t next_timer, backoff_until;
  unsigned failures;
  bool was_greeted; /* by a server, on any connection */
  bool is_foreign;  /* what answered last speaks another protocol */
  unsigned silences; /* connections in a row that ended before the server sent anything */
  int tokens; /* of the retry budget, in tenths */
  char last_error[256];
  quiver_code last_code;
  uint64_t random;
  int wake[2];
  uint8_t input[INPUT_BYTES]; /* of one reading; the last field, since it needs no zeros */
};

const char *quiver_version(void) { return QUIVER_VERSION; }

const char *quiver_code_name(quiver_code code) {
  static const char *const names[] = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",  "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",          "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};
  return (unsigned)code < 17 ? names[code] : "UNKNOWN";
}

static uint64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* The clock of the last timer interrupt of the system, which costs a fifth of the exact one. */
static uint64_t coarse_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void random_bytes(uint8_t *out, size_t count) {
  while (count > 0) {
    ssize_t got = getrandom(out, count, 0);
    if (got < 0 && errno != EINTR) abort(); /* Keys that repeat would merge calls. */
    if (got > 0) {
      out += got;
      count -= (size_t)got;
    }
  }
}

void quiver_uuid7(uint8_t out[QUIVER_UUID_BYTES]) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  uint64_t milliseconds = (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
  random_bytes(out, QUIVER_UUID_BYTES);
  for (unsigned place = 0; place < 6; place++) out[place] = (uint8_t)(milliseconds >> (40 - 8 * place));
  out[6] = (uint8_t)(0x70 | (out[6] & 0x0F));
  out[8] = (uint8_t)(0x80 | (out[8] & 0x3F));
}

/* A number from `low` to `high`. Not for secrets. */
static double between(quiver_client *client, double low, double high) {
  client->random = client->random * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(client->random >> 33) / 2147483648.0;
}

static uint64_t backoff(
  quiver_client *client, double first, double factor, double longest, unsigned steps) {
  double wait = first * pow(factor, steps > 50 ? 50 : steps);
  if (wait > longest) wait = longest;
  return (uint64_t)(wait * between(client, 0.8, 1.2));
}

static void arm(quiver_client *client, uint64_t time) {
  if (time < client->next_timer) client->next_timer = time;
}

/* ---- Making a client */

static void *default_resize(void *context, void *pointer, size_t size) {
  (void)context;
  if (size > 0) return realloc(pointer, size);
  free(pointer);
  return NULL;
}

static char *copy_text(quiver_client *client, const char *text) {
  size_t length = strlen(text);
  char *made = memory_resize(&client->allocator, NULL, length + 1);
  if (made != NULL) memcpy(made, text, length + 1);
  return made;
}

/* The limits that are given, and the defaults of the others. */
static quiver_time_limits complete(const quiver_time_limits *given) {
  quiver_time_limits limits = default_time_limits;
  if (given->keepalive_ms > 0) limits.keepalive_ms = given->keepalive_ms;
  if (given->keepalive_timeout_ms > 0) limits.keepalive_timeout_ms = given->keepalive_timeout_ms;
  if (given->frame_ms > 0) limits.frame_ms = given->frame_ms;
  if (given->message_ms > 0) limits.message_ms = given->message_ms;
  if (given->hello_ms > 0) limits.hello_ms = given->hello_ms;
  if (given->output_ms > 0) limits.output_ms = given->output_ms;
  return limits;
}

static const char *configure(
  quiver_client *client, const quiver_options *options, const login *login) {
  const char *reason = NULL;
  client->addresses = parse_addresses(&client->allocator, login->server, &reason);
  if (client->addresses == NULL) return reason;
  client->next_address = client->addresses;
  if (options->token != NULL && options->token[0] != 0) {
    client->token = copy_text(client, options->token);
    if (client->token == NULL) return "no memory";
  } else if (login->token_file != NULL) {
    client->token_file = copy_text(client, login->token_file);
    if (client->token_file == NULL) return "no memory";
  }
  if (login->server_name != NULL) {
    client->server_name = copy_text(client, login->server_name);
    if (client->server_name == NULL) return "no memory";
  }
  bool has_token = client->token != NULL || client->token_file != NULL;
  bool has_tls = false;
  for (address *one = client->addresses; one != NULL; one = one->next) {
    has_tls = has_tls || one->is_tls;
    if (has_token && !one->is_tls && !is_local(one) && !options->allow_plaintext_token)
      return "the token would be sent unencrypted: use tls:// or allow_plaintext_token";
  }
  if (has_tls) {
    client->tls = tls_context_new(
      login->ca_file, login->certificate_file, login->key_file, &reason);
    if (client->tls == NULL) return reason;
  }
  if (options->compression && !has_compression()) return "this library was built without zstd";
  client->compression = options->compression;
  client->max_message = options->max_message_bytes > 0 ? options->max_message_bytes : MESSAGE_LIMIT;
  if (client->max_message < 4096) return "max_message_bytes is at least 4096";
  client->timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : 30000;
  client->max_attempts = options->max_attempts > 0 ? options->max_attempts : 4;
  client->max_connections = options->max_connections > 0 ? options->max_connections : 4;
  if (client->max_connections > MOST_CONNECTIONS) return "max_connections is at most 16";
  client->max_calls = options->max_calls > 0 ? options->max_calls : 10000;
  client->idle_timeout_ms = options->idle_timeout_ms > 0 ? options->idle_timeout_ms : 300000;
  client->time_limits = complete(&options->time_limits);
  if (pipe2(client->wake, O_NONBLOCK | O_CLOEXEC) != 0) {
    client->wake[0] = client->wake[1] = -1;
    return "no pipe can be made";
  }
  return NULL;
}

quiver_client *quiver_client_new(const quiver_options *options, const char **error) {
  static const quiver_options none;
  const char *ignored;
  if (error == NULL) error = &ignored;
  if (options == NULL) options = &none;
  quiver_allocator allocator = {default_resize, NULL};
  if (options->allocator != NULL) allocator = *options->allocator;
  quiver_client *client = memory_resize(&allocator, NULL, sizeof *client);
  *error = "no memory";
  if (client == NULL) return NULL;
  memset(client, 0, offsetof(quiver_client, input));
  client->allocator = allocator;
  client->next_timer = NEVER;
  client->tokens = RETRY_TOKENS;
  client->wake[0] = client->wake[1] = -1;
  random_bytes((uint8_t *)&client->random, sizeof client->random);
  login login;
  *error = login_find(&client->allocator, options, &login);
  if (*error == NULL) *error = configure(client, options, &login);
  login_free(&client->allocator, &login);
  if (*error == NULL) return client;
  quiver_client_free(client);
  return NULL;
}

/* ---- Objects of calls */

/* Takes the object of a call, whose fields in front of its own bytes are zero. NULL: no memory. */
static quiver_call *make_call(quiver_client *client) {
  quiver_call *call = client->spare_calls;
  if (call != NULL) {
    ASAN_UNPOISON_MEMORY_REGION(call, sizeof *call);
    client->spare_calls = call->next;
    client->spare_count--;
  } else {
    call = memory_resize(&client->allocator, NULL, sizeof *call);
    if (call == NULL) return NULL;
  }
  memory_clear(call, offsetof(quiver_call, own_head));
  call->client = client;
  call->last = &call->first;
  call->state = CALL_HAS_ENDED;
  call->next = client->calls;
  if (call->next != NULL) call->next->previous = call;
  client->calls = call;
  client->call_count++;
  return call;
}

static void release_call(quiver_call *call) {
  quiver_client *client = call->client;
  if (call->previous != NULL)
    call->previous->next = call->next;
  else
    client->calls = call->next;
  if (call->next != NULL) call->next->previous = call->previous;
  client->call_count--;
  if (client->spare_count >= MOST_SPARE_CALLS) {
    memory_free(&client->allocator, call);
    return;
  }
  call->next = client->spare_calls;
  client->spare_calls = call;
  client->spare_count++;
  ASAN_POISON_MEMORY_REGION(call, sizeof *call);
}

static void free_spare_calls(quiver_client *client) {
  while (client->spare_calls != NULL) {
    quiver_call *call = client->spare_calls;
    ASAN_UNPOISON_MEMORY_REGION(call, sizeof *call);
    client->spare_calls = call->next;
    memory_free(&client->allocator, call);
  }
}

static message *make_reply(quiver_call *call, size_t length) {
  if (sizeof(message) + length + 1 <= OWN_REPLY && !call->is_own_reply_used) {
    call->is_own_reply_used = true;
    return (message *)call->own_reply;
  }
  return memory_resize(&call->client->allocator, NULL, sizeof(message) + length + 1);
}

static void free_reply(quiver_call *call, message *message) {
  if ((uint8_t *)message == call->own_reply)
    call->is_own_reply_used = false;
  else
    memory_free(&call->client->allocator, message);
}

/* ---- The queue of asynchronous calls */

static void enqueue_call(quiver_call *call) {
  if (!call->is_asynchronous || call->is_queued) return;
  quiver_client *client = call->client;
  call->is_queued = true;
  call->after = NULL;
  call->before = client->queue_last;
  if (call->before != NULL)
    call->before->after = call;
  else
    client->queue_first = call;
  client->queue_last = call;
}

static void dequeue_call(quiver_call *call) {
  if (!call->is_queued) return;
  quiver_client *client = call->client;
  call->is_queued = false;
  if (call->before != NULL)
    call->before->after = call->after;
  else
    client->queue_first = call->after;
  if (call->after != NULL)
    call->after->before = call->before;
  else
    client->queue_last = call->before;
}

/* ---- How calls end */

static void set_state(quiver_call *call, enum call_state state) {
  if (call->state == CALL_WAITS) call->client->waiting_count--;
  if (state == CALL_WAITS) call->client->waiting_count++;
  call->state = state;
}

static void drop_messages(quiver_call *call) {
  while (call->first != NULL) {
    message *next = call->first->next;
    free_reply(call, call->first);
    call->first = next;
  }
  call->last = &call->first;
}

static const quiver_status no_memory = {
  QUIVER_RESOURCE_EXHAUSTED, QUIVER_ORIGIN_CLIENT, false, 0, "no memory", 0, NULL, 0, NULL};
static const quiver_status success = {
  QUIVER_OK, QUIVER_ORIGIN_SERVER, false, 0, "", 0, NULL, 0, NULL};

/* The status of a call that has ended. */
static const quiver_status *status_of(const quiver_call *call) {
  if (call->status != NULL) return &call->status->status;
  return call->has_succeeded ? &success : &no_memory;
}

static void finish_call(quiver_call *call, parsed *status, bool has_succeeded) {
  set_state(call, CALL_HAS_ENDED);
  call->connection = NULL;
  memory_free(&call->client->allocator, call->status);
  call->status = status;
  call->has_succeeded = has_succeeded;
  if (status != NULL && call->may_have_run) status->status.not_processed = false;
  /* A single reply is one only if the call ends OK. */
  if (!call->method->reply_streams && status_of(call)->code != QUIVER_OK) drop_messages(call);
  enqueue_call(call);
}

static void end_call(
  quiver_call *call, quiver_code code, quiver_origin origin, bool not_processed,
  const char *text) {
  parsed *status = make_status(&call->client->allocator, code, text);
  if (status != NULL) {
    status->status.origin = origin;
    status->status.not_processed = not_processed;
  }
  finish_call(call, status, false);
}

/* Ends a call from this side, wherever it is. */
static void stop_call(quiver_call *call, quiver_code code, const char *text) {
  if (call->state == CALL_HAS_ENDED) return;
  bool not_processed = true;
  if (call->state == CALL_IS_OPEN) {
    not_processed = !call->stream.is_written;
    core_cancel(&call->connection->core, &call->stream, code);
  }
  end_call(call, code, QUIVER_ORIGIN_CLIENT, not_processed, text);
}

static void sleep_until(quiver_call *call, uint64_t time) {
  call->connection = NULL;
  if (call->first == NULL) dequeue_call(call);
  set_state(call, CALL_SLEEPS);
  call->wake = time;
  arm(call->client, time);
}

/* Whether a call is sent again (section 7.6), and when. */
static bool resend(quiver_call *call, const call_end *end, int32_t push_back, uint64_t *time) {
  quiver_client *client = call->client;
  uint64_t now = now_ms();
  if (!end->not_processed && call->stream.is_written) call->may_have_run = true;
  if (end->origin == QUIVER_ORIGIN_CLIENT || call->is_reply_begun) return false;
  /* Messages are not kept: a call that has taken one cannot begin again. */
  if (call->method->request_streams && (call->stream.is_written || call->stream.took_message))
    return false;
  *time = now;
  if (end->origin == QUIVER_ORIGIN_CONNECTION && end->not_processed &&
      end->code == QUIVER_UNAVAILABLE) {
    if (!call->stream.is_written) return ++call->unsent <= 8 || call->waits_for_ready;
    if (!call->was_resent) {
      call->was_resent = true;
      call->attempt++;
      return true;
    }
  }
  if (end->code != QUIVER_UNAVAILABLE && !(end->code == QUIVER_RESOURCE_EXHAUSTED && push_back != 0))
    return false;
  client->tokens = client->tokens > 10 ? client->tokens - 10 : 0;
  if (push_back < 0) return false;
  if (!end->not_processed && call->method->is_mutating && !call->has_key) return false;
  if (call->retries + 1 >= client->max_attempts || client->tokens <= RETRY_TOKENS / 2) return false;
  uint64_t wait;
  if (push_back > 0) {
    wait = (uint64_t)push_back;
    call->steps = 0;
  } else {
    wait = backoff(client, 100, 2, 5000, call->steps++);
  }
  if (call->deadline != NEVER && now + wait >= call->deadline) return false;
  call->retries++;
  call->attempt++;
  *time = now + wait;
  return true;
}

/* Opens a watch again, once its messages are received. */
static bool resume_watch(quiver_call *call, quiver_code code, int32_t push_back) {
  if (code == QUIVER_OUT_OF_RANGE && call->position.sequence != 0) {
    memset(&call->position, 0, sizeof call->position);
    sleep_until(call, now_ms());
    return true;
  }
  bool is_pushed = code == QUIVER_RESOURCE_EXHAUSTED && push_back > 0;
  if (code != QUIVER_UNAVAILABLE && code != QUIVER_OK && !is_pushed) return false;
  if (push_back < 0) return false;
  double longest = 100 * pow(2, call->watch_failures < 20 ? call->watch_failures : 20);
  if (longest > 10000) longest = 10000;
  call->watch_failures++;
  uint64_t wait = (uint64_t)between(call->client, longest / 2, longest);
  if (push_back > 0) wait = (uint64_t)push_back;
  sleep_until(call, now_ms() + wait);
  return true;
}

/* A watch whose stream has ended, and whose messages are all received. */
static void resume_or_end(quiver_call *call) {
  const quiver_status *status = status_of(call);
  if (!call->is_watch || call->first != NULL || status->origin == QUIVER_ORIGIN_CLIENT) return;
  (void)resume_watch(call, status->code, status->retry_after_ms);
}

static void call_headers(void *context, stream *stream, const uint8_t *data, size_t length) {
  quiver_call *call = (quiver_call *)stream;
  connection *connection = context;
  bool is_bad;
  memory_free(&connection->client->allocator, call->headers);
  call->headers = parse_headers(&connection->client->allocator, data, length, &is_bad);
  call->is_reply_begun = true;
}

static void call_message(
  void *context, stream *stream, const uint8_t *data, size_t length, uint32_t charge,
  bool is_compressed) {
  quiver_call *call = (quiver_call *)stream;
  connection *connection = context;
  call->is_reply_begun = true;
  message *made = make_reply(call, length);
  if (made == NULL) {
    core_cancel(&connection->core, stream, QUIVER_CANCELLED);
    end_call(call, QUIVER_RESOURCE_EXHAUSTED, QUIVER_ORIGIN_CLIENT, false, "no memory");
    return;
  }
  made->next = NULL;
  made->length = length;
  made->charge = charge;
  made->is_compressed = is_compressed;
  if (length > 0) memcpy(made->data, data, length);
  made->data[length] = 0;
  *call->last = made;
  call->last = &made->next;
  if (call->method->reply_streams) enqueue_call(call);
}

/* Keeps the position that a reply states if it is later, that of a failure in any case. */
static void note_position(quiver_client *client, const quiver_status *status, bool has_failed) {
  for (size_t place = 0; place < status->metadata_count; place++) {
    const quiver_entry *entry = &status->metadata[place];
    quiver_position found;
    if (strcmp(entry->key, POSITION_KEY) != 0) continue;
    if (!read_position(entry->value, entry->length, &found)) return;
    if (has_failed || found.store_epoch != client->known.store_epoch ||
        found.sequence > client->known.sequence)
      client->known = found;
    return;
  }
}

static void call_ended(void *context, stream *stream, const call_end *end) {
  quiver_call *call = (quiver_call *)stream;
  quiver_client *client = ((connection *)context)->client;
  if (end->code == QUIVER_OK && client->tokens < RETRY_TOKENS) client->tokens++;
  if (end->code == QUIVER_OK && end->status == NULL) {
    finish_call(call, NULL, true); /* A unary call: no watch resumes. */
    return;
  }
  parsed *status = NULL;
  bool is_bad = false;
  if (end->status != NULL)
    status = parse_status(&client->allocator, end->status, end->status_length, &is_bad);
  else
    status = make_status(&client->allocator, end->code, end->text);
  if (status != NULL) {
    status->status.code = end->code;
    status->status.origin = end->origin;
    status->status.not_processed = end->not_processed;
  }
  int32_t push_back = status != NULL ? status->status.retry_after_ms : 0;
  uint64_t time;
  if (end->code != QUIVER_OK && !call->is_watch && resend(call, end, push_back, &time)) {
    memory_free(&client->allocator, status);
    sleep_until(call, time);
    return;
  }
  if (status != NULL && (end->code == QUIVER_OK || !call->is_watch))
    note_position(client, &status->status, end->code != QUIVER_OK);
  finish_call(call, status, false);
  resume_or_end(call);
}

static const core_events events = {call_headers, call_message, call_ended};

/* ---- Connections */

static void failed_to_connect(quiver_client *client, quiver_code code, const char *text) {
  client->last_code = code;
  snprintf(client->last_error, sizeof client->last_error, "%s", text);
  client->next_address = client->next_address->next;
  if (client->next_address != NULL) return;
  client->next_address = client->addresses;
  client->backoff_until = now_ms() + backoff(client, 250, 1.6, 30000, client->failures++);
  arm(client, client->backoff_until);
}

static void close_connection(connection *connection) {
  core_lost(&connection->core, "the connection was closed");
  core_free(&connection->core);
  link_close(&connection->link);
  memset(connection, 0, sizeof *connection);
  connection->link.descriptor = -1;
}

/* A connection takes no more calls: whether its server is there is decided by what it did. */
static void count_connection(connection *connection) {
  quiver_client *client = connection->client;
  core *core = &connection->core;
  if (connection->is_counted || !(core->is_ended || core->is_draining)) return;
  connection->is_counted = true;
  client->was_greeted = client->was_greeted || (core->is_greeted && !core->is_foreign);
  if (core->is_greeted) client->silences = 0;
  client->is_foreign = core->is_foreign;
  if (core->has_answered || !core->is_ended) {
    client->failures = 0;
    return;
  }
  failed_to_connect(
    client, core->is_unauthenticated ? QUIVER_UNAUTHENTICATED : QUIVER_UNAVAILABLE, core->reason);
}

/* The token: that of the client, or that of its file, which is read into `text`. */
static char *read_token(quiver_client *client, char text[TOKEN_ROOM]) {
  if (client->token_file == NULL) return client->token;
  int descriptor = open(client->token_file, O_RDONLY | O_CLOEXEC);
  ssize_t count = descriptor >= 0 ? read(descriptor, text, TOKEN_ROOM - 1) : -1;
  if (descriptor >= 0) close(descriptor);
  if (count < 0) return NULL;
  while (count > 0 && (text[count - 1] == '\n' || text[count - 1] == '\r' || text[count - 1] == ' '))
    count--;
  text[count] = 0;
  return text;
}

static void open_connection(quiver_client *client) {
  connection *connection = client->connections;
  while (connection->is_used) connection++;
  unsigned place = (unsigned)(connection - client->connections);
  if (place >= client->place_count) client->place_count = place + 1;
  address *address = client->next_address;
  client->is_foreign = false;
  char text[TOKEN_ROOM];
  char *token = read_token(client, text);
  if (token == NULL && client->token_file != NULL) {
    failed_to_connect(client, QUIVER_UNAUTHENTICATED, "the token file cannot be read");
    return;
  }
  if (!link_open(
        &connection->link, &client->allocator, address, client->tls, client->server_name,
        client->wake[1])) {
    failed_to_connect(client, QUIVER_UNAVAILABLE, connection->link.error);
    return;
  }
  connection->client = client;
  connection->opened = connection->idle_since = now_ms();
  if (!core_init(
        &connection->core, &client->allocator, &events, connection, token, client->max_message,
        client->compression, connection->opened)) {
    core_free(&connection->core);
    link_close(&connection->link);
    failed_to_connect(client, QUIVER_UNAVAILABLE, "no memory, or the token is too long");
    return;
  }
  connection->core.limits = client->time_limits;
  connection->is_used = true;
}

/* Writes what there is to write, as far as the socket takes it. */
static void flush(connection *connection) {
  core *core = &connection->core;
  link_state *link = &connection->link;
  if (!link->is_connected || (output_bytes(core) == 0 && !link_has_output(link))) return;
  for (;;) {
    size_t length = core->out.end - core->out.start;
    if (length == 0 && !link_has_output(link)) break;
    long count = link_write(link, core->out.data + core->out.start, length);
    if (count < 0) {
      core->has_fault = false;
      core_lost(core, link->error);
      core->out.start = core->out.end = 0;
      return;
    }
    core_wrote(core, (size_t)count, now_ms());
    if (count == 0) break;
  }
}

static void flush_all(quiver_client *client) {
  for (unsigned place = 0; place < client->place_count; place++)
    if (client->connections[place].is_used) flush(&client->connections[place]);
}

/* Writes what a function of a call has left to write: at once, or together with other calls. */
static void flush_after(const quiver_call *call, connection *connection) {
  if (!call->is_asynchronous || output_bytes(&connection->core) >= FLUSH_BYTES) flush(connection);
}

/* The input has ended or failed. A server that does so before its preface may be none. */
static void lose_input(connection *connection, const char *reason) {
  char text[192];
  bool is_silent = connection->core.preface_seen == 0 && connection->link.tls == NULL;
  connection->client->silences += is_silent;
  snprintf(
    text, sizeof text, "%s%s", reason,
    is_silent ? " before it sent anything: it may speak TLS (tls://) or another protocol" : "");
  core_lost(&connection->core, text);
}

/* Whether anything has come. */
static bool receive(connection *connection) {
  bool has_come = false;
  uint8_t *bytes = connection->client->input;
  core *core = &connection->core;
  link_state *link = &connection->link;
  connection->has_more = true;
  /* At most a few times, so that one connection does not keep the others waiting. */
  for (unsigned turn = 0; turn < 4 && !core->is_ended; turn++) {
    long count = link_read(link, bytes, INPUT_BYTES);
    if (count < 0) {
      core->has_fault = false;
      lose_input(connection, link->error);
      core->out.start = core->out.end = 0;
      return true;
    }
    has_come = has_come || count > 0;
    if (count > 0) core_receive(core, bytes, (size_t)count, now_ms());
    if (count == 0 || ((size_t)count < INPUT_BYTES && link->tls == NULL)) {
      connection->has_more = false;
      break;
    }
  }
  if (link->has_input_ended) lose_input(connection, "the server closed the connection");
  return has_come || link->has_input_ended;
}

/* After this side's fault: flushes GOAWAY, half-closes, and discards input for a second. */
static bool linger(connection *connection, uint64_t now) {
  core *core = &connection->core;
  if (!core->has_fault || connection->link.has_input_ended || !connection->link.is_connected)
    return false;
  if (!connection->is_lingering) {
    connection->is_lingering = true;
    connection->linger_until = now + LINGER_MS;
    flush(connection);
    link_half_close(&connection->link);
  }
  uint8_t bytes[16384];
  for (unsigned turn = 0; turn < 16; turn++) {
    long count = link_read(&connection->link, bytes, sizeof bytes);
    if (count < 0) return false;
    if (count == 0) break;
  }
  return !connection->link.has_input_ended && now < connection->linger_until;
}

/* Whether anything has come. */
static bool process_connection(connection *connection, uint64_t now) {
  bool has_come = false;
  core *core = &connection->core;
  link_state *link = &connection->link;
  if (!link->is_connected) {
    if (!link_advance(link)) {
      core->is_foreign = link->is_foreign;
      core_lost(core, link->error);
    } else if (!link->is_connected && now >= connection->opened + CONNECT_TIMEOUT_MS) {
      core_lost(core, "the server was not reached in time");
    }
  }
  if (link->is_connected && !core->is_ended) has_come = receive(connection);
  if (!core->is_ended) core_tick(core, now);
  if (core->stream_count > 0) connection->idle_since = now;
  if (!core->is_ended && core->stream_count == 0) {
    if (now >= connection->idle_since + connection->client->idle_timeout_ms || core->is_draining) {
      core_goodbye(core);
      flush(connection);
      link_half_close(link);
      core_lost(core, "the connection was idle");
      core->has_answered = true;
    }
  }
  flush(connection);
  count_connection(connection);
  if (core->is_ended && !linger(connection, now)) close_connection(connection);
  return has_come;
}

/* ---- Calls over connections */

static bool put_call_head(quiver_call *call, uint64_t now) {
  head_fields fields;
  memset(&fields, 0, sizeof fields);
  fields.method_id = call->method->id;
  fields.attempt = call->attempt;
  fields.key = call->has_key ? call->key : NULL;
  fields.position = call->position;
  fields.credit_at_once = call->is_watch;
  fields.metadata = call->metadata;
  fields.metadata_count = call->metadata_count;
  if (call->states_position) fields.known = call->client->known;
  if (call->deadline != NEVER) {
    uint64_t left = call->deadline - now;
    fields.timeout_ms = left > MOST_TIMEOUT ? MOST_TIMEOUT : (uint32_t)left;
  }
  size_t length = put_head(call->head, call->head_capacity, &fields);
  bool request_streams = call->method->request_streams;
  memory_clear(&call->stream, sizeof call->stream);
  call->stream.request_streams = request_streams;
  call->stream.reply_streams = call->method->reply_streams;
  call->stream.credit_at_once = call->is_watch;
  call->stream.head = call->head;
  call->stream.head_length = length;
  return length > 0;
}

static void place_call(quiver_call *call, connection *connection, uint64_t now) {
  if (call->deadline != NEVER && now >= call->deadline) {
    stop_call(call, QUIVER_DEADLINE_EXCEEDED, "the deadline passed before the call was sent");
    return;
  }
  if (!put_call_head(call, now)) {
    stop_call(call, QUIVER_INTERNAL, "the head of the call is too long");
    return;
  }
  set_state(call, CALL_IS_OPEN);
  call->connection = connection;
  call->is_reply_begun = false;
  connection->core.now = now;
  core_start(&connection->core, &call->stream, call->request, call->request_length);
  if (call->state == CALL_IS_OPEN && call->is_finished) core_finish(&connection->core, &call->stream);
}

static connection *pick(quiver_client *client) {
  for (unsigned place = 0; place < client->place_count; place++) {
    connection *connection = &client->connections[place];
    if (connection->is_used && core_has_room(&connection->core)) return connection;
  }
  return NULL;
}

/* Whether a connection is on its way or will have room. */
static unsigned live_connections(const quiver_client *client, bool *is_opening) {
  unsigned count = 0;
  *is_opening = false;
  for (unsigned place = 0; place < client->place_count; place++) {
    const connection *connection = &client->connections[place];
    if (!connection->is_used || connection->core.is_ended || connection->core.is_draining) continue;
    count++;
    if (!connection->core.is_greeted) *is_opening = true;
  }
  return count;
}

static bool has_free_slot(const quiver_client *client) {
  for (unsigned place = 0; place < MOST_CONNECTIONS; place++)
    if (!client->connections[place].is_used) return true;
  return false;
}

static void place_waiting(quiver_client *client, uint64_t now) {
  if (client->waiting_count == 0) return;
  connection *connection = pick(client);
  /* Calls are in front of those that were started before them: the oldest one goes first. */
  quiver_call *call = client->calls;
  while (call != NULL && call->next != NULL) call = call->next;
  while (call != NULL && connection != NULL) {
    quiver_call *before = call->previous;
    if (call->state == CALL_WAITS) {
      place_call(call, connection, now);
      if (!core_has_room(&connection->core)) connection = pick(client);
    }
    call = before;
  }
}

/* Whether another program answers where a server has never answered: none is waited for. */
static bool meets_other(const quiver_client *client) {
  return client->is_foreign && !client->was_greeted && client->failures > 0;
}

/* The same where connections are closed without an answer, as servers of other protocols do, which may
 * also be a server that ends: the call is sent twice. */
static bool meets_silence(const quiver_client *client) {
  return client->silences > 1 && !client->was_greeted;
}

static void fail_waiting(quiver_client *client) {
  for (quiver_call *call = client->calls; call != NULL;) {
    quiver_call *next = call->next;
    bool is_final = client->last_code == QUIVER_UNAUTHENTICATED || meets_other(client);
    bool is_patient = call->waits_for_ready || (call->attempt > 0 && !meets_silence(client));
    if (call->state == CALL_WAITS && (is_final || !is_patient))
      end_call(
        call, client->last_code, QUIVER_ORIGIN_CONNECTION, !call->may_have_run, client->last_error);
    call = next;
  }
}

/* Opens a connection where calls wait and none has room. */
static void connect_where_needed(quiver_client *client, uint64_t now) {
  while (client->waiting_count > 0) {
    bool is_opening;
    unsigned live = live_connections(client, &is_opening);
    if (is_opening || live >= client->max_connections || !has_free_slot(client)) return;
    if (live == 0 && now < client->backoff_until) {
      fail_waiting(client);
      arm(client, client->backoff_until);
      return;
    }
    if (now < client->backoff_until) return;
    unsigned failures = client->failures;
    open_connection(client);
    place_waiting(client, now);
    if (client->failures != failures) return fail_waiting(client);
  }
}

/* Deadlines, and calls whose wait is over. */
static void run_timers(quiver_client *client, uint64_t now) {
  if (now < client->next_timer) return;
  client->next_timer = NEVER;
  for (quiver_call *call = client->calls; call != NULL; call = call->next) {
    if (call->state == CALL_HAS_ENDED) continue;
    if (call->deadline != NEVER && now >= call->deadline) {
      stop_call(call, QUIVER_DEADLINE_EXCEEDED, "the call's deadline passed");
      continue;
    }
    if (call->state == CALL_SLEEPS && now >= call->wake) set_state(call, CALL_WAITS);
    if (call->state == CALL_SLEEPS) arm(client, call->wake);
    if (call->deadline != NEVER) arm(client, call->deadline);
  }
  if (now < client->backoff_until) arm(client, client->backoff_until);
}

static void process(quiver_client *client) {
  uint64_t now = now_ms();
  bool has_come = false;
  for (unsigned place = 0; place < client->place_count; place++)
    if (client->connections[place].is_used && process_connection(&client->connections[place], now))
      has_come = true;
  /* A wake may have ended the wait. One that is left ends the next wait, which costs less than
   * to look for it on each turn. */
  char bytes[64];
  while (!has_come && read(client->wake[0], bytes, sizeof bytes) > 0) continue;
  run_timers(client, now);
  place_waiting(client, now);
  connect_where_needed(client, now);
  flush_all(client);
}

void quiver_client_process(quiver_client *client) { process(client); }

void quiver_client_flush(quiver_client *client) { flush_all(client); }

/* What to poll, and for how long. */
static int prepare(quiver_client *client, struct pollfd *fds, int capacity, int *timeout_ms) {
  flush_all(client);
  uint64_t now = now_ms(), due = client->next_timer;
  int count = 0;
  if (capacity > 0) fds[count++] = (struct pollfd){client->wake[0], POLLIN, 0};
  for (unsigned place = 0; place < client->place_count; place++) {
    connection *connection = &client->connections[place];
    if (!connection->is_used) continue;
    core *core = &connection->core;
    uint64_t mine = core_due(core);
    if (core->is_ended) mine = connection->is_lingering ? connection->linger_until : now;
    if (core->stream_count == 0 && !core->is_ended) {
      uint64_t idle = connection->idle_since + client->idle_timeout_ms;
      if (idle < mine) mine = idle;
    }
    if (connection->has_more && !core->is_ended) mine = now;
    if (mine < due) due = mine;
    if (count < capacity)
      fds[count++] = (struct pollfd){
        connection->link.descriptor,
        link_events(&connection->link, core->out.end > core->out.start), 0};
  }
  if (client->waiting_count > 0 && now >= client->backoff_until) {
    bool is_opening;
    if (live_connections(client, &is_opening) == 0 && has_free_slot(client)) due = now;
  }
  if (due == NEVER)
    *timeout_ms = -1;
  else
    *timeout_ms = due <= now ? 0 : due - now > 3600000 ? 3600000 : (int)(due - now);
  return count;
}

int quiver_client_prepare(
  quiver_client *client, struct pollfd *fds, int capacity, int *timeout_ms) {
  int count = prepare(client, fds, capacity, timeout_ms);
  if (client->queue_first != NULL) *timeout_ms = 0;
  return count;
}

/* Waits, whether or not asynchronous calls are in the queue. */
static void wait_turn(quiver_client *client, int timeout_ms) {
  struct pollfd fds[MOST_CONNECTIONS + 1];
  int mine;
  int count = prepare(client, fds, MOST_CONNECTIONS + 1, &mine);
  if (timeout_ms >= 0 && (mine < 0 || timeout_ms < mine)) mine = timeout_ms;
  (void)poll(fds, (nfds_t)count, mine);
  process(client);
}

void quiver_client_turn(quiver_client *client, int timeout_ms) {
  wait_turn(client, client->queue_first != NULL ? 0 : timeout_ms);
}

void quiver_client_wake(quiver_client *client) {
  int saved = errno;
  char byte = 0;
  /* A full pipe wakes as well. */
  ssize_t ignored = write(client->wake[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

void quiver_client_free(quiver_client *client) {
  if (client == NULL) return;
  for (quiver_call *call = client->calls; call != NULL; call = call->next)
    stop_call(call, QUIVER_CANCELLED, "the client was closed");
  free_spare_calls(client);
  for (unsigned place = 0; place < MOST_CONNECTIONS; place++) {
    connection *connection = &client->connections[place];
    if (!connection->is_used) continue;
    core_goodbye(&connection->core);
    flush(connection);
    if (connection->link.is_connected) link_half_close(&connection->link);
    close_connection(connection);
  }
  if (client->wake[0] >= 0) close(client->wake[0]);
  if (client->wake[1] >= 0) close(client->wake[1]);
  tls_context_free(client->tls);
  quiver_allocator allocator = client->allocator;
  free_addresses(&allocator, client->addresses);
  memory_free(&allocator, client->token);
  memory_free(&allocator, client->token_file);
  memory_free(&allocator, client->server_name);
  memory_free(&allocator, client);
}

/* ---- Calls */

/* Copies metadata and makes room for the head. */
static bool keep_metadata(quiver_call *call, const quiver_call_options *options) {
  const quiver_allocator *allocator = &call->client->allocator;
  size_t count = options->metadata_count, bytes = 0;
  call->states_position = count < 64;
  for (size_t place = 0; place < count; place++) {
    bytes += strlen(options->metadata[place].key) + 1 + options->metadata[place].length;
    /* What the caller states itself goes as it is. */
    if (strcmp(options->metadata[place].key, POSITION_KEY) == 0) call->states_position = false;
  }
  if (bytes - count + sizeof POSITION_KEY - 1 + POSITION_LENGTH > 8192) call->states_position = false;
  call->head_capacity = OWN_HEAD + bytes + count * 16;
  call->head = call->own_head;
  if (count == 0) return true;
  call->head = memory_resize(
    allocator, NULL, call->head_capacity + count * sizeof(quiver_entry) + bytes + 16);
  if (call->head == NULL) return false;
  uintptr_t after = ((uintptr_t)call->head + call->head_capacity + 15) & ~(uintptr_t)15;
  call->metadata = (quiver_entry *)after;
  uint8_t *at = (uint8_t *)(call->metadata + count);
  for (size_t place = 0; place < count; place++) {
    const quiver_entry *entry = &options->metadata[place];
    size_t length = strlen(entry->key) + 1;
    memcpy(at, entry->key, length);
    call->metadata[place].key = (const char *)at;
    at += length;
    if (entry->length > 0) memcpy(at, entry->value, entry->length);
    call->metadata[place].value = at;
    call->metadata[place].length = entry->length;
    at += entry->length;
  }
  call->metadata_count = count;
  return true;
}

/* Answers the time from which the deadline counts. */
static uint64_t take_options(quiver_call *call, const quiver_call_options *options) {
  const quiver_method *method = call->method;
  bool is_unary = !method->request_streams && !method->reply_streams;
  uint32_t timeout = options->timeout_ms;
  if (timeout == 0 && is_unary) timeout = call->client->timeout_ms;
  uint64_t now = timeout > 0 && timeout < EXACT_TIMEOUT_MS ? now_ms() : coarse_ms();
  call->deadline = timeout == 0 ? NEVER : now + timeout;
  if (timeout != 0) arm(call->client, call->deadline);
  call->is_watch = method->span_field != 0;
  call->waits_for_ready = options->wait_for_ready || call->is_watch;
  if (call->is_watch) call->position = options->position;
  call->has_key = is_unary && (options->key != NULL || method->is_mutating);
  if (call->has_key && options->key != NULL) memcpy(call->key, options->key, QUIVER_KEY_BYTES);
  if (call->has_key && options->key == NULL) quiver_uuid7(call->key);
  return now;
}

/* Keeps a request for retries. */
static bool keep_request(quiver_call *call, const void *request, size_t length) {
  call->request = call->own_request;
  if (length > OWN_REQUEST)
    call->request = memory_resize(&call->client->allocator, NULL, length);
  if (call->request == NULL) return false;
  call->request_length = length;
  if (length > 0) memcpy(call->request, request, length);
  return true;
}

/* Makes a call of options that are checked, and puts it on a connection. */
static void begin_call(
  quiver_call *call, const quiver_call_options *options, const void *request, size_t length) {
  quiver_client *client = call->client;
  uint64_t now = take_options(call, options);
  quiver_code code = QUIVER_OK;
  if (options->metadata_count > 0)
    code = check_entries(options->metadata, options->metadata_count);
  const char *text = "metadata: at most 64 entries and 8192 bytes; keys of a-z 0-9 . _ -";
  if (code == QUIVER_OK && options->key != NULL && !call->has_key) {
    code = QUIVER_INVALID_ARGUMENT;
    text = "key: only unary calls take one";
  }
  if (code == QUIVER_OK && client->call_count > client->max_calls) {
    code = QUIVER_RESOURCE_EXHAUSTED;
    text = "too many calls are open";
  }
  if (
    code == QUIVER_OK &&
    (!keep_metadata(call, options) ||
     (!call->method->request_streams && !keep_request(call, request, length)))) {
    code = QUIVER_RESOURCE_EXHAUSTED;
    text = "no memory";
  }
  if (code != QUIVER_OK) {
    end_call(call, code, QUIVER_ORIGIN_CLIENT, true, text);
    return;
  }
  set_state(call, CALL_WAITS);
  connection *connection = client->waiting_count == 1 ? pick(client) : NULL;
  if (connection != NULL) {
    place_call(call, connection, now);
    flush_after(call, connection);
  } else {
    place_waiting(client, now);
    connect_where_needed(client, now);
  }
}

static const quiver_call_options no_options;

quiver_call *quiver_call_start(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const void *request, size_t length) {
  quiver_call *call = make_call(client);
  if (call == NULL) return NULL;
  call->method = method;
  begin_call(call, options != NULL ? options : &no_options, request, length);
  return call;
}

quiver_call *quiver_call_submit(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const void *request, size_t length, void *context) {
  quiver_call *call = make_call(client);
  if (call == NULL) return NULL;
  call->method = method;
  call->is_asynchronous = true;
  call->context = context;
  begin_call(call, options != NULL ? options : &no_options, request, length);
  return call;
}

quiver_call *quiver_client_next(quiver_client *client) {
  quiver_call *call = client->queue_first;
  if (call != NULL) dequeue_call(call);
  return call;
}

void *quiver_call_context(const quiver_call *call) { return call->context; }

void quiver_call_reject(quiver_call *call, const char *reason) {
  if (call->state != CALL_HAS_ENDED) stop_call(call, QUIVER_CANCELLED, reason);
  drop_messages(call);
  end_call(call, QUIVER_INTERNAL, QUIVER_ORIGIN_CLIENT, false, reason);
}

/* Reads the position of a message of a watch. */
static bool read_span(quiver_call *call, const uint8_t *data, size_t length) {
  reader reader = {data, data + length, false};
  field outer, field;
  while (read_field(&reader, &outer)) {
    if (outer.number != call->method->span_field || outer.type != 2) continue;
    struct reader inner = {outer.data, outer.data + outer.length, false};
    quiver_position position = {0, 0};
    bool is_incomplete = false;
    while (read_field(&inner, &field)) {
      if (field.number == 2 && field.type == 0) position.sequence = (int64_t)field.value;
      if (field.number == 3 && field.type == 1) position.store_epoch = field.value;
      if (field.number == 5 && field.type == 0) is_incomplete = field.value != 0;
    }
    if (inner.is_bad) return false;
    if (is_incomplete) continue;
    call->position = position;
    quiver_position *known = &call->client->known;
    if (known->sequence != 0 && known->store_epoch == position.store_epoch &&
        known->sequence < position.sequence)
      *known = position;
  }
  return !reader.is_bad;
}

int quiver_call_poll(quiver_call *call, const uint8_t **data, size_t *length) {
  quiver_client *client = call->client;
  if (call->current != NULL) free_reply(call, call->current);
  memory_free(&client->allocator, call->inflated);
  call->current = NULL;
  call->inflated = NULL;
  message *message = call->first;
  if (message == NULL || (!call->method->reply_streams && call->state != CALL_HAS_ENDED)) {
    dequeue_call(call);
    return call->state == CALL_HAS_ENDED ? 0 : -1;
  }
  call->first = message->next;
  if (call->first == NULL) call->last = &call->first;
  call->current = message;
  *data = message->data;
  *length = message->length;
  if (message->is_compressed) {
    quiver_code code = decompress_message(
      &client->allocator, message->data, message->length, client->max_message, &call->inflated,
      length);
    if (code != QUIVER_OK) {
      quiver_call_reject(call, "a compressed message does not decompress");
      if (call->status != NULL) call->status->status.code = code;
      return 0;
    }
    *data = call->inflated;
  }
  if (call->is_watch && !read_span(call, *data, *length)) {
    quiver_call_reject(call, "a message of a watch does not decode");
    return 0;
  }
  call->watch_failures = 0;
  if (call->state == CALL_IS_OPEN && call->method->reply_streams) {
    core_took(&call->connection->core, &call->stream, message->charge);
    flush_after(call, call->connection);
  } else if (call->state == CALL_HAS_ENDED) {
    resume_or_end(call);
  }
  if (call->first != NULL || call->state == CALL_HAS_ENDED) enqueue_call(call);
  return 1;
}

int quiver_call_receive(quiver_call *call, const uint8_t **data, size_t *length) {
  for (;;) {
    int result = quiver_call_poll(call, data, length);
    if (result >= 0) return result;
    wait_turn(call->client, -1);
  }
}

bool quiver_call_has_room(const quiver_call *call) {
  return call->state == CALL_IS_OPEN && call->stream.outbox_bytes < STREAM_OUTPUT;
}

bool quiver_call_send(quiver_call *call, const void *data, size_t length) {
  while (call->state != CALL_HAS_ENDED && !quiver_call_has_room(call))
    wait_turn(call->client, -1);
  if (call->state == CALL_HAS_ENDED || call->is_finished) return false;
  if (!core_send(&call->connection->core, &call->stream, data, length)) {
    stop_call(call, QUIVER_RESOURCE_EXHAUSTED, "a message is larger than the server takes");
    return false;
  }
  flush_after(call, call->connection);
  return call->state != CALL_HAS_ENDED;
}

void quiver_call_finish(quiver_call *call) {
  call->is_finished = true;
  if (call->state != CALL_IS_OPEN) return;
  core_finish(&call->connection->core, &call->stream);
  flush_after(call, call->connection);
}

void quiver_call_cancel(quiver_call *call) {
  if (call->state == CALL_HAS_ENDED) return;
  connection *connection = call->connection;
  stop_call(call, QUIVER_CANCELLED, "the call was cancelled");
  if (connection != NULL) flush_after(call, connection);
}

const quiver_status *quiver_call_wait(quiver_call *call) {
  while (call->state != CALL_HAS_ENDED) wait_turn(call->client, -1);
  return status_of(call);
}

const quiver_status *quiver_call_status(const quiver_call *call) {
  if (call->state != CALL_HAS_ENDED || call->first != NULL) return NULL;
  return status_of(call);
}

const quiver_entry *quiver_call_initial_metadata(const quiver_call *call, size_t *count) {
  *count = call->headers != NULL ? call->headers->status.metadata_count : 0;
  return call->headers != NULL ? call->headers->status.metadata : NULL;
}

quiver_position quiver_call_position(const quiver_call *call) { return call->position; }

void quiver_call_free(quiver_call *call) {
  if (call == NULL) return;
  quiver_call_cancel(call);
  dequeue_call(call);
  const quiver_allocator *allocator = &call->client->allocator;
  if (call->first != NULL) drop_messages(call);
  if (call->current != NULL) free_reply(call, call->current);
  memory_free(allocator, call->inflated);
  if (call->request != call->own_request) memory_free(allocator, call->request);
  if (call->head != call->own_head) memory_free(allocator, call->head);
  memory_free(allocator, call->status);
  memory_free(allocator, call->headers);
  release_call(call);
}
