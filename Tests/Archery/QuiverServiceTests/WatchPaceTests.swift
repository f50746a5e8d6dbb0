import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("A watch is at most one state ahead of its reader", .timeLimit(.minutes(5)))
struct WatchPaceTests {
  private static var quick: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    return options
  }

  /// Calls that do not end fail the test at their deadline.
  private static let options = CallOptions(timeout: .seconds(60))

  @Test("A reader that was away finds one older message and then the latest state of a list")
  func items() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var replies = try client.client.stream(
        Equipment.watchItems, WatchItemsRequest(), options: Self.options
      ).makeAsyncIterator()
      #expect(try await replies.next()?.span?.isSnapshot == true)
      for _ in 0..<3 {
        for _ in 0..<20 { _ = try await client.call(Equipment.risers.create, .of(.hoyt)) }
        var messages = 0
        var upto: Int64 = 0
        while try upto < server.lastSequence() {
          upto = try #require(try await replies.next()?.span?.upto)
          messages += 1
        }
        #expect(messages <= 2)
      }
    }
  }

  @Test("A message is never older than the moment when the one before it was taken")
  func steps() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var replies = try client.client.stream(
        Equipment.watchHub, WatchHubRequest(), options: Self.options
      ).makeAsyncIterator()
      _ = try await replies.next()
      for _ in 0..<10 {
        let atLastTake = try server.lastSequence()
        for _ in 0..<5 { _ = try await client.call(Equipment.risers.create, .of(.hoyt)) }
        let message = try #require(try await replies.next())
        // What was pending at that time was sent then, and nothing newer.
        #expect(try #require(message.span?.upto) >= atLastTake)
      }
    }
  }

  @Test("A reader that was away finds one older message and then the latest leaderboard")
  func leaderboard() async throws {
    try await TestServer.run(Self.quick) { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["A", "B"]).map(\.id)
      try await tournament.start()
      var replies = try tournament.organiser.client.stream(
        Tournament.watchLeaderboard, .with { $0.tournamentID = tournament.event.id },
        options: Self.options
      ).makeAsyncIterator()
      _ = try await replies.next()
      for end in 0..<10 as Range<UInt32> {
        for arrow in 0..<3 as Range<UInt32> {
          try await tournament.record(ids[0], end, arrow, 10)
          // Each arrow gets a turn of its own.
          try await Task.sleep(for: .milliseconds(3))
        }
      }
      var messages = 0
      var total: Int32 = 0
      while total < 300 {
        let message = try #require(try await replies.next())
        total = Int32(message.firstTotal)
        messages += 1
      }
      #expect(messages <= 2)
    }
  }

  @Test("A client that returns credit by half a window gets every change and never stops")
  func creditByHalfWindows() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      // As a client that does not know the option: its calls state that they are no watches.
      let method = Equipment.watchItems.info
      let plain = ServerStreamingMethod<WatchItemsRequest, WatchItemsResponse>(
        info: MethodInfo(
          id: method.id, name: method.name, kind: method.kind, isMutating: false,
          isAnonymous: false, schema: method.schema))
      var replies = try client.client.stream(
        plain, WatchItemsRequest(), options: Self.options
      ).makeAsyncIterator()
      _ = try await replies.next()
      let count = 800
      async let created: Void = {
        for _ in 0..<count { _ = try await client.call(Equipment.risers.create, .of(.hoyt)) }
      }()
      var seen: Set<Int64> = []
      while seen.count < count {
        seen.formUnion(try #require(try await replies.next()).changed.map(\.id))
      }
      try await created
    }
  }
}
