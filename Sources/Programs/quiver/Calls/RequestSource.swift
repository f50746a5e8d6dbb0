import Dispatch
import Glibc
import QuiverRPC
import QuiverWire

/// The source of a call's requests: the command line, a file, or standard input.
enum RequestSource: Sendable {
  /// One message, or one per line.
  case text([UInt8])
  /// One message per line, as they arrive.
  case standardInput

  /// The longest line that is a message.
  private static let maxLineByteCount = 16 * 1024 * 1024

  /// All of it, as one message.
  func whole() throws(RPCError) -> [UInt8] {
    switch self {
    case .text(let bytes): return bytes
    case .standardInput:
      do throws(Failure) {
        return try InputText.standardInput()
      } catch {
        throw Self.refusal("\(error)")
      }
    }
  }

  /// The messages one by one: a text that is one JSON object is one message, else each line is.
  func messages() -> AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { continuation in
      switch self {
      case .text(let bytes):
        for line in Self.split(bytes) { continuation.yield(line) }
        continuation.finish()
      case .standardInput:
        // A read of a terminal waits for its user, so it needs a dedicated thread.
        DispatchQueue(label: "quiver.input").async { Self.readLines(continuation) }
      }
    }
  }

  private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
      .filter { line in !line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
    // An object on several lines is one message: its first line does not end it.
    guard let first = lines.first, lines.count > 1, first.last(where: { $0 > 0x20 }) != 0x7D else {
      return lines
    }
    return [bytes]
  }

  private static func readLines(
    _ continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation
  ) {
    var kept: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      kept += chunk[..<count]
      while let end = kept.firstIndex(of: UInt8(ascii: "\n")) {
        if end > 0 { continuation.yield(Array(kept[..<end])) }
        kept.removeSubrange(...end)
      }
      guard kept.count <= maxLineByteCount else {
        continuation.finish(
          throwing: refusal("a line of standard input is longer than \(maxLineByteCount) bytes"))
        return
      }
    }
    if !kept.isEmpty { continuation.yield(kept) }
    continuation.finish()
  }

  private static func refusal(_ message: String) -> RPCError {
    RPCError(.invalidArgument, message, isNotProcessed: true, origin: .client)
  }
}
