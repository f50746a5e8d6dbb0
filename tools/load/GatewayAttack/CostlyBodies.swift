import CZlib

/// Bodies of some KB that become large or slow where they are inflated and read as JSON.
enum CostlyBodies {
  /// A body, and whether it is compressed with gzip.
  struct Body: Sendable {
    let name: String
    let bytes: [UInt8]
    let isGzip: Bool
  }

  private static let largeBytes = 4 << 20 - 64

  static let all: [Body] = [
    Body(
      name: "long text", bytes: gzip("{\"joinCode\":\"\(repeated("a", largeBytes))\"}"),
      isGzip: true),
    Body(
      name: "long number", bytes: gzip("{\"joinCode\":\(repeated("1", largeBytes))}"),
      isGzip: true),
    Body(
      name: "list of numbers",
      bytes: gzip("{\"operations\":[\(repeated("1.0,", 262_000))1.0]}"), isGzip: true),
    Body(
      name: "escapes", bytes: gzip("{\"joinCode\":\"\(repeated("\\u0041", largeBytes / 6))\"}"),
      isGzip: true),
    Body(name: "nesting", bytes: Array(repeated("[", 10_000).utf8), isGzip: false),
    Body(
      name: "entries", bytes: gzip("{\"operations\":[\(repeated("{},", 260_000)){}]}"),
      isGzip: true),
    Body(
      name: "fields", bytes: gzip("{\(repeated("\"a\":1,", 260_000))\"a\":1}"), isGzip: true),
  ]

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static func gzip(_ text: String) -> [UInt8] {
    var stream = z_stream()
    guard quiver_zlib_begin_deflate(&stream) == Z_OK else { preconditionFailure("zlib has memory") }
    defer { deflateEnd(&stream) }
    var input = Array(text.utf8)
    let room = Int(deflateBound(&stream, UInt(input.count)))
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      return [UInt8](unsafeUninitializedCapacity: room) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(room)
        _ = deflate(&stream, Z_FINISH)
        count = room - Int(stream.avail_out)
      }
    }
  }
}
