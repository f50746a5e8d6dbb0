import QuiverServer
import Synchronization
import TestSupport
import Testing

/// Three services in a chain: front calls middle, middle calls the last one.
@Suite(.timeLimit(.minutes(2))) struct ChainTests {
  /// A service that passes calls on to the next one, with as many servers as there are `addresses`.
  static func passing(_ next: BalancedClient) -> NoteHandlers {
    var handlers = NoteHandlers()
    handlers.get = { note, _ in try await next.call(Notes.get, note) }
    handlers.add = .handle(Notes.add) { note, call in
      try await next.call(
        Notes.add, note, options: CallOptions(idempotencyKey: call.idempotencyKey))
    }
    return handlers
  }

  static func client(
    _ servers: [String], _ change: (inout BalancedClient.Configuration) -> Void = { _ in }
  ) throws -> BalancedClient {
    var configuration = BalancedClient.Configuration(servers: servers)
    change(&configuration)
    return try BalancedClient(configuration)
  }

  @Test("The deadline and the trace of a call reach the end of the chain")
  func theDeadlineAndTheTrace() async throws {
    let left = Mutex<UInt32?>(nil)
    let trace = Mutex<[UInt8]>([])
    var last = NoteHandlers()
    last.get = { note, call in
      left.withLock { $0 = call.timeLeftMilliseconds }
      trace.withLock { $0 = call.traceparent }
      return note
    }
    let parent = [UInt8](repeating: 7, count: 24) + [1]
    try await withServer(last) { _, lastAddress in
      let toLast = try Self.client([lastAddress])
      try await withServer(Self.passing(toLast)) { _, middleAddress in
        let toMiddle = try Self.client([middleAddress])
        try await withServer(Self.passing(toMiddle)) { _, frontAddress in
          try await withClient(frontAddress) { client in
            var options = CallOptions(timeout: .seconds(20))
            options.traceparent = parent
            _ = try await client.call(Notes.get, Note("through"), options: options)
          }
        }
        await toMiddle.close()
      }
      await toLast.close()
    }
    // Each connection rounds up to a millisecond.
    let milliseconds = try #require(left.withLock { $0 })
    #expect(milliseconds > 0 && milliseconds <= 20_010)
    #expect(trace.withLock { $0 } == parent)
  }

  @Test("A slow middle service ends each call at its deadline and leaves no handler")
  func aSlowMiddleServiceEnds()
    async throws
  {
    let running = Atomic<Int>(0)
    var last = NoteHandlers()
    last.get = { note, _ in
      running.wrappingAdd(1, ordering: .relaxed)
      defer { running.wrappingSubtract(1, ordering: .relaxed) }
      try await Task.sleep(for: .seconds(60))
      return note
    }
    try await withServer(last) { _, lastAddress in
      let toLast = try Self.client([lastAddress])
      try await withServer(Self.passing(toLast)) { _, middleAddress in
        try await withClient(middleAddress) { client in
          await withTaskGroup { group in
            for _ in 0..<20 {
              group.addTask {
                let ended = await code {
                  _ = try await client.call(
                    Notes.get, Note(), options: CallOptions(timeout: .milliseconds(200)))
                }
                #expect(ended == .deadlineExceeded)
              }
            }
          }
        }
        #expect(await eventually { running.load(ordering: .relaxed) == 0 })
      }
      #expect(toLast.attemptCounts.retries == 0)
      await toLast.close()
    }
  }

  @Test("While servers are killed no call is lost or has its effect twice")
  func whileServersAreKilledNo() async throws {
    let store = MemoryIdempotencyStore<[String: Int]>([:])
    var last = NoteHandlers()
    last.add = .handle(Notes.add, once: store) { note, _, counts in
      counts[note.text, default: 0] += 1
      return note
    }
    let configuration = RPCServer.Configuration(
      addresses: ["127.0.0.1:0"], services: [last.service])
    // The servers of the last service share one store, as processes share a database.
    let servers = try (0..<3).map { _ in try RPCServer(configuration) }
    let addresses = try servers.map { try $0.start()[0] }
    let toLast = try Self.client(addresses) {
      $0.policy = .roundRobin
      $0.retryReserve = 1_000
      $0.maxAttempts = 6
    }
    try await withServer(Self.passing(toLast)) { _, middleAddress in
      let toMiddle = try Self.client([middleAddress])
      try await withThrowingTaskGroup { group in
        for number in 0..<200 {
          group.addTask {
            _ = try await toMiddle.call(Notes.add, Note("note \(number)"))
          }
          if number == 60 { servers[0].shutDownNow() }
          if number == 120 { servers[1].shutDownNow() }
          if number % 10 == 0 { try await Task.sleep(for: .milliseconds(2)) }
        }
        try await group.waitForAll()
      }
      #expect(toMiddle.attemptCounts.calls == 200)
      await toMiddle.close()
    }
    #expect(store.state.count == 200)
    #expect(store.state.values.allSatisfy { $0 == 1 })
    await toLast.close()
    servers[2].shutDownNow()
  }

  @Test("Further attempts stay within the budget while half of the calls fail")
  func furtherAttemptsStayWithinThe()
    async throws
  {
    let attempts = Atomic<Int>(0)
    var failing = NoteHandlers()
    failing.get = { note, _ in
      let number = attempts.wrappingAdd(1, ordering: .relaxed).newValue
      guard number % 2 == 0 else { throw RPCError(.unavailable, "every other call fails") }
      return note
    }
    try await withServer(failing) { _, address in
      let client = try Self.client([address]) { $0.healthService = nil }
      for _ in 0..<200 { _ = await code { _ = try await client.call(Notes.get, Note()) } }
      let counts = client.attemptCounts
      #expect(counts.calls == 200)
      #expect(counts.retries <= 10 + 20)
      #expect(counts.budgetRefusals > 0)
      #expect(attempts.load(ordering: .relaxed) == 200 + counts.retries)
      await client.close()
    }
  }

  @Test("In a chain the further attempts of each service stay within its own budget")
  func inAChainTheFurther() async throws {
    let attempts = Atomic<Int>(0)
    var last = NoteHandlers()
    last.get = { note, _ in
      let number = attempts.wrappingAdd(1, ordering: .relaxed).newValue
      guard number % 2 == 0 else { throw RPCError(.unavailable, "every other call fails") }
      return note
    }
    try await withServer(last) { _, lastAddress in
      let toLast = try Self.client([lastAddress]) { $0.healthService = nil }
      try await withServer(Self.passing(toLast)) { _, middleAddress in
        let toMiddle = try Self.client([middleAddress]) { $0.healthService = nil }
        try await withServer(Self.passing(toMiddle)) { _, frontAddress in
          let toFront = try Self.client([frontAddress]) { $0.healthService = nil }
          for _ in 0..<100 { _ = await code { _ = try await toFront.call(Notes.get, Note()) } }
          // Each service may add its reserve and a tenth of the calls that it was asked for.
          var most = 100.0
          for counts in [toFront, toMiddle, toLast].map(\.attemptCounts) {
            #expect(Double(counts.calls) <= most)
            most += 10 + 0.1 * Double(counts.calls)
            #expect(counts.retries <= 10 + counts.calls / 10)
          }
          #expect(Double(attempts.load(ordering: .relaxed)) <= most)
          await toFront.close()
        }
        await toMiddle.close()
      }
      await toLast.close()
    }
  }

  @Test("Streams that a handler opens end at its deadline and belong to its trace")
  func streamsThatAHandlerOpens() async throws {
    let seen = Mutex<(left: UInt32?, trace: [UInt8])>((nil, []))
    var last = NoteHandlers()
    last.count = { note, call, replies in
      seen.withLock { $0 = (call.timeLeftMilliseconds, call.traceparent) }
      try await replies.send(note)
    }
    let parent = [UInt8](repeating: 5, count: 24) + [1]
    try await withServer(last) { _, lastAddress in
      let toLast = try Self.client([lastAddress])
      var middle = NoteHandlers()
      middle.get = { note, _ in
        var latest = Note()
        for try await reply in try toLast.stream(Notes.count, note) { latest = reply }
        return latest
      }
      try await withServer(middle) { _, middleAddress in
        try await withClient(middleAddress) { client in
          var options = CallOptions(timeout: .seconds(20))
          options.traceparent = parent
          let reply = try await client.call(Notes.get, Note("through"), options: options)
          #expect(reply.text == "through")
        }
      }
      await toLast.close()
    }
    let (left, trace) = seen.withLock { $0 }
    #expect(left.map { $0 > 0 && $0 <= 20_010 } == true)
    #expect(trace == parent)
  }

  @Test("A late reply is asked of another server, for methods that change nothing")
  func aLateReplyIsAsked()
    async throws
  {
    let gate = Gate()
    var slow = NoteHandlers()
    slow.get = { note, _ in
      await gate.wait()
      return note
    }
    slow.add = .handle(Notes.add) { note, _ in Note("slow") }
    try await withServer(slow) { _, slowAddress in
      try await withServer { _, quickAddress in
        let client = try Self.client([slowAddress, quickAddress]) {
          $0.policy = .roundRobin
          $0.hedgingDelay = .milliseconds(20)
          $0.healthService = nil
        }
        for _ in 0..<4 {
          let reply = try await client.call(Notes.get, Note("read"))
          #expect(reply.text == "read")
        }
        let hedges = client.attemptCounts.hedges
        #expect(hedges > 0 && hedges <= 4)
        _ = try await client.call(Notes.add, Note("write"))
        #expect(client.attemptCounts.hedges == hedges)
        gate.open()
        await client.close()
      }
    }
  }

  @Test("A server that states that it does not serve gets no calls")
  func aServerThatStatesThat() async throws {
    var first = NoteHandlers()
    first.get = { _, _ in Note("first") }
    try await withServer(first) { server, firstAddress in
      try await withServer { _, secondAddress in
        let client = try Self.client([firstAddress, secondAddress])
        server.health.set(notServingBecause: "its cache is cold")
        #expect(await eventually { client.readyServers == [secondAddress] })
        for _ in 0..<10 {
          let reply = try await client.call(Notes.get, Note("second"))
          #expect(reply.text == "second")
        }
        server.health.set(notServingBecause: nil)
        #expect(await eventually { client.readyServers.count == 2 })
        await client.close()
      }
    }
  }
}
