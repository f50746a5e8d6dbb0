import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverGateway

@Suite("Fields and statuses of the gateway's protocols", .timeLimit(.minutes(1)))
struct ProtocolTextTests {
  private func context(_ fields: HTTPFields) throws(RPCError) -> RequestContext {
    try RequestContext(fields, limits: GatewayLimits()).with(fields)
  }

  private func code(_ fields: HTTPFields) -> StatusCode? {
    do throws(RPCError) {
      _ = try context(fields)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "A timeout of gRPC has a number and a unit",
    arguments: [
      ("1H", Duration.seconds(3_600)), ("2M", .seconds(120)), ("3S", .seconds(3)),
      ("4m", .milliseconds(4)), ("5u", .microseconds(5)), ("99999999n", .nanoseconds(99_999_999)),
      ("0S", .zero),
    ])
  func timeouts(text: String, duration: Duration) throws {
    #expect(try context(["grpc-timeout": text]).options.timeout == duration)
  }

  @Test(
    "A timeout of another form is refused", arguments: ["", "S", "1", "1s", "-1S", "123456789S"])
  func wrongTimeouts(text: String) {
    #expect(code(["grpc-timeout": text]) == .invalidArgument)
  }

  @Test("A key is 32 hexadecimal digits, also as a UUID")
  func keys() throws {
    let digits = "00112233445566778899aabbccddeeff"
    let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"
    let first = try context(["idempotency-key": digits]).options.idempotencyKey
    #expect(first != nil)
    #expect(try context(["idempotency-key": uuid]).options.idempotencyKey == first)
    for text in ["", "0", digits + "00", digits.dropLast() + "g", digits.dropLast() + "+"] {
      #expect(code(["idempotency-key": String(text)]) == .invalidArgument)
    }
  }

  @Test("A token comes as Bearer and one word")
  func tokens() throws {
    #expect(try context(["authorization": "bearer qv_x"]).token == "qv_x")
    #expect(try context([:]).token == nil)
    for text in ["qv_x", "Basic qv_x", "Bearer", "Bearer a b"] {
      #expect(code(["authorization": text]) == .unauthenticated)
    }
  }

  @Test("A call states its caller's address, and that it is anonymous without a token")
  func callers() throws {
    // No caller states these itself.
    let own: HTTPFields = [
      "quiver-caller-address": "203.0.113.1", "quiver-anonymous": "0", "club": "Sherwood",
    ]
    let nobody = try context(own).stating(address: "192.0.2.1").options.metadata
    #expect(nobody.values(of: "quiver-caller-address") == [Array("192.0.2.1".utf8)])
    #expect(nobody.values(of: "quiver-anonymous") == [Array("1".utf8)])
    #expect(nobody.entries.count == 3)
    var fields = own
    fields.append("authorization", "Bearer qv_token")
    let known = try context(fields).stating(address: "192.0.2.1").options.metadata
    #expect(known.values(of: "quiver-caller-address") == [Array("192.0.2.1".utf8)])
    #expect(known.values(of: "quiver-anonymous").isEmpty && known.entries.count == 2)
  }

  @Test("Fields of HTTP are no metadata, others are, in their order")
  func metadata() throws {
    let context = try context([
      "user-agent": "curl", "sec-fetch-mode": "cors", "club": "a", "grpc-encoding": "gzip",
      "data-bin": "AP8,/w", "club": "b", "connect-protocol-version": "1",
    ])
    #expect(
      context.options.metadata.entries.map(\.key) == ["club", "data-bin", "data-bin", "club"])
    #expect(context.options.metadata.values(of: "data-bin") == [[0, 255], [255]])
    #expect(code(["data-bin": "*"]) == .invalidArgument)
    #expect(code(["cl*b": "a"]) == .invalidArgument)
  }

  @Test("A position of the store goes through in both directions as it is")
  func position() throws {
    let text = "9f3c0a2b51d7e846-904387231743"
    let context = try context(["quiver-position": text])
    #expect(context.options.metadata == ["quiver-position": text])
    let fields = ReplyFields.fields(["quiver-position": text], prefix: "trailer-")
    #expect(fields["trailer-quiver-position"]?.string == text)
  }

  @Test("A message of gRPC's status is percent-encoded")
  func percent() {
    #expect(GRPCStatus.percentEncoded("50 % für\n") == "50 %25 f%C3%BCr%0A")
  }

  @Test("A failure that is larger than heads may be loses its details, then the end of its message")
  func largeFailures() {
    func trailers(_ message: String, _ detailBytes: Int, isHead: Bool = true) -> HTTPFields {
      GRPCStatus.trailers(
        RPCError(
          .aborted, message,
          details: [RPCError.Detail(type: "a.B", value: Array(repeating: 1, count: detailBytes))]),
        ["club": "Aarau"], isHead: isHead)
    }
    let small = trailers("changed", 4_000)
    #expect(small["grpc-status-details-bin"] != nil && small.byteCount <= 8_192)
    let large = trailers("changed", 7_000)
    #expect(large["grpc-status-details-bin"] == nil && large["grpc-message"] == "changed")
    #expect(large["grpc-status"] == "10" && large["club"] == "Aarau")
    #expect(trailers("changed", 60_000, isHead: false)["grpc-status-details-bin"] != nil)
    // A character of four bytes is never cut.
    let long = trailers(String(repeating: "🎯", count: 3_000), 0)
    #expect(long["grpc-message"] == HTTPText(String(repeating: "%F0%9F%8E%AF", count: 85)))
  }

  @Test("Numbers are digits alone: a sign is refused")
  func signs() throws {
    for (name, value) in [
      ("grpc-timeout", "+5S"), ("grpc-timeout", "-5S"), ("connect-timeout-ms", "+50"),
      ("idempotency-key", "+f" + String(repeating: "0", count: 30)),
    ] {
      #expect(code(HTTPFields(dictionaryLiteral: (name, value))) == .invalidArgument)
    }
    #expect(Digits.hexadecimalByte("aF0".utf8) == 0xAF)
    #expect(Digits.hexadecimalByte("+f".utf8) == nil && Digits.hexadecimalByte("a".utf8) == nil)
    let number: UInt64? = Digits.decimal("18446744073709551615", most: 20)
    #expect(number == .max)
    let tooLarge: UInt64? = Digits.decimal("18446744073709551616", most: 20)
    #expect(tooLarge == nil)
  }

  @Test("A text of JSON is quoted, and has no markup and no line separator")
  func quoting() {
    #expect(
      ConnectStatus.quoted("a\"\\\n\u{1}<b>\u{2028}é")
        == "\"a\\\"\\\\\\n\\u0001\\u003cb\\u003e\\u2028é\"")
  }

  @Test("gzip is decompressed up to its limit, and nothing else is taken for gzip")
  func gzip() throws {
    let bytes = [UInt8](repeating: 7, count: 100_000)
    let compressed = try #require(Gzip.compress(bytes))
    #expect(compressed.count < 1_000)
    #expect(try Gzip.decompress(compressed, limit: 100_000) == bytes)
    #expect(throws: Gzip.Failure.tooLarge) { try Gzip.decompress(compressed, limit: 99_999) }
    #expect(throws: Gzip.Failure.invalid) {
      try Gzip.decompress(compressed.dropLast(), limit: 100_000)
    }
    #expect(throws: Gzip.Failure.invalid) { try Gzip.decompress(compressed + [0], limit: 100_000) }
    #expect(throws: Gzip.Failure.invalid) { try Gzip.decompress([], limit: 10) }
    #expect(throws: Gzip.Failure.invalid) { try Gzip.decompress(Array(1...50), limit: 10) }
  }

  @Test("Only paths of a service and a method are calls")
  func paths() {
    #expect(Gateway.methodName("/a.B/C_2") == "a.B/C_2")
    for path in ["", "/", "/a.B", "/a.B/", "/a.B/C/", "//C", "/a/C", "/a.B/C%20", "a.B/C", "/../x"]
    {
      #expect(Gateway.methodName(HTTPText(path)) == nil)
    }
  }
}
