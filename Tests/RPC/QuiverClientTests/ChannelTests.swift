import QuiverLoopback
import QuiverProtobuf
import QuiverWire
import Synchronization
import Testing

@testable import QuiverClient
@testable import QuiverRPC

@Suite("A channel's connections, on a virtual clock")
struct ChannelTests {
  static let second: UInt64 = 1_000_000_000

  @Test("calls over one connection's limit have more connections opened, up to the pool's size")
  func grows() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.maxConnections = 3 }
    let calls = (0..<350).map { _ in
      town.start { try await client.call(Notes.hold, Note()).text }
    }
    let house = try town.house("a")
    #expect(town.connects.count == 3)
    #expect(house.heldCount == 300, "three connections of a hundred calls are full")
    #expect(town.serverEnds.map { $0.connection.pointee.core.streams.count } == [100, 100, 100])
    house.release(60)
    town.reactor.runReady()
    #expect(house.heldCount == 290, "those that waited have gone where there was room")
    house.release()
    town.reactor.runReady()
    house.release()
    for call in calls { #expect(try town.finish(call) == "a") }
    #expect(town.connects.count == 3)
  }

  @Test("a call that waits goes wherever room comes first, in order")
  func roomAnywhere() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.maxConnections = 2 }
    let full = (0..<200).map { _ in town.start { try await client.call(Notes.hold, Note()) } }
    let house = try town.house("a")
    let order = (0..<4).map { _ in town.start { try await client.call(Notes.hold, Note()) } }
    #expect(house.heldCount == 200 && town.connects.count == 2)
    house.release(1)
    town.reactor.runReady()
    for done in 1...4 {
      #expect(house.heldCount == 200)
      house.releaseLast()
      town.reactor.runReady()
      #expect(order.map { $0.result != nil } == (0..<4).map { $0 < done })
      if done == 4 { #expect(house.heldCount == 199) }
    }
    #expect(full.count { $0.result != nil } == 1)
  }

  @Test("connections without calls are closed, and one with a stream stays")
  func shrinks() throws {
    let town = Town("a")
    let client = town.client("a") {
      $0.limits.idleTimeout = .seconds(60)
      $0.defaultTimeout = nil
    }
    let calls = (0..<250).map { _ in town.start { try await client.call(Notes.hold, Note()) } }
    #expect(client.channel.connectionCount == 3 && town.serverEnds.count == 3)
    let house = try town.house("a")
    house.release(249)
    town.advance(milliseconds: 59_000)
    #expect(client.channel.connectionCount == 3)
    town.advance(milliseconds: 31_000)
    #expect(client.channel.connectionCount == 1 && town.serverEnds.count == 1)
    town.advance(milliseconds: 600_000)
    #expect(client.channel.connectionCount == 1)
    house.release()
    town.advance(milliseconds: 100_000)
    #expect(client.channel.connectionCount == 0 && town.serverEnds.isEmpty)
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(calls.allSatisfy { $0.result != nil } && town.connects.count == 4)
  }

  @Test("a connection whose call has ended stays for all of the idle time")
  func idleAfterCall() throws {
    let town = Town("a")
    let client = town.client("a") {
      $0.limits.idleTimeout = .seconds(60)
      $0.defaultTimeout = nil
    }
    let call = town.start { try await client.call(Notes.hold, Note()) }
    town.advance(milliseconds: 89_000)
    try town.house("a").release()
    town.advance(milliseconds: 59_000)
    #expect(call.result != nil && client.channel.connectionCount == 1)
    town.advance(milliseconds: 31_000)
    #expect(client.channel.connectionCount == 0)
  }

  @Test("an idle timeout of nil keeps connections")
  func neverIdle() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.idleTimeout = nil }
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
    town.advance(milliseconds: 36_000_000)
    #expect(client.channel.connectionCount == 1)
  }

  @Test("a second connection that cannot be made is tried again for the calls that wait for it")
  func secondFails() throws {
    let town = Town("a")
    let client = town.client("a") {
      $0.limits.maxConnections = 2
      $0.defaultTimeout = nil
    }
    let full = (0..<100).map { _ in town.start { try await client.call(Notes.hold, Note()) } }
    let house = try town.house("a")
    town.close("a")
    let waiting = town.start { try await client.call(Notes.echo, Note()).text }
    #expect(town.connects.count == 2 && waiting.result == nil)
    town.build("a")
    #expect(try town.finish(waiting) == "a")
    #expect(town.connects.count == 3 && full.allSatisfy { $0.result == nil })
    house.release()
    town.reactor.runReady()
    #expect(full.allSatisfy { $0.result != nil })
  }

  @Test("a call that waits has the room of one that fails while it is to be framed")
  func roomInFraming() throws {
    let town = Town("a", delayMilliseconds: 5)
    // Nobody has one call at once, of 4 KiB.
    let client = town.client("a") {
      $0.token = nil
      $0.limits.maxConnections = 1
    }
    let large = Note(payload: [UInt8](repeating: 1, count: 10_000))
    let first = town.start { try await client.call(Notes.echo, large) }
    let second = town.start { try await client.call(Notes.echo, Note()) }
    let error = try town.failure(first)
    #expect(error.code == .resourceExhausted && error.origin == .client)
    #expect(try town.failure(second).code == .unauthenticated, "from the server")
  }

  @Test("the next address is tried where the first fails, and the one that works is kept to")
  func severalAddresses() throws {
    let town = Town("c")
    let client = town.client("a", "b", "c")
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "c")
    #expect(town.connectedNames == ["a", "b", "c"])
    town.cutAll()
    town.reactor.runReady()
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "c")
    #expect(town.connectedNames == ["a", "b", "c", "c"])
    town.build("a")
    town.close("c")
    town.cutAll()
    town.reactor.runReady()
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(town.connectedNames == ["a", "b", "c", "c", "c", "a"])
  }

  @Test("a server that accepts and says nothing has the next one tried when its time is over")
  func muteAddress() throws {
    let town = Town("b")
    let client = town.client("mute", "b")
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "b")
    #expect(town.connectedNames == ["mute", "b"])
    // A handshake has five seconds; the server may have heard the call, so it is a retry.
    #expect((6_080...6_120).contains(town.milliseconds))
  }

  @Test("nobody is there: calls fail at once, and nobody is asked until the wait is over")
  func failsFast() throws {
    let town = Town()
    let client = town.client("a", "b")
    for _ in 0..<5 {
      let error = try town.failure(town.start { try await client.call(Notes.echo, Note()) })
      #expect(error.code == .unavailable && error.origin == .connection && error.isNotProcessed)
      #expect(error.message == "nobody is at b")
    }
    #expect(town.connectedNames == ["a", "b"])
    town.advance(milliseconds: 301)
    town.build("a")
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(town.connectedNames == ["a", "b", "a"])
  }

  @Test("who knows better ends the wait")
  func reconnects() throws {
    let town = Town()
    let client = town.client("a")
    for _ in 0..<10 {
      _ = try town.failure(town.start { try await client.call(Notes.echo, Note()) })
      client.reconnect()
    }
    #expect(town.connects.count == 10)
    town.build("a")
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(town.milliseconds == 1_000)
  }

  @Test("L07: the waits between connections grow to their limit, each with its jitter")
  func backsOff() throws {
    let town = Town()
    let client = town.client("a")
    let options = CallOptions(timeout: .seconds(600), waitsForReady: true)
    let call = town.start { try await client.call(Notes.echo, Note(), options: options) }
    town.advance(milliseconds: 500_000)
    #expect(call.result == nil)
    let times = town.connects.map(\.nanoseconds)
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    var wait = 250_000_000.0
    for gap in gaps {
      #expect((wait * 0.8 - 1...wait * 1.2 + 1).contains(Double(gap)))
      wait = min(wait * 1.6, 30_000_000_000)
    }
    #expect(gaps.count > 15 && Set(gaps.suffix(8)).count == 8, "no two waits are alike")
    town.build("a")
    #expect(try town.finish(call).text == "a")
    // An answer ends it: the next loss is met at once, and the waits begin anew.
    let count = town.connects.count
    town.close("a")
    town.cutAll()
    town.reactor.runReady()
    _ = try town.failure(town.start { try await client.call(Notes.echo, Note()) })
    #expect(town.connects.count == count + 1)
    town.advance(milliseconds: 301)
    town.build("a")
    #expect(try town.run { try await client.call(Notes.echo, Note()) }.text == "a")
  }

  @Test("D04: the deadline of a call that waits to connect ends it in time, with the reason")
  func deadlineWhileWaiting() throws {
    let town = Town()
    let client = town.client("a")
    let options = CallOptions(timeout: .milliseconds(1_234), waitsForReady: true)
    let error = try town.failure(
      town.start { try await client.call(Notes.echo, Note(), options: options) })
    #expect(error.code == .deadlineExceeded && error.isNotProcessed && error.origin == .client)
    #expect(error.message.contains("nobody is at a"))
    #expect(town.reactor.nowNanoseconds == Self.second + 1_234_000_000)
  }

  @Test("D04: the deadline of a call that waits for a slot ends it in time")
  func deadlineInQueue() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.maxConnections = 1 }
    let held = (0..<100).map { _ in town.start { try await client.call(Notes.hold, Note()) } }
    let late = [70, 30, 50].map { (wait: Int) in
      town.start { () async -> UInt64 in
        let options = CallOptions(timeout: .milliseconds(wait))
        let error = await failure { () throws(RPCError) in
          _ = try await client.call(Notes.echo, Note(), options: options)
        }
        return error.code == .deadlineExceeded && error.isNotProcessed ? town.milliseconds : 0
      }
    }
    #expect(try late.map { try town.finish($0) } == [1_070, 1_030, 1_050])
    try town.house("a").release()
    for call in held { #expect(try town.finish(call).text == "a") }
    #expect(try town.house("a").visits.isEmpty)
  }

  @Test("D04: the deadlines of calls that wait take a timer or two each")
  func expiryTimers() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.maxConnections = 1 }
    let full = (0..<100).map { _ in town.start { try await client.call(Notes.hold, Note()) } }
    let before = town.timerCount
    let late = (0..<20).map { number in
      let options = CallOptions(timeout: .milliseconds(1_000 - 10 * number))
      return town.start { try await client.call(Notes.echo, Note(), options: options) }
    }
    for call in late { #expect(try town.failure(call).code == .deadlineExceeded) }
    #expect(town.timerCount - before < 2 * late.count)
    try town.house("a").release()
    for call in full { #expect(try town.finish(call).text == "a") }
  }

  @Test("D04: the deadline of a call that waits for credit, or to be written, ends it in time")
  func deadlineInWriting() throws {
    let town = Town("a")
    let client = town.client("a")
    _ = try town.run { try await client.call(Notes.echo, Note()) }
    town.silenceAll()
    let large = Note(payload: [UInt8](repeating: 1, count: 1_000_000))
    let error = try town.failure(
      town.start {
        try await client.call(Notes.echo, large, options: CallOptions(timeout: .seconds(3)))
      })
    #expect(error.code == .deadlineExceeded && !error.isNotProcessed)
    #expect(town.milliseconds == 4_000)
  }

  @Test("a call that waits for a connection can be given up; what waits is bounded")
  func givenUpWhileHeld() throws {
    let town = Town()
    let client = town.client("a") {
      $0.waitsForReady = true
      $0.limits.maxWaitingCalls = 2
    }
    let calls = (0..<3).map { _ in town.start { try await client.call(Notes.echo, Note()) } }
    #expect(try town.failure(calls[2]).code == .resourceExhausted)
    calls[0].cancel()
    let error = try town.failure(calls[0])
    #expect(error.code == .cancelled && error.isNotProcessed)
    town.build("a")
    #expect(try town.finish(calls[1]).text == "a")
    #expect(try town.house("a").visits.count == 1)
  }

  @Test("calls that are given up while they wait are let go of, though others wait on")
  func withdrawn() throws {
    let town = Town()
    let client = town.client("a") { $0.waitsForReady = true }
    let waiting = town.start { try await client.call(Notes.echo, Note()).text }
    for _ in 0..<1_000 {
      let call = town.start { try await client.call(Notes.echo, Note()) }
      call.cancel()
      town.reactor.runReady()
      #expect(call.result != nil)
    }
    let kept = client.channel.state.withLock { $0.held.count }
    #expect(kept < 100)
    town.build("a")
    #expect(try town.finish(waiting) == "a")
  }

  @Test("closing fails what waits for a connection")
  func closedWhileHeld() throws {
    let town = Town()
    let client = town.client("a") { $0.waitsForReady = true }
    let call = town.start { try await client.call(Notes.echo, Note()) }
    client.close()
    let error = try town.failure(call)
    #expect(error.code == .unavailable && error.isNotProcessed && error.message.contains("closed"))
  }

  @Test("a bad token fails calls that wait, too")
  func badToken() throws {
    let town = Town("a")
    let client = town.client("a") {
      $0.token = "qv_bad"
      $0.waitsForReady = true
    }
    for _ in 0..<3 {
      let error = try town.failure(town.start { try await client.call(Notes.echo, Note()) })
      #expect(error.code == .unauthenticated)
    }
    #expect(town.connects.count == 1)
  }

  @Test("L05: when a connection's ids run out another one takes over, and no call fails")
  func idsRunOut() throws {
    let town = Town("a")
    let client = town.client("a") { $0.limits.maxConnections = 1 }
    _ = try town.run { try await client.call(Notes.echo, Note()) }
    for lane in client.channel.state.withLock({ $0.lanes }) {
      lane.end.connection.pointee.core.highestStreamID = Limits.largestStreamID - 4
    }
    let open = town.start { try await client.call(Notes.hold, Note()) }
    let calls = (0..<20).map { _ in town.start { try await client.call(Notes.echo, Note()) } }
    for call in calls { #expect(try town.finish(call).text == "a") }
    #expect(town.connects.count == 2)
    try town.house("a").release()
    #expect(try town.finish(open).text == "a")
    town.reactor.runReady()
    town.advance(milliseconds: 2_000)
    #expect(town.serverEnds.count == 1)
    #expect(try town.house("a").attempts.allSatisfy { $0 == 0 }, "none was sent twice")
  }

  @Test("L06: a wire that breaks: open calls fail within the keepalive's bound, perhaps processed")
  func blackhole() throws {
    let town = Town("a")
    let client = town.client("a") {
      $0.limits.maxAttempts = 1
      $0.defaultTimeout = nil
    }
    let call = town.start { try await client.call(Notes.hold, Note()) }
    #expect(try town.house("a").heldCount == 1)
    town.silenceAll()
    let error = try town.failure(call)
    #expect(error.code == .unavailable && error.origin == .connection && !error.isNotProcessed)
    // Twenty seconds of silence, and ten without an answer to the PING.
    #expect(town.milliseconds == 31_000)
  }

  @Test("L06: a wire that is cut: what the server never saw was not processed")
  func cut() throws {
    let town = Town("a", delayMilliseconds: 10)
    let client = town.client("a") { $0.limits.maxAttempts = 1 }
    _ = try town.run { try await client.call(Notes.echo, Note()) }
    let sent = town.start { try await client.call(Notes.echo, Note()) }
    town.cutAll()
    let error = try town.failure(sent)
    #expect(error.code == .unavailable && !error.isNotProcessed, "it may have arrived")
    town.close("a")
    let unsent = try town.failure(town.start { try await client.call(Notes.echo, Note()) })
    #expect(unsent.code == .unavailable && unsent.isNotProcessed)
  }

  @Test("D05: a nested call ends with the call that it is made for, and belongs to its trace")
  func nested() throws {
    let town = Town("a", "b")
    let client = town.client("a")
    let inner = town.client("b") { $0.defaultTimeout = .seconds(3_600) }
    try town.house("a").relay(to: inner)
    let trace = [UInt8](0..<25)
    var options = CallOptions(timeout: .seconds(10))
    options.traceparent = trace
    let told = try town.run { [options] in
      try await client.call(Notes.relay, Note(number: 4_000), options: options)
    }
    #expect(told.text == "b" && told.payload == trace && told.number == 6_000)
    let unbounded = town.client("a") { $0.defaultTimeout = nil }
    let free = try town.run { try await unbounded.call(Notes.relay, Note()) }
    #expect(free.number == 3_600_000 && free.payload.isEmpty)
    try town.house("b").failAlways(nil)
    options.timeout = .seconds(1)
    let late = town.start { [options] in
      try await client.call(Notes.relay, Note(number: 2_000), options: options)
    }
    #expect(try town.failure(late).code == .deadlineExceeded)
  }

  @Test("limits that cannot be are refused when the client is made")
  func badLimits() {
    let changes: [(inout ChannelLimits) -> Void] = [
      { $0.maxConnections = 0 }, { $0.idleTimeout = .zero }, { $0.maxWaitingCalls = -1 },
      { $0.longestReconnect = .milliseconds(1) }, { $0.firstRetry = .seconds(-1) },
      { $0.reconnectMultiplier = 0.5 }, { $0.retryMultiplier = .nan }, { $0.retryJitter = 2 },
      { $0.maxAttempts = 0 }, { $0.retryTokens = 0 }, { $0.retryTokensPerSuccess = -.infinity },
    ]
    for change in changes {
      var configuration = RPCClient.Configuration()
      change(&configuration.limits)
      do throws(RPCError) {
        _ = try RPCClient(configuration)
        Issue.record("they were taken")
      } catch {
        #expect(error.code == .invalidArgument && error.message.contains("must be"))
      }
    }
    #expect(ChannelLimits().validate() == nil)
    #expect(throws: RPCError.self) { try RPCClient(.init(servers: [])) }
  }
}
