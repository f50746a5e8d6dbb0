import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension Case {
  private typealias Number = DiagnosticsMethods

  /// Sections 4, 5 and 7: messages and kinds of calls.
  static let calls: [Case] = [
    Case("U01", "an empty message goes up and comes down") { target in
      let peer = try target.connected()
      guard case .message(let reply) = try peer.call(Number.echo.id, [], on: 1) else {
        throw Failure("a status came")
      }
      try require(reply, is: [], "the reply")
    },
    Case("U02", "271,828 bytes go up and 314,159 come down", body: large),
    Case("U03", "a server stream of 31415, 9, 2653 and 58979 bytes comes in order", body: source),
    Case("U04", "a client stream of 27182, 8, 1828 and 45904 bytes makes 74922", body: sink),
    Case("U05", "both sides stream, message by message", body: pingPong),
    Case("U06", "streams without a message", body: emptyStreams),
    Case("U12", "metadata repeats, holds bytes and keeps its order", body: metadata),
    Case("U15", "a single reply comes with metadata around it", body: metadata),
  ]

  /// Bytes of a client stream, split into frames, as far as the credit allows.
  static func send(_ message: [UInt8], on stream: UInt32, _ peer: Peer, ends: Bool) throws {
    var sent = 0
    repeat {
      try peer.waitForCredit(stream, min(message.count - sent, 16_000) + Limits.frameCharge)
      let part = min(message.count - sent, 16_000)
      let isLast = sent + part == message.count
      peer.sendCharged(
        Frames.data(
          stream, Array(message[sent..<sent + part]), isLast ? (ends ? .end : []) : .more),
        on: stream)
      sent += part
    } while sent < message.count
  }

  private static func large(_ target: Target) throws {
    let peer = try target.connected {
      $0.initialStreamCredit = 1 << 20
      $0.maxFrameBytes = 65_536
    }
    let message = echo(271_828)
    peer.say(Frames.request(1, Number.sink.id, flags: []))
    try send(message, on: 1, peer, ends: true)
    guard case .message(let bytes) = try peer.outcome(of: 1) else { throw Failure("a status came") }
    let counted = try SinkResponse(serializedBytes: bytes)
    try require(counted.payloadBytes, is: 271_828, "bytes that were counted")
    var request = SourceRequest()
    request.sizes = [314_159]
    peer.say(Frames.request(3, Number.source.id, request.serializedBytes()))
    let (messages, status) = try peer.stream(3, window: 1 << 20)
    try require(status.code, is: 0, "the code")
    let sizes = try messages.map { try EchoMessage(serializedBytes: $0).payload.count }
    try require(sizes, is: [314_159], "the sizes")
  }

  private static func source(_ target: Target) throws {
    let peer = try target.connected()
    var request = SourceRequest()
    request.sizes = [31_415, 9, 2_653, 58_979]
    peer.say(Frames.request(1, Number.source.id, request.serializedBytes()))
    let (messages, status) = try peer.stream(1)
    try require(status.code, is: 0, "the code")
    let sizes = try messages.map { try EchoMessage(serializedBytes: $0).payload.count }
    try require(sizes, is: [31_415, 9, 2_653, 58_979], "the sizes")
  }

  private static func sink(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.sink.id, flags: []))
    for size in [27_182, 8, 1_828, 45_904] { try send(echo(size), on: 1, peer, ends: false) }
    peer.say(Frames.close(1))
    guard case .message(let bytes) = try peer.outcome(of: 1) else { throw Failure("a status came") }
    let counted = try SinkResponse(serializedBytes: bytes)
    try require(counted.messageCount, is: 4, "messages")
    try require(counted.payloadBytes, is: 74_922, "bytes")
  }

  private static func pingPong(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.echoStream.id, flags: []))
    for size in [31_415, 9, 2_653, 58_979] {
      try send(echo(size), on: 1, peer, ends: false)
      var reply: [UInt8] = []
      while true {
        let heard = try peer.next()
        try require(heard.type == .data, "\(heard.words), not DATA")
        reply += heard.payload
        peer.say(Frames.credit(1, 1 << 30), Frames.credit(0, 1 << 30))
        if !heard.header.flags.contains(.more) { break }
      }
      try require(reply == echo(size), "another message came back")
    }
    peer.say(Frames.close(1))
    _ = try peer.expectStatus(1, .ok)
  }

  private static func emptyStreams(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.source.id))
    _ = try peer.expectStatus(1, .ok)
    peer.say(Frames.request(3, Number.sink.id, flags: []), Frames.close(3))
    guard case .message(let bytes) = try peer.outcome(of: 3) else { throw Failure("a status came") }
    try require(bytes, is: [], "the count of nothing")
    peer.say(Frames.request(5, Number.echoStream.id, flags: []), Frames.close(5))
    _ = try peer.expectStatus(5, .ok)
  }

  private static func metadata(_ target: Target) throws {
    let entries: [(String, [UInt8])] = [
      ("user", [97]), ("user", []), ("bytes", Array(0...255)), ("a.b_c-d", [0, 255]),
    ].map { ($0.0, $0.1) }
    let sent = entries.map { key, value in
      var entry = MetadataMessage()
      entry.key = key
      entry.value = value
      return entry
    }
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.echoMetadata.id, echo(1)) { $0.metadata = sent })
    let first = try peer.next()
    try require(first.type == .headers, "\(first.words), not HEADERS")
    try require(
      try ResponseHead(serializedBytes: first.payload).metadata == sent, "other initial metadata")
    let second = try peer.next()
    try require(second.type == .data && second.payload == echo(1), "\(second.words), not the reply")
    let status = try peer.expectStatus(1, .ok)
    // A server whose store is shared states its position with the rest.
    try require(
      status.metadata.filter { $0.key != "quiver-position" } == sent, "other trailing metadata")
  }
}
