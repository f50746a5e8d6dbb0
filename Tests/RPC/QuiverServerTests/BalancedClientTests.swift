import QuiverServer
import Synchronization
import TestSupport
import Testing

@testable import QuiverClientCore

@Suite(.timeLimit(.minutes(1))) struct BalancedClientTests {
  @Test("A server that drains gets no further calls while an open one holds it")
  func aServerThatDrainsGets() async throws {
    let gate = Gate()
    var holding = NoteHandlers()
    holding.get = { note, _ in
      await gate.wait()
      return note
    }
    let service = holding.service
    try await withServer { _, otherAddress in
      var configuration = RPCServer.Configuration(
        addresses: ["127.0.0.1:0"], services: [service])
      configuration.limits.drainTime = .seconds(30)
      let server = try RPCServer(configuration)
      let address = try server.start()[0]
      let running = Task { try await server.run() }
      try await withClient(address) { direct in
        let open = Task { try await direct.call(Notes.get, Note("held")) }
        #expect(await eventually { gate.waitingCount == 1 })
        let client = try ChainTests.client([address, otherAddress]) { $0.policy = .roundRobin }
        _ = try await client.call(Notes.hello, Note())
        _ = try await client.call(Notes.hello, Note())
        running.cancel()
        #expect(await eventually { client.readyServers == [otherAddress] })
        for _ in 0..<30 {
          _ = try await client.call(Notes.hello, Note())
          #expect(client.readyServers == [otherAddress])
          try await Task.sleep(for: .milliseconds(20))
        }
        #expect(client.attemptCounts.retries == 0)
        await client.close()
        gate.open()
        let held = try await open.value
        #expect(held.text == "held")
      }
      try await running.value
    }
  }

  @Test("A server that cannot be reached gets no calls once its health was asked for")
  func aServerThatCannotBe() async throws {
    try await withServer { _, address in
      let gone = try RPCServer(
        .init(addresses: ["127.0.0.1:0"], services: [NoteHandlers().service]))
      let goneAddress = try gone.start()[0]
      gone.shutDownNow()
      let client = try ChainTests.client([goneAddress, address]) { $0.policy = .roundRobin }
      #expect(await eventually { client.readyServers == [address] })
      for _ in 0..<30 {
        _ = try await client.call(Notes.hello, Note())
        #expect(client.readyServers == [address])
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(client.attemptCounts.retries == 0)
      await client.close()
    }
  }

  @Test(
    "A server that comes back gets calls when its exclusion ends, with and without its health",
    arguments: [nil, ""])
  func aServerThatComesBack(_ healthService: String?) async throws {
    let service = NoteHandlers().service
    let first = try RPCServer(.init(addresses: ["127.0.0.1:0"], services: [service]))
    let address = try first.start()[0]
    let client = try ChainTests.client([address]) {
      $0.healthService = healthService
      $0.exclusion = Backoff(first: .milliseconds(20), longest: .milliseconds(50))
      $0.connection.limits.reconnect = Backoff(first: .seconds(600), longest: .seconds(600))
    }
    _ = try await client.call(Notes.hello, Note())
    first.shutDownNow()
    let fails = await eventually {
      await code { _ = try await client.call(Notes.hello, Note()) } == .unavailable
    }
    #expect(fails)
    let second = try RPCServer(.init(addresses: [address], services: [service]))
    try second.start()
    let succeeds = await eventually {
      await code { _ = try await client.call(Notes.hello, Note()) } == .ok
    }
    #expect(succeeds)
    await client.close()
    second.shutDownNow()
  }

  @Test("A client that a handler creates watches the health beyond the deadline of the call")
  func aClientThatAHandlerCreates() async throws {
    let made = Mutex<BalancedClient?>(nil)
    try await withServer { target, targetAddress in
      var creating = NoteHandlers()
      creating.get = { note, _ in
        let client = try ChainTests.client([targetAddress])
        made.withLock { $0 = client }
        return note
      }
      try await withServer(creating) { _, address in
        try await withClient(address) { client in
          let options = CallOptions(timeout: .seconds(1))
          _ = try await client.call(Notes.get, Note(), options: options)
        }
      }
      let client = try #require(made.withLock { $0 })
      _ = try await client.call(Notes.hello, Note())
      try await Task.sleep(for: .milliseconds(1_100))
      target.health.set(notServingBecause: "its cache is cold")
      #expect(await eventually { client.readyServers.isEmpty })
      await client.close()
    }
  }

  @Test("Calls that fail together exclude their server for the first delay only")
  func callsThatFailTogetherExclude() throws {
    let server = BalancedServer(try RPCClient(.init(server: "127.0.0.1:1")))
    let backoff = Backoff(
      first: .milliseconds(100), multiplier: 2, longest: .seconds(5), jitter: 0)
    let start = ContinuousClock.now
    for _ in 0..<50 { server.failed(backoff, start) }
    #expect(!server.isReady(start + .milliseconds(99)))
    #expect(server.isReady(start + .milliseconds(101)))
    server.failed(backoff, start + .milliseconds(101))
    #expect(!server.isReady(start + .milliseconds(300)))
    #expect(server.isReady(start + .milliseconds(302)))
    server.answered()
    #expect(server.isReady(start))
  }

  typealias Change = @Sendable (inout BalancedClient.Configuration) -> Void

  static let faults: [(words: String, change: Change)] =
    [
      ("servers", { $0.servers = [] }), ("not \"nowhere\"", { $0.servers = ["nowhere"] }),
      ("maxAttempts", { $0.maxAttempts = 0 }), ("retryShare", { $0.retryShare = .nan }),
      ("retryReserve", { $0.retryReserve = 0 }), ("hedgingDelay", { $0.hedgingDelay = .zero }),
      ("exclusion.jitter", { $0.exclusion.jitter = -1 }),
      ("exclusion.multiplier", { $0.exclusion.multiplier = 0 }),
      ("exclusion.first", { $0.exclusion.first = .zero }),
      ("exclusion.first", { $0.exclusion.longest = .milliseconds(1) }),
    ]

  @Test("A property that is out of range is refused by its name", arguments: 0..<10)
  func aPropertyThatIsOut(_ index: Int) throws {
    let (words, change) = Self.faults[index]
    var configuration = BalancedClient.Configuration(servers: ["127.0.0.1:1"])
    change(&configuration)
    let error = #expect(throws: RPCError.self) { try BalancedClient(configuration) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "none")")
  }

  @Test("Hedges take from the budget, and without it the first attempt is awaited")
  func hedgesTakeFromTheBudget() async throws {
    let gate = Gate()
    var slow = NoteHandlers()
    slow.get = { note, _ in
      await gate.wait()
      return note
    }
    let handlers = slow
    try await withServer(handlers) { _, first in
      try await withServer(handlers) { _, second in
        let client = try ChainTests.client([first, second]) {
          $0.hedgingDelay = .milliseconds(10)
          $0.retryReserve = 1
          $0.retryShare = 0
          $0.healthService = nil
        }
        let calls = (0..<4).map { number in
          Task { try await client.call(Notes.get, Note("\(number)")) }
        }
        #expect(await eventually { gate.waitingCount == 5 })
        #expect(client.attemptCounts.hedges == 1)
        #expect(await eventually { client.attemptCounts.budgetRefusals == 3 })
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(client.attemptCounts.hedges == 1)
        await client.close()
      }
    }
  }

  @Test("A hedge that fails leaves the call to its first attempt")
  func aHedgeThatFailsLeaves() async throws {
    let gate = Gate()
    var slow = NoteHandlers()
    slow.get = { _, _ in
      await gate.wait()
      return Note("slow")
    }
    var failing = NoteHandlers()
    failing.get = { _, _ in
      gate.open()
      throw RPCError(.internal, "this server is ill")
    }
    let second = failing
    try await withServer(slow) { _, first in
      try await withServer(second) { _, second in
        let client = try ChainTests.client([first, second]) {
          $0.policy = .roundRobin
          $0.hedgingDelay = .milliseconds(10)
          $0.healthService = nil
        }
        let reply = try await client.call(Notes.get, Note())
        #expect(reply.text == "slow")
        #expect(client.attemptCounts.hedges == 1)
        #expect(client.attemptCounts.retries == 0)
        await client.close()
      }
    }
  }

  @Test("The server with the fewest open calls gets the next one")
  func theServerWithTheFewest() async throws {
    let gate = Gate()
    var held = NoteHandlers()
    held.get = { note, _ in
      await gate.wait()
      return Note("held")
    }
    var quick = NoteHandlers()
    quick.get = { _, _ in Note("quick") }
    let other = quick
    try await withServer(held) { _, first in
      try await withServer(other) { _, second in
        let client = try ChainTests.client([first, second]) { $0.healthService = nil }
        let open = Task { try await client.call(Notes.get, Note()) }
        #expect(await eventually { gate.waitingCount == 1 })
        for _ in 0..<10 {
          let reply = try await client.call(Notes.get, Note())
          #expect(reply.text == "quick")
        }
        gate.open()
        let reply = try await open.value
        #expect(reply.text == "held")
        await client.close()
      }
    }
  }

  @Test("A client that is closed takes no calls, and a cancelled call ends at once")
  func aClientThatIsClosed() async throws {
    let gate = Gate()
    var slow = NoteHandlers()
    slow.get = { note, _ in
      await gate.wait()
      return note
    }
    try await withServer(slow) { _, address in
      let client = try ChainTests.client([address])
      let call = Task { await code { _ = try await client.call(Notes.get, Note()) } }
      #expect(await eventually { gate.waitingCount == 1 })
      call.cancel()
      let cancelled = await call.value
      #expect(cancelled == .cancelled)
      #expect(client.attemptCounts.retries == 0)
      await client.close()
      let closed = await code { _ = try await client.call(Notes.get, Note()) }
      #expect(closed != .ok)
      gate.open()
    }
  }
}
