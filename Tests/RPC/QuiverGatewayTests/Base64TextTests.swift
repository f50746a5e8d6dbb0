import QuiverWire
import Testing

@testable import QuiverGateway

@Suite("Bodies in base64", .timeLimit(.minutes(1)))
struct Base64TextTests {
  /// What a body decodes to that comes in parts of this size; nil: it is refused.
  private func decode(_ text: String, by size: Int) -> [UInt8]? {
    var decoder = Base64Text()
    var queue = ByteQueue()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let part = Array(bytes[start..<min(start + size, bytes.count)])
      guard part.withUnsafeBytes({ decoder.decode($0, into: &queue) }) else { return nil }
    }
    return decoder.isWhole ? Array(queue.bytes) : nil
  }

  @Test(
    "Groups are decoded wherever the parts divide them, with padding also before the end",
    arguments: [
      ("", ""), ("YXJyb3c=", "arrow"), ("YXJyb3dz", "arrows"), ("YQ==", "a"),
      ("YQ==YQ==YWI=YWJj", "aaababc"), ("+/A=", "\u{FB}\u{F0}"),
    ])
  func good(text: String, decoded: String) {
    let expected = decoded.unicodeScalars.map { UInt8($0.value) }
    for size in 1...9 { #expect(decode(text, by: size) == expected) }
  }

  @Test(
    "What is not whole groups of the standard alphabet is refused",
    arguments: [
      "Y", "YQ", "YQ=", "YWJ", "=", "Y===", "====", "YQ=a", "YQ==Y", "YWJj\n", "YW Jj", "-_A=",
      "YR==", "YWK=", "YW\u{0}j", "YWJ%",
    ])
  func bad(text: String) {
    for size in 1...9 { #expect(decode(text, by: size) == nil) }
  }

  @Test("A queue that is nearly full takes what a short part completes")
  func fullQueues() {
    for (fill, pending, count) in (480...512).flatMap({ fill in
      (0...3).flatMap { pending in (1...9).map { (fill, pending, $0) } }
    }) {
      var decoder = Base64Text()
      var queue = ByteQueue()
      queue.append([UInt8](repeating: 7, count: fill))
      let text = [UInt8](repeating: UInt8(ascii: "A"), count: pending + count)
      let parts = [text.prefix(pending), text.dropFirst(pending)].map(Array.init)
      for part in parts {
        #expect(part.withUnsafeBytes { decoder.decode($0, into: &queue) })
      }
      #expect(queue.count == fill + (pending + count) / 4 * 3)
      #expect(decoder.characterCount == (pending + count) % 4)
    }
    var decoder = Base64Text()
    var queue = ByteQueue()
    for count in [512, 128, 32, 8, 1, 1, 1, 1] {
      let part = [UInt8](repeating: UInt8(ascii: "A"), count: count)
      #expect(part.withUnsafeBytes { decoder.decode($0, into: &queue) })
    }
    #expect(queue.count == 513 && decoder.isWhole)
  }

  @Test("Random bytes come back, in groups of random padding")
  func random() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var text = ""
      var expected: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<20, using: &generator) {
        let count = Int.random(in: 1..<40, using: &generator)
        let part = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        text += ReplyFields.base64(part)
        text += String(repeating: "=", count: (3 - count % 3) % 3)
        expected += part
      }
      #expect(decode(text, by: Int.random(in: 1..<50, using: &generator)) == expected)
    }
  }
}
