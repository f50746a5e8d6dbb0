import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverGateway

@Suite("Texts of replies that many callers are sent", .timeLimit(.minutes(1)))
struct ReplyTextsTests {
  private let schema = StatusDetails.schema.core

  @Test("Equal replies are converted once")
  func equalReplies() throws {
    let texts = ReplyTexts(limit: 1 << 20)
    var conversions = 0
    for _ in 0..<1_000 {
      let reply: [UInt8] = [8, 1, 18, 1, 97]
      let text = try texts.text(of: reply, schema) { () throws(RPCError) in
        conversions += 1
        return Array("text".utf8)
      }
      #expect(text == Array("text".utf8))
    }
    #expect(conversions == 1)
  }

  @Test("Replies that differ in a byte, in their length or in their type have texts of their own")
  func differentReplies() throws {
    let texts = ReplyTexts(limit: 1 << 20)
    var replies: [[UInt8]] = [[], [0], [0, 0]]
    for size in [1, 7, 8, 9, 63, 64, 65, 1_000] {
      for index in 0..<size {
        var reply = [UInt8](repeating: 7, count: size)
        reply[index] = 8
        replies.append(reply)
      }
    }
    // Twice, so that each may find what the others have left.
    for _ in 0..<2 {
      for (number, reply) in replies.enumerated() {
        for (name, schema) in [("a", schema), ("b", AnyMessage.schema.core)] {
          let expected = Array("\(name)\(number)".utf8)
          let text = try texts.text(of: reply, schema) { () throws(RPCError) in expected }
          #expect(text == expected)
        }
      }
    }
  }

  @Test("What is kept stays below the limit, and large replies are not kept")
  func limit() throws {
    let texts = ReplyTexts(limit: 10_000)
    for number in 0..<5_000 {
      let reply = withUnsafeBytes(of: number) { Array($0) }
      let size = number * 37 % 3_000
      let text = try texts.text(of: reply, schema) { () throws(RPCError) in
        [UInt8](repeating: 1, count: size)
      }
      #expect(text.count == size)
      #expect(texts.byteCount <= 10_000)
    }
    let before = texts.byteCount
    #expect(before > 0)
    for _ in 0..<2 {
      _ = try texts.text(of: [1, 2, 3], schema) { () throws(RPCError) in
        [UInt8](repeating: 1, count: 2_501)
      }
    }
    #expect(texts.byteCount == before)
  }

  @Test("A reply that cannot be converted fails for each caller, and is not kept")
  func failures() {
    let texts = ReplyTexts(limit: 10_000)
    for _ in 0..<2 {
      #expect(throws: RPCError.self) {
        try texts.text(of: [9], schema) { () throws(RPCError) in
          throw RPCError(.internal, "the reply does not decode")
        }
      }
    }
    #expect(texts.byteCount == 0)
  }
}
