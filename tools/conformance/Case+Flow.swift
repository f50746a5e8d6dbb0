import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension Case {
  private typealias Number = DiagnosticsMethods

  /// Section 6: flow control.
  static let flow: [Case] = [
    Case("F01", "a message larger than the window goes up, and one comes down", body: larger),
    Case("F02", "streams that nobody reads do not stop others", body: unread),
    Case("F04", "stale and repeated CREDIT raises nothing", body: stale),
    Case("F04", "CREDIT above 2^63 - 1 ends the connection", []) { target in
      let peer = try target.connected()
      peer.say(Frames.credit(0, 1 << 63))
      try peer.expectGoAway(.protocolError)
    },
    Case("F05", "more than the connection's allowance ends the connection", [], body: overrun),
    Case("F06", "credit of single bytes moves a message on", body: singleBytes),
    Case("F09", "PING and CANCEL pass windows of nothing", body: control),
    Case("F10", "a stream carries 640 KB up and down again", body: bothWays),
    Case("F12", "a watch is one state ahead of its reader", .token, body: oneStateAhead),
  ]

  /// Requests a stream of one message that exceeds the window.
  private static func source(_ sizes: [UInt32]) -> [UInt8] {
    var request = SourceRequest()
    request.sizes = sizes
    return request.serializedBytes()
  }

  private static func larger(_ target: Target) throws {
    let peer = try target.connected { $0.initialStreamCredit = 4_096 }
    peer.say(Frames.request(1, Number.sink.id, flags: []))
    try send(echo(300_000), on: 1, peer, ends: true)
    guard case .message = try peer.outcome(of: 1) else { throw Failure("a status came") }
    peer.say(Frames.request(3, Number.source.id, source([300_000])))
    let (messages, status) = try peer.stream(3, window: 4_096)
    try require(status.code, is: 0, "the code")
    try require(messages.count, is: 1, "messages")
  }

  private static func unread(_ target: Target) throws {
    let peer = try target.connected {
      $0.initialStreamCredit = 4_096
      $0.initialConnectionCredit = 1 << 30
    }
    for number in 0..<50 as Range<UInt32> {
      peer.say(Frames.request(number * 2 + 1, Number.source.id, source([100_000])))
    }
    for number in 50..<150 as Range<UInt32> {
      peer.say(Frames.request(number * 2 + 1, Number.echo.id, echo(40)))
      var heard = try peer.next()
      while heard.type != .response {
        try require(heard.type == .data, "\(heard.words), neither reply nor DATA")
        heard = try peer.next()
      }
      try require(heard.payload == echo(40), "another reply came")
    }
  }

  private static func stale(_ target: Target) throws {
    let peer = try target.connected { $0.initialStreamCredit = 4_096 }
    peer.say(Frames.request(1, Number.source.id, source([8_000])))
    let first = try peer.next()
    try require(
      first.payload.count <= 4_096 - 32, "\(first.payload.count) bytes in a window of 4,096")
    peer.say(Frames.credit(1, 4_096), Frames.credit(1, 1), Frames.credit(1, 0))
    try peer.expectSilence()
    peer.say(Frames.credit(1, 1 << 20))
    let second = try peer.next()
    try require(second.type == .data, "\(second.words), not DATA")
  }

  private static func overrun(_ target: Target) throws {
    let peer = try target.silent()
    // Five frames in one write with a credit of 16 KiB, which was not raised.
    let frames = (0..<6).flatMap {
      Frames.request($0 * 2 + 1, 255, [UInt8](repeating: 0, count: 4_000))
    }
    peer.say(Preface.bytes, Frames.hello(token: []), frames)
    _ = try peer.greeting()
    try peer.expectGoAway(.flowControlError)
  }

  private static func singleBytes(_ target: Target) throws {
    let peer = try target.connected { $0.initialStreamCredit = 4_096 }
    peer.say(Frames.request(1, Number.source.id, source([12_000])))
    var allowance: UInt64 = 4_096
    var received = 0
    while true {
      let heard = try peer.next()
      guard heard.type == .data else { break }
      received += heard.payload.count
      if heard.header.flags.contains(.more) {
        try require(heard.payload.count >= 1_024, "a part of \(heard.payload.count) bytes")
        for _ in 0..<2_000 {
          allowance += 1
          peer.say(Frames.credit(1, allowance))
        }
      }
    }
    try require(received > 12_000, "\(received) bytes came of 12,000")
  }

  private static func control(_ target: Target) throws {
    let peer = try target.connected {
      $0.initialStreamCredit = 4_096
      $0.initialConnectionCredit = 4_096
    }
    peer.say(Frames.request(1, Number.source.id, source([100_000])))
    let first = try peer.next()
    try require(first.type == .data, "\(first.words), not DATA")
    // No DATA may be sent now; a PING is answered, and a call ends with its STATUS.
    try peer.expectAlive()
    peer.say(Frames.request(3, 255))
    _ = try peer.expectStatus(3, .unimplemented)
  }

  private static func bothWays(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.echoStream.id, flags: []))
    var received = 0
    for _ in 0..<40 {
      try send(echo(16_000), on: 1, peer, ends: false)
      while true {
        let heard = try peer.next()
        try require(heard.type == .data, "\(heard.words), not DATA")
        received += heard.payload.count
        peer.say(
          Frames.credit(1, UInt64(received) * 2 + 65_536),
          Frames.credit(0, UInt64(received) * 2 + 1 << 20))
        if !heard.header.flags.contains(.more) { break }
      }
    }
    peer.say(Frames.close(1))
    _ = try peer.expectStatus(1, .ok)
  }

  private static func oneStateAhead(_ target: Target) throws {
    let peer = try target.connected()
    var allowance: UInt64 = 65_536
    /// Takes the next message of the watch, and returns its credit.
    func takeMessage(from heard: Peer.Heard) throws -> WatchHubResponse {
      try require(heard.type == .data && heard.stream == 1, "\(heard.words), not DATA 1")
      allowance += UInt64(heard.payload.count + 32)
      return try WatchHubResponse(serializedBytes: heard.payload)
    }
    var nextStream: UInt32 = 3
    /// Changes what the watch shows, with nothing but the reply as an answer.
    func change() throws -> Riser {
      let request = CreateItemRequest<Riser>.with {
        $0.item = .with {
          $0.brand = "conformance"
          $0.model = "conformance"
        }
      }
      peer.say(
        Frames.request(nextStream, Equipment.risers.create.id, request.serializedBytes()) {
          $0.idempotencyKey = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        })
      defer { nextStream += 2 }
      let heard = try peer.next()
      try require(
        heard.type == .response || heard.type == .data && heard.stream == nextStream,
        "\(heard.words), not the reply")
      if heard.type == .data { _ = try peer.expectStatus(nextStream, .ok) }
      return try Riser(serializedBytes: heard.payload)
    }
    peer.say(Frames.request(1, Equipment.watchHub.id) { $0.creditAtOnce = true })
    var last = try takeMessage(from: try peer.next())
    var made: [Riser] = []
    for _ in 0..<3 {
      // The message before has not been returned: nothing follows it, however much changes.
      for _ in 0..<3 { made.append(try change()) }
      try peer.expectAlive()
      peer.say(Frames.credit(1, allowance))
      let message = try takeMessage(from: try peer.next())
      try require(message.span?.after ?? 0, is: last.span?.upto ?? 1, "the position")
      let added = Int64(message.hub?.total ?? 0) - Int64(last.hub?.total ?? 0)
      try require(added, is: 3, "changes in one message")
      last = message
    }
    for riser in made {
      let request = DeleteItemRequest<Riser>.with { $0.id = riser.id }
      peer.say(Frames.request(nextStream, Equipment.risers.delete.id, request.serializedBytes()))
      nextStream += 2
      _ = try peer.next()
    }
  }
}
