import QuiverLoopback
import QuiverProtobuf
import QuiverWire
import Synchronization
import Testing

@testable import QuiverClient
@testable import QuiverRPC

@Suite("The connections of a channel, on a virtual clock", .timeLimit(.minutes(5)))
struct ChannelTests {
  static let second: UInt64 = 1_000_000_000

  @Test("calls over one connection's limit have more connections opened, up to the pool's size")
  func grows() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxConnections = 3 }
    let calls = (0..<350).map { _ in
      network.start { try await client.call(Notes.hold, Note()).text }
    }
    let server = try network.server("a")
    #expect(network.connects.count == 3)
    #expect(server.heldCount == 300, "three connections of a hundred calls are full")
    #expect(network.serverEnds.map { $0.connection.pointee.core.streams.count } == [100, 100, 100])
    server.release(60)
    network.reactor.runReady()
    #expect(server.heldCount == 290, "those that waited have gone where there was room")
    server.release()
    network.reactor.runReady()
    server.release()
    for call in calls { #expect(try network.finish(call) == "a") }
    #expect(network.connects.count == 3)
  }

  @Test("Waiting calls are sent in order, on the first connection with a free stream")
  func roomAnywhere() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxConnections = 2 }
    let full = (0..<200).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    let server = try network.server("a")
    let order = (0..<4).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    #expect(server.heldCount == 200 && network.connects.count == 2)
    server.release(1)
    network.reactor.runReady()
    for done in 1...4 {
      #expect(server.heldCount == 200)
      server.releaseLast()
      network.reactor.runReady()
      #expect(order.map { $0.result != nil } == (0..<4).map { $0 < done })
      if done == 4 { #expect(server.heldCount == 199) }
    }
    #expect(full.count { $0.result != nil } == 1)
  }

  @Test("connections without calls are closed, and one with a stream stays")
  func shrinks() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") {
      $0.limits.idleTimeout = .seconds(60)
      $0.defaultTimeout = nil
    }
    let calls = (0..<250).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    #expect(client.channel.connectionCount == 3 && network.serverEnds.count == 3)
    let server = try network.server("a")
    server.release(249)
    network.advance(milliseconds: 59_000)
    #expect(client.channel.connectionCount == 3)
    network.advance(milliseconds: 31_000)
    #expect(client.channel.connectionCount == 1 && network.serverEnds.count == 1)
    network.advance(milliseconds: 600_000)
    #expect(client.channel.connectionCount == 1)
    server.release()
    network.advance(milliseconds: 100_000)
    #expect(client.channel.connectionCount == 0 && network.serverEnds.isEmpty)
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(calls.allSatisfy { $0.result != nil } && network.connects.count == 4)
  }

  @Test("a connection stays open for the whole idle time after its last call")
  func idleAfterCall() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") {
      $0.limits.idleTimeout = .seconds(60)
      $0.defaultTimeout = nil
    }
    let call = network.start { try await client.call(Notes.hold, Note()) }
    network.advance(milliseconds: 89_000)
    try network.server("a").release()
    network.advance(milliseconds: 59_000)
    #expect(call.result != nil && client.channel.connectionCount == 1)
    network.advance(milliseconds: 31_000)
    #expect(client.channel.connectionCount == 0)
  }

  @Test("an idle timeout of nil keeps connections")
  func neverIdle() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.idleTimeout = nil }
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    network.advance(milliseconds: 36_000_000)
    #expect(client.channel.connectionCount == 1)
  }

  @Test("A second connection that fails is tried again for the calls that wait for it")
  func secondFails() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") {
      $0.limits.maxConnections = 2
      $0.defaultTimeout = nil
    }
    let full = (0..<100).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    let server = try network.server("a")
    network.close("a")
    let waiting = network.start { try await client.call(Notes.echo, Note()).text }
    #expect(network.connects.count == 2 && waiting.result == nil)
    network.build("a")
    #expect(try network.finish(waiting) == "a")
    #expect(network.connects.count == 3 && full.allSatisfy { $0.result == nil })
    server.release()
    network.reactor.runReady()
    #expect(full.allSatisfy { $0.result != nil })
  }

  @Test("A waiting call gets the stream of a call that fails before it is framed")
  func roomInFraming() throws {
    let network = VirtualNetwork("a", delayMilliseconds: 5)
    // An anonymous client has one call at a time, of at most 4 KiB.
    let client = network.client("a") {
      $0.token = nil
      $0.limits.maxConnections = 1
    }
    let large = Note(payload: [UInt8](repeating: 1, count: 10_000))
    let first = network.start { try await client.call(Notes.echo, large) }
    let second = network.start { try await client.call(Notes.echo, Note()) }
    let error = try network.failure(first)
    #expect(error.code == .resourceExhausted && error.origin == .client)
    #expect(try network.failure(second).code == .unauthenticated, "from the server")
  }

  @Test(
    "the next address is tried when the first fails, and the one that works is used from then on")
  func severalAddresses() throws {
    let network = VirtualNetwork("c")
    let client = network.client("a", "b", "c")
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "c")
    #expect(network.connectedNames == ["a", "b", "c"])
    network.cutAll()
    network.reactor.runReady()
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "c")
    #expect(network.connectedNames == ["a", "b", "c", "c"])
    network.build("a")
    network.close("c")
    network.cutAll()
    network.reactor.runReady()
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(network.connectedNames == ["a", "b", "c", "c", "c", "a"])
  }

  @Test("the next address is tried when a server accepts and sends nothing in time")
  func muteAddress() throws {
    let network = VirtualNetwork("b")
    let client = network.client("silent", "b")
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "b")
    #expect(network.connectedNames == ["silent", "b"])
    // The handshake timeout is five seconds; the server may have received the call, so it is
    // retried.
    #expect((6_080...6_120).contains(network.milliseconds))
  }

  @Test(
    "Without a server calls fail at once, and no connection is tried until the back-off ends"
  )
  func failsFast() throws {
    let network = VirtualNetwork()
    let client = network.client("a", "b")
    for _ in 0..<5 {
      let error = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
      #expect(error.code == .unavailable && error.origin == .connection && error.isNotProcessed)
      #expect(error.message == "nobody is at b")
    }
    #expect(network.connectedNames == ["a", "b"])
    network.advance(milliseconds: 301)
    network.build("a")
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(network.connectedNames == ["a", "b", "a"])
  }

  @Test("reconnect ends the back-off")
  func reconnects() throws {
    let network = VirtualNetwork()
    let client = network.client("a")
    for _ in 0..<10 {
      _ = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
      client.reconnect()
    }
    #expect(network.connects.count == 10)
    network.build("a")
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
    #expect(network.milliseconds == 1_000)
  }

  @Test("L07: the delays between connections grow to their limit, each with jitter")
  func backsOff() throws {
    let network = VirtualNetwork()
    let client = network.client("a")
    let options = CallOptions(timeout: .seconds(600), waitsForReady: true)
    let call = network.start { try await client.call(Notes.echo, Note(), options: options) }
    network.advance(milliseconds: 500_000)
    #expect(call.result == nil)
    let times = network.connects.map(\.nanoseconds)
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    var wait = 250_000_000.0
    for gap in gaps {
      #expect((wait * 0.8 - 1...wait * 1.2 + 1).contains(Double(gap)))
      wait = min(wait * 1.6, 30_000_000_000)
    }
    #expect(gaps.count > 15 && Set(gaps.suffix(8)).count == 8, "no two waits are alike")
    network.build("a")
    #expect(try network.finish(call).text == "a")
    // A reply ends the back-off: after the next loss the delays start again.
    let count = network.connects.count
    network.close("a")
    network.cutAll()
    network.reactor.runReady()
    _ = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
    #expect(network.connects.count == count + 1)
    network.advance(milliseconds: 301)
    network.build("a")
    #expect(try network.run { try await client.call(Notes.echo, Note()) }.text == "a")
  }

  @Test("D04: the deadline of a call that waits to connect ends it in time, with the reason")
  func deadlineWhileWaiting() throws {
    let network = VirtualNetwork()
    let client = network.client("a")
    let options = CallOptions(timeout: .milliseconds(1_234), waitsForReady: true)
    let error = try network.failure(
      network.start { try await client.call(Notes.echo, Note(), options: options) })
    #expect(error.code == .deadlineExceeded && error.isNotProcessed && error.origin == .client)
    #expect(error.message.contains("nobody is at a"))
    #expect(network.reactor.nowNanoseconds == Self.second + 1_234_000_000)
  }

  @Test("D04: the deadline of a call that waits for a slot ends it in time")
  func deadlineInQueue() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxConnections = 1 }
    let held = (0..<100).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    let late = [70, 30, 50].map { (wait: Int) in
      network.start { () async -> UInt64 in
        let options = CallOptions(timeout: .milliseconds(wait))
        let error = await failure { () throws(RPCError) in
          _ = try await client.call(Notes.echo, Note(), options: options)
        }
        return error.code == .deadlineExceeded && error.isNotProcessed ? network.milliseconds : 0
      }
    }
    #expect(try late.map { try network.finish($0) } == [1_070, 1_030, 1_050])
    try network.server("a").release()
    for call in held { #expect(try network.finish(call).text == "a") }
    #expect(try network.server("a").handledCalls.isEmpty)
  }

  @Test("D04: the deadlines of calls that wait take a timer or two each")
  func expiryTimers() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxConnections = 1 }
    let full = (0..<100).map { _ in network.start { try await client.call(Notes.hold, Note()) } }
    let before = network.timerCount
    let late = (0..<20).map { number in
      let options = CallOptions(timeout: .milliseconds(1_000 - 10 * number))
      return network.start { try await client.call(Notes.echo, Note(), options: options) }
    }
    for call in late { #expect(try network.failure(call).code == .deadlineExceeded) }
    #expect(network.timerCount - before < 2 * late.count)
    try network.server("a").release()
    for call in full { #expect(try network.finish(call).text == "a") }
  }

  @Test("D04: the deadline of a call that waits for credit, or to be written, ends it in time")
  func deadlineInWriting() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    _ = try network.run { try await client.call(Notes.echo, Note()) }
    network.silenceAll()
    let large = Note(payload: [UInt8](repeating: 1, count: 1_000_000))
    let error = try network.failure(
      network.start {
        try await client.call(Notes.echo, large, options: CallOptions(timeout: .seconds(3)))
      })
    #expect(error.code == .deadlineExceeded && !error.isNotProcessed)
    #expect(network.milliseconds == 4_000)
  }

  @Test(
    "a call that waits for a connection can be cancelled, and waiting calls are limited"
  )
  func givenUpWhileHeld() throws {
    let network = VirtualNetwork()
    let client = network.client("a") {
      $0.waitsForReady = true
      $0.limits.maxWaitingCalls = 2
    }
    let calls = (0..<3).map { _ in network.start { try await client.call(Notes.echo, Note()) } }
    #expect(try network.failure(calls[2]).code == .resourceExhausted)
    calls[0].cancel()
    let error = try network.failure(calls[0])
    #expect(error.code == .cancelled && error.isNotProcessed)
    network.build("a")
    #expect(try network.finish(calls[1]).text == "a")
    #expect(try network.server("a").handledCalls.count == 1)
  }

  @Test("calls that are cancelled while they wait are released while others wait on")
  func withdrawn() throws {
    let network = VirtualNetwork()
    let client = network.client("a") { $0.waitsForReady = true }
    let waiting = network.start { try await client.call(Notes.echo, Note()).text }
    for _ in 0..<1_000 {
      let call = network.start { try await client.call(Notes.echo, Note()) }
      call.cancel()
      network.reactor.runReady()
      #expect(call.result != nil)
    }
    let kept = client.channel.state.withLock { $0.waiting.count }
    #expect(kept < 100)
    network.build("a")
    #expect(try network.finish(waiting) == "a")
  }

  @Test("closing fails calls that wait for a connection")
  func closedWhileHeld() throws {
    let network = VirtualNetwork()
    let client = network.client("a") { $0.waitsForReady = true }
    let call = network.start { try await client.call(Notes.echo, Note()) }
    try network.run { await client.close() }
    let error = try network.failure(call)
    #expect(error.code == .unavailable && error.isNotProcessed && error.message.contains("closed"))
  }

  @Test("A bad token also fails the calls that wait")
  func badToken() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") {
      $0.token = "qv_bad"
      $0.waitsForReady = true
    }
    for _ in 0..<3 {
      let error = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
      #expect(error.code == .unauthenticated)
    }
    #expect(network.connects.count == 1)
  }

  @Test("L05: when a connection's stream ids are used up, another one takes over and no call fails")
  func idsRunOut() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") { $0.limits.maxConnections = 1 }
    _ = try network.run { try await client.call(Notes.echo, Note()) }
    for connection in client.channel.state.withLock({ $0.connections }) {
      connection.end.connection.pointee.core.highestStreamID = Limits.largestStreamID - 4
    }
    let open = network.start { try await client.call(Notes.hold, Note()) }
    let calls = (0..<20).map { _ in network.start { try await client.call(Notes.echo, Note()) } }
    for call in calls { #expect(try network.finish(call).text == "a") }
    #expect(network.connects.count == 2)
    try network.server("a").release()
    #expect(try network.finish(open).text == "a")
    network.reactor.runReady()
    network.advance(milliseconds: 2_000)
    #expect(network.serverEnds.count == 1)
    #expect(try network.server("a").attempts.allSatisfy { $0 == 0 }, "none was sent twice")
  }

  @Test("L06: when a connection goes silent, open calls fail within the keepalive's limit")
  func blackhole() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a") {
      $0.limits.maxAttempts = 1
      $0.defaultTimeout = nil
    }
    let call = network.start { try await client.call(Notes.hold, Note()) }
    #expect(try network.server("a").heldCount == 1)
    network.silenceAll()
    let error = try network.failure(call)
    #expect(error.code == .unavailable && error.origin == .connection && !error.isNotProcessed)
    // Twenty seconds of silence, and ten without a reply to the PING.
    #expect(network.milliseconds == 31_000)
  }

  @Test("L06: when a connection is cut, calls that the server never received are not processed")
  func cut() throws {
    let network = VirtualNetwork("a", delayMilliseconds: 10)
    let client = network.client("a") { $0.limits.maxAttempts = 1 }
    _ = try network.run { try await client.call(Notes.echo, Note()) }
    let sent = network.start { try await client.call(Notes.echo, Note()) }
    network.cutAll()
    let error = try network.failure(sent)
    #expect(error.code == .unavailable && !error.isNotProcessed, "it may have arrived")
    network.close("a")
    let unsent = try network.failure(network.start { try await client.call(Notes.echo, Note()) })
    #expect(unsent.code == .unavailable && unsent.isNotProcessed)
  }

  @Test("D05: a nested call has the deadline and the trace of its parent call")
  func nested() throws {
    let network = VirtualNetwork("a", "b")
    let client = network.client("a")
    let inner = network.client("b") { $0.defaultTimeout = .seconds(3_600) }
    try network.server("a").relay(to: inner)
    let trace = [UInt8](0..<25)
    var options = CallOptions(timeout: .seconds(10))
    options.traceparent = trace
    let told = try network.run { [options] in
      try await client.call(Notes.relay, Note(number: 4_000), options: options)
    }
    #expect(told.text == "b" && told.payload == trace && told.number == 6_000)
    let unbounded = network.client("a") { $0.defaultTimeout = nil }
    let free = try network.run { try await unbounded.call(Notes.relay, Note()) }
    #expect(free.number == 3_600_000 && free.payload.isEmpty)
    try network.server("b").failAlways(nil)
    options.timeout = .seconds(1)
    let late = network.start { [options] in
      try await client.call(Notes.relay, Note(number: 2_000), options: options)
    }
    #expect(try network.failure(late).code == .deadlineExceeded)
  }

  @Test("limits out of range are refused when the client is created")
  func badLimits() {
    let changes: [(inout ChannelLimits) -> Void] = [
      { $0.maxConnections = 0 }, { $0.idleTimeout = .zero }, { $0.maxWaitingCalls = -1 },
      { $0.reconnect.longest = .milliseconds(1) }, { $0.retry.first = .seconds(-1) },
      { $0.reconnect.multiplier = 0.5 }, { $0.retry.multiplier = .nan }, { $0.retry.jitter = 2 },
      { $0.resume.first = .zero }, { $0.resume.jitter = -1 },
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
