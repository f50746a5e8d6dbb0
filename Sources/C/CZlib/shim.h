// zlib with the gzip format. The functions that begin a stream are macros, which Swift cannot call.
#pragma once
#include <string.h>
#include <zlib.h>

static inline int quiver_zlib_begin_deflate(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int quiver_zlib_begin_inflate(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, 15 + 16);
}
