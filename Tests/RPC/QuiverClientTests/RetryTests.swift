import QuiverLoopback
import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverClient
@testable import QuiverRPC

@Suite("Retries, on a virtual clock")
struct RetryTests {
  static let unprocessed = RPCError(.unavailable, "busy", isNotProcessed: true)
  static let unclear = RPCError(.unavailable, "lost")

  /// How a server's first answer is taken by a call that has all conditions but the code's.
  static let answers: [(RPCError, attempts: Int)] =
    [
      (unprocessed, 2), (unclear, 2),
      (RPCError(.resourceExhausted, "full", isNotProcessed: true), 1),
      (
        RPCError(.resourceExhausted, "full", isNotProcessed: true, retryAfterMilliseconds: 5), 2
      ),
      (RPCError(.unavailable, "go away", isNotProcessed: true, retryAfterMilliseconds: -1), 1),
    ]
    + StatusCode.allCases.filter { $0 != .ok && $0 != .unavailable }
    .map { (RPCError($0, "no", isNotProcessed: true), 1) }

  @Test("R01: what the server answers decides whether a call is made again", arguments: 0..<20)
  func answers(_ number: Int) throws {
    let (answer, attempts) = Self.answers[number]
    let town = Town("a")
    let client = town.client("a")
    try town.house("a").script(answer)
    let call = town.start { try await client.call(Notes.echo, Note()) }
    if attempts == 1 {
      #expect(try town.failure(call).code == answer.code)
    } else {
      #expect(try town.finish(call).text == "a")
    }
    #expect(try town.house("a").attempts == (0..<UInt32(attempts)).map { $0 })
  }

  @Test("R01: there are as many answers in the table as it is run with")
  func answersAreAll() { #expect(Self.answers.count == 20) }

  @Test("R01: a call that changes something is made again under the key that it had")
  func sameKey() throws {
    let town = Town("a")
    let client = town.client("a")
    let house = try town.house("a")
    house.script(Self.unclear, Self.unprocessed)
    #expect(try town.run { try await client.call(Notes.key, Note()) }.text == "a")
    #expect(house.attempts == [0, 1, 2])
    #expect(Set(house.visits.map(\.key)).count == 1 && house.visits[0].key != nil)
  }

  @Test("R01: without a key, what may have changed something is not made again")
  func noKey() throws {
    let town = Town("a")
    let client = town.client("a")
    let house = try town.house("a")
    house.script(Self.unclear)
    let change = town.start {
      for try await _ in try client.stream(Notes.mark, Note()) {}
    }
    #expect(try town.failure(change).code == .unavailable)
    #expect(house.attempts == [0])
    house.script(Self.unclear)
    try town.run { for try await _ in try client.stream(Notes.count, Note()) {} }
    #expect(house.attempts == [0, 0, 1])
  }

  @Test("R01: a stream is made again only while nothing of its reply has come")
  func streams() throws {
    let town = Town("a")
    let client = town.client("a")
    let house = try town.house("a")
    house.script(Self.unclear)
    let late = town.start { () throws -> Int in
      var count = 0
      for try await _ in try client.stream(Notes.count, Note(number: 3)) { count += 1 }
      return count
    }
    #expect(try town.failure(late).code == .unavailable)
    #expect(house.attempts == [0])
    let sum = town.start {
      let call = try client.open(Notes.sum)
      try await call.send(Note(number: 1))
      try await call.send(Note(number: 2))
      return try await call.reply().message.number
    }
    #expect(try town.finish(sum) == 3)
    house.script(Self.unprocessed)
    let refused = town.start {
      let call = try client.open(Notes.sum)
      try await call.send(Note(number: 1))
      return try await call.reply().message.number
    }
    #expect(try town.failure(refused).code == .unavailable)
    #expect(house.attempts == [0, 0, 0])
  }

  @Test("R01: after the last attempt its failure stands, and the whole may have been processed")
  func lastAttempt() throws {
    let town = Town("a")
    let client = town.client("a")
    let house = try town.house("a")
    house.script(Self.unclear, Self.unprocessed, Self.unprocessed, Self.unprocessed)
    let error = try town.failure(town.start { try await client.call(Notes.key, Note()) })
    #expect(error.code == .unavailable && error.message == "busy" && !error.isNotProcessed)
    #expect(house.attempts == [0, 1, 2, 3])
  }

  @Test("R01: a connection that is lost in mid-call: reads and keyed calls are made again")
  func lostConnection() throws {
    let town = Town("a")
    let client = town.client("a")
    let house = try town.house("a")
    let call = town.start { try await client.call(Notes.hold, Note()) }
    #expect(house.heldCount == 1)
    town.cutAll()
    town.advance(milliseconds: 1_000)
    #expect(house.heldCount == 2 && town.connects.count == 2)
    house.release()
    #expect(try town.finish(call).text == "a")
  }

  @Test("attempts are limited, and one means none is made again")
  func noRetries() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.maxAttempts = 1 }
    let house = try town.house("a")
    house.script(Self.unprocessed)
    let error = try town.failure(town.start { try await client.call(Notes.echo, Note()) })
    #expect(error.isNotProcessed)
    #expect(house.attempts == [0])
  }

  @Test("the waits between attempts double, each longer or shorter by a fifth at most")
  func waits() throws {
    var gaps: Set<UInt64> = []
    for _ in 0..<20 {
      let town = Town("a")
      let client = town.client("a")
      let house = try town.house("a")
      house.script(Self.unprocessed, Self.unprocessed, Self.unprocessed)
      _ = try town.run { try await client.call(Notes.echo, Note()) }
      let times = house.visits.map(\.nanoseconds)
      for (step, wait) in ([100, 200, 400] as [UInt64]).enumerated() {
        let gap = times[step + 1] - times[step]
        #expect((wait * 800_000...wait * 1_200_000).contains(gap))
        gaps.insert(gap)
      }
    }
    #expect(gaps.count > 50)
  }

  @Test("R02: where most calls fail, the budget ends the retries, and successes bring them back")
  func budget() throws {
    let town = Town("a")
    let client = town.client("a")
    let house = try town.house("a")
    house.failAlways(Self.unprocessed)
    var counts: [Int] = []
    for _ in 0..<8 {
      let before = house.visits.count
      _ = try town.failure(town.start { try await client.call(Notes.echo, Note()) })
      counts.append(house.visits.count - before)
    }
    // Ten tokens, one for each failure, and retries while more than five are left.
    #expect(counts == [4, 1, 1, 1, 1, 1, 1, 1])
    house.failAlways(nil)
    // From nothing, seventy-one tenths of a token: after one more failure six are left.
    _ = try town.run { for _ in 0..<71 { _ = try await client.call(Notes.echo, Note()) } }
    house.script(Self.unprocessed)
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
  }

  @Test("R03: the server's push-back is the wait, and the back-off starts anew behind it")
  func pushBack() throws {
    let town = Town("a")
    let client = town.client("a")
    let house = try town.house("a")
    var pushing = Self.unprocessed
    pushing.retryAfterMilliseconds = 700
    house.script(Self.unprocessed, pushing, Self.unprocessed)
    _ = try town.run { try await client.call(Notes.echo, Note()) }
    let times = house.visits.map(\.nanoseconds)
    #expect(times[2] - times[1] == 700_000_000)
    #expect((80_000_000...120_000_000).contains(times[3] - times[2]))
  }

  @Test("R03: a wait that the deadline does not cover is not begun")
  func pushBackPastDeadline() throws {
    let town = Town("a")
    let client = town.client("a")
    var pushing = Self.unprocessed
    pushing.retryAfterMilliseconds = 2_000
    try town.house("a").script(pushing)
    let before = town.milliseconds
    let error = try town.failure(
      town.start {
        try await client.call(Notes.echo, Note(), options: CallOptions(timeout: .seconds(1)))
      })
    #expect(error.code == .unavailable && error.retryAfterMilliseconds == 2_000)
    #expect(town.milliseconds == before)
  }

  @Test("a call that meets the slot of one that was given up is made again, unseen")
  func slotNotFree() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.maxConnections = 1 }
    let house = try town.house("a")
    let held = (0..<100).map { _ in town.start { try await client.call(Notes.hold, Note()) } }
    held[0].cancel()
    town.reactor.runReady()
    #expect(house.heldCount == 100 && house.cancelledCount == 1, "its handler has not returned")
    let call = town.start { try await client.call(Notes.echo, Note()) }
    #expect(call.result == nil && house.visits.isEmpty)
    house.release(1)
    #expect(try town.finish(call).text == "a")
    #expect(house.attempts == [1] && town.milliseconds == 1_010)
  }

  @Test("a call that waits for its next attempt can be given up")
  func cancelledInBackoff() throws {
    let town = Town("a")
    let client = town.client("a")
    var pushing = Self.unclear
    pushing.retryAfterMilliseconds = 5_000
    try town.house("a").script(pushing)
    let call = town.start { try await client.call(Notes.echo, Note()) }
    let before = town.milliseconds
    call.cancel()
    let error = try town.failure(call)
    #expect(error.code == .cancelled && !error.isNotProcessed && town.milliseconds == before)
    town.advance(milliseconds: 10_000)
    #expect(try town.house("a").attempts == [0])
  }

  @Test("L03: a call above the last id of a GOAWAY is sent again elsewhere, unseen, and runs once")
  func aboveLast() throws {
    let town = Town("a", "b", delayMilliseconds: 10)
    let client = town.client("a", "b") { $0.limits.maxAttempts = 1 }
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
    let call = town.start { try await client.call(Notes.key, Note()) }
    let gone = ConnectionFault(.noError, "the server stops")
    for end in town.serverEnds { end.fail(gone, now: town.reactor.nowNanoseconds) }
    #expect(try town.finish(call).text == "a")
    #expect(try town.house("a").visits.map(\.method) == ["echo", "key"])
    #expect(try town.house("a").attempts == [0, 1])
  }

  @Test("L03: the second time it is a failure like others")
  func aboveLastTwice() throws {
    let town = Town("a", delayMilliseconds: 10)
    let client = town.client("a") { $0.limits.maxAttempts = 1 }
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
    let call = town.start { try await client.call(Notes.key, Note()) }
    let gone = ConnectionFault(.noError, "the server stops")
    for _ in 0..<2 {
      for end in town.serverEnds { end.fail(gone, now: town.reactor.nowNanoseconds) }
      town.advance(milliseconds: 15)
    }
    let error = try town.failure(call)
    #expect(error.code == .unavailable && error.isNotProcessed && error.origin == .connection)
    #expect(try town.house("a").visits.map(\.method) == ["echo"])
  }
}
