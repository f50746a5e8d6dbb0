import Dispatch
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Synchronization
import Testing

@Suite("Limits of watches for one principal and for all", .timeLimit(.minutes(5)))
struct WatchLimitTests {
  private static var small: ServerAssembly.Options {
    var options = ServerAssembly.Options()
    options.leaderboardIntervalMilliseconds = 1
    options.watchLimits.watches = 6
    options.watchLimits.watchesPerPrincipal = 4
    options.watchLimits.leaderboardTopics = 3
    options.watchLimits.leaderboardTopicsPerPrincipal = 2
    return options
  }

  private typealias Hubs = ReplyStream<WatchHubResponse>
  private typealias Boards = ReplyStream<WatchLeaderboardResponse>

  /// Opens a watch and reads its first message.
  private func hub(_ client: Client) async throws -> Hubs {
    let stream = try client.client.stream(
      Equipment.watchHub, WatchHubRequest(), options: CallOptions(timeout: .seconds(30)))
    var replies = stream.makeAsyncIterator()
    _ = try await replies.next()
    return stream
  }

  private func board(
    _ client: Client, _ event: TournamentEvent,
    _ change: (inout WatchLeaderboardRequest) -> Void = { _ in }
  ) async throws -> Boards {
    var request = WatchLeaderboardRequest()
    request.tournamentID = event.id
    change(&request)
    let stream = try client.client.stream(
      Tournament.watchLeaderboard, request, options: CallOptions(timeout: .seconds(30)))
    var replies = stream.makeAsyncIterator()
    _ = try await replies.next()
    return stream
  }

  /// Checks that a call is refused for a limit.
  private func expectLimit(_ name: String, _ body: () async throws -> some Any) async {
    do {
      _ = try await body()
      Issue.record("\(name) was not reached")
    } catch {
      let refusal = error as? RPCError
      #expect(refusal?.code == .resourceExhausted)
      #expect(refusal?.message.hasPrefix(name + ": ") == true)
    }
  }

  /// Waits until the server has ended watches that were cancelled.
  private func awaitListeners(_ count: Int, _ server: TestServer) async throws {
    while server.assembly.changeListenerCount > count {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(server.assembly.changeListenerCount == count)
  }

  @Test("One principal with many connections cannot take all watches")
  func watches() async throws {
    try await TestServer.run(Self.small) { server in
      let robin = try server.principal(.user, named: "Robin")
      let first = try server.client(of: robin.id, [.read])
      let second = try server.client(of: robin.id, [.read])
      let marian = try server.client(named: "Marian")
      var open: [Hubs] = []
      for client in [first, second, first, second] { open.append(try await hub(client)) }
      await expectLimit("watches-per-principal") { try await hub(first) }
      await expectLimit("watches-per-principal") { try await hub(second) }
      open.append(try await hub(marian))
      open.append(try await hub(marian))
      await expectLimit("watches") { try await hub(marian) }
      #expect(server.assembly.changeListenerCount == 6)
      for stream in open { stream.cancel() }
      try await awaitListeners(0, server)
      _ = try await hub(first)
    }
  }

  @Test("Spectators at one address cannot take all watches of the spectators of an event")
  func spectators() async throws {
    var options = Self.small
    options.watchLimits.watchesPerSpectatorAddress = 2
    options.gatewayPrincipals = [1]
    try await TestServer.run(options) { server in
      let secret = try server.secret(of: try server.principal(.service, named: "gateway").id)
      let organiser = try server.client(named: "Sheriff")
      let event = try await organiser.call(
        Tournament.createTournament,
        .with {
          $0.name = "Watched"
          $0.format = .library("wa18", arrows: 30)
          $0.isPublic = true
        })
      let token = try await organiser.call(
        Tournament.getSpectatorToken, .with { $0.joinCode = event.joinCode })
      var configuration = RPCClient.Configuration(server: server.address, token: token.token)
      configuration.gatewayToken = { secret }
      let client = try RPCClient(configuration)
      func watch(_ address: String) async throws -> Boards {
        var options = CallOptions(timeout: .seconds(30))
        options.metadata.append(StatedCaller.addressKey, address)
        let stream = try client.stream(
          Tournament.watchLeaderboard, .with { $0.tournamentID = event.id }, options: options)
        var replies = stream.makeAsyncIterator()
        _ = try await replies.next()
        return stream
      }
      var open = [try await watch("192.0.2.1"), try await watch("192.0.2.1")]
      await expectLimit("watches-per-spectator-address") { try await watch("192.0.2.1") }
      open.append(try await watch("192.0.2.2"))
      open.append(try await watch("192.0.2.2"))
      await expectLimit("watches-per-principal") { try await watch("192.0.2.3") }
      for stream in open { stream.cancel() }
      try await awaitListeners(0, server)
      _ = try await watch("192.0.2.1")
    }
  }

  @Test("One principal cannot take all leaderboard topics, and an unwatched topic is nobody's")
  func topics() async throws {
    try await TestServer.run(Self.small) { server in
      let organiser = try server.client(named: "Sheriff")
      var events: [TournamentEvent] = []
      for number in 0..<5 {
        events.append(
          try await organiser.call(
            Tournament.createTournament,
            .with {
              $0.name = "Event \(number)"
              $0.format = .library("wa18", arrows: 30)
              $0.isPublic = true
            }))
      }
      let robin = try server.client(named: "Robin")
      let marian = try server.client(named: "Marian")
      // Reading takes nothing that outlives the call.
      for event in events { try await board(robin, event).cancel() }
      try await awaitListeners(0, server)
      let first = try await board(robin, events[0])
      let second = try await board(robin, events[1])
      let again = try await board(robin, events[1])
      await expectLimit("leaderboard-topics-per-principal") { try await board(robin, events[2]) }
      let third = try await board(marian, events[2])
      await expectLimit("leaderboard-topics") { try await board(marian, events[3]) }
      #expect(server.assembly.changeListenerCount == 3)
      again.cancel()
      second.cancel()
      try await awaitListeners(2, server)
      let other = try await board(marian, events[3])
      for stream in [first, third, other] { stream.cancel() }
      try await awaitListeners(0, server)
    }
  }

  @Test("One principal cannot have many windows of leaderboards, nor all principals those of one")
  func windows() async throws {
    var options = Self.small
    options.watchLimits.watches = 100
    options.watchLimits.watchesPerPrincipal = 50
    options.watchLimits.leaderboardWindowsPerPrincipal = 3
    options.watchLimits.leaderboardWindowsPerTopic = 4
    options.watchLimits.leaderboardWindows = 5
    try await TestServer.run(options) { server in
      let tournaments = [try await TestTournament(server), try await TestTournament(server)]
      let events = tournaments.map(\.event)
      let ids = try await tournaments[0].entries(["A", "B"]).map(\.id)
      let robin = try server.client(named: "Robin")
      let marian = try server.client(named: "Marian")
      var open: [Boards] = []
      open.append(try await board(robin, events[0]) { $0.top = 1 })
      open.append(
        try await board(robin, events[0]) { ($0.aroundParticipantID, $0.around) = (ids[0], 1) })
      open.append(try await board(robin, events[1]))
      await expectLimit("leaderboard-windows-per-principal") {
        try await board(robin, events[0]) { ($0.aroundParticipantID, $0.around) = (ids[1], 1) }
      }
      // Another watch of a window takes nothing.
      open.append(try await board(robin, events[0]) { $0.top = 1 })
      open.append(try await board(marian, events[0]) { $0.top = 2 })
      open.append(try await board(marian, events[0]) { $0.top = 3 })
      await expectLimit("leaderboard-windows-per-topic") {
        try await board(marian, events[0]) { $0.top = 4 }
      }
      await expectLimit("leaderboard-windows") {
        try await board(marian, events[1]) { $0.top = 4 }
      }
      open[2].cancel()
      try await awaitListeners(1, server)
      open.append(
        try await board(robin, events[0]) { ($0.aroundParticipantID, $0.around) = (ids[0], 1) })
      open.append(try await board(marian, events[1]) { $0.top = 4 })
      for stream in open { stream.cancel() }
      try await awaitListeners(0, server)
    }
  }

  @Test("A window around somebody who does not take part in the event is not found")
  func aroundNobody() async throws {
    try await TestServer.run(Self.small) { server in
      let tournaments = [try await TestTournament(server), try await TestTournament(server)]
      let other = try await tournaments[1].entries(["A"])[0].id
      let robin = try server.client(named: "Robin")
      for id in [other, 4_711, -1] {
        let refusal = await #expect(throws: RPCError.self) {
          _ = try await board(robin, tournaments[0].event) { $0.aroundParticipantID = id }
        }
        #expect(refusal?.code == .notFound)
        #expect(refusal?.message.hasPrefix("around_participant_id: ") == true)
      }
    }
  }

  @Test("The watches of a principal wait for its turn among the reads, and those of others do not")
  func turns() async throws {
    try await TestServer.run { server in
      let robin = try server.principal(.user, named: "Robin")
      let client = try server.client(of: robin.id, [.read, .write])
      let gate = DispatchSemaphore(value: 0)
      for _ in 0..<StoreLimits.readThreadsPerOwner {
        let refusal = server.store.reads.submit(
          of: .principal(robin.id), CommandCancellation()
        ) { _ in gate.wait() }
        #expect(refusal == nil)
      }
      let isShown = Mutex(false)
      let watches = try (0..<3).map { _ in
        try client.client.stream(Equipment.watchHub, WatchHubRequest())
      }
      let first = Task {
        for watch in watches {
          var replies = watch.makeAsyncIterator()
          _ = try await replies.next()
          isShown.withLock { $0 = true }
        }
      }
      // The principal's calls that change something are not delayed, nor are watches of others.
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      let marian = try server.client(named: "Marian")
      var others = try marian.client.stream(Equipment.watchHub, WatchHubRequest())
        .makeAsyncIterator()
      #expect(try await others.next()?.hub?.total == 0)
      _ = try await marian.call(Equipment.risers.create, .of(.hoyt))
      #expect(try await others.next()?.hub?.total == 1)
      #expect(!isShown.withLock { $0 })
      for _ in 0..<StoreLimits.readThreadsPerOwner { gate.signal() }
      try await first.value
      #expect(isShown.withLock { $0 })
    }
  }
}
