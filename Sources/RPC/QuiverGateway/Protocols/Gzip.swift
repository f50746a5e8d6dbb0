import CZlib

/// gzip by zlib, bounded.
enum Gzip {
  enum Failure: Error {
    /// Not gzip, or cut off.
    case invalid
    /// More than the limit.
    case tooLarge
  }

  private static let chunkBytes = 65_536

  /// The bytes that were compressed.
  static func decompress(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    guard quiver_zlib_begin_inflate(&stream) == Z_OK else { throw .invalid }
    defer { inflateEnd(&stream) }
    var result: [UInt8] = []
    var status = Z_OK
    var input = bytes
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      repeat {
        status = step(&stream, &result) { inflate($0, Z_NO_FLUSH) }
      } while status == Z_OK && result.count <= limit
        && (stream.avail_in > 0 || stream.avail_out == 0)
      return status == Z_STREAM_END && stream.avail_in == 0
    }
    guard result.count <= limit else { throw .tooLarge }
    guard isWhole else { throw .invalid }
    return result
  }

  /// The bytes, compressed; nil where no memory is left.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard quiver_zlib_begin_deflate(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var result: [UInt8] = []
    var status = Z_OK
    var input = bytes
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      repeat {
        status = step(&stream, &result) { deflate($0, Z_FINISH) }
      } while status == Z_OK
    }
    return status == Z_STREAM_END ? result : nil
  }

  /// Runs one step of zlib with room for a chunk, and appends what it has made.
  private static func step(
    _ stream: inout z_stream, _ result: inout [UInt8],
    _ run: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Int32 {
    var status = Z_OK
    let chunk = [UInt8](unsafeUninitializedCapacity: chunkBytes) { buffer, count in
      stream.next_out = buffer.baseAddress
      stream.avail_out = UInt32(chunkBytes)
      status = run(&stream)
      count = chunkBytes - Int(stream.avail_out)
    }
    result += chunk
    return status
  }
}
