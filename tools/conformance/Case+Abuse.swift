import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension Case {
  private typealias Number = DiagnosticsMethods

  /// Section 11: what a server limits, and what it accepts without harm to other calls.
  static let abuse: [Case] = [
    Case("A01", "hundreds of calls that are cancelled at once end the connection") { target in
      let peer = try target.connected()
      // A cancelled call keeps its slot until its handler returns; a refused call does not count.
      // A right server has counted enough of them long before the time is over.
      let limit = now() + 9_000
      var batch: UInt32 = 0
      while now() < limit {
        for number in batch * 50..<batch * 50 + 50 {
          peer.say(
            Frames.request(number * 2 + 1, Number.delay.id, delay(60_000)),
            Frames.cancel(number * 2 + 1))
        }
        if try peer.receives(.goAway, within: 60) { return try target.stillServes() }
        batch += 1
      }
      throw Failure("\(batch * 50) cancelled calls are borne")
    },
    Case("A02", "201 calls that cannot be answered end the connection", .token) { target in
      let peer = try target.connected()
      for number in 0..<201 as Range<UInt32> { peer.say(Frames.request(number * 2 + 1, 255)) }
      try peer.expectGoAway(.enhanceYourCalm)
      try target.stillServes()
    },
    Case("A03", "a flood of PINGs ends the connection", []) { target in
      let peer = try target.connected()
      peer.say((0..<100).flatMap { Frames.ping($0) })
      try peer.expectGoAway(.enhanceYourCalm)
    },
    Case("A04", "a flood of empty messages is counted, not kept") { target in
      let peer = try target.connected()
      peer.say(Frames.request(1, Number.sink.id, flags: []))
      // A stream's window has 2,048 of them; credit is returned as they are counted.
      for _ in 0..<8 {
        try peer.waitForCredit(1, 1_000 * Limits.frameCharge)
        for _ in 0..<1_000 { peer.sendCharged(Frames.data(1, []), on: 1) }
      }
      peer.say(Frames.close(1))
      guard case .message(let bytes) = try peer.outcome(of: 1) else {
        throw Failure("a status came")
      }
      try require(
        try SinkResponse(serializedBytes: bytes).messageCount == 8_000, "messages are lost")
    },
    Case("A05", "the 101st open call is refused, and the connection goes on") { target in
      let peer = try target.connected()
      for number in 0..<101 as Range<UInt32> {
        peer.say(Frames.request(number * 2 + 1, Number.delay.id, delay(60_000)))
      }
      let status = try peer.expectStatus(201, .resourceExhausted)
      try require(status.notProcessed, "not_processed is missing")
      try peer.expectAlive()
    },
    Case("A06", "a bomb of metadata is refused", body: metadataBomb),
    Case("A08", "a client that never reads does not slow the others", body: slowReader),
    Case("A09", "parked fragments are bounded, and touch nobody else", body: fragments),
    Case("A10", "300 idle connections, and the server answers", .token) { target in
      let idle = try (0..<300).map { _ in try target.connected() }
      try target.stillServes()
      for peer in idle.prefix(5) { try peer.expectAlive() }
    },
  ]

  private static func metadataBomb(_ target: Target) throws {
    let peer = try target.connected()
    // About 5,000 entries of two bytes in one head.
    let entry: [UInt8] = [0x42, 0x03, 0x0A, 0x01, 0x6B]
    let head: [UInt8] =
      [0x08, 0x81, 0x06] + Array([[UInt8]](repeating: entry, count: 2_700).joined())
    peer.say(Frames.request(1, head: head))
    _ = try peer.expectStatus(1, .resourceExhausted)
    try peer.expectAlive()
  }

  private static func slowReader(_ target: Target) throws {
    let deaf = try target.connected {
      $0.initialStreamCredit = 1 << 30
      $0.initialConnectionCredit = 1 << 40
    }
    var request = SourceRequest()
    request.count = 100_000
    request.size = 10_000
    for number in 0..<10 as Range<UInt32> {
      deaf.say(Frames.request(number * 2 + 1, Number.source.id, request.serializedBytes()))
    }
    let peer = try target.connected()
    for number in 0..<500 as Range<UInt32> {
      guard case .message = try peer.call(Number.echo.id, echo(40), on: number * 2 + 1) else {
        throw Failure("a status came")
      }
    }
  }

  private static func fragments(_ target: Target) throws {
    let peer = try target.connected()
    let part = [UInt8](repeating: 1, count: 8_000)
    for number in 0..<100 as Range<UInt32> {
      peer.say(
        Frames.request(number * 2 + 1, Number.echo.id, flags: .more),
        Frames.data(number * 2 + 1, part, .more))
    }
    try peer.expectAlive()
    try target.stillServes()
  }
}
