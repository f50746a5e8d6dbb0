/* The state machine of a connection. It does no I/O, and knows the time only from its caller. */
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t preface[PREFACE_BYTES] = {0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 0x01};

static const char *const error_names[] = {
  "NO_ERROR",           "PROTOCOL_ERROR",      "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR",
  "UNSUPPORTED_VERSION", "UNAUTHENTICATED",    "ENHANCE_YOUR_CALM", "TIMEOUT",
  "INTERNAL_ERROR",     "TOO_MANY_CONNECTIONS"};

/* ---- Memory */

void memory_clear(void *pointer, size_t size) { memset(pointer, 0, size); }

bool buffer_grow(const quiver_allocator *allocator, buffer *buffer, size_t room) {
  size_t used = buffer->end - buffer->start;
  if (buffer->start > 0) {
    memmove(buffer->data, buffer->data + buffer->start, used);
    buffer->start = 0;
    buffer->end = used;
    if (buffer->capacity - used >= room) return true;
  }
  size_t capacity = buffer->capacity < 512 ? 512 : buffer->capacity;
  while (capacity - used < room) capacity *= 2;
  uint8_t *grown = memory_resize(allocator, buffer->data, capacity);
  if (grown == NULL) return false;
  buffer->data = grown;
  buffer->capacity = capacity;
  return true;
}

bool buffer_add(
  const quiver_allocator *allocator, buffer *buffer, const void *data, size_t length) {
  if (!buffer_reserve(allocator, buffer, length)) return false;
  if (length > 0) memcpy(buffer->data + buffer->end, data, length);
  buffer->end += length;
  return true;
}

void buffer_free(const quiver_allocator *allocator, buffer *buffer) {
  memory_free(allocator, buffer->data);
  memset(buffer, 0, sizeof *buffer);
}

/* ---- Output */

static void fail(core *core, enum connection_error code, const char *reason);
static void pump(core *core);

static void put_header(
  uint8_t *out, size_t length, enum frame_type type, unsigned flags, uint32_t id) {
  out[0] = (uint8_t)(length >> 16);
  out[1] = (uint8_t)(length >> 8);
  out[2] = (uint8_t)length;
  out[3] = (uint8_t)((unsigned)type << 4 | flags);
  out[4] = (uint8_t)(id >> 24);
  out[5] = (uint8_t)(id >> 16);
  out[6] = (uint8_t)(id >> 8);
  out[7] = (uint8_t)id;
}

/* Writes a frame whose payload is in two parts. */
static void write_frame(
  core *core, enum frame_type type, unsigned flags, uint32_t id, const void *first,
  size_t first_length, const void *second, size_t second_length) {
  size_t length = first_length + second_length;
  if (!buffer_reserve(core->allocator, &core->out, HEADER_BYTES + length)) {
    core_lost(core, "no memory for output");
    return;
  }
  uint8_t *out = core->out.data + core->out.end;
  put_header(out, length, type, flags, id);
  if (first_length > 0) memcpy(out + HEADER_BYTES, first, first_length);
  if (second_length > 0) memcpy(out + HEADER_BYTES + first_length, second, second_length);
  core->out.end += HEADER_BYTES + length;
}

static void write_credit(core *core, uint32_t id, uint64_t allowance) {
  uint8_t number[8];
  for (unsigned place = 0; place < 8; place++)
    number[place] = (uint8_t)(allowance >> (56 - 8 * place));
  write_frame(core, CREDIT, 0, id, number, 8, NULL, 0);
}

void core_wrote(core *core, size_t count, uint64_t now) {
  core->now = now;
  if (count > 0) core->has_sent = true;
  core->out.start += count;
  if (core->out.start == core->out.end) {
    core->out.start = core->out.end = 0;
    core->answers = 0;
    core->stalled_since = 0;
  } else if (count > 0 || core->stalled_since == 0) {
    core->stalled_since = now;
  }
  if (output_bytes(core) < OUTPUT_HIGH_WATER) pump(core);
}

/* ---- Beginning and end */

const quiver_time_limits default_time_limits = {
  .keepalive_ms = 20000,
  .keepalive_timeout_ms = 10000,
  .frame_ms = 30000,
  .message_ms = 60000,
  .hello_ms = 10000,
  .output_ms = 10000,
};

bool core_init(
  core *core, const quiver_allocator *allocator, const core_events *events, void *context,
  const char *token, uint32_t max_message, bool compression, uint64_t now) {
  memset(core, 0, sizeof *core);
  core->allocator = allocator;
  core->events = events;
  core->context = context;
  core->now = core->started = core->last_input = now;
  core->has_token = token != NULL && token[0] != 0;
  core->compression = compression;
  core->max_message = max_message;
  core->limits = default_time_limits;
  core->next_id = 1;
  core->last_id = LARGEST_STREAM;
  /* Before the HELLO of the server: the defaults, or the small limits without a token. */
  core->peer_frame = core->has_token ? 16384 : 4096;
  core->peer_message = core->has_token ? 4u << 20 : 4096;
  core->max_streams = core->has_token ? 100 : 1;
  core->peer_stream_credit = core->has_token ? 65536 : 16384;
  core->allowance = core->has_token ? 1048576 : 16384;
  core->stated = CONNECTION_WINDOW;
  core->bucket_count = 64;
  core->buckets = memory_resize(allocator, NULL, core->bucket_count * sizeof(stream *));
  if (core->buckets == NULL) return false;
  memset(core->buckets, 0, core->bucket_count * sizeof(stream *));
  size_t token_length = core->has_token ? strlen(token) : 0;
  uint8_t hello[128 + 4096];
  if (token_length > MAX_CONTROL - 128) return false;
  static const uint8_t fixed[] = {0x08, 1, 0x10, 1, 0x1A, 8, 'q', 'u', 'i', 'v', 'e', 'r', '-', 'c'};
  size_t at = sizeof fixed;
  memcpy(hello, fixed, at);
  if (max_message != MESSAGE_LIMIT) {
    hello[at++] = 0x30;
    at += put_varint(hello + at, max_message);
  }
  if (compression) {
    static const uint8_t zstd[] = {0x62, 4, 'z', 's', 't', 'd'};
    memcpy(hello + at, zstd, sizeof zstd);
    at += sizeof zstd;
  }
  if (token_length > 0) {
    hello[at++] = 0x72;
    at += put_varint(hello + at, token_length);
    memcpy(hello + at, token, token_length);
    at += token_length;
  }
  if (!buffer_add(allocator, &core->out, preface, PREFACE_BYTES)) return false;
  write_frame(core, HELLO, 0, 0, hello, at, NULL, 0);
  return !core->is_ended;
}

void core_free(core *core) {
  buffer_free(core->allocator, &core->in);
  buffer_free(core->allocator, &core->out);
  memory_free(core->allocator, core->buckets);
  core->buckets = NULL;
}

/* ---- Streams */

static stream *find(const core *core, uint32_t id) {
  stream *stream = core->buckets[id >> 1 & (core->bucket_count - 1)];
  while (stream != NULL && stream->id != id) stream = stream->bucket_next;
  return stream;
}

static void grow_buckets(core *core) {
  uint32_t count = core->bucket_count * 2;
  stream **buckets = memory_resize(core->allocator, NULL, count * sizeof(stream *));
  if (buckets == NULL) return; /* Longer chains work as well. */
  memset(buckets, 0, count * sizeof(stream *));
  for (stream *stream = core->streams; stream != NULL; stream = stream->next) {
    stream->bucket_next = buckets[stream->id >> 1 & (count - 1)];
    buckets[stream->id >> 1 & (count - 1)] = stream;
  }
  memory_free(core->allocator, core->buckets);
  core->buckets = buckets;
  core->bucket_count = count;
}

static void add_stream(core *core, stream *stream) {
  if (core->stream_count >= core->bucket_count) grow_buckets(core);
  struct stream **bucket = &core->buckets[stream->id >> 1 & (core->bucket_count - 1)];
  stream->bucket_next = *bucket;
  *bucket = stream;
  stream->previous = NULL;
  stream->next = core->streams;
  if (stream->next != NULL) stream->next->previous = stream;
  core->streams = stream;
  core->stream_count++;
}

static void enqueue(core *core, stream *stream) {
  if (stream->is_ready) return;
  stream->is_ready = true;
  stream->ready_next = NULL;
  if (core->ready_last == NULL)
    core->ready_first = stream;
  else
    core->ready_last->ready_next = stream;
  core->ready_last = stream;
}

static stream *dequeue(core *core) {
  stream *first = core->ready_first;
  core->ready_first = first->ready_next;
  if (core->ready_first == NULL) core->ready_last = NULL;
  first->is_ready = false;
  first->ready_next = NULL;
  return first;
}

static void leave_ready(core *core, stream *stream) {
  if (!stream->is_ready) return;
  struct stream **at = &core->ready_first, *before = NULL;
  while (*at != stream) {
    before = *at;
    at = &before->ready_next;
  }
  *at = stream->ready_next;
  if (core->ready_last == stream) core->ready_last = before;
  stream->is_ready = false;
  stream->ready_next = NULL;
}

static void drop_parts(core *core, stream *stream) {
  stream->in_message = false;
  if (stream->parts.data == NULL) return;
  core->reassembly_bytes -= stream->parts.end;
  buffer_free(core->allocator, &stream->parts);
}

/* Takes a stream off the connection and frees what it holds. Its owner keeps it. */
static void remove_stream(core *core, stream *stream) {
  struct stream **at = &core->buckets[stream->id >> 1 & (core->bucket_count - 1)];
  while (*at != stream) at = &(*at)->bucket_next;
  *at = stream->bucket_next;
  if (stream->previous != NULL)
    stream->previous->next = stream->next;
  else
    core->streams = stream->next;
  if (stream->next != NULL) stream->next->previous = stream->previous;
  core->stream_count--;
  leave_ready(core, stream);
  drop_parts(core, stream);
  memory_free(core->allocator, stream->body);
  stream->body = NULL;
  while (stream->outbox != NULL) {
    message *next = stream->outbox->next;
    memory_free(core->allocator, stream->outbox);
    stream->outbox = next;
  }
  stream->outbox_end = &stream->outbox;
  stream->outbox_bytes = 0;
  stream->id = 0;
}

static void end_stream(core *core, stream *stream, const call_end *end) {
  if (end->origin == QUIVER_ORIGIN_SERVER) core->has_answered = true;
  remove_stream(core, stream);
  core->events->ended(core->context, stream, end);
}

static void end_with(
  core *core, stream *stream, quiver_code code, quiver_origin origin, bool not_processed,
  const char *text) {
  call_end end = {code, origin, not_processed, text, NULL, 0};
  end_stream(core, stream, &end);
}

/* Ends a call that this side gives up. */
static void give_up(core *core, stream *stream, quiver_code code, const char *text) {
  if (stream->is_written && !core->is_ended)
    write_frame(core, CANCEL, 0, stream->id, NULL, 0, NULL, 0);
  end_with(core, stream, code, QUIVER_ORIGIN_CLIENT, !stream->is_written, text);
}

void core_cancel(core *core, stream *stream, quiver_code code) {
  if (stream->id == 0) return;
  if (stream->is_written && !core->is_ended) {
    uint8_t payload[2] = {0x08, (uint8_t)code};
    write_frame(core, CANCEL, 0, stream->id, payload, 2, NULL, 0);
  }
  remove_stream(core, stream);
}

bool core_has_room(const core *core) {
  return !core->is_draining && !core->is_ended && core->stream_count < core->max_streams;
}

static message *make_message(core *core, const void *data, size_t length) {
  message *made = NULL;
  if (core->compresses && length >= 1024) made = compress_message(core->allocator, data, length);
  if (made != NULL) return made;
  made = memory_resize(core->allocator, NULL, sizeof(message) + length);
  if (made == NULL) return NULL;
  made->next = NULL;
  made->length = length;
  made->charge = 0;
  made->is_compressed = false;
  if (length > 0) memcpy(made->data, data, length);
  return made;
}

void core_start(core *core, stream *stream, const uint8_t *body, size_t length) {
  stream->id = core->next_id;
  core->next_id += 2;
  if (core->next_id > LARGEST_STREAM) core->is_draining = true;
  stream->allowance = core->peer_stream_credit;
  stream->stated = STREAM_WINDOW;
  stream->outbox_end = &stream->outbox;
  if (core->stream_count == 0 && core->last_input < core->now) core->last_input = core->now;
  add_stream(core, stream);
  if (stream->head_length > core->peer_frame || length > core->peer_message) {
    end_with(
      core, stream, QUIVER_RESOURCE_EXHAUSTED, QUIVER_ORIGIN_CLIENT, true,
      "the request is larger than the server takes");
    return;
  }
  size_t size = stream->head_length + length;
  uint64_t charge = size + FRAME_CHARGE;
  bool is_compressible = core->compresses && length >= 1024;
  if (
    !stream->request_streams && core->ready_first == NULL && size <= core->peer_frame &&
    charge <= stream->allowance && core->sent + charge <= core->allowance && !is_compressible &&
    output_bytes(core) < OUTPUT_HIGH_WATER) {
    stream->sent = charge;
    core->sent += charge;
    stream->is_written = stream->request_done = true;
    write_frame(
      core, REQUEST, END, stream->id, stream->head, stream->head_length, body, length);
    return;
  }
  if (!stream->request_streams) {
    stream->body = make_message(core, body, length);
    if (stream->body == NULL) {
      end_with(
        core, stream, QUIVER_RESOURCE_EXHAUSTED, QUIVER_ORIGIN_CLIENT, true, "no memory");
      return;
    }
  }
  enqueue(core, stream);
  pump(core);
}

bool core_send(core *core, stream *stream, const void *data, size_t length) {
  if (length > core->peer_message) return false;
  message *made = make_message(core, data, length);
  if (made == NULL) return false;
  stream->took_message = true;
  *stream->outbox_end = made;
  stream->outbox_end = &made->next;
  stream->outbox_bytes += made->length + sizeof(message);
  enqueue(core, stream);
  pump(core);
  return true;
}

void core_finish(core *core, stream *stream) {
  if (stream->id == 0 || stream->request_done) return;
  stream->request_done = true;
  enqueue(core, stream);
  pump(core);
}

/* ---- Framing */

enum step { STEP_DONE, STEP_MORE, STEP_NO_STREAM_CREDIT, STEP_NO_CONNECTION_CREDIT };

static void write_charged(
  core *core, stream *stream, enum frame_type type, unsigned flags, const void *first,
  size_t first_length, const void *second, size_t second_length) {
  uint64_t charge = first_length + second_length + FRAME_CHARGE;
  stream->sent += charge;
  core->sent += charge;
  write_frame(
    core, type, flags, stream->id, first, first_length, second, second_length);
}

static void body_is_sent(core *core, stream *stream) {
  memory_free(core->allocator, stream->body);
  stream->body = NULL;
  stream->body_at = 0;
}

static enum step frame_request(
  core *core, stream *stream, uint64_t room, enum step blocked) {
  if (stream->head_length > room) return blocked;
  stream->is_written = true;
  message *body = stream->body;
  if (body == NULL) {
    write_charged(core, stream, REQUEST, 0, stream->head, stream->head_length, NULL, 0);
    return stream->outbox != NULL || stream->request_done ? STEP_MORE : STEP_DONE;
  }
  unsigned flags = body->is_compressed ? COMPRESSED : 0;
  size_t count = room - stream->head_length;
  if (count >= body->length) {
    write_charged(
      core, stream, REQUEST, flags | END, stream->head, stream->head_length, body->data,
      body->length);
    stream->request_done = true;
    body_is_sent(core, stream);
    return STEP_DONE;
  }
  stream->body_at = count;
  write_charged(
    core, stream, REQUEST, flags | MORE, stream->head, stream->head_length, body->data, count);
  return STEP_MORE;
}

/* Frames one frame of a stream. */
static enum step frame_one(core *core, stream *stream) {
  uint64_t on_stream = stream->allowance - stream->sent;
  uint64_t on_connection = core->allowance - core->sent;
  enum step blocked =
    on_connection <= on_stream ? STEP_NO_CONNECTION_CREDIT : STEP_NO_STREAM_CREDIT;
  uint64_t room = on_connection < on_stream ? on_connection : on_stream;
  room = room > FRAME_CHARGE ? room - FRAME_CHARGE : 0;
  bool is_room_for_empty = (on_connection < on_stream ? on_connection : on_stream) >= FRAME_CHARGE;
  if (room > core->peer_frame) room = core->peer_frame;
  if (!stream->is_written) return frame_request(core, stream, room, blocked);
  if (stream->body == NULL && stream->outbox != NULL) {
    stream->body = stream->outbox;
    stream->outbox = stream->body->next;
    if (stream->outbox == NULL) stream->outbox_end = &stream->outbox;
    stream->outbox_bytes -= stream->body->length + sizeof(message);
    stream->body_at = 0;
  }
  message *body = stream->body;
  if (body == NULL) {
    if (stream->request_done && stream->request_streams && !stream->close_sent) {
      stream->close_sent = true;
      write_frame(core, CLOSE, 0, stream->id, NULL, 0, NULL, 0);
    }
    return STEP_DONE;
  }
  size_t left = body->length - stream->body_at;
  unsigned flags = stream->body_at == 0 && body->is_compressed ? COMPRESSED : 0;
  const uint8_t *at = body->data + stream->body_at;
  if (left <= room && is_room_for_empty) {
    if (!stream->request_streams) flags |= END;
    write_charged(core, stream, DATA, flags, at, left, NULL, 0);
    body_is_sent(core, stream);
    if (!stream->request_streams) {
      stream->request_done = true;
      return STEP_DONE;
    }
    return stream->outbox != NULL || stream->request_done ? STEP_MORE : STEP_DONE;
  }
  if (room < SMALLEST_PART) return blocked;
  stream->body_at += room;
  write_charged(core, stream, DATA, flags | MORE, at, room, NULL, 0);
  return STEP_MORE;
}

/* Frames what may go, a frame of each stream in turn. */
static void pump(core *core) {
  while (
    core->ready_first != NULL && !core->is_ended && output_bytes(core) < OUTPUT_HIGH_WATER) {
    enum step step = frame_one(core, core->ready_first);
    if (step == STEP_NO_CONNECTION_CREDIT || core->is_ended) return;
    stream *stream = dequeue(core);
    if (step == STEP_MORE) enqueue(core, stream);
  }
}

/* ---- Credit of this side */

static void state_stream_credit(core *core, stream *stream) {
  uint64_t allowance =
    STREAM_WINDOW + stream->taken + (stream->waiting == 0 ? stream->reassembly : 0);
  bool is_all_taken = stream->credit_at_once && stream->waiting == 0 && !stream->in_message;
  if (allowance >= stream->stated + (is_all_taken ? 1 : STREAM_WINDOW / 2)) {
    stream->stated = allowance;
    write_credit(core, stream->id, allowance);
  }
}

void core_took(core *core, stream *stream, uint32_t charge) {
  if (stream->id == 0) return;
  stream->waiting--;
  stream->taken += charge;
  state_stream_credit(core, stream);
}

static void state_connection_credit(core *core) {
  if (core->received + CONNECTION_WINDOW >= core->stated + CONNECTION_WINDOW / 2) {
    core->stated = core->received + CONNECTION_WINDOW;
    write_credit(core, 0, core->stated);
  }
}

/* ---- Ends of the connection */

static void end_all(core *core, quiver_code code) {
  core->is_ended = true;
  while (core->streams != NULL) {
    stream *stream = core->streams;
    /* Framed for a transport that never took a byte: it was not written. */
    if (!core->has_sent) stream->is_written = false;
    bool not_processed =
      !stream->is_written || (core->has_goaway && stream->id > core->last_id);
    end_with(core, stream, code, QUIVER_ORIGIN_CONNECTION, not_processed, core->reason);
  }
}

static void set_reason(core *core, const char *what, const char *name, const char *text) {
  snprintf(
    core->reason, sizeof core->reason, "%s%s%s%s%s", what, name[0] != 0 ? ": " : "", name,
    text[0] != 0 ? ": " : "", text);
}

void core_lost(core *core, const char *reason) {
  if (core->is_ended) return;
  set_reason(core, reason, "", "");
  end_all(core, QUIVER_UNAVAILABLE);
}

void core_goodbye(core *core) {
  if (core->is_ended || core->is_draining) return;
  core->is_draining = true;
  write_frame(core, GOAWAY, 0, 0, NULL, 0, NULL, 0);
}

static void fail(core *core, enum connection_error code, const char *reason) {
  if (core->is_ended) return;
  if (core->preface_seen == PREFACE_BYTES) {
    size_t length = strlen(reason);
    uint8_t payload[4] = {0x08, (uint8_t)code, 0x12, (uint8_t)length};
    write_frame(core, GOAWAY, 0, 0, payload, 4, reason, length);
  }
  core->has_fault = true;
  set_reason(core, "the connection failed", error_names[code], reason);
  end_all(core, QUIVER_UNAVAILABLE);
}

/* ---- Input */

static bool raise(uint32_t *limit, uint64_t stated, uint32_t most) {
  if (stated > most) stated = most;
  if (stated > *limit) *limit = (uint32_t)stated;
  return true;
}

static void receive_hello(core *core, const uint8_t *data, size_t length) {
  reader reader = {data, data + length, false};
  field field;
  uint64_t numbers[12] = {0};
  bool has_zstd = false;
  while (read_field(&reader, &field)) {
    if (field.type == 0 && field.number < 12)
      numbers[field.number] = field.number <= 7 || field.number >= 10 ? (uint32_t)field.value
                                                                     : field.value;
    if (field.type == 2 && field.number == 12 && field.length == 4)
      has_zstd = has_zstd || memcmp(field.data, "zstd", 4) == 0;
    if (field.type == 2 && (field.number == 3 || field.number == 12) &&
        !is_utf8(field.data, field.length))
      reader.is_bad = true;
  }
  if (reader.is_bad) return fail(core, PROTOCOL_ERROR, "a HELLO that does not decode");
  static const unsigned bytes[4] = {5, 6, 8, 9};
  for (unsigned place = 0; place < 4; place++)
    if (numbers[bytes[place]] > 0 && numbers[bytes[place]] < 4096)
      return fail(core, PROTOCOL_ERROR, "a limit of HELLO is too low");
  if (numbers[5] > LARGEST_FRAME || numbers[8] > LARGEST_CREDIT || numbers[9] > LARGEST_CREDIT)
    return fail(core, PROTOCOL_ERROR, "a limit of HELLO is too high");
  core->is_greeted = true;
  raise(&core->peer_frame, numbers[5], LARGEST_FRAME);
  raise(&core->peer_message, numbers[6], UINT32_MAX);
  raise(&core->max_streams, numbers[7], MOST_STREAMS);
  if (numbers[8] > core->peer_stream_credit) {
    uint64_t gain = numbers[8] - core->peer_stream_credit;
    core->peer_stream_credit = numbers[8];
    for (stream *stream = core->streams; stream != NULL; stream = stream->next) {
      stream->allowance += gain;
      if (stream->allowance > LARGEST_CREDIT) stream->allowance = LARGEST_CREDIT;
      if (!stream->is_written || stream->body != NULL || stream->outbox != NULL)
        enqueue(core, stream);
    }
  }
  if (numbers[9] > core->allowance) core->allowance = numbers[9];
  core->compresses = core->compression && has_zstd;
  pump(core);
}

static void receive_goaway(core *core, const uint8_t *data, size_t length) {
  reader reader = {data, data + length, false};
  field field;
  uint32_t code = 0, last = 0;
  char reason[97] = "";
  while (read_field(&reader, &field)) {
    if (field.number == 1 && field.type == 0) code = (uint32_t)field.value;
    if (field.number == 3 && field.type == 0) last = (uint32_t)field.value;
    if (field.number == 2 && field.type == 2) {
      if (!is_utf8(field.data, field.length)) reader.is_bad = true;
      size_t kept = field.length < sizeof reason - 1 ? field.length : sizeof reason - 1;
      while (kept > 0 && kept < field.length && (field.data[kept] & 0xC0) == 0x80) kept--;
      memcpy(reason, field.data, kept);
      reason[kept] = 0;
    }
  }
  if (reader.is_bad) return fail(core, PROTOCOL_ERROR, "a GOAWAY that does not decode");
  if (core->has_goaway && last > core->last_id)
    return fail(core, PROTOCOL_ERROR, "GOAWAY's last stream may not rise");
  core->has_goaway = core->is_draining = true;
  core->last_id = last;
  if (code != NO_ERROR) {
    core->is_unauthenticated = code == GOAWAY_UNAUTHENTICATED;
    /* So does a port of another protocol say what it speaks. */
    core->is_foreign = code == PROTOCOL_ERROR && last == 0 && !core->has_answered;
    const char *name = code < sizeof error_names / sizeof *error_names ? error_names[code] : "?";
    set_reason(core, "the server ended the connection", name, reason);
    end_all(core, core->is_unauthenticated ? QUIVER_UNAUTHENTICATED : QUIVER_UNAVAILABLE);
    return;
  }
  /* An event may start or end other calls, so that the list is read again from its start. */
  for (;;) {
    stream *stream = core->streams;
    while (stream != NULL && stream->id <= last) stream = stream->next;
    if (stream == NULL) break;
    end_with(
      core, stream, QUIVER_UNAVAILABLE, QUIVER_ORIGIN_CONNECTION, true,
      "the server drains and did not process the call");
  }
}

static bool is_never_used(const core *core, uint32_t id) {
  return id % 2 == 0 || id >= core->next_id;
}

static void receive_credit(core *core, uint32_t id, const uint8_t *data) {
  uint64_t allowance = 0;
  for (unsigned place = 0; place < 8; place++) allowance = allowance << 8 | data[place];
  if (id != 0 && is_never_used(core, id))
    return fail(core, PROTOCOL_ERROR, "a frame on a stream that was never opened");
  if (allowance > LARGEST_CREDIT) return fail(core, PROTOCOL_ERROR, "a CREDIT above 2^63 - 1");
  if (id == 0) {
    if (allowance <= core->allowance) return;
    core->allowance = allowance;
  } else {
    stream *stream = find(core, id);
    if (stream == NULL || allowance <= stream->allowance) return;
    stream->allowance = allowance;
    if (!stream->is_written || stream->body != NULL || stream->outbox != NULL ||
        (stream->request_done && !stream->close_sent))
      enqueue(core, stream);
  }
  pump(core);
}

static void receive_headers(core *core, stream *stream, const uint8_t *data, size_t length) {
  if (stream->has_headers || stream->reply_begun)
    return fail(core, PROTOCOL_ERROR, "HEADERS must come first, and once");
  bool is_bad;
  parsed *found = parse_headers(core->allocator, data, length, &is_bad);
  if (is_bad) return fail(core, PROTOCOL_ERROR, "HEADERS that do not decode");
  if (found == NULL) return give_up(core, stream, QUIVER_RESOURCE_EXHAUSTED, "no memory");
  quiver_code code = check_entries(found->status.metadata, found->status.metadata_count);
  memory_free(core->allocator, found);
  stream->has_headers = true;
  if (code == QUIVER_OK)
    core->events->headers(core->context, stream, data, length);
  else if (code == QUIVER_RESOURCE_EXHAUSTED)
    give_up(core, stream, code, "the metadata of the reply is over its limit");
  else
    give_up(core, stream, QUIVER_INTERNAL, "the metadata of the reply has an invalid key");
}

static void receive_status(core *core, stream *stream, const uint8_t *data, size_t length) {
  bool is_bad;
  parsed *found = parse_status(core->allocator, data, length, &is_bad);
  if (is_bad) return fail(core, PROTOCOL_ERROR, "a STATUS that does not decode");
  if (found == NULL) return give_up(core, stream, QUIVER_RESOURCE_EXHAUSTED, "no memory");
  quiver_code code = found->status.code;
  bool not_processed =
    found->status.not_processed && !stream->has_headers && !stream->reply_begun;
  quiver_code metadata = check_entries(found->status.metadata, found->status.metadata_count);
  memory_free(core->allocator, found);
  call_end end = {code, QUIVER_ORIGIN_SERVER, not_processed, NULL, data, length};
  if (code == QUIVER_OK) {
    if (stream->in_message) return fail(core, PROTOCOL_ERROR, "STATUS OK inside a message");
    if (!stream->reply_streams && !stream->has_message) {
      end = (call_end){
        QUIVER_UNIMPLEMENTED, QUIVER_ORIGIN_CLIENT, false, "the server sent OK without a reply",
        NULL, 0};
    } else if (metadata != QUIVER_OK) {
      end = (call_end){
        metadata == QUIVER_RESOURCE_EXHAUSTED ? metadata : QUIVER_INTERNAL, QUIVER_ORIGIN_CLIENT,
        false, "the trailing metadata is invalid", NULL, 0};
    }
  }
  end_stream(core, stream, &end);
}

static void receive_cancel(core *core, stream *stream, const uint8_t *data, size_t length) {
  reader reader = {data, data + length, false};
  field field;
  uint64_t code = 0;
  char reason[257] = "";
  while (read_field(&reader, &field)) {
    if (field.number == 1 && field.type == 0) code = (uint32_t)field.value;
    if (field.number == 2 && field.type == 2) {
      if (!is_utf8(field.data, field.length)) reader.is_bad = true;
      size_t kept = field.length < sizeof reason - 1 ? field.length : sizeof reason - 1;
      memcpy(reason, field.data, kept);
      reason[kept] = 0;
    }
  }
  if (reader.is_bad) return fail(core, PROTOCOL_ERROR, "a CANCEL that does not decode");
  end_with(
    core, stream, code == 0 ? QUIVER_CANCELLED : code_of(code), QUIVER_ORIGIN_SERVER, false,
    reason);
}

/* A whole message has arrived, in one frame or in `parts`. */
static void receive_message(
  core *core, stream *stream, const uint8_t *data, size_t length, bool is_response) {
  uint32_t charge = (uint32_t)stream->reassembly;
  stream->reassembly = 0;
  bool is_compressed = stream->part_compressed;
  stream->in_message = false;
  if (stream->reply_streams) {
    stream->waiting++;
    core->events->message(core->context, stream, data, length, charge, is_compressed);
    return;
  }
  uint8_t *inflated = NULL;
  if (is_compressed) {
    quiver_code code = decompress_message(
      core->allocator, data, length, core->max_message, &inflated, &length);
    if (code != QUIVER_OK)
      return give_up(core, stream, code, "a compressed reply does not decompress");
    data = inflated;
  }
  core->events->message(core->context, stream, data, length, 0, false);
  memory_free(core->allocator, inflated);
  if (stream->id == 0) return;
  if (is_response) {
    end_with(core, stream, QUIVER_OK, QUIVER_ORIGIN_SERVER, false, "");
    return;
  }
  stream->taken += charge;
}

static void receive_data(
  core *core, stream *stream, bool is_response, unsigned flags, const uint8_t *data,
  size_t length) {
  uint64_t charge = length + FRAME_CHARGE;
  stream->received += charge;
  if (stream->received > stream->stated)
    return fail(core, FLOW_CONTROL_ERROR, "more than the stream's allowance");
  if (stream->in_message) {
    if (is_response) return fail(core, PROTOCOL_ERROR, "a RESPONSE inside a message");
    if (flags & COMPRESSED) return fail(core, PROTOCOL_ERROR, "COMPRESSED inside a message");
  } else if (is_response && (stream->reply_streams || stream->reply_begun)) {
    return give_up(core, stream, QUIVER_UNIMPLEMENTED, "the server sent a single reply");
  } else if (stream->has_message && !stream->reply_streams) {
    return give_up(core, stream, QUIVER_UNIMPLEMENTED, "the server sent a second reply");
  }
  if (!stream->in_message) {
    stream->in_message = true;
    stream->part_compressed = (flags & COMPRESSED) != 0;
    stream->has_message = stream->has_message || is_response;
  }
  bool is_single_response = stream->has_message && !stream->reply_streams;
  stream->reply_begun = true;
  stream->reassembly += charge;
  if (stream->parts.end + length > core->max_message)
    return give_up(core, stream, QUIVER_RESOURCE_EXHAUSTED, "the reply is larger than the limit");
  if ((flags & MORE) == 0 && stream->parts.end == 0) {
    if (!is_response && !stream->reply_streams && !is_single_response) stream->has_message = true;
    return receive_message(core, stream, data, length, is_single_response);
  }
  if (core->reassembly_bytes + length > REASSEMBLY_LIMIT)
    return give_up(
      core, stream, QUIVER_RESOURCE_EXHAUSTED, "the incomplete replies are larger than the limit");
  if (!buffer_add(core->allocator, &stream->parts, data, length))
    return give_up(core, stream, QUIVER_RESOURCE_EXHAUSTED, "no memory");
  core->reassembly_bytes += length;
  if (flags & MORE) {
    stream->part_time = core->now;
    state_stream_credit(core, stream);
    return;
  }
  buffer whole = stream->parts;
  core->reassembly_bytes -= whole.end;
  memset(&stream->parts, 0, sizeof stream->parts);
  if (!stream->reply_streams) stream->has_message = true;
  receive_message(core, stream, whole.data, whole.end, is_single_response);
  buffer_free(core->allocator, &whole);
}

static void receive_frame(
  core *core, unsigned type, unsigned flags, uint32_t id, const uint8_t *data, size_t length) {
  switch (type) {
  case HELLO:
    if (id != 0) return fail(core, PROTOCOL_ERROR, "HELLO belongs to no stream");
    return receive_hello(core, data, length);
  case CREDIT:
    return receive_credit(core, id, data);
  case PING:
    if (id != 0) return fail(core, PROTOCOL_ERROR, "a PING on a stream");
    if (flags & END) return;
    if (++core->answers > MAX_ANSWERS)
      return fail(core, ENHANCE_YOUR_CALM, "too many PINGs at once");
    return write_frame(core, PING, END, 0, data, length, NULL, 0);
  case GOAWAY:
    if (id != 0) return fail(core, PROTOCOL_ERROR, "GOAWAY belongs to no stream");
    return receive_goaway(core, data, length);
  case HEADERS:
  case DATA:
  case RESPONSE:
  case STATUS:
  case CANCEL:
    break;
  default:
    return; /* An unknown frame that is ignorable. */
  }
  if (is_never_used(core, id))
    return fail(core, PROTOCOL_ERROR, "a frame on a stream that was never opened");
  stream *stream = find(core, id);
  if (type == DATA || type == RESPONSE) {
    if ((flags & MORE) != 0 && length < SMALLEST_PART)
      return fail(core, PROTOCOL_ERROR, "a part of a message under 1024 bytes");
    core->received += length + FRAME_CHARGE;
    if (core->received > core->stated)
      return fail(core, FLOW_CONTROL_ERROR, "more than the connection's allowance");
    if (stream != NULL) receive_data(core, stream, type == RESPONSE, flags, data, length);
    if (!core->is_ended) state_connection_credit(core);
  } else if (stream != NULL) {
    if (type == HEADERS)
      receive_headers(core, stream, data, length);
    else if (type == STATUS)
      receive_status(core, stream, data, length);
    else
      receive_cancel(core, stream, data, length);
  }
}

/* Validates a header before its payload is waited for. */
static bool check_header(core *core, size_t length, unsigned type, unsigned flags) {
  static const uint32_t limits[16] = {
    MAX_CONTROL, MAX_CONTROL, FRAME_LIMIT, MAX_HEADERS, FRAME_LIMIT, FRAME_LIMIT,
    MAX_STATUS,  MAX_CONTROL, 8,           8,           MAX_CONTROL, 0,
    MAX_CONTROL, MAX_CONTROL, MAX_CONTROL, MAX_CONTROL};
  static const uint8_t allowed[16] = {
    0, 0, 0, 0, MORE | COMPRESSED, MORE | COMPRESSED, 0, 0, 0, END, 0, 0,
    15, 15, 15, 15};
  const char *text = NULL;
  enum connection_error code = PROTOCOL_ERROR;
  if (length > limits[type] || ((type == CREDIT || type == PING) && length != 8)) {
    code = FRAME_SIZE_ERROR;
    text = "a frame's length is not what its type allows";
  } else if (type == 0 || (type > CLOSE && (flags & IGNORABLE) == 0)) {
    text = "a frame of an unknown type";
  } else if (type == REQUEST || type == CLOSE) {
    text = "a frame that only the other side sends";
  } else if ((flags & ~(unsigned)allowed[type]) != 0) {
    text = "a flag that the frame's type does not have";
  } else if (type <= CLOSE && (flags & COMPRESSED) != 0 && !core->compression) {
    text = "a compressed message that was not negotiated";
  } else if (!core->is_greeted && type != HELLO) {
    text = "HELLO must be the first frame";
  } else if (core->is_greeted && type == HELLO) {
    text = "a second HELLO";
  }
  if (text == NULL) return true;
  fail(core, code, text);
  return false;
}

const char *protocol_of(const uint8_t *data, size_t length) {
  static const struct {
    const char *name;
    uint8_t length, bytes[9];
  } known[] = {
    {"HTTP", 5, "HTTP/"},
    {"HTTP", 9, {'<', '!', 'D', 'O', 'C', 'T', 'Y', 'P', 'E'}},
    {"HTTP", 5, "<html"},
    {"SSH", 4, "SSH-"},
    {"TLS", 2, {20, 3}},
    {"TLS", 2, {21, 3}},
    {"TLS", 2, {22, 3}},
    {"Quiver without TLS", 7, {0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A}}};
  if (length == 0) return NULL;
  for (size_t place = 0; place < sizeof known / sizeof known[0]; place++)
    if (memcmp(data, known[place].bytes, length < known[place].length ? length : known[place].length) == 0)
      return known[place].name;
  /* HTTP/2 begins with SETTINGS, a frame of type 4 without flags. */
  return length >= 5 && data[0] == 0 && data[3] == 4 && data[4] == 0 ? "HTTP" : NULL;
}

/* The preface is not that of a server that this client knows. */
static void refuse_preface(core *core, const uint8_t *data, size_t length) {
  if (core->preface_seen == PREFACE_BYTES - 1)
    return fail(core, UNSUPPORTED_VERSION, "the server has another major version");
  const char *name = core->preface_seen == 0 ? protocol_of(data, length) : NULL;
  char text[96];
  snprintf(
    text, sizeof text, "what answers is not a Quiver server%s%s%s", name != NULL ? ": it speaks " : "",
    name != NULL ? name : "", name != NULL && strcmp(name, "TLS") == 0 ? " (use tls://)" : "");
  core->is_foreign = true;
  fail(core, PROTOCOL_ERROR, text);
}

/* Processes the complete frames; the number of bytes that they have. */
static size_t parse_input(core *core, const uint8_t *data, size_t length) {
  size_t at = 0;
  while (core->preface_seen < PREFACE_BYTES && at < length) {
    if (data[at] != preface[core->preface_seen]) {
      refuse_preface(core, data + at, length - at);
      return length;
    }
    core->preface_seen++;
    at++;
  }
  while (!core->is_ended && length - at >= HEADER_BYTES) {
    const uint8_t *header = data + at;
    size_t size = (size_t)header[0] << 16 | (size_t)header[1] << 8 | header[2];
    unsigned type = header[3] >> 4, flags = header[3] & 15;
    uint32_t id = (uint32_t)header[4] << 24 | (uint32_t)header[5] << 16 |
                  (uint32_t)header[6] << 8 | header[7];
    if (!check_header(core, size, type, flags)) return length;
    if (length - at - HEADER_BYTES < size) break;
    receive_frame(core, type, flags, id, header + HEADER_BYTES, size);
    at += HEADER_BYTES + size;
  }
  return core->is_ended ? length : at;
}

/* The bytes that the frame whose beginning is kept has, or its header. */
static size_t wanted_bytes(const buffer *in) {
  const uint8_t *header = in->data + in->start;
  if (in->end - in->start < HEADER_BYTES) return HEADER_BYTES;
  return HEADER_BYTES + ((size_t)header[0] << 16 | (size_t)header[1] << 8 | header[2]);
}

void core_receive(core *core, const uint8_t *data, size_t length, uint64_t now) {
  if (core->is_ended || length == 0) return;
  core->now = core->last_input = now;
  core->ping_sent = 0;
  buffer *in = &core->in;
  /* Completes the frame whose beginning came before; the others are parsed where they are. */
  while (in->end > in->start && length > 0) {
    size_t count = wanted_bytes(in) - (in->end - in->start);
    if (count > length) count = length;
    if (!buffer_add(core->allocator, in, data, count)) {
      core_lost(core, "no memory for input");
      return;
    }
    data += count;
    length -= count;
    in->start += parse_input(core, in->data + in->start, in->end - in->start);
    if (core->is_ended) return;
  }
  if (in->start < in->end) return;
  in->start = in->end = 0;
  size_t used = parse_input(core, data, length);
  if (used == length) return;
  core->frame_since = now;
  if (!buffer_add(core->allocator, in, data + used, length - used))
    core_lost(core, "no memory for input");
}

/* ---- Time */

static void earliest(uint64_t *due, uint64_t time) {
  if (time < *due) *due = time;
}

uint64_t core_due(const core *core) {
  uint64_t due = UINT64_MAX;
  if (core->is_ended) return due;
  if (!core->is_greeted) earliest(&due, core->started + core->limits.hello_ms);
  if (core->in.end > core->in.start) earliest(&due, core->frame_since + core->limits.frame_ms);
  if (core->stalled_since != 0) earliest(&due, core->stalled_since + core->limits.output_ms);
  if (core->ping_sent != 0)
    earliest(&due, core->ping_sent + core->limits.keepalive_timeout_ms);
  else if (core->stream_count > 0 && core->is_greeted)
    earliest(&due, core->last_input + core->limits.keepalive_ms);
  if (core->reassembly_bytes > 0)
    for (stream *stream = core->streams; stream != NULL; stream = stream->next)
      if (stream->in_message) earliest(&due, stream->part_time + core->limits.message_ms);
  return due;
}

void core_tick(core *core, uint64_t now) {
  if (core->is_ended) return;
  core->now = now;
  if (!core->is_greeted && now >= core->started + core->limits.hello_ms)
    return fail(core, TIMEOUT, "the server sent no HELLO in time");
  if (core->in.end > core->in.start && now >= core->frame_since + core->limits.frame_ms)
    return fail(core, TIMEOUT, "a frame was not complete in time");
  if (core->stalled_since != 0 && now >= core->stalled_since + core->limits.output_ms)
    return fail(core, TIMEOUT, "output made no progress");
  if (core->ping_sent != 0 && now >= core->ping_sent + core->limits.keepalive_timeout_ms)
    return fail(core, TIMEOUT, "a PING was not answered");
  if (
    core->ping_sent == 0 && core->stream_count > 0 && core->is_greeted &&
    now >= core->last_input + core->limits.keepalive_ms) {
    static const uint8_t bytes[8] = {'q', 'u', 'i', 'v', 'e', 'r', '-', 'c'};
    core->ping_sent = now;
    write_frame(core, PING, 0, 0, bytes, 8, NULL, 0);
  }
  for (;;) {
    stream *stream = core->reassembly_bytes > 0 ? core->streams : NULL;
    while (stream != NULL &&
           !(stream->in_message && now >= stream->part_time + core->limits.message_ms))
      stream = stream->next;
    if (stream == NULL) break;
    give_up(core, stream, QUIVER_RESOURCE_EXHAUSTED, "the reply received nothing for 60 s");
  }
}
