import CZstd
import QuiverRPC

/// A `ZSTD_DCtx` with a buffer for a part of a message, used by one thread at a time.
// Sendable because it is lent to one user at a time, under a lock.
final class UnpackingContext: @unchecked Sendable {
  private let context: OpaquePointer
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: bufferByteCount, alignment: 16)

  private static let bufferByteCount = 64 * 1024

  /// Nil: no memory is left.
  init?() {
    guard let context = ZSTD_createDCtx() else {
      buffer.deallocate()
      return nil
    }
    self.context = context
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, FrameHeader.largestWindowLog)
  }

  deinit {
    ZSTD_freeDCtx(context)
    buffer.deallocate()
  }

  /// `ZSTD_decompressStream` until the frame's end, which must be that of the bytes.
  func inflate(
    _ frame: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(InflateFault) {
    ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    var input = ZSTD_inBuffer(src: frame.baseAddress, size: frame.count, pos: 0)
    var total = 0
    while true {
      let before = input.pos
      var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
      let left = ZSTD_decompressStream(context, &output, &input)
      guard ZSTD_isError(left) == 0 else { throw .malformed }
      guard output.pos <= limit - total else { throw .tooLarge }
      total += output.pos
      take(UnsafeRawBufferPointer(rebasing: buffer[..<output.pos]))
      if left == 0 { break }
      // More bytes are needed than are available.
      guard input.pos > before || output.pos > 0 else { throw .malformed }
    }
    guard input.pos == frame.count else { throw .malformed }
  }
}
