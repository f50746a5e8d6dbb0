/* A client of Quiver servers (Protos/PROTOCOL.md).
 *
 * A client and its calls belong to one thread: another thread may only call quiver_client_wake. No
 * function writes to a terminal, raises a signal or ends the process. Strings are UTF-8. Times are
 * milliseconds. A function that takes bytes copies what it keeps. */
#ifndef QUIVER_QUIVER_H
#define QUIVER_QUIVER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QUIVER_VERSION "0.1.0"
#define QUIVER_KEY_BYTES 16
#define QUIVER_UUID_BYTES 16

/* The status codes of gRPC. A code that the server sends and that is not among them is UNKNOWN. */
typedef enum quiver_code {
  QUIVER_OK = 0,
  QUIVER_CANCELLED = 1,
  QUIVER_UNKNOWN = 2,
  QUIVER_INVALID_ARGUMENT = 3,
  QUIVER_DEADLINE_EXCEEDED = 4,
  QUIVER_NOT_FOUND = 5,
  QUIVER_ALREADY_EXISTS = 6,
  QUIVER_PERMISSION_DENIED = 7,
  QUIVER_RESOURCE_EXHAUSTED = 8,
  QUIVER_FAILED_PRECONDITION = 9,
  QUIVER_ABORTED = 10,
  QUIVER_OUT_OF_RANGE = 11,
  QUIVER_UNIMPLEMENTED = 12,
  QUIVER_INTERNAL = 13,
  QUIVER_UNAVAILABLE = 14,
  QUIVER_DATA_LOSS = 15,
  QUIVER_UNAUTHENTICATED = 16
} quiver_code;

/* Which side ended a call. */
typedef enum quiver_origin {
  QUIVER_ORIGIN_SERVER,
  QUIVER_ORIGIN_CLIENT,
  QUIVER_ORIGIN_CONNECTION
} quiver_origin;

/* An entry of metadata, or a detail of a status: then the key is the full name of a message. */
typedef struct quiver_entry {
  const char *key;
  const uint8_t *value;
  size_t length;
} quiver_entry;

/* How a call ended. */
typedef struct quiver_status {
  quiver_code code;
  quiver_origin origin;
  bool not_processed;     /* the call certainly had no effect */
  int32_t retry_after_ms; /* the server's push-back; -1: do not repeat the call; 0: none */
  const char *message;
  size_t detail_count;
  const quiver_entry *details;
  size_t metadata_count; /* trailing metadata */
  const quiver_entry *metadata;
} quiver_status;

/* A method of a service; the generated stubs declare them. */
typedef struct quiver_method {
  uint32_t id;
  const char *name;
  bool request_streams;
  bool reply_streams;
  bool is_mutating;
  uint8_t span_field; /* of a watch: the number of its WatchSpan in the reply; 0: no watch */
} quiver_method;

/* Where memory comes from. `resize` works as realloc, and frees where the size is 0. It may return
 * NULL: a call that has no memory ends RESOURCE_EXHAUSTED. */
typedef struct quiver_allocator {
  void *(*resize)(void *context, void *pointer, size_t size);
  void *context;
} quiver_allocator;

/* When a connection is given up, or a call on it. Zero means the default of a field. */
typedef struct quiver_time_limits {
  uint32_t keepalive_ms;         /* without input while calls are open: PING; default 20,000 */
  uint32_t keepalive_timeout_ms; /* of the answer to a PING; default 10,000 */
  uint32_t frame_ms;             /* until a frame is complete; default 30,000 */
  uint32_t message_ms;           /* that an incomplete message may receive nothing; default 60,000 */
  uint32_t hello_ms;             /* until the server's HELLO; default 10,000 */
  uint32_t output_ms;            /* that output may make no progress; default 10,000 */
} quiver_time_limits;

/* What a client is made with. Zero means the default of a field. */
typedef struct quiver_options {
  /* HOST:PORT, [IPv6]:PORT, unix:PATH or tls://HOST:PORT, several separated by commas, tried in
   * order; NULL: that of `context`, $QUIVER_SERVER, that of the selected context, or
   * 127.0.0.1:7450. */
  const char *server;
  const char *token;
  /* Read for each connection; without either, $QUIVER_TOKEN_FILE, or that of a context for the
   * server. A token of no characters: none. */
  const char *token_file;
  const char *ca_file; /* trusted roots in PEM; NULL: $QUIVER_CA, the context's, the system's */
  const char *certificate_file; /* of this client, in PEM */
  const char *key_file;
  const char *server_name;     /* that the certificate must have; NULL: the host */
  bool allow_plaintext_token;  /* send the token to another machine without TLS */
  bool compression;            /* needs a library that was built with zstd */
  uint32_t max_message_bytes;  /* of a reply; default 4 MiB, at least 4096 */
  uint32_t timeout_ms;         /* of a unary call without one of its own; default 30,000 */
  uint32_t max_attempts;       /* of a call; default 4 */
  uint32_t max_connections;    /* default 4, at most 16 */
  uint32_t max_calls;          /* open at a time; default 10,000 */
  uint32_t idle_timeout_ms;    /* of a connection without calls; default 300,000 */
  const quiver_allocator *allocator; /* default: realloc and free */
  quiver_time_limits time_limits;
  /* Of `quiver login`, which comes before the environment; NULL: $QUIVER_CONTEXT, or the selected
   * one. */
  const char *context;
} quiver_options;

/* Where a watch continues. */
typedef struct quiver_position {
  int64_t sequence; /* 0: none, the watch begins with a snapshot */
  uint64_t store_epoch;
} quiver_position;

/* What goes with one call. */
typedef struct quiver_call_options {
  uint32_t timeout_ms; /* 0: the client's default for a unary call, none for a stream */
  bool wait_for_ready; /* wait for a connection instead of failing while none can be made */
  const uint8_t *key;  /* QUIVER_KEY_BYTES; NULL: a random one where the method changes data */
  const quiver_entry *metadata;
  size_t metadata_count;
  quiver_position position; /* of a watch */
} quiver_call_options;

typedef struct quiver_client quiver_client;
typedef struct quiver_call quiver_call;

/* The version of the library; QUIVER_VERSION is that of the headers. */
const char *quiver_version(void);

/* Makes a UUIDv7 (RFC 9562), for a `client_id`: the time in milliseconds, then 74 random bits. From any
 * thread. */
void quiver_uuid7(uint8_t out[QUIVER_UUID_BYTES]);

/* The name of a code, "NOT_FOUND". */
const char *quiver_code_name(quiver_code code);

/* Makes a client; it connects when it is called. NULL if an option is wrong; then *error, if it is
 * given, is a sentence that is not freed. */
quiver_client *quiver_client_new(const quiver_options *options, const char **error);

/* Ends all calls (CANCELLED) and connections. Calls that were not freed are not usable after it and
 * must be freed before it. NULL is allowed. */
void quiver_client_free(quiver_client *client);

/* For the caller's own event loop: fills in what to poll and the longest time to wait (-1: for
 * ever), and returns the number of descriptors. At most 17 are needed. */
int quiver_client_prepare(
  quiver_client *client, struct pollfd *fds, int capacity, int *timeout_ms);

/* Does what can be done without waiting. Call it after poll, whatever poll returned. */
void quiver_client_process(quiver_client *client);

/* Waits at most so long for something to happen (-1: for ever), and does it. */
void quiver_client_turn(quiver_client *client, int timeout_ms);

/* Ends a wait of the client's thread in quiver_client_turn or in poll. From any thread and from
 * signal handlers. */
void quiver_client_wake(quiver_client *client);

/* Writes what calls of quiver_call_submit have left to write. quiver_client_prepare,
 * quiver_client_process and each function that waits do so too. */
void quiver_client_flush(quiver_client *client);

/* Starts a call. A method with one request takes it here; `request` is NULL for request streams. A
 * call that cannot start has ended already: see quiver_call_status. NULL if there is no memory. */
quiver_call *quiver_call_start(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const void *request, size_t length);

/* Starts an asynchronous call, as quiver_call_start does: quiver_client_next returns it when a message
 * or its end has come, at once where it cannot start. What it has to write is written with that of
 * other calls by quiver_client_flush, at the latest when the client waits: many calls that are
 * started before one wait leave in one write. */
quiver_call *quiver_call_submit(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const void *request, size_t length, void *context);

/* What the call was submitted with. */
void *quiver_call_context(const quiver_call *call);

/* Takes the next asynchronous call that has a message of a reply stream, or that has ended; NULL:
 * none has. Does not wait: quiver_client_turn and quiver_client_process fill the queue, and
 * quiver_client_turn does not wait while it has calls. Read the call with quiver_call_poll; it comes
 * again while it has more. A call that was freed does not come. */
quiver_call *quiver_client_next(quiver_client *client);

/* Waits for the next message of the reply. 1: a message, whose bytes are valid until the next call
 * of this function or quiver_call_free; 0: the call has ended, quiver_call_status tells how. */
int quiver_call_receive(quiver_call *call, const uint8_t **data, size_t *length);

/* The same without waiting; -1: nothing has come. */
int quiver_call_poll(quiver_call *call, const uint8_t **data, size_t *length);

/* Sends a message of a request stream, and waits while 64 KiB are queued. False: the call has
 * ended. */
bool quiver_call_send(quiver_call *call, const void *message, size_t length);

/* Whether quiver_call_send would not wait. */
bool quiver_call_has_room(const quiver_call *call);

/* Ends the request stream. */
void quiver_call_finish(quiver_call *call);

/* Ends the call CANCELLED here and at the server. */
void quiver_call_cancel(quiver_call *call);

/* Ends the call with INTERNAL, because a message does not decode. For stubs. */
void quiver_call_reject(quiver_call *call, const char *reason);

/* Waits until the call has ended, without reading messages. */
const quiver_status *quiver_call_wait(quiver_call *call);

/* How the call ended; NULL while it has not, and while messages of a stream are unread. */
const quiver_status *quiver_call_status(const quiver_call *call);

/* The metadata in front of the first message, once it has come. */
const quiver_entry *quiver_call_initial_metadata(const quiver_call *call, size_t *count);

/* Behind the last message of a watch that was received and is not inside a snapshot. */
quiver_position quiver_call_position(const quiver_call *call);

/* Ends the call if it has not ended, and frees it with its messages and status. */
void quiver_call_free(quiver_call *call);

#ifdef __cplusplus
}
#endif
#endif
