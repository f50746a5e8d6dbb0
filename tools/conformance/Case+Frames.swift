import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension Case {
  private typealias Number = DiagnosticsMethods

  /// Section 2: frames, and errors that end a connection.
  static let frames: [Case] =
    [
      Case("C01", "40 bytes up with a deadline and 40 down are 103 on the wire", body: golden),
      Case("C03", "a conversation of single bytes is understood", body: singleBytes),
      Case("C04", "a hundred calls in one write are answered in order", body: oneWrite),
      Case("C06", "an unknown frame that may be ignored is", .token, body: ignorable),
      Case("C08", "the longest frame is taken", body: longest),
      Case("C11", "a message cut into parts is whole again", body: parts),
      Case("C12", "late frames of calls that are over are dropped", body: late),
    ]
    + faults.map { fault in
      Case(fault.id, "\(fault.name) ends the connection", fault.needs) { target in
        let peer = try target.connected()
        peer.say(fault.before)
        peer.say(fault.bytes)
        try peer.expectGoAway(fault.code)
      }
    }

  private struct Fault {
    var id: String
    var name: String
    var code: ConnectionErrorCode
    var needs: Needs = []
    var before: [UInt8] = []
    var bytes: [UInt8]
  }

  private static func fault(
    _ id: String, _ name: String, _ bytes: [UInt8], after before: [UInt8] = [],
    _ code: ConnectionErrorCode = .protocolError
  ) -> Fault {
    Fault(
      id: id, name: name, code: code, needs: before.isEmpty ? [] : .diagnostics, before: before,
      bytes: bytes)
  }

  private static let check = HealthMethods.check.id

  private static let faults: [Fault] =
    [
      fault("C05", "END with MORE", Frames.request(1, check, flags: [.end, .more])),
      fault(
        "C05", "IGNORABLE on a known type", Frames.request(1, check, flags: [.end, .ignorable])),
      fault("C05", "END on CANCEL", Frames.frame(.cancel, .end, stream: 1)),
      fault("C05", "MORE on PING", Frames.ping(1, .more)),
      fault("C05", "END on CLOSE", Frames.frame(.close, .end, stream: 1)),
      fault("C05", "MORE on GOAWAY", Frames.frame(.goAway, .more)),
      fault("C06", "type 0", Frames.frame(type: 0, .ignorable)),
      fault("C06", "a critical unknown type", Frames.frame(type: 13)),
      fault("C06", "a frame that only servers send", Frames.frame(.response, stream: 1)),
      fault(
        "C07", "a head's length that is not shortest",
        Frames.frame(.request, .end, stream: 1, [0x80, 0])),
      fault(
        "C07", "a head's length that does not end",
        Frames.frame(.request, .end, stream: 1, [UInt8](repeating: 0xFF, count: 12))),
      fault(
        "C11", "a head longer than its REQUEST",
        Frames.frame(.request, .end, stream: 1, [5, 8, 1])),
      fault("C11", "a REQUEST without a head's length", Frames.frame(.request, .end, stream: 1)),
      fault(
        "C11", "bytes behind a head without a message", Frames.request(1, check, [1], flags: [])),
      fault(
        "C11", "a part under 1 KiB", Frames.data(1, [UInt8](repeating: 0, count: 1_023), .more),
        after: Frames.request(1, Number.sink.id, flags: [])),
      fault(
        "C11", "CLOSE inside a message", Frames.close(1),
        after: Frames.request(1, Number.sink.id, flags: .more)),
      fault(
        "C11", "DATA after the end of the request", Frames.data(1, []),
        after: Frames.request(1, Number.delay.id, delay(5_000))),
      fault(
        "C11", "CLOSE after the end of the request", Frames.close(1),
        after: Frames.request(1, Number.delay.id, delay(5_000))),
      fault("C12", "an even stream", Frames.request(2, check)),
      fault("C12", "stream 0", Frames.request(0, check)),
      fault("C12", "a stream above 2^31 - 1", Frames.request(0x8000_0001, check)),
      fault(
        "C12", "a stream that is not above all before", Frames.request(1, check),
        after: Frames.request(3, check)),
      fault("C12", "DATA on an idle stream", Frames.data(1, [])),
      fault("C12", "CLOSE on an idle stream", Frames.close(1)),
      fault("C12", "PING on a stream", Frames.frame(.ping, stream: 1, Frames.big(1))),
      fault("C12", "GOAWAY that is not protobuf", Frames.frame(.goAway, [0xFF])),
    ] + sizes

  private static let sizes: [Fault] = [
    fault(
      "C08", "2^24 - 1 bytes", Frames.header(type: 2, stream: 1, promising: 0xFF_FFFF),
      .frameSizeError),
    fault(
      "C08", "a CANCEL one over", Frames.header(type: 7, stream: 1, promising: 4_097),
      .frameSizeError),
    fault("C08", "a GOAWAY one over", Frames.header(type: 10, promising: 4_097), .frameSizeError),
    fault(
      "C08", "an ignorable frame one over", Frames.header(type: 12, .ignorable, promising: 4_097),
      .frameSizeError),
    fault("C09", "CREDIT of 7 bytes", Frames.header(type: 8, promising: 7), .frameSizeError),
    fault("C09", "CREDIT of 9 bytes", Frames.header(type: 8, promising: 9), .frameSizeError),
    fault("C09", "PING of 0 bytes", Frames.header(type: 9, promising: 0), .frameSizeError),
    fault(
      "C09", "CLOSE with a payload", Frames.header(type: 11, stream: 1, promising: 1),
      .frameSizeError),
  ]

  static func delay(_ milliseconds: UInt32) -> [UInt8] {
    var request = DelayRequest()
    request.delayMilliseconds = milliseconds
    return request.serializedBytes()
  }

  static func echo(_ byteCount: Int) -> [UInt8] {
    var message = EchoMessage()
    message.payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
    return message.serializedBytes()
  }

  private static func golden(_ target: Target) throws {
    let peer = try target.connected()
    let message = echo(38)
    let bytes = Frames.request(1, Number.echo.id, message) { $0.timeoutMilliseconds = 1_000 }
    try require(bytes.count, is: 55, "bytes of the request")
    peer.say(bytes)
    let heard = try peer.next()
    try require(heard.type == .response, "\(heard.words), not RESPONSE")
    try require(heard.payload, is: message, "the reply")
  }

  private static func singleBytes(_ target: Target) throws {
    let peer = try target.silent()
    for byte in Preface.bytes + Frames.hello(token: target.token)
      + Frames.request(1, Number.echo.id, echo(10))
    {
      peer.say([byte])
    }
    _ = try peer.greeting()
    guard case .message(let reply) = try peer.outcome(of: 1) else { throw Failure("a status came") }
    try require(reply, is: echo(10), "the reply")
  }

  private static func oneWrite(_ target: Target) throws {
    let peer = try target.connected()
    peer.say((0..<100).flatMap { Frames.request($0 * 2 + 1, Number.echo.id, echo(Int($0))) })
    for number in 0..<100 as Range<UInt32> {
      guard case .message(let reply) = try peer.outcome(of: number * 2 + 1) else {
        throw Failure("call \(number) ended with a status")
      }
      try require(reply, is: echo(Int(number)), "reply \(number)")
    }
  }

  private static func ignorable(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.frame(type: 14, [.ignorable, .more], stream: 77, [1, 2, 3]))
    try peer.expectAlive()
  }

  private static func longest(_ target: Target) throws {
    let peer = try target.connected()
    let head = Frames.request(1, Number.echo.id).count - 8
    // Field 1 of EchoMessage: a tag and a length of three bytes.
    let message = echo(16_384 - head - 4)
    guard case .message(let reply) = try peer.call(Number.echo.id, message, on: 1) else {
      throw Failure("a status came")
    }
    try require(reply == message, "another reply came")
    peer.say(Frames.header(type: 2, .end, stream: 3, promising: 1 << 20 + 1))
    try peer.expectGoAway(.frameSizeError)
  }

  private static func parts(_ target: Target) throws {
    let peer = try target.connected()
    let message = echo(5_000)
    peer.say(
      Frames.request(1, Number.echo.id, Array(message[..<10]), flags: .more),
      Frames.data(1, Array(message[10..<1_034]), .more),
      Frames.data(1, Array(message[1_034...]), .end))
    guard case .message(let reply) = try peer.outcome(of: 1) else { throw Failure("a status came") }
    try require(reply == message, "another reply came")
  }

  private static func late(_ target: Target) throws {
    let peer = try target.connected()
    _ = try peer.call(Number.echo.id, echo(1), on: 5)
    peer.say(
      Frames.data(5, [1]), Frames.cancel(5), Frames.cancel(1), Frames.credit(5, 1 << 30),
      Frames.close(3))
    try peer.expectAlive()
  }
}
