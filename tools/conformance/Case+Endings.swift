import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension Case {
  private typealias Number = DiagnosticsMethods

  /// Deadlines, cancellation, and the end of connections.
  static let endings: [Case] = [
    Case("D01", "1 ms on a handler that sleeps is DEADLINE_EXCEEDED") { target in
      let peer = try target.connected()
      peer.say(Frames.request(1, Number.delay.id, delay(60_000)) { $0.timeoutMilliseconds = 1 })
      let status = try peer.expectStatus(1, .deadlineExceeded)
      try require(status.code, is: 4, "the code")
    },
    Case("D02", "the handler sees the time that is left") { target in
      let peer = try target.connected()
      peer.say(Frames.request(1, Number.delay.id) { $0.timeoutMilliseconds = 30_000 })
      guard case .message(let bytes) = try peer.outcome(of: 1) else {
        throw Failure("a status came")
      }
      let left = try DelayResponse(serializedBytes: bytes).timeLeftMilliseconds ?? 0
      try require(left > 20_000 && left <= 30_000, "\(left) ms are left of 30,000")
    },
    Case("D03", "a call that expires before its request has come is not dispatched") { target in
      let peer = try target.connected()
      peer.say(Frames.request(1, Number.echo.id, flags: .more) { $0.timeoutMilliseconds = 50 })
      let status = try peer.expectStatus(1, .deadlineExceeded)
      try require(status.notProcessed, "not_processed is missing")
    },
    Case("K01", "CANCEL is not answered, and the connection goes on", body: cancel),
    Case("K01", "CANCEL between the parts of a request") { target in
      let peer = try target.connected()
      peer.say(Frames.request(1, Number.echo.id, flags: .more), Frames.cancel(1))
      try peer.expectAlive()
      guard case .message = try peer.call(Number.echo.id, [], on: 3) else {
        throw Failure("the slot is not free")
      }
    },
    Case("K08", "CANCEL while the server waits for credit", body: cancelWithoutCredit),
    Case("K10", "CANCEL of a stream that was never opened ends the connection", []) { target in
      let peer = try target.connected()
      peer.say(Frames.cancel(1))
      try peer.expectGoAway(.protocolError)
    },
    Case("K11", "a slot is free again soon after CANCEL", body: slots),
    Case("L05", "the highest number of a stream is taken, and none after it") { target in
      let peer = try target.connected()
      guard case .message = try peer.call(Number.echo.id, [], on: 0x7FFF_FFFF) else {
        throw Failure("a status came")
      }
      peer.say(Frames.request(1, Number.echo.id))
      try peer.expectGoAway(.protocolError)
    },
    Case(
      "L06", "a half-closed connection gets the pending replies, then the end", body: halfClose),
    Case("L06", "a reset in the middle of a frame touches nobody else", .token) { target in
      let peer = try target.connected()
      peer.say(Array(Frames.request(1, HealthMethods.check.id).dropLast()))
      peer.socket.resetOnClose()
      try target.stillServes()
    },
    Case("L08", "a client's GOAWAY lets its calls finish") { target in
      let peer = try target.connected()
      peer.say(Frames.request(1, Number.delay.id, delay(100)), Frames.frame(.goAway))
      guard case .message = try peer.outcome(of: 1) else { throw Failure("a status came") }
    },
  ]

  private static func cancel(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.delay.id, delay(60_000)))
    try peer.expectSilence()
    peer.say(Frames.cancel(1))
    try peer.expectSilence()
    try peer.expectAlive()
  }

  private static func cancelWithoutCredit(_ target: Target) throws {
    let peer = try target.connected { $0.initialStreamCredit = 4_096 }
    var request = SourceRequest()
    request.count = 1_000
    request.size = 3_000
    peer.say(Frames.request(1, Number.source.id, request.serializedBytes()))
    let heard = try peer.next()
    try require(heard.type == .data, "\(heard.words), not DATA")
    peer.say(Frames.cancel(1), Frames.ping(7))
    var next = try peer.next()
    while next.type == .data { next = try peer.next() }
    try require(next.type == .ping, "\(next.words) came behind CANCEL")
    guard case .message = try peer.call(Number.echo.id, [], on: 3) else {
      throw Failure("the connection is stuck")
    }
  }

  private static func slots(_ target: Target) throws {
    let peer = try target.connected()
    for number in 0..<100 as Range<UInt32> {
      peer.say(Frames.request(number * 2 + 1, Number.delay.id, delay(60_000)))
    }
    for number in 0..<100 as Range<UInt32> { peer.say(Frames.cancel(number * 2 + 1)) }
    // A cancelled call keeps its slot until its handler has returned: within 50 ms, and later where
    // the machine is loaded.
    var stream: UInt32 = 201
    let limit = now() + Int(Peer.patience)
    while now() < limit {
      guard case .status(let status) = try peer.call(Number.echo.id, [], on: stream) else { return }
      try require(status.code == 8 && status.notProcessed, "code \(status.code)")
      try peer.expectSilence(milliseconds: max(10, status.retryAfterMilliseconds))
      stream += 2
    }
    throw Failure("the slots of cancelled calls are still held")
  }

  private static func halfClose(_ target: Target) throws {
    let peer = try target.connected()
    peer.say(Frames.request(1, Number.echo.id, echo(3)))
    peer.socket.halfClose()
    guard case .message = try peer.outcome(of: 1) else { throw Failure("a status came") }
    try peer.expectClose()
  }
}
