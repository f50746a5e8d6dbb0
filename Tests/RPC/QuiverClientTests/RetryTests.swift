import QuiverLoopback
import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverClient
@testable import QuiverRPC

@Suite("Retries, on a virtual clock", .timeLimit(.minutes(5)))
struct RetryTests {
  static let unprocessed = RPCError(.unavailable, "busy", isNotProcessed: true)
  static let unclear = RPCError(.unavailable, "lost")

  /// How a call that meets all other conditions reacts to each status of the first reply.
  static let answers: [(RPCError, attempts: Int)] =
    [
      (unprocessed, 2), (unclear, 2),
      (RPCError(.resourceExhausted, "full", isNotProcessed: true), 1),
      (
        RPCError(.resourceExhausted, "full", isNotProcessed: true, retryAfterMilliseconds: 5), 2
      ),
      (RPCError(.unavailable, "go away", isNotProcessed: true, retryAfterMilliseconds: -1), 1),
    ]
    + StatusCode.known.filter { $0 != .ok && $0 != .unavailable }
    .map { (RPCError($0, "no", isNotProcessed: true), 1) }

  @Test("R01: the server's status decides whether a call is retried", arguments: 0..<20)
  func answers(_ number: Int) throws {
    let (answer, attempts) = Self.answers[number]
    let network = VirtualNetwork("a")
    let client = network.client("a")
    try network.server("a").script(answer)
    let call = network.start { try await client.call(Notes.echo, Note()) }
    if attempts == 1 {
      #expect(try network.failure(call).code == answer.code)
    } else {
      #expect(try network.finish(call).text == "a")
    }
    #expect(try network.server("a").attempts == (0..<UInt32(attempts)).map { $0 })
  }

  @Test("R01: the table of statuses is complete")
  func answersAreAll() { #expect(Self.answers.count == 20) }

  @Test("R01: a mutating call is retried under its key")
  func sameKey() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    server.script(Self.unclear, Self.unprocessed)
    #expect(try network.run { try await client.call(Notes.key, Note()) }.text == "a")
    #expect(server.attempts == [0, 1, 2])
    #expect(Set(server.handledCalls.map(\.key)).count == 1 && server.handledCalls[0].key != nil)
  }

  @Test("R01: a mutating call without a key is not retried when it may have been processed")
  func noKey() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    server.script(Self.unclear)
    let change = network.start {
      for try await _ in try client.stream(Notes.mark, Note()) {}
    }
    #expect(try network.failure(change).code == .unavailable)
    #expect(server.attempts == [0])
    server.script(Self.unclear)
    try network.run { for try await _ in try client.stream(Notes.count, Note()) {} }
    #expect(server.attempts == [0, 0, 1])
  }

  @Test("R01: a stream is retried only before its first reply")
  func streams() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    server.script(Self.unclear)
    let late = network.start { () throws -> Int in
      var count = 0
      for try await _ in try client.stream(Notes.count, Note(number: 3)) { count += 1 }
      return count
    }
    #expect(try network.failure(late).code == .unavailable)
    #expect(server.attempts == [0])
    let sum = network.start {
      let call = try client.open(Notes.sum)
      try await call.send(Note(number: 1))
      try await call.send(Note(number: 2))
      return try await call.reply().message.number
    }
    #expect(try network.finish(sum) == 3)
    server.script(Self.unprocessed)
    let refused = network.start {
      let call = try client.open(Notes.sum)
      try await call.send(Note(number: 1))
      return try await call.reply().message.number
    }
    #expect(try network.failure(refused).code == .unavailable)
    #expect(server.attempts == [0, 0, 0])
  }

  @Test("R01: the failure of the last attempt is final, and the call may have been processed")
  func lastAttempt() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    server.script(Self.unclear, Self.unprocessed, Self.unprocessed, Self.unprocessed)
    let error = try network.failure(network.start { try await client.call(Notes.key, Note()) })
    #expect(error.code == .unavailable && error.message == "busy" && !error.isNotProcessed)
    #expect(server.attempts == [0, 1, 2, 3])
  }

  @Test("R01: when a connection is lost during a call, reads and calls with a key are retried")
  func lostConnection() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    let call = network.start { try await client.call(Notes.hold, Note()) }
    #expect(server.heldCount == 1)
    network.cutAll()
    network.advance(milliseconds: 1_000)
    #expect(server.heldCount == 2 && network.connects.count == 2)
    server.release()
    #expect(try network.finish(call).text == "a")
  }

  @Test("R01: an attempt that was never written does not raise the number that the server sees")
  func unwrittenAttempts() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxAttempts = 10 }
    let server = try network.server("a")
    server.script(Self.unclear)
    let call = network.start { try await client.call(Notes.key, Note()) }
    #expect(server.attempts == [0])
    network.close("a")
    network.cutAll()
    network.advance(milliseconds: 400)
    network.open("a", server)
    network.advance(milliseconds: 5_000)
    #expect(try network.finish(call).text == "a")
    #expect(server.attempts == [0, 1])
  }

  @Test("attempts are limited, and a limit of one disables retries")
  func noRetries() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxAttempts = 1 }
    let server = try network.server("a")
    server.script(Self.unprocessed)
    let error = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
    #expect(error.isNotProcessed)
    #expect(server.attempts == [0])
  }

  @Test("the delays between attempts double, each with a jitter of at most a fifth")
  func waits() throws {
    var gaps: Set<UInt64> = []
    for _ in 0..<20 {
      let network = VirtualNetwork("a")
      let client = network.client("a")
      let server = try network.server("a")
      server.script(Self.unprocessed, Self.unprocessed, Self.unprocessed)
      _ = try network.run { try await client.call(Notes.echo, Note()) }
      let times = server.handledCalls.map(\.nanoseconds)
      for (step, wait) in ([100, 200, 400] as [UInt64]).enumerated() {
        let gap = times[step + 1] - times[step]
        #expect((wait * 800_000...wait * 1_200_000).contains(gap))
        gaps.insert(gap)
      }
    }
    #expect(gaps.count > 50)
  }

  @Test("R02: when most calls fail the budget stops retries, and successes allow them again")
  func budget() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    server.failAlways(Self.unprocessed)
    var counts: [Int] = []
    for _ in 0..<8 {
      let before = server.handledCalls.count
      _ = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
      counts.append(server.handledCalls.count - before)
    }
    // Ten tokens: a failure takes one, and calls are retried while more than five are left.
    #expect(counts == [4, 1, 1, 1, 1, 1, 1, 1])
    server.failAlways(nil)
    // Adds seventy-one tenths of a token; after one more failure six are left.
    _ = try network.run { for _ in 0..<71 { _ = try await client.call(Notes.echo, Note()) } }
    server.script(Self.unprocessed)
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
  }

  @Test("R03: the server's push-back is the delay, and the back-off restarts after it")
  func pushBack() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    var pushing = Self.unprocessed
    pushing.retryAfterMilliseconds = 700
    server.script(Self.unprocessed, pushing, Self.unprocessed)
    _ = try network.run { try await client.call(Notes.echo, Note()) }
    let times = server.handledCalls.map(\.nanoseconds)
    #expect(times[2] - times[1] == 700_000_000)
    #expect((80_000_000...120_000_000).contains(times[3] - times[2]))
  }

  @Test("R03: a delay that ends after the deadline is not begun")
  func pushBackPastDeadline() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    var pushing = Self.unprocessed
    pushing.retryAfterMilliseconds = 2_000
    try network.server("a").script(pushing)
    let before = network.milliseconds
    let error = try network.failure(
      network.start {
        try await client.call(Notes.echo, Note(), options: CallOptions(timeout: .seconds(1)))
      })
    #expect(error.code == .unavailable && error.retryAfterMilliseconds == 2_000)
    #expect(network.milliseconds == before)
  }

  @Test(
    "R03: a delay that ends at the deadline is not begun, and a shorter one is",
    arguments: [(700, 1), (701, 2)])
  func pushBackAtDeadline(timeoutMilliseconds: Int, callCount: Int) throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    var pushing = Self.unprocessed
    pushing.retryAfterMilliseconds = 700
    let server = try network.server("a")
    server.script(pushing, pushing)
    let error = try network.failure(
      network.start {
        try await client.call(
          Notes.echo, Note(),
          options: CallOptions(timeout: .milliseconds(timeoutMilliseconds)))
      })
    #expect(error.code == .unavailable && server.handledCalls.count == callCount)
  }

  @Test("A waiter that was resumed before it waits continues at once")
  func resumedWaiter() async {
    let waiter = Waiter()
    waiter.resume()
    await withUnsafeContinuation { continuation in
      #expect(!waiter.wait(continuation))
    }
  }

  @Test("a call that is refused because a cancelled one still has its slot is retried")
  func slotNotFree() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxConnections = 1 }
    let server = try network.server("a")
    let held = (0..<100).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    held[0].cancel()
    network.reactor.runReady()
    #expect(server.heldCount == 100 && server.cancelledCount == 1, "its handler has not returned")
    let call = network.start { try await client.call(Notes.echo, Note()) }
    #expect(call.result == nil && server.handledCalls.isEmpty)
    server.release(1)
    #expect(try network.finish(call).text == "a")
    #expect(server.attempts == [1] && network.milliseconds == 1_010)
  }

  @Test("a call that waits for its next attempt can be cancelled")
  func cancelledInBackoff() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    var pushing = Self.unclear
    pushing.retryAfterMilliseconds = 5_000
    try network.server("a").script(pushing)
    let call = network.start { try await client.call(Notes.echo, Note()) }
    let before = network.milliseconds
    call.cancel()
    let error = try network.failure(call)
    #expect(error.code == .cancelled && !error.isNotProcessed && network.milliseconds == before)
    network.advance(milliseconds: 10_000)
    #expect(try network.server("a").attempts == [0])
  }

  @Test(
    "L03: a call above the last id of a GOAWAY is sent again on another connection and runs once")
  func aboveLast() throws {
    let network = VirtualNetwork("a", "b", delayMilliseconds: 10)
    let client = network.client("a", "b") { $0.limits.maxAttempts = 1 }
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    let call = network.start { try await client.call(Notes.key, Note()) }
    let gone = ConnectionFault(.noError, "the server stops")
    for end in network.serverEnds { end.fail(gone, now: network.reactor.nowNanoseconds) }
    #expect(try network.finish(call).text == "a")
    #expect(try network.server("a").handledCalls.map(\.method) == ["echo", "key"])
    #expect(try network.server("a").attempts == [0, 1])
  }

  @Test("L03: a call that a second GOAWAY excludes fails like other calls")
  func aboveLastTwice() throws {
    let network = VirtualNetwork("a", delayMilliseconds: 10)
    let client = network.client("a") { $0.limits.maxAttempts = 1 }
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    let call = network.start { try await client.call(Notes.key, Note()) }
    let gone = ConnectionFault(.noError, "the server stops")
    for _ in 0..<2 {
      for end in network.serverEnds { end.fail(gone, now: network.reactor.nowNanoseconds) }
      network.advance(milliseconds: 15)
    }
    let error = try network.failure(call)
    #expect(error.code == .unavailable && error.isNotProcessed && error.origin == .connection)
    #expect(try network.server("a").handledCalls.map(\.method) == ["echo"])
  }
}
