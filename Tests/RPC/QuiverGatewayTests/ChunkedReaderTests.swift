import QuiverWire
import Testing

@testable import QuiverGateway

@Suite("Bodies in chunks", .timeLimit(.minutes(1)))
struct ChunkedReaderTests {
  /// The body of a text that arrives in parts of `step` bytes; nil: it is refused.
  private func body(_ text: String, step: Int = .max) -> (body: String, isComplete: Bool)? {
    var reader = ChunkedReader()
    var body: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    var progress = ChunkedReader.Progress.needsMore
    while !bytes.isEmpty {
      var queue = ByteQueue()
      queue.append(Array(bytes.prefix(step)))
      bytes = bytes.dropFirst(step)
      progress = reader.read(&queue) { body += $0 }
      if progress == .invalid { return nil }
      if progress == .complete { break }
    }
    return (String(decoding: body, as: UTF8.self), progress == .complete)
  }

  @Test("Chunks with extensions and trailers make one body, however they arrive", arguments: 1...9)
  func whole(step: Int) {
    let text = "3\r\nabc\r\nA;x=\"y\"\r\n0123456789\r\n000\r\nGold: 1\r\n\r\n"
    let read = body(text, step: step)
    #expect(read?.body == "abc0123456789")
    #expect(read?.isComplete == true)
  }

  @Test("A body without its last chunk is not complete")
  func cutOff() {
    #expect(body("3\r\nabc\r\n")?.isComplete == false)
    #expect(body("0\r\n")?.isComplete == false)
  }

  @Test(
    "What is no chunk is refused",
    arguments: [
      "x\r\n", "\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "123456789\r\n", "1\n",
      "1\r\nab\r\n", "1\ra", "1\r\na\n", "1\r\n\r\n\r\n", "0\r\nA: b\n\r\n",
    ])
  func invalid(text: String) {
    #expect(body(text) == nil)
  }

  @Test("Long lines and long trailers are refused")
  func limits() {
    #expect(body("1;" + String(repeating: "a", count: 300) + "\r\n") == nil)
    #expect(body("0\r\n" + String(repeating: "a: b\r\n", count: 1_000)) == nil)
  }
}
