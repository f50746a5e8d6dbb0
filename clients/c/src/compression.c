/* zstd for messages, within the limits of section 4.2 of the protocol. */
#include "core.h"

#include <string.h>

#define ANY_RATIO_BYTES 65536u
#define SAFE_RATIO 100u
#define INFLATE_RATIO 256u
#define WINDOW_LOG 20

#ifdef QUIVER_ZSTD
#include <zstd.h>

bool has_compression(void) { return true; }

message *compress_message(const quiver_allocator *allocator, const uint8_t *data, size_t length) {
  size_t most = length - length / 8; /* Otherwise it is not worth it. */
  message *made = memory_resize(allocator, NULL, sizeof(message) + most);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  size_t size = 0;
  if (made != NULL && context != NULL) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, WINDOW_LOG);
    size = ZSTD_compress2(context, made->data, most, data, length);
    if (ZSTD_isError(size)) size = 0;
  }
  ZSTD_freeCCtx(context);
  size_t safe = size * SAFE_RATIO > ANY_RATIO_BYTES ? size * SAFE_RATIO : ANY_RATIO_BYTES;
  if (size == 0 || length > safe || length > 1u << WINDOW_LOG) {
    memory_free(allocator, made);
    return NULL;
  }
  made->next = NULL;
  made->length = size;
  made->charge = 0;
  made->is_compressed = true;
  return made;
}

/* Whether a frame needs no dictionary and a window of at most 1 MiB. */
static bool has_small_window(const uint8_t *data, size_t length) {
  static const uint8_t magic[4] = {0x28, 0xB5, 0x2F, 0xFD};
  if (length < 6 || memcmp(data, magic, 4) != 0) return false;
  uint8_t descriptor = data[4];
  if ((descriptor & 3) != 0 || (descriptor & 8) != 0) return false;
  if ((descriptor & 0x20) == 0) {
    unsigned exponent = data[5] >> 3, mantissa = data[5] & 7;
    uint64_t base = (uint64_t)1 << (10 + exponent);
    return base + base / 8 * mantissa <= 1u << WINDOW_LOG;
  }
  size_t count = descriptor >> 6 == 0 ? 1 : (size_t)1 << (descriptor >> 6);
  if (length < 5 + count) return false;
  uint64_t size = 0;
  for (size_t place = 0; place < count; place++) size |= (uint64_t)data[5 + place] << (8 * place);
  if (count == 2) size += 256;
  return size <= 1u << WINDOW_LOG;
}

quiver_code decompress_message(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, size_t limit,
  uint8_t **out, size_t *out_length) {
  uint64_t ratio = (uint64_t)length * INFLATE_RATIO;
  if (ratio < ANY_RATIO_BYTES) ratio = ANY_RATIO_BYTES;
  if (ratio < limit) limit = (size_t)ratio;
  if (!has_small_window(data, length)) return QUIVER_INTERNAL;
  ZSTD_DCtx *context = ZSTD_createDCtx();
  if (context == NULL) return QUIVER_RESOURCE_EXHAUSTED;
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG);
  ZSTD_inBuffer input = {data, length, 0};
  uint8_t *made = NULL;
  size_t capacity = 0, at = 0;
  quiver_code code = QUIVER_INTERNAL;
  for (;;) {
    if (at == capacity) {
      /* One byte more than the limit shows that there is more. */
      if (at > limit) {
        code = QUIVER_RESOURCE_EXHAUSTED;
        break;
      }
      size_t wanted = capacity == 0 ? 16384 : capacity * 2;
      if (wanted > limit + 1) wanted = limit + 1;
      uint8_t *grown = memory_resize(allocator, made, wanted);
      if (grown == NULL) {
        code = QUIVER_RESOURCE_EXHAUSTED;
        break;
      }
      made = grown;
      capacity = wanted;
    }
    ZSTD_outBuffer output = {made, capacity, at};
    size_t read = input.pos;
    size_t rest = ZSTD_decompressStream(context, &output, &input);
    if (ZSTD_isError(rest)) break;
    bool has_moved = output.pos != at || input.pos != read;
    at = output.pos;
    if (rest == 0) {
      if (at > limit)
        code = QUIVER_RESOURCE_EXHAUSTED;
      else if (input.pos == length)
        code = QUIVER_OK;
      break;
    }
    if (!has_moved && at < capacity) break; /* The frame is truncated. */
  }
  ZSTD_freeDCtx(context);
  if (code != QUIVER_OK) {
    memory_free(allocator, made);
    return code;
  }
  *out = made;
  *out_length = at;
  return QUIVER_OK;
}

#else

bool has_compression(void) { return false; }

message *compress_message(const quiver_allocator *allocator, const uint8_t *data, size_t length) {
  (void)allocator;
  (void)data;
  (void)length;
  return NULL;
}

quiver_code decompress_message(
  const quiver_allocator *allocator, const uint8_t *data, size_t length, size_t limit,
  uint8_t **out, size_t *out_length) {
  (void)allocator;
  (void)data;
  (void)length;
  (void)limit;
  (void)out;
  (void)out_length;
  return QUIVER_INTERNAL;
}

#endif
