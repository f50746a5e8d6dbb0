/* libFuzzer on everything that reads a server's bytes: the state machine of a connection with calls of
 * every kind, and the decoding of messages. Each input is one connection.
 *
 * The first byte chooses the calls; two bytes give the length of each part that arrives. */
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "quiver/message.h"
#include "quiver/services.h"

#define CALLS 4

typedef struct fuzz_call {
  stream stream;
  bool has_ended;
  uint32_t charges[64];
  unsigned count;
} fuzz_call;

static size_t live;

/* Counts memory, so that a leak or growth without bound is found by each input. */
static void *resize(void *context, void *pointer, size_t size) {
  (void)context;
  size_t *block = pointer == NULL ? NULL : (size_t *)pointer - 2;
  if (block != NULL) live -= *block;
  if (size == 0) {
    free(block);
    return NULL;
  }
  if (live + size > 48u << 20) abort();
  block = realloc(block, size + 2 * sizeof(size_t));
  if (block == NULL) abort();
  *block = size;
  live += size;
  return block + 2;
}

static const quiver_allocator allocator = {resize, NULL};

static void on_headers(void *context, stream *stream, const uint8_t *data, size_t length) {
  (void)context;
  (void)stream;
  bool is_bad;
  parsed *found = parse_headers(&allocator, data, length, &is_bad);
  if (found == NULL) abort(); /* The core has validated it. */
  memory_free(&allocator, found);
}

static void on_message(
  void *context, stream *stream, const uint8_t *data, size_t length, uint32_t charge,
  bool is_compressed) {
  (void)context;
  fuzz_call *call = (fuzz_call *)stream;
  if (call->has_ended) abort();
  if (is_compressed) {
    uint8_t *out;
    size_t out_length;
    if (decompress_message(&allocator, data, length, 1 << 20, &out, &out_length) == QUIVER_OK)
      memory_free(&allocator, out);
  } else {
    quiver_message_free(
      quiver_message_unpack(&quiver__v1__watch_items_response__descriptor, data, length));
    quiver_message_free(quiver_message_unpack(&quiver__v1__fail_request__descriptor, data, length));
  }
  if (stream->reply_streams && call->count < 64) call->charges[call->count++] = charge;
}

static void on_ended(void *context, stream *stream, const call_end *end) {
  (void)context;
  fuzz_call *call = (fuzz_call *)stream;
  if (call->has_ended || stream->id != 0) abort();
  call->has_ended = true;
  if (end->status != NULL) {
    bool is_bad;
    parsed *found = parse_status(&allocator, end->status, end->status_length, &is_bad);
    if (found == NULL) abort();
    memory_free(&allocator, found);
  } else if (end->text == NULL) {
    abort();
  }
}

static const core_events events = {on_headers, on_message, on_ended};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
  if (length < 1) return 0;
  unsigned options = *data++;
  length--;
  core core;
  fuzz_call calls[CALLS];
  uint64_t now = 1000;
  if (!core_init(&core, &allocator, &events, NULL, options & 1 ? "token" : NULL, 65536, (options & 2) != 0, now))
    abort();
  memset(calls, 0, sizeof calls);
  static const uint8_t head[] = {3, 8, 0x81, 0x20};
  if (options & 4) {
    /* A handshake in front, so that inputs need not find it. */
    static const uint8_t hello[] = {0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 1, 0, 0, 0, 0x10, 0, 0, 0, 0};
    core_receive(&core, hello, sizeof hello, now);
  }
  for (unsigned place = 0; place < CALLS; place++) {
    if (!core_has_room(&core)) {
      calls[place].has_ended = true;
      continue;
    }
    stream *stream = &calls[place].stream;
    stream->request_streams = (place & 1) != 0;
    stream->reply_streams = (place & 2) != 0;
    stream->credit_at_once = (options & 8) != 0;
    stream->head = head;
    stream->head_length = sizeof head;
    static const uint8_t body[3000];
    core_start(&core, stream, body, place == 0 ? sizeof body : 10);
    if (stream->request_streams && stream->id != 0) (void)core_send(&core, stream, body, sizeof body);
  }
  while (length > 2) {
    size_t part = (size_t)data[0] << 8 | data[1];
    data += 2;
    length -= 2;
    if (part > length) part = length;
    /* A copy of its own size, so that a read behind the end is found. */
    uint8_t *exact = malloc(part + 1);
    memcpy(exact, data, part);
    core_receive(&core, exact, part, now);
    free(exact);
    data += part;
    length -= part;
    now += part % 7 == 0 ? 9000 : 1;
    core_tick(&core, now);
    if (part % 3 == 0) core_wrote(&core, core.out.end - core.out.start, now);
    for (unsigned place = 0; place < CALLS; place++) {
      fuzz_call *call = &calls[place];
      if (call->count > 0 && part % 2 == 0 && call->stream.id != 0)
        core_took(&core, &call->stream, call->charges[--call->count]);
    }
    if (core.reassembly_bytes > REASSEMBLY_LIMIT) abort();
  }
  for (unsigned place = 0; place < CALLS; place++)
    if (calls[place].stream.id != 0 && place == options % CALLS)
      core_cancel(&core, &calls[place].stream, QUIVER_CANCELLED), calls[place].has_ended = true;
  core_lost(&core, "the end of the input");
  for (unsigned place = 0; place < CALLS; place++)
    if (!calls[place].has_ended || calls[place].stream.id != 0) abort();
  core_free(&core);
  if (live != 0) abort();
  return 0;
}
