import CZstd

/// A `ZSTD_CCtx`, used by one thread at a time.
// Sendable because it is lent to one user at a time, under a lock.
final class PackingContext: @unchecked Sendable {
  private let context: OpaquePointer

  /// Nil: no memory is left.
  init?(level: Int32) {
    guard let context = ZSTD_createCCtx() else { return nil }
    self.context = context
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, FrameHeader.largestWindowLog)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0)
    ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0)
  }

  deinit { ZSTD_freeCCtx(context) }

  /// `ZSTD_compress2` into at most `byteCount - 1` bytes; nil if they do not suffice.
  func compress(_ message: UnsafeRawBufferPointer, below byteCount: Int) -> [UInt8]? {
    guard byteCount > 1 else { return nil }
    let capacity = min(byteCount - 1, ZSTD_compressBound(message.count))
    // An array of its own size: it may wait for long, and is counted by its bytes.
    return withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 16) { buffer in
      let result = ZSTD_compress2(
        context, buffer.baseAddress, buffer.count, message.baseAddress, message.count)
      return ZSTD_isError(result) == 0 ? Array(buffer[..<result]) : nil
    }
  }
}
