import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Kept replies of standings", .timeLimit(.minutes(2)))
struct KeptStandingsTests {
  private static func request(
    _ tournament: TestTournament, size: UInt32 = 0, token: String = ""
  ) -> GetStandingsRequest {
    .with { request in
      request.tournamentID = tournament.event.id
      request.pageSize = size
      request.pageToken = token
    }
  }

  /// Whether the server has an encoded reply for this viewer.
  private static func isKept(
    _ server: TestServer, _ tournament: TestTournament, principal: Int64?, size: UInt32 = 0
  ) -> Bool {
    let question = KeptStandings.Question(principal: principal, pageSize: size, pageToken: "")
    return server.store.leaderboard(tournament.event.id).keptReply(for: question) != nil
  }

  @Test("A repeated page is the kept reply, and every arrow of the event removes it")
  func followsArrows() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(["Much", "Alan"]).map(\.id)
      try await tournament.start()
      for value in UInt32(0)..<10 {
        try await tournament.record(ids[Int(value) % 2], value / 2 / 3, value / 2 % 3, value)
        #expect(!Self.isKept(server, tournament, principal: nil))
        let page = try await tournament.organiser.call(
          Tournament.getStandings, Self.request(tournament))
        #expect(Self.isKept(server, tournament, principal: nil))
        let again = try await tournament.organiser.call(
          Tournament.getStandings, Self.request(tournament))
        #expect(again.serializedBytes() == page.serializedBytes())
        let even = (0...value).filter { $0 % 2 == 0 }.reduce(0, +)
        let odd = (0...value).filter { $0 % 2 == 1 }.reduce(0, +)
        #expect(
          Set(page.rows.map { "\($0.displayName) \($0.total)" }) == [
            "Much \(even)", "Alan \(odd)",
          ])
      }
    }
  }

  @Test("Each caller sees its own row marked, and only its own, from kept replies too")
  func marksCaller() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let archers = [try server.client(named: "Robin"), try server.client(named: "Marian")]
      for archer in archers { _ = try await tournament.join(archer) }
      let other = try server.client(named: "Tuck")
      try await tournament.start()
      for _ in 0..<3 {
        for (client, marked) in [(archers[0], ["Robin"]), (other, []), (archers[1], ["Marian"])] {
          let page = try await client.call(Tournament.getStandings, Self.request(tournament))
          #expect(page.rows.count == 2)
          #expect(page.rows.filter(\.isCaller).map(\.displayName) == marked)
        }
      }
    }
  }

  @Test("Another user does not see a private event whose reply is kept for its organiser")
  func hidesPrivateEvents() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server) { $0.isPublic = false }
      _ = try await tournament.entries(["Much"])
      let other = try server.client(named: "Guy")
      for _ in 0..<2 {
        _ = try await tournament.organiser.call(Tournament.getStandings, Self.request(tournament))
        let refusal = await other.refusal(Tournament.getStandings, Self.request(tournament))
        #expect(refusal?.code == .notFound)
      }
    }
  }

  @Test("Pages of each size and token are kept apart, and their rows are those of one page")
  func keepsPagesApart() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let names = (1...9).map { "Archer \($0)" }
      let ids = try await tournament.entries(names).map(\.id)
      try await tournament.start()
      for (place, id) in ids.enumerated() {
        try await tournament.record(id, 0, 0, UInt32(place))
      }
      let whole = try await tournament.organiser.call(
        Tournament.getStandings, Self.request(tournament))
      let other = try server.client(named: "Tuck")
      for client in [tournament.organiser, other, tournament.organiser, other] {
        for size in UInt32(1)...4 {
          var rows: [LeaderboardRow] = []
          var token = ""
          repeat {
            let page = try await client.call(
              Tournament.getStandings, Self.request(tournament, size: size, token: token))
            #expect(page.rows.count <= Int(size))
            rows += page.rows
            token = page.nextPageToken
          } while !token.isEmpty
          #expect(rows.map(\.displayName) == whole.rows.map(\.displayName))
          #expect(rows.map(\.rank) == whole.rows.map(\.rank))
        }
      }
    }
  }

  @Test("A reply is not kept for a page that was read before the latest change")
  func refusesOldPages() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let id = try await tournament.entries(["Much"])[0].id
      try await tournament.start()
      let store = server.store
      let page = try store.standings(
        tournament.event.id, under: nil, principal: nil, pageSize: 0, pageToken: "")
      try await tournament.record(id, 0, 0, 9)
      let board = store.leaderboard(tournament.event.id)
      let question = KeptStandings.Question(principal: nil, pageSize: 0, pageToken: "")
      board.keep([1], for: question, of: page)
      _ = try await tournament.organiser.call(
        Tournament.getStandings, Self.request(tournament, size: 1))
      #expect(board.keptReply(for: question) == nil)
    }
  }

  @Test(
    "A page of an earlier leaderboard is not kept after the event became private or was finalised",
    arguments: [false, true])
  func refusesPagesOfEarlierBoards(isFinalised: Bool) async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let id = try await tournament.entries(["Much"])[0].id
      try await tournament.start()
      try await tournament.record(id, 0, 0, 9)
      let store = server.store
      // No row changes after the leaderboard is made.
      _ = try await tournament.organiser.call(
        Tournament.updateTournament,
        .with { request in
          request.tournament = tournament.event
          request.tournament?.revision = 2
          request.tournament?.name = "Sherwood"
          request.updateMask = ["name"]
        })
      let page = try store.standings(
        tournament.event.id, under: nil, principal: nil, pageSize: 0, pageToken: "")
      if isFinalised {
        try await tournament.finalise()
      } else {
        _ = try await tournament.organiser.call(
          Tournament.updateTournament,
          .with { request in
            request.tournament = tournament.event
            request.tournament?.revision = 3
            request.tournament?.isPublic = false
            request.updateMask = ["is_public"]
          })
      }
      let question = KeptStandings.Question(principal: nil, pageSize: 0, pageToken: "")
      store.leaderboard(tournament.event.id).keep([1], for: question, of: page)
      _ = try await tournament.organiser.call(
        Tournament.getStandings, Self.request(tournament, size: 1))
      #expect(store.leaderboard(tournament.event.id).keptReply(for: question) == nil)
      let outsider = KeptStandings.Question(principal: 99, pageSize: 0, pageToken: "")
      #expect(store.leaderboard(tournament.event.id).keptReply(for: outsider) == nil)
    }
  }

  @Test("A question about events that do not exist removes no leaderboard from memory")
  func keepsLeaderboards() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      _ = try await tournament.entries(["Much"])
      _ = try await tournament.organiser.call(Tournament.getStandings, Self.request(tournament))
      for id in 1...Int64(StoreLimits.leaderboards) * 2 {
        _ = await tournament.organiser.refusal(
          Tournament.getStandings,
          GetStandingsRequest.with { $0.tournamentID = tournament.event.id + id })
      }
      #expect(server.store.existingLeaderboard(tournament.event.id)?.isReady == true)
    }
  }

  @Test("Kept replies never take more than their limit")
  func respectsLimit() async throws {
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      _ = try await tournament.entries(["Much"])
      let store = server.store
      let page = try store.standings(
        tournament.event.id, under: nil, principal: nil, pageSize: 0, pageToken: "")
      let board = store.leaderboard(tournament.event.id)
      let half = [UInt8](
        repeating: 0, count: StoreLimits.keptStandingsBytes / 2 - StoreLimits.keptReplyOverheadBytes
      )
      let questions = (1...3).map {
        KeptStandings.Question(principal: nil, pageSize: $0, pageToken: "")
      }
      for question in questions { board.keep(half, for: question, of: page) }
      #expect(questions.map { board.keptReply(for: $0) != nil } == [false, false, true])
      let long = [UInt8](repeating: 0, count: StoreLimits.keptStandingsBytes)
      board.keep(long, for: questions[0], of: page)
      #expect(questions.map { board.keptReply(for: $0) != nil } == [false, false, true])
    }
  }
}
