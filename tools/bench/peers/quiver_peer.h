// What the clients share that speak just enough of Quiver: frames, fields, HELLO, credit, and what
// waits to be written.
#ifndef QUIVER_BENCH_PEER_H
#define QUIVER_BENCH_PEER_H

#include "measure.h"

#include <errno.h>

enum { HELLO = 1, REQUEST, HEADERS, DATA, RESPONSE, STATUS, CANCEL, CREDIT, PING, GOAWAY };
enum { END = 1, MORE = 2, HEADER_BYTES = 8, EIGHT_BYTES = HEADER_BYTES + 8, FRAME_CHARGE = 32 };

static const uint8_t preface[8] = {0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 0x01};
// HELLO's defaults: these clients state no others.
static const uint64_t stream_window = 64 << 10, connection_window = 1 << 20;

static inline void put_number(uint8_t *at, uint64_t number) {
  for (int i = 0; i < 8; i++) at[i] = (uint8_t)(number >> (56 - 8 * i));
}

static inline uint64_t number(const uint8_t *at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | at[i];
  return value;
}

static inline void put_header(uint8_t *at, size_t length, int type, int flags, uint32_t stream) {
  put_number(at, (uint64_t)length << 40 | (uint64_t)(type << 4 | flags) << 32 | stream);
}

static inline size_t frame_length(const uint8_t *frame) { return (size_t)(number(frame) >> 40); }

static inline uint32_t frame_stream(const uint8_t *frame) { return (uint32_t)number(frame); }

// A frame of eight bytes: CREDIT, or the answer to a PING.
static inline void put_eight(uint8_t *at, int type, int flags, uint32_t stream, uint64_t value) {
  put_header(at, 8, type, flags, stream);
  put_number(at + HEADER_BYTES, value);
}

static inline size_t put_varint(uint8_t *at, uint64_t value) {
  size_t count = 0;
  for (; value >= 0x80; value >>= 7) at[count++] = (uint8_t)(value | 0x80);
  at[count++] = (uint8_t)value;
  return count;
}

static inline size_t put_field(uint8_t *at, unsigned number, uint64_t value) {
  size_t count = put_varint(at, number << 3);
  return count + put_varint(at + count, value);
}

static inline uint64_t read_varint(const uint8_t **at, const uint8_t *end) {
  uint64_t value = 0;
  for (int shift = 0; *at < end && shift < 64; shift += 7) {
    uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// One field of a message: its number, its value or length, and where its bytes begin.
struct field {
  unsigned number;
  uint64_t value;
  const uint8_t *bytes;
};

static inline int next_field(const uint8_t **at, const uint8_t *end, struct field *field) {
  if (*at >= end) return 0;
  uint64_t key = read_varint(at, end);
  unsigned kind = key & 7;
  field->number = (unsigned)(key >> 3);
  field->value = kind == 0 || kind == 2 ? read_varint(at, end) : 0;
  field->bytes = *at;
  uint64_t skip = kind == 1 ? 8 : kind == 5 ? 4 : kind == 2 ? field->value : 0;
  if (skip > (uint64_t)(end - *at)) return 0;
  *at += skip;
  return 1;
}

// What a STATUS or a GOAWAY says.
static inline void refuse(const char *program, const char *what, const uint8_t *at, size_t length) {
  const uint8_t *end = at + length;
  struct field field, text = {0};
  unsigned code = 0;
  while (next_field(&at, end, &field)) {
    if (field.number == 1) code = (unsigned)field.value;
    if (field.number == 2) text = field;
  }
  fprintf(stderr, "%s: %s with code %u: %.*s\n", program, what, code, (int)text.value, text.bytes);
}

enum { GREETING_BYTES = 512 };

// The preface and HELLO of version 1; returns their length. A token is of 255 bytes at most.
static inline size_t put_greeting(uint8_t *at, const char *software, const char *token) {
  uint8_t *hello = at + sizeof preface + HEADER_BYTES;
  size_t count = put_field(hello, 1, 1), token_bytes = strlen(token);
  count += put_field(hello + count, 2, 1);
  hello[count++] = 0x1A, hello[count++] = (uint8_t)strlen(software);
  memcpy(hello + count, software, strlen(software));
  count += strlen(software);
  if (token_bytes) {
    hello[count++] = 0x72;
    count += put_varint(hello + count, token_bytes);
    memcpy(hello + count, token, token_bytes);
    count += token_bytes;
  }
  memcpy(at, preface, sizeof preface);
  put_header(at + sizeof preface, count, HELLO, 0, 0);
  return sizeof preface + HEADER_BYTES + count;
}

// What waits to be written.
struct out_queue {
  uint8_t *bytes;
  size_t count, room;
};

static inline void append(struct out_queue *out, const void *bytes, size_t count) {
  if (out->count + count > out->room) {
    out->room = (out->count + count) * 2;
    out->bytes = realloc(out->bytes, out->room);
    if (!out->bytes) die("realloc");
  }
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
}

// Writes as much as goes; returns whether something still waits.
static inline int write_out(struct out_queue *out, int fd) {
  size_t written = 0;
  while (written < out->count) {
    ssize_t n = write(fd, out->bytes + written, out->count - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) die("write");
    if (n < 0) break;
    written += (size_t)n;
  }
  memmove(out->bytes, out->bytes + written, out->count - written);
  out->count -= written;
  return out->count > 0;
}

#endif
