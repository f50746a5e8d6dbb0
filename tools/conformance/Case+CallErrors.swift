import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension Case {
  private typealias Number = DiagnosticsMethods

  /// Section 10.3: errors that end a call only.
  static let callErrors: [Case] =
    refusals.map { id, name, code, bytes in
      Case(id, "\(name) is \(code.name), and the connection goes on") { target in
        let peer = try target.connected()
        peer.say(bytes)
        let status = try peer.expectStatus(1, code)
        try require(status.notProcessed, "not_processed is missing")
        try peer.expectAlive()
      }
    } + [
      Case("U07", "a status text of tabs, line ends and all planes", body: statusText),
      Case("U08", "all codes on all four kinds", body: codes),
      Case("U09", "an error after messages", body: afterMessages),
      Case("U14", "64 KiB of details", body: details),
      Case("U16", "a reply over the client's limit", body: replyTooLarge),
    ]

  private static let refusals: [(String, String, StatusCode, [UInt8])] = [
    ("U10", "an unknown method id", .unimplemented, Frames.request(1, 255)),
    ("U10", "an unknown service", .unimplemented, Frames.request(1, 65_281)),
    (
      "U10", "an unknown name", .unimplemented,
      Frames.request(1, 0) { $0.methodName = "quiver.v1.Nothing/AtAll" }
    ),
    ("U10", "neither id nor name", .invalidArgument, Frames.request(1, 0)),
    (
      "U10", "id and name", .invalidArgument,
      Frames.request(1, Number.echo.id) { $0.methodName = "quiver.v1.Diagnostics/Echo" }
    ),
    (
      "U11", "a unary call without a message", .unimplemented,
      Frames.request(1, Number.echo.id, flags: []) + Frames.close(1)
    ),
    (
      "U11", "a unary call of two messages", .unimplemented,
      Frames.request(1, Number.echo.id, flags: []) + Frames.data(1, []) + Frames.data(1, [])
    ),
    (
      "U11", "a key of 15 bytes", .invalidArgument,
      Frames.request(1, Number.echo.id) { $0.idempotencyKey = [UInt8](repeating: 1, count: 15) }
    ),
    (
      "U11", "a key on a stream", .invalidArgument,
      Frames.request(1, Number.source.id) { $0.idempotencyKey = [UInt8](repeating: 1, count: 16) }
    ),
    (
      "U13", "65 entries of metadata", .resourceExhausted,
      Frames.request(1, Number.echo.id) { $0.metadata = entries("k", count: 65) }
    ),
    (
      "U13", "8,193 bytes of metadata", .resourceExhausted,
      Frames.request(1, Number.echo.id) { $0.metadata = entries("k", count: 1, bytes: 8_192) }
    ),
    (
      "U13", "a metadata key in capitals", .invalidArgument,
      Frames.request(1, Number.echo.id) { $0.metadata = entries("K", count: 1) }
    ),
    (
      "U18", "a call with a token that says anonymous", .unauthenticated,
      Frames.request(1, Number.echo.id) {
        $0.metadata = [entry(StatedCaller.anonymousKey, "1")]
      }
    ),
    (
      "U18", "a call that says anonymous with an empty value", .unauthenticated,
      Frames.request(1, Number.echo.id) {
        $0.metadata = [entry(StatedCaller.anonymousKey, "")]
      }
    ),
    (
      "U17", "a head that is not protobuf", .invalidArgument,
      Frames.request(1, head: [0xFF])
    ),
    (
      "U17", "a message that is not protobuf", .invalidArgument,
      Frames.request(1, Number.echo.id, [0xFF])
    ),
    (
      "U17", "a message with a group", .invalidArgument,
      Frames.request(1, Number.echo.id, [0x53, 0x54])
    ),
    (
      "U17", "text that is not UTF-8", .invalidArgument,
      Frames.request(1, Number.echo.id, [0x12, 1, 0xFF])
    ),
  ]

  static func entries(_ key: String, count: Int, bytes: Int = 0) -> [MetadataMessage] {
    var entry = MetadataMessage()
    entry.key = key
    entry.value = [UInt8](repeating: 7, count: bytes)
    return Array(repeating: entry, count: count)
  }

  private static func entry(_ key: String, _ value: String) -> MetadataMessage {
    var entry = MetadataMessage()
    entry.key = key
    entry.value = Array(value.utf8)
    return entry
  }

  static func failure(_ code: UInt32, _ change: (inout FailRequest) -> Void = { _ in }) -> [UInt8] {
    var request = FailRequest()
    request.code = code
    change(&request)
    return request.serializedBytes()
  }

  private static func statusText(_ target: Target) throws {
    let text = "\t\ttest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.fail.id, failure(2) { $0.message = text }))
    let status = try peer.expectStatus(1, .unknown)
    try require(status.message, is: text, "the text")
  }

  private static func codes(_ target: Target) throws {
    let peer = try target.connected()
    var stream: UInt32 = 1
    // INVALID_ARGUMENT and UNIMPLEMENTED of handlers do not count as abuse.
    for code in 1...16 as ClosedRange<UInt32> {
      let name = StatusCode(rawValue: code)
      for method in [Number.fail, Number.failSource, Number.failSink, Number.failStream] {
        peer.say(Frames.request(stream, method.id, failure(code)))
        var heard = try peer.next()
        while heard.type == .headers || heard.type == .data { heard = try peer.next() }
        let status = try? StatusMessage(serializedBytes: heard.payload)
        try require(
          heard.type == .status && heard.stream == stream && status?.code == code,
          "method \(method.id): \(heard.words), not \(name.name)")
        stream += 2
      }
    }
    guard case .message = try peer.call(Number.echo.id, [], on: stream) else {
      throw Failure("OK is not among them")
    }
  }

  private static func afterMessages(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.failSource.id, failure(10) { $0.afterMessages = 3 }))
    let (messages, status) = try peer.stream(1)
    try require(messages.count, is: 3, "messages")
    try require(status.code, is: 10, "the code")
    try require(!status.notProcessed, "not_processed behind messages")
  }

  private static func details(_ target: Target) throws {
    let peer = try target.connected { $0.initialStreamCredit = 1 << 20 }
    var detail = DetailMessage()
    detail.type = "quiver.v1.EchoMessage"
    detail.value = [UInt8](repeating: 9, count: 15_000)
    let all = Array(repeating: detail, count: 4)
    let message = failure(9) { $0.details = all }
    peer.say(Frames.request(1, Number.fail.id, flags: []))
    try send(message, on: 1, peer, ends: true)
    let status = try peer.expectStatus(1, .failedPrecondition)
    try require(status.details == all, "other details came back")
  }

  private static func replyTooLarge(_ target: Target) throws {
    let peer = try target.connected { $0.maxMessageBytes = 4_096 }
    peer.say(Frames.request(1, Number.echo.id, echo(5_000)))
    let status = try peer.expectStatus(1, .resourceExhausted)
    try require(!status.notProcessed, "the call was processed")
    try peer.expectAlive()
  }
}
