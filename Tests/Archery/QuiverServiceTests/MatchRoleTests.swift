import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Roles in elimination", .timeLimit(.minutes(5)))
struct MatchRoleTests {
  private enum Who: String, CaseIterable {
    case creator, organiser, judge, scorer, results, archer, participant, outsider
  }

  private static let organisers: Set<Who> = [.creator, .organiser]
  private static let judges: Set<Who> = [.creator, .organiser, .judge]
  /// The archer of the first card scores it.
  private static let scorers: Set<Who> = [.creator, .organiser, .judge, .scorer, .archer]
  private static let members = Set(Who.allCases).subtracting([.outsider])

  @Test("Each method is allowed to its roles, PERMISSION_DENIED to others, NOT_FOUND to outsiders")
  func table() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { request in
        request.isPublic = false
        request.format = .library("wa18", arrows: 3)
      }
      var clients: [Who: Client] = [.creator: event.organiser]
      var archers: [Int64] = []
      for who in Who.allCases where who != .creator {
        let principal = try server.principal(named: who.rawValue)
        let client = try server.client(of: principal.id, [.read, .write])
        clients[who] = client
        let roles: [Who: QuiverAPI.EventRole] = [
          .organiser: .organiser, .judge: .judge, .scorer: .scorer, .results: .results,
        ]
        if let role = roles[who] {
          let code = try server.code(of: principal.id)
          _ = try await event.organiser.call(
            Events.setEventOfficial,
            .with {
              ($0.tournamentID, $0.principalCode, $0.role) = (event.id, code, role)
            })
        }
        if who == .archer || who == .participant {
          archers.append(try await event.tournament.join(client).id)
        }
      }
      let rows = try await rows(event, archers)
      let all = ServiceCatalogue.archery.methods.filter {
        $0.name.hasPrefix("quiver.v1.Elimination/")
          && ![Elimination.watchBracket.name, Elimination.watchMatch.name].contains($0.name)
      }
      #expect(Set(all.map(\.name)).subtracting(rows.map(\.name)) == [])
      for row in rows {
        for who in Who.allCases {
          let client = try #require(clients[who])
          let before = try server.lastSequence()
          let code = await row.call(client)
          let expected: StatusCode? =
            row.allowed.contains(who) ? nil : who == .outsider ? .notFound : .permissionDenied
          #expect(code == expected, "\(row.name) by \(who): \(code as Any)")
          if code != nil { #expect(try server.lastSequence() == before) }
        }
      }
    }
  }

  private struct Row {
    let name: String
    let allowed: Set<Who>
    /// The code of a refusal.
    let call: (Client) async -> StatusCode?
  }

  private static func row<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ allowed: Set<Who>, _ request: Request
  ) -> Row {
    Row(name: method.name, allowed: allowed) { await $0.refusal(method, request)?.code }
  }

  private func rows(_ event: TestEvent, _ archers: [Int64]) async throws -> [Row] {
    try await event.tournament.start()
    for (archer, value) in zip(archers, [UInt32(10), 9]) {
      for arrow in 0..<UInt32(3) { try await event.tournament.record(archer, 0, arrow, value) }
    }
    let category = try await event.list()[0].categoryID
    var cut = CutCategoryRequest()
    (cut.tournamentID, cut.categoryID) = (event.id, category)
    (cut.size, cut.system) = (2, .individualSets)
    let bracket = try await event.organiser.call(Elimination.cutCategory, cut)
    let stage = bracket.stage?.id ?? 0
    let match = bracket.matches[0].id
    let clientIDs = try (0..<Who.allCases.count).map { _ in try event.tournament.clientID() }
    return [
      // The cut and the deletion of a missing stage, so that each can be repeated.
      Row(name: Elimination.cutCategory.name, allowed: Self.organisers) { client in
        var tooLarge = cut
        tooLarge.size = 3
        let code = await client.refusal(Elimination.cutCategory, tooLarge)?.code
        return code == .invalidArgument ? nil : code
      },
      Row(name: Elimination.decideTie.name, allowed: Self.judges) { client in
        let code = await client.refusal(
          Elimination.decideTie,
          .with { request in
            (request.tournamentID, request.categoryID) = (event.id, category)
            (request.participantIDs, request.decision) = (archers, .coinToss)
          })?.code
        return code == .failedPrecondition ? nil : code
      },
      Self.row(Elimination.listStages, Self.members, .with { $0.tournamentID = event.id }),
      Self.row(Elimination.getBracket, Self.members, .with { $0.stageID = stage }),
      Self.row(Elimination.getMatch, Self.members, .with { $0.matchID = match }),
      Row(name: Elimination.applyMatchOperations.name, allowed: Self.scorers) { client in
        await Self.score(match, clientIDs[0], client)
      },
      Row(name: Elimination.deleteStage.name, allowed: Self.organisers) { client in
        let code = await client.refusal(Elimination.deleteStage, .with { $0.stageID = stage })?.code
        // The first card has an end.
        return code == .failedPrecondition ? nil : code
      },
      Row(name: Elimination.confirmMatchCard.name, allowed: Self.scorers) { client in
        let code = await client.refusal(
          Elimination.confirmMatchCard,
          .with { ($0.matchID, $0.side, $0.revision) = (match, 1, 99) })?.code
        return code == .aborted ? nil : code
      },
      Self.row(
        Elimination.forfeitMatch, Self.judges,
        .with { ($0.matchID, $0.side, $0.reason) = (match, 2, "late") }),
      Self.row(
        Elimination.reopenMatch, Self.judges,
        .with { ($0.matchID, $0.reason) = (match, "arrived") }),
      Self.row(
        Elimination.placeMatches, Self.judges,
        .with { request in
          (request.stageID, request.roundSize) = (stage, 2)
          (request.firstTarget, request.targetsPerMatch) = (4, 2)
        }),
      Self.row(
        Elimination.placeMatch, Self.judges,
        .with { ($0.matchID, $0.firstTarget, $0.targetsPerMatch) = (match, 6, 1) }),
    ] + Self.teamRows(event.id, category, stage)
  }

  /// Who may make these learns that nothing is there to be cut or replaced.
  private static func teamRows(_ event: Int64, _ category: Int64, _ stage: Int64) -> [Row] {
    func refused<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ allowed: Set<Who>, _ expected: StatusCode,
      _ request: Request
    ) -> Row {
      Row(name: method.name, allowed: allowed) { client in
        let code = await client.refusal(method, request)?.code
        return code == expected ? nil : code
      }
    }
    return [
      refused(
        Elimination.cutTeams, organisers, .invalidArgument,
        .with { request in
          (request.tournamentID, request.categoryID) = (event, category)
          (request.size, request.system, request.group) = (2, .teamSets, .club)
        }),
      refused(
        Elimination.substituteTeamMember, judges, .failedPrecondition,
        .with { request in
          (request.stageID, request.seed, request.reason) = (stage, 1, "ill")
          (request.participantID, request.substituteID) = (1, 2)
        }),
      refused(
        Elimination.drawGroups, organisers, .invalidArgument,
        .with { request in
          (request.tournamentID, request.categoryID) = (event, category)
          (request.size, request.groupCount, request.system) = (4, 2, .individualSets)
        }),
      refused(
        Elimination.cutGroups, organisers, .failedPrecondition,
        .with { ($0.stageID, $0.perGroup, $0.system) = (stage, 1, .individualSets) }),
    ]
  }

  /// The code of the refusal in the verdict. Each caller has the client_id for itself.
  private static func score(
    _ match: Int64, _ clientID: [UInt8], _ client: Client
  ) async -> StatusCode? {
    let operation = MatchOperation.with { operation in
      operation.clientID = clientID
      (operation.matchID, operation.side) = (match, 1)
      operation.entry = .with { entry in
        entry.arrows = (0..<3).map { _ in MatchArrow.with { $0.value = 9 } }
      }
    }
    do throws(RPCError) {
      let verdict = try await client.call(
        Elimination.applyMatchOperations, .with { $0.operations = [operation] }
      ).verdicts[0]
      guard verdict.verdict == .refused else { return nil }
      return verdict.code == UInt32(StatusCode.notFound.rawValue)
        ? .notFound
        : verdict.code == UInt32(StatusCode.permissionDenied.rawValue)
          ? .permissionDenied : .unknown
    } catch {
      return error.code
    }
  }
}
