/* The client's end of one connection, without I/O: bytes in, events out. */
#ifndef QUIVER_CORE_H
#define QUIVER_CORE_H

#include "quiver/quiver.h"

#define PREFACE_BYTES 8
#define HEADER_BYTES 8
#define FRAME_CHARGE 32
#define SMALLEST_PART 1024
#define LARGEST_STREAM 2147483647u
#define LARGEST_CREDIT 9223372036854775807u
#define LARGEST_FRAME (1u << 20)
#define MAX_CONTROL 4096u
#define MAX_HEADERS 16384u
#define MAX_STATUS 81920u
#define MAX_ENTRIES 64u
#define MAX_METADATA_BYTES 8192u
#define MAX_HEAD_BYTES 16384u

/* What this client receives. HELLO states those that are not the protocol's defaults. */
#define FRAME_LIMIT 16384u
#define MESSAGE_LIMIT (4u << 20)
#define STREAM_WINDOW 65536u
#define CONNECTION_WINDOW (1u << 20)
#define REASSEMBLY_LIMIT (16u << 20)
#define OUTPUT_HIGH_WATER 65536u
#define STREAM_OUTPUT 65536u
#define MAX_ANSWERS 1024u
#define MOST_STREAMS 65536u

/* The time limits where a client has none of its own. */
extern const quiver_time_limits default_time_limits;

enum frame_type {
  HELLO = 1,
  REQUEST,
  HEADERS,
  DATA,
  RESPONSE,
  STATUS,
  CANCEL,
  CREDIT,
  PING,
  GOAWAY,
  CLOSE
};

enum frame_flag { END = 1, MORE = 2, COMPRESSED = 4, IGNORABLE = 8 };

enum connection_error {
  NO_ERROR,
  PROTOCOL_ERROR,
  FRAME_SIZE_ERROR,
  FLOW_CONTROL_ERROR,
  UNSUPPORTED_VERSION,
  GOAWAY_UNAUTHENTICATED,
  ENHANCE_YOUR_CALM,
  TIMEOUT,
  INTERNAL_ERROR
};

/* Bytes that grow. */
typedef struct buffer {
  uint8_t *data;
  size_t start, end, capacity;
} buffer;

/* A message in a queue. */
typedef struct message {
  struct message *next;
  size_t length;
  uint32_t charge;
  bool is_compressed;
  uint8_t data[];
} message;

/* How a call ended on a connection. `status` is the payload of STATUS where there was one. */
typedef struct call_end {
  quiver_code code;
  quiver_origin origin;
  bool not_processed;
  const char *text;
  const uint8_t *status;
  size_t status_length;
} call_end;

/* One call on a connection, inside the object of its owner. */
typedef struct stream {
  struct stream *bucket_next;
  struct stream *previous, *next; /* of all streams */
  struct stream *ready_next;
  uint32_t id; /* 0: on no connection */
  bool request_streams, reply_streams, credit_at_once;
  bool is_ready, is_written, request_done, close_sent;
  /* A message of the request stream was taken; it is lost with the connection. */
  bool took_message;
  bool has_headers, reply_begun, has_message, in_message, part_compressed;
  /* The request side: the head, then messages. */
  const uint8_t *head;
  size_t head_length;
  message *outbox, **outbox_end;
  size_t outbox_bytes;
  message *body;
  size_t body_at;
  uint64_t sent, allowance;
  /* The reply side. */
  uint64_t received, taken, reassembly, stated;
  uint32_t waiting;
  buffer parts;
  uint64_t part_time;
} stream;

typedef struct core core;

typedef struct core_events {
  void (*headers)(void *context, stream *stream, const uint8_t *payload, size_t length);
  /* A message; of a streaming reply its charge is returned by core_took. */
  void (*message)(
    void *context, stream *stream, const uint8_t *data, size_t length, uint32_t charge,
    bool is_compressed);
  void (*ended)(void *context, stream *stream, const call_end *end);
} core_events;

struct core {
  const quiver_allocator *allocator;
  const core_events *events;
  void *context;
  uint64_t now;
  buffer in, out;
  /* Of the peer: what it receives. */
  uint32_t peer_frame, peer_message, max_streams;
  uint64_t peer_stream_credit;
  uint64_t sent, allowance, received, stated;
  uint32_t max_message, next_id, last_id, answers;
  uint32_t stream_count;
  size_t reassembly_bytes;
  unsigned preface_seen;
  bool has_token, compression, compresses, is_greeted, is_draining, has_goaway, is_ended;
  bool has_fault; /* this side ends the connection: flush, then half-close */
  bool is_unauthenticated, has_answered, is_blocked;
  bool has_sent; /* some output was given to the transport */
  bool is_foreign; /* what answers speaks another protocol */
  char reason[192];
  quiver_time_limits limits; /* none is 0 */
  uint64_t started, last_input, frame_since, ping_sent, stalled_since;
  stream *streams;
  stream **buckets;
  uint32_t bucket_count;
  stream *ready_first, *ready_last;
};

/* Memory, by the client's allocator. */
static inline void *memory_resize(const quiver_allocator *allocator, void *pointer, size_t size) {
  return allocator->resize(allocator->context, pointer, size);
}

static inline void memory_free(const quiver_allocator *allocator, void *pointer) {
  if (pointer != NULL) (void)allocator->resize(allocator->context, pointer, 0);
}

/* Sets memory to zero. In core.c, since compilers inline memset of some hundred bytes by an
 * instruction that takes longer than the call. */
void memory_clear(void *pointer, size_t size);
/* Makes room behind the end. False: no memory. */
bool buffer_grow(const quiver_allocator *allocator, buffer *buffer, size_t room);
static inline bool buffer_reserve(const quiver_allocator *allocator, buffer *buffer, size_t room) {
  return buffer->capacity - buffer->end >= room || buffer_grow(allocator, buffer, room);
}

bool buffer_add(const quiver_allocator *allocator, buffer *buffer, const void *data, size_t length);
void buffer_free(const quiver_allocator *allocator, buffer *buffer);

/* Begins a connection: preface and HELLO are output. False: no memory. */
bool core_init(
  core *core, const quiver_allocator *allocator, const core_events *events, void *context,
  const char *token, uint32_t max_message, bool compression, uint64_t now);
void core_free(core *core);

/* Whether another call may start here. */
bool core_has_room(const core *core);

/* Starts a call. `head` (with its length in front) stays valid until it ends. The stream has its
 * flags set and is otherwise zero. Without `body` the request streams. May end it at once. */
void core_start(core *core, stream *stream, const uint8_t *body, size_t length);

/* Queues a message of a request stream. False: no memory, or larger than the server takes. */
bool core_send(core *core, stream *stream, const void *data, size_t length);
void core_finish(core *core, stream *stream);
void core_took(core *core, stream *stream, uint32_t charge);
/* Removes a stream without an event: with CANCEL if its REQUEST was written. */
void core_cancel(core *core, stream *stream, quiver_code code);

void core_receive(core *core, const uint8_t *data, size_t length, uint64_t now);
void core_lost(core *core, const char *reason);
void core_goodbye(core *core);
/* Output: `core->out` from start to end; the transport reports what it wrote. */
void core_wrote(core *core, size_t count, uint64_t now);
static inline size_t output_bytes(const core *core) { return core->out.end - core->out.start; }
void core_tick(core *core, uint64_t now);
/* When core_tick must be called; UINT64_MAX: never. */
uint64_t core_due(const core *core);

/* The protocol whose first bytes these are, as words of a sentence: "HTTP"; NULL: none of the usual. */
const char *protocol_of(const uint8_t *data, size_t length);

/* Payloads (wire.c). */
static inline size_t put_varint(uint8_t *out, uint64_t number) {
  size_t count = 0;
  while (number > 0x7F) {
    out[count++] = (uint8_t)(number | 0x80);
    number >>= 7;
  }
  out[count++] = (uint8_t)number;
  return count;
}

typedef struct reader {
  const uint8_t *at, *end;
  bool is_bad;
} reader;

typedef struct field {
  uint32_t number;
  unsigned type;
  uint64_t value;      /* of a varint and of fixed64 */
  const uint8_t *data; /* of a length-delimited field */
  size_t length;
} field;

bool read_field(reader *reader, field *field);
bool is_utf8(const uint8_t *data, size_t length);

typedef struct head_fields {
  uint32_t method_id, timeout_ms, attempt;
  const uint8_t *key;
  quiver_position position;
  bool credit_at_once;
  const quiver_entry *metadata;
  size_t metadata_count;
  quiver_position known; /* stated in the metadata; sequence 0: none */
} head_fields;

/* `quiver-position` (section 7.7). */
#define POSITION_KEY "quiver-position"
/* The most bytes of its value: 16 digits, a hyphen, 19 digits. */
#define POSITION_LENGTH 36u
/* The position of a value; false if it is none. */
bool read_position(const uint8_t *value, size_t length, quiver_position *found);

/* Writes a RequestHead with its length in front; the bytes written, 0: more than `capacity`. */
size_t put_head(uint8_t *out, size_t capacity, const head_fields *fields);

/* What is wrong with the metadata of a request or a reply; QUIVER_OK if nothing is. */
quiver_code check_entries(const quiver_entry *entries, size_t count);

/* Entries and texts of a payload, in one block: to be freed by memory_free. */
typedef struct parsed {
  quiver_status status;
} parsed;
/* STATUS; NULL and *is_bad, or NULL without memory. */
parsed *parse_status(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, bool *is_bad);
/* HEADERS: the metadata of the status is the initial metadata. */
parsed *parse_headers(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, bool *is_bad);
parsed *make_status(const quiver_allocator *allocator, quiver_code code, const char *text);
quiver_code code_of(uint64_t number);

/* zstd (compression.c). */
bool has_compression(void);
/* The compressed message, or NULL: send it as it is. */
message *compress_message(const quiver_allocator *allocator, const uint8_t *data, size_t length);
/* QUIVER_OK and *out (to be freed), INTERNAL or RESOURCE_EXHAUSTED. */
quiver_code decompress_message(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, size_t limit,
  uint8_t **out, size_t *out_length);

#endif
