import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("The watch of a match", .timeLimit(.minutes(5)))
struct MatchWatchTests {
  @Test("A spectator sees each end of a match, and not the ends of others")
  func spectator() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(4))
      let bracket = try await test.cut(4)
      let (id, other) = (bracket.matches[0].id, bracket.matches[1].id)
      let token = try await server.nobody().call(
        Tournament.getSpectatorToken, .with { $0.joinCode = test.event.tournament.event.joinCode })
      let spectator = try server.client(token: token.token)
      let request = WatchMatchRequest.with {
        ($0.tournamentID, $0.matchID) = (test.event.id, id)
      }
      var messages = try spectator.client.stream(Elimination.watchMatch, request)
        .makeAsyncIterator()
      let first = try #require(try await messages.next()?.match)
      #expect(first.id == id && first.state == .scheduled && first.stage?.face == .tenZone)
      #expect(first.sides.allSatisfy { !$0.mayScore && $0.entries.isEmpty })
      _ = try await test.apply([try test.operation(other, 1, 0, [9, 9, 9])])
      _ = try await test.apply([try test.operation(id, 1, 0, [10, 9, 8])])
      let second = try #require(try await messages.next()?.match)
      #expect(second.sides[0].entries.first?.arrows.map(\.value) == [10, 9, 8])
      var operations: [MatchOperation] = []
      for end in 0..<UInt32(3) {
        if end > 0 { operations.append(try test.operation(id, 1, end, [10, 10, 10])) }
        operations.append(try test.operation(id, 2, end, [1, 1, 1]))
      }
      _ = try await test.apply(operations)
      try await test.confirm(id)
      while let match = try await messages.next()?.match {
        guard match.state == .confirmed else { continue }
        #expect(match.winner == 1 && match.sides[0].setPoints == 6)
        break
      }
    }
  }

  @Test("The watch of a match shows a new scorer, and ends where its stage is deleted")
  func stage() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(4))
      let bracket = try await test.cut(4)
      let (id, stage) = (bracket.matches[0].id, try #require(bracket.stage?.id))
      let principal = try server.principal(named: "Judge").id
      let judge = try server.client(of: principal, [.read, .write])
      var messages = try judge.client.stream(
        Elimination.watchMatch,
        WatchMatchRequest.with { ($0.tournamentID, $0.matchID) = (test.event.id, id) }
      ).makeAsyncIterator()
      #expect(try await messages.next()?.match?.sides.map(\.mayScore) == [false, false])
      let code = try server.code(of: principal)
      _ = try await test.event.organiser.call(
        Events.setEventOfficial,
        .with { request in
          (request.tournamentID, request.principalCode) = (test.event.id, code)
          request.role = .judge
        })
      #expect(try await messages.next()?.match?.sides.map(\.mayScore) == [true, true])
      _ = try await test.event.organiser.call(
        Elimination.deleteStage, .with { $0.stageID = stage })
      let error = await #expect(throws: RPCError.self) {
        while try await messages.next() != nil {}
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test("A match of another event, and one that may not be seen, is not found")
  func refusals() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(2)) { $0.isPublic = false }
      let id = try #require(try await test.cut(2).matches.first).id
      let elsewhere = try await TestEvent(server)
      func code(_ client: Client, _ event: Int64, _ match: Int64) async throws -> StatusCode? {
        let request = WatchMatchRequest.with {
          ($0.tournamentID, $0.matchID) = (event, match)
        }
        do throws(RPCError) {
          var messages = try client.client.stream(Elimination.watchMatch, request)
            .makeAsyncIterator()
          _ = try await messages.next()
          return nil
        } catch {
          return error.code
        }
      }
      #expect(try await code(test.event.organiser, test.event.id, id) == nil)
      #expect(try await code(test.event.organiser, elsewhere.id, id) == .notFound)
      #expect(try await code(test.event.organiser, test.event.id, 999_999) == .notFound)
      #expect(try await code(try server.client(named: "Will"), test.event.id, id) == .notFound)
    }
  }
}
