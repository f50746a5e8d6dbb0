import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverGateway

@Suite("The forms of messages", .timeLimit(.minutes(1)))
struct MessageFormTests {
  /// A message of one text.
  struct Text: Message {
    var text = ""
    static let schema = Schema<Self>("test.Text", .string(1, "text", \.text))
  }

  private static let method = MethodInfo(
    "test.Talk/Echo", id: 1, kind: .unary, Text.self, Text.self)

  private static func form(isJSON: Bool, mostBytes: Int = 4_194_304) -> RequestForm {
    RequestForm(method, isJSON: isJSON, mostBytes: mostBytes, GatewayLimits())
  }

  private static func encoded(
    _ bytes: [UInt8], _ form: RequestForm
  ) throws(MessageFault) -> [UInt8] {
    try form.encoded(ReceivedMessage(bytes: bytes, isCompressed: true))
  }

  private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    try #require(Gzip.compress(bytes))
  }

  @Test("A message is decompressed at any ratio up to 64 KiB, and above that at most 256 times")
  func ratio() throws {
    let form = Self.form(isJSON: false)
    let small = [UInt8](repeating: 7, count: 65_536)
    #expect(try Self.encoded(try Self.gzip(small), form) == small)
    let large = try Self.gzip([UInt8](repeating: 7, count: 1_000_000))
    #expect(large.count * 256 < 1_000_000)
    let fault = #expect(throws: MessageFault.self) { try Self.encoded(large, form) }
    #expect(fault?.error.code == .resourceExhausted && fault?.limit == .inflateRatio)
    #expect(fault?.error.message == "the message decompresses to more than 256 times its size")
  }

  @Test("A message is not decompressed beyond the largest size of one")
  func size() throws {
    let form = Self.form(isJSON: false, mostBytes: 4_096)
    let bytes = try Self.gzip([UInt8](repeating: 7, count: 4_097))
    let fault = #expect(throws: MessageFault.self) { try Self.encoded(bytes, form) }
    #expect(fault?.error.code == .resourceExhausted && fault?.limit == .messageBytes)
    #expect(try Self.encoded(try Self.gzip([1, 2, 3]), form) == [1, 2, 3])
    #expect(throws: MessageFault.self) { try Self.encoded([1, 2, 3], form) }
  }

  @Test("JSON above a limit is counted, and JSON that is wrong is not")
  func json() throws {
    let form = Self.form(isJSON: true)
    func fault(_ text: String) -> MessageFault? {
      #expect(throws: MessageFault.self) {
        try form.encoded(ReceivedMessage(bytes: Array(text.utf8), isCompressed: false))
      }
    }
    let limits = JSONLimits()
    for text in [
      String(repeating: "1", count: JSONLimits.maxNumberLength + 1),
      String(repeating: "[", count: limits.maxDepth + 1),
      "[" + String(repeating: "1,", count: limits.maxValueCount) + "1]",
    ] {
      let found = fault("{\"text\":\(text)}")
      #expect(found?.error.code == .invalidArgument && found?.limit == .json)
    }
    for text in ["{\"text\":1}", "{\"other\":\"a\"}", "{", "[]"] {
      let found = fault(text)
      #expect(found?.error.code == .invalidArgument && found?.limit == nil)
    }
  }

  @Test("Compressed messages and JSON above 2 KiB are converted on other threads")
  func large() throws {
    func isLarge(_ count: Int, isCompressed: Bool = false, isJSON: Bool) -> Bool {
      Self.form(isJSON: isJSON).isLarge(
        ReceivedMessage(bytes: [UInt8](repeating: 32, count: count), isCompressed: isCompressed))
    }
    #expect(!isLarge(2_048, isJSON: true) && isLarge(2_049, isJSON: true))
    #expect(!isLarge(4_000_000, isJSON: false))
    #expect(isLarge(1, isCompressed: true, isJSON: false))
    let limits = GatewayLimits()
    func reply(_ isJSON: Bool, _ isGzip: Bool, _ isText: Bool) -> ReplyForm {
      ReplyForm(Self.method, isJSON: isJSON, isGzip: isGzip, isText: isText, limits)
    }
    #expect(!reply(false, false, false).isLarge(4_000_000))
    for form in [reply(true, false, false), reply(false, true, false), reply(false, false, true)] {
      #expect(!form.isLarge(2_048) && form.isLarge(2_049))
    }
  }

  @Test("A reply becomes JSON, then gzip, then base64 with its envelope")
  func replies() throws {
    let text = Text.with { $0.text = String(repeating: "gold ", count: 1_000) }
    let json = Array("{\"text\":\"\(text.text)\"}".utf8)
    let limits = GatewayLimits()
    let plain = ReplyForm(Self.method, isJSON: true, isGzip: false, isText: false, limits)
    #expect(try plain.body(of: text.serializedBytes()).bytes == json)
    let packed = ReplyForm(Self.method, isJSON: true, isGzip: true, isText: false, limits)
    let body = try packed.body(of: text.serializedBytes())
    #expect(body.isCompressed)
    #expect(try Gzip.decompress(body.bytes, limit: 10_000) == json)
    let coded = ReplyForm(Self.method, isJSON: false, isGzip: false, isText: true, limits)
    #expect(try coded.body(of: [1, 2, 3]).bytes == Array("AAAAAAMBAgM=".utf8))
  }

  @Test("JSON that others have got needs no conversion")
  func known() throws {
    let texts = ReplyTexts(limit: 1_000_000)
    let reply = Text.with { $0.text = "gold" }.serializedBytes()
    let form = ReplyForm(
      Self.method, isJSON: true, isGzip: false, isText: false, GatewayLimits())
    #expect(form.known(reply, texts)?.bytes == nil)
    _ = try form.body(of: reply, texts)
    #expect(form.known(reply, texts)?.bytes == Array("{\"text\":\"gold\"}".utf8))
  }
}
