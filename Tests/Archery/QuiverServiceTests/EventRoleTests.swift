import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Roles in events", .timeLimit(.minutes(5)))
struct EventRoleTests {
  /// Who calls. A outsider has no part in the private event, a participant joined it.
  private enum Who: String, CaseIterable {
    case creator, organiser, judge, scorer, results, checkIn, participant, outsider
  }

  private static let organisers: Set<Who> = [.creator, .organiser]
  private static let judges: Set<Who> = [.creator, .organiser, .judge]
  private static let members = Set(Who.allCases).subtracting([.outsider])

  /// A call that succeeds for who may make it, each time.
  private struct Row {
    let name: String
    let allowed: Set<Who>
    let call: (Client) async -> RPCError?

    init<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ allowed: Set<Who>, _ request: Request
    ) {
      name = method.name
      self.allowed = allowed
      call = { await $0.refusal(method, request) }
    }

    init(name: String, allowed: Set<Who>, call: @escaping (Client) async -> RPCError?) {
      self.name = name
      self.allowed = allowed
      self.call = call
    }
  }

  @Test("Each method is allowed to its roles, PERMISSION_DENIED to others, NOT_FOUND to outsiders")
  func table() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      var clients: [Who: Client] = [.creator: event.organiser]
      for who in Who.allCases where who != .creator {
        let principal = try server.principal(named: who.rawValue)
        let client = try server.client(of: principal.id, [.read, .write])
        clients[who] = client
        let roles: [Who: QuiverAPI.EventRole] = [
          .organiser: .organiser, .judge: .judge, .scorer: .scorer, .results: .results,
          .checkIn: .checkIn,
        ]
        if let role = roles[who] {
          let code = try server.code(of: principal.id)
          let official = try await event.organiser.call(
            Events.setEventOfficial,
            .with {
              ($0.tournamentID, $0.principalCode, $0.role) = (event.id, code, role)
            })
          #expect(official.role == role && official.displayName == who.rawValue)
        }
        if who == .participant { _ = try await event.tournament.join(client) }
      }
      let other = try server.principal(named: "other").id
      let rows = try await rows(event, other: other, code: try server.code(of: other))
      let covered = Set(rows.map(\.name))
      // Those of devices alone name no event, or are for who holds a lease or a signed text; a
      // template is of no event.
      let ofNone = [
        Events.reportDevice.name, Events.watchTargets.name, Events.deliverOperations.name,
        Events.listEventTemplates.name, Events.signInOfficial.name,
      ]
      let all = ServiceCatalogue.archery.methods.map(\.name).filter {
        $0.hasPrefix("quiver.v1.Events/") && !ofNone.contains($0)
      }
      #expect(Set(all).subtracting(covered) == [])
      for row in rows {
        for who in Who.allCases {
          let client = try #require(clients[who])
          let before = try server.lastSequence()
          let refusal = await row.call(client)
          let expected: StatusCode? =
            row.allowed.contains(who) ? nil : who == .outsider ? .notFound : .permissionDenied
          #expect(refusal?.code == expected, "\(row.name) by \(who): \(refusal as Any)")
          if refusal != nil { #expect(try server.lastSequence() == before) }
        }
      }
    }
  }

  private func rows(_ event: TestEvent, other: Int64, code: String) async throws -> [Row] {
    let id = event.id
    let category = try await event.category("RM")
    let line = try await event.session("line", targets: 1...9, archers: 4)
    let ann = TestEvent.draft("1", "Ann", session: line.id)
    let entry = try await event.entries([ann])[0]
    let empty = DeleteEventCategoryRequest.with {
      ($0.tournamentID, $0.categoryID) = (id, category.id)
    }
    return [
      Row(
        Events.createEventCategory, Self.organisers,
        .with { $0.category = .with { ($0.tournamentID, $0.code) = (id, "RM") } }),
      Row(
        Events.updateEventCategory, Self.organisers,
        .with { $0.category = category }),
      Row(
        Events.importEventEntries, Self.organisers,
        .with { ($0.tournamentID, $0.entries) = (id, [ann]) }),
      Row(
        Events.updateEventEntry, Self.organisers,
        .with { ($0.entry, $0.updateMask) = (entry, ["club"]) }),
      Row(
        Events.createEventSession, Self.organisers,
        .with { request in
          request.session = .with { session in
            (session.tournamentID, session.name) = (id, "more")
            (session.firstTarget, session.lastTarget, session.archersPerTarget) = (1, 1, 1)
          }
        }),
      Row(Events.updateEventSession, Self.organisers, .with { $0.session = line }),
      Row(
        Events.setSessionPlaces, Self.organisers,
        .with { ($0.tournamentID, $0.sessionID) = (id, line.id) }),
      Row(
        Events.setEventOfficial, Self.organisers,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (id, code, .scorer) }),
      Row(
        Events.createOfficialCode, Self.organisers,
        .with { ($0.tournamentID, $0.role, $0.displayName) = (id, .judge, "Judge") }),
      Row(
        Events.removeEventOfficial, Self.organisers,
        .with { ($0.tournamentID, $0.principalID) = (id, other) }),
      Row(
        Events.drawTargets, Self.organisers,
        .with { request in
          (request.tournamentID, request.sessionID) = (id, line.id)
          (request.method, request.redraw) = (.random, true)
        }),
      Row(
        Events.setEventEntryState, Self.judges.union([.checkIn]),
        .with { ($0.participantID, $0.state) = (entry.participantID, .checkedIn) }),
      Row(
        Events.placeEventEntry, Self.judges,
        .with { request in
          (request.participantID, request.sessionID) = (entry.participantID, line.id)
          (request.target, request.letter) = (1, "A")
        }),
      Row(
        Tournament.disqualifyParticipant, Self.judges,
        .with { ($0.participantID, $0.reason) = (entry.participantID, "equipment") }),
      Row(
        Tournament.reinstateParticipant, Self.judges,
        .with { ($0.participantID, $0.reason) = (entry.participantID, "appeal") }),
    ] + Self.reads(id) + Self.deletions(empty, id) + [Self.teams(id, category.id)]
      + (try Self.cards(entry.participantID, id, try event.tournament.clientID()))
      + Self.leases(id, line.id) + Self.line(id)
  }

  private static func reads(_ id: Int64) -> [Row] {
    [
      Row(Events.listEventCategories, members, .with { $0.tournamentID = id }),
      Row(Events.listEventEntries, members, .with { $0.tournamentID = id }),
      Row(Events.listEventSessions, members, .with { $0.tournamentID = id }),
      Row(Events.listEventOfficials, members, .with { $0.tournamentID = id }),
      Row(Events.getCategoryStandings, members, .with { $0.tournamentID = id }),
      Row(Events.getEventProgress, members, .with { $0.tournamentID = id }),
      Row(
        Events.getEventDocument, members,
        .with { ($0.tournamentID, $0.kind) = (id, .resultBook) }),
    ]
  }

  /// What officials tell the line. An event that has not begun cannot be paused: who may pause it
  /// learns that.
  private static func line(_ id: Int64) -> [Row] {
    func outcome<Request: Message>(
      _ method: UnaryMethod<Request, ShootingPause>, _ request: Request
    ) -> Row {
      let row = Row(method, judges, request)
      return Row(name: row.name, allowed: row.allowed) { client in
        let refusal = await row.call(client)
        return refusal?.code == .failedPrecondition ? nil : refusal
      }
    }
    return [
      Row(
        Events.sendEventNotice, judges, .with { ($0.tournamentID, $0.text) = (id, "lunch at noon") }
      ),
      Row(Events.listEventNotices, members, .with { $0.tournamentID = id }),
      outcome(
        Events.pauseShooting, .with { ($0.tournamentID, $0.reason) = (id, "lightning") }),
      outcome(Events.resumeShooting, .with { $0.tournamentID = id }),
    ]
  }

  private static let scorers: Set<Who> = [.creator, .organiser, .judge, .scorer]
  private static let typists: Set<Who> = [.creator, .organiser, .judge, .scorer, .results]
  private static let officials = typists.union([.checkIn])

  /// Calls on the card of an event that has not begun: who may make them learns that.
  private static func cards(
    _ participant: Int64, _ id: Int64, _ clientID: [UInt8]
  ) throws -> [Row] {
    func outcome<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ allowed: Set<Who>, _ request: Request
    ) -> Row {
      let row = Row(method, allowed, request)
      return Row(name: row.name, allowed: row.allowed) { client in
        let refusal = await row.call(client)
        return refusal?.code == .failedPrecondition ? nil : refusal
      }
    }
    let arrows = (0..<3).map { _ in MatchArrow.with { $0.value = 9 } }
    return [
      Row(name: Events.applyCardOperations.name, allowed: scorers) { client in
        let operation = CardOperation.with { operation in
          (operation.clientID, operation.participantID) = (clientID, participant)
          operation.arrows = arrows
        }
        let answer = try? await client.call(
          Events.applyCardOperations, .with { $0.operations = [operation] })
        guard let verdict = answer?.verdicts.first else { return RPCError(.internal, "no") }
        return verdict.verdict == .notYet
          ? nil : RPCError(StatusCode(rawValue: verdict.code), verdict.message)
      },
      outcome(
        Events.setPaperTotal, typists,
        .with { ($0.participantID, $0.total) = (participant, 9) }),
      Row(Events.getComparedCard, members, .with { $0.participantID = participant }),
      outcome(
        Events.confirmScoreCard, scorers,
        .with { ($0.participantID, $0.role, $0.revision) = (participant, .scorer, 1) }),
      outcome(
        Events.ruleOnEnd, judges,
        .with { request in
          (request.participantID, request.arrows, request.reason) = (participant, arrows, "seen")
        }),
      outcome(
        Events.applyEndRule, judges,
        .with { request in
          (request.participantID, request.rule) = (participant, .outOfTime)
          request.reason = "late"
        }),
      outcome(
        Events.moveEnds, judges,
        .with { ($0.participantID, $0.reason) = (participant, "wrong line") }),
      outcome(
        Events.reopenScoreCard, judges,
        .with { ($0.participantID, $0.reason) = (participant, "wrong archer") }),
      Row(Events.listCardDisputes, members, .with { $0.tournamentID = id }),
      outcome(
        Events.setTypedTotal, judges,
        .with { request in
          (request.participantID, request.part) = (participant, 1)
          request.sums = .with { $0.total = 9 }
        }),
      Row(Events.listTypedTotals, officials, .with { $0.tournamentID = id }),
      outcome(
        Events.removeTypedTotal, judges,
        .with { ($0.participantID, $0.id, $0.reason) = (participant, 1, "wrong archer") }),
    ]
  }

  /// The first row demands leases for the others. Whoever has a code may join.
  private static func leases(_ id: Int64, _ session: Int64) -> [Row] {
    [
      Row(
        Events.setEventLeases, organisers,
        .with { ($0.tournamentID, $0.demanded) = (id, true) }),
      Row(
        Events.listTargetCodes, organisers,
        .with { ($0.tournamentID, $0.sessionID) = (id, session) }),
      Row(name: Events.joinTarget.name, allowed: Set(Who.allCases)) { client in
        let refusal = await client.refusal(
          Events.joinTarget, .with { ($0.code, $0.device, $0.card) = ("qt_", "phone", 1) })
        return refusal?.code == .notFound ? nil : refusal
      },
      // Nobody has a lease there.
      Row(
        Events.leaveTarget, members,
        .with { ($0.tournamentID, $0.sessionID, $0.target, $0.card) = (id, session, 1, 1) }),
      Row(Events.listTargetLeases, officials, .with { $0.tournamentID = id }),
    ] + devices(id, session)
  }

  private static func devices(_ id: Int64, _ session: Int64) -> [Row] {
    [
      Row(
        Events.createPlateCodes, organisers,
        .with { ($0.tournamentID, $0.firstTarget, $0.lastTarget) = (id, 1, 1) }),
      Row(Events.listEventDevices, officials, .with { $0.tournamentID = id }),
      missing(
        Events.endDevice, organisers, "device",
        .with { ($0.tournamentID, $0.principalID) = (id, 1) }),
      Row(
        Events.raiseTargetCall, officials,
        .with { request in
          (request.tournamentID, request.sessionID) = (id, session)
          (request.target, request.kind) = (1, .help)
        }),
      Row(Events.listTargetCalls, officials, .with { $0.tournamentID = id }),
      missing(
        Events.resolveTargetCall, judges, "call",
        .with { ($0.tournamentID, $0.callID, $0.decision) = (id, 1_000_000, "no") }),
      Row(name: Events.watchTargetCalls.name, allowed: officials) { client in
        do {
          var calls = try client.client.stream(
            Events.watchTargetCalls, WatchTargetCallsRequest.with { $0.tournamentID = id }
          ).makeAsyncIterator()
          _ = try await calls.next()
          return nil
        } catch {
          return error as? RPCError
        }
      },
    ]
  }

  /// A call whose object does not exist, as those who may make it learn.
  private static func missing<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ allowed: Set<Who>, _ what: String,
    _ request: Request
  ) -> Row {
    Row(name: method.name, allowed: allowed) { client in
      let refusal = await client.refusal(method, request)
      let isMissing = refusal?.code == .notFound && refusal?.message.contains(what) == true
      return isMissing ? nil : refusal
    }
  }

  private static func teams(_ id: Int64, _ category: Int64) -> Row {
    Row(
      Events.getTeamStandings, members,
      .with { request in
        (request.tournamentID, request.categoryID) = (id, category)
        (request.system, request.group) = (.teamSets, .club)
      })
  }

  /// Calls for what is not there: who may make them learns that.
  private static func deletions(_ category: DeleteEventCategoryRequest, _ id: Int64) -> [Row] {
    func outcome<Request: Message, Response: Message>(
      _ method: UnaryMethod<Request, Response>, _ request: Request
    ) -> Row {
      let row = Row(method, organisers, request)
      return Row(name: row.name, allowed: row.allowed) { client in
        let refusal = await row.call(client)
        // Only an organiser comes so far as the missing object.
        return refusal?.message.contains("of this event") == true ? nil : refusal
      }
    }
    return [
      outcome(
        Events.addQualificationRound,
        .with { request in
          (request.tournamentID, request.categoryID, request.revision) = (id, 999_999, 1)
          request.format = .library("wa18")
        }),
      outcome(
        Events.removeQualificationRound,
        .with { request in
          (request.tournamentID, request.categoryID, request.revision) = (id, 999_999, 1)
          request.number = 1
        }),
      outcome(
        Events.deleteEventCategory,
        .with { ($0.tournamentID, $0.categoryID) = (category.tournamentID, 999_999) }),
      outcome(
        Events.deleteEventSession, .with { ($0.tournamentID, $0.sessionID) = (id, 999_999) }),
    ]
  }

  @Test("A helper at check-in notes who has come, and changes nothing that a judge has noted")
  func checkIn() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = false }
      let entry = try await event.entries([TestEvent.draft("1", "Ann")])[0]
      let principal = try server.principal(named: "Helper").id
      let helper = try server.client(of: principal, [.read, .write])
      let code = try server.code(of: principal)
      _ = try await event.organiser.call(
        Events.setEventOfficial,
        .with { ($0.tournamentID, $0.principalCode, $0.role) = (event.id, code, .checkIn) })
      func set(_ state: QuiverAPI.EventEntryState, by client: Client) async -> RPCError? {
        await client.refusal(
          Events.setEventEntryState,
          .with { ($0.participantID, $0.state) = (entry.participantID, state) })
      }
      for state in [QuiverAPI.EventEntryState.checkedIn, .entered, .checkedIn] {
        #expect(await set(state, by: helper) == nil)
      }
      let refusal = await set(.didNotStart, by: helper)
      #expect(refusal?.code == .permissionDenied)
      #expect(await set(.didNotStart, by: event.organiser) == nil)
      for state in [QuiverAPI.EventEntryState.checkedIn, .entered] {
        #expect(await set(state, by: helper)?.code == .permissionDenied)
      }
      #expect(try await event.list().map(\.state) == [.didNotStart])
      _ = try await event.organiser.call(
        Events.removeEventOfficial,
        .with { ($0.tournamentID, $0.principalID) = (event.id, principal) })
      #expect(await set(.entered, by: helper)?.code == .notFound)
    }
  }

  @Test("A licence is shown to officials only, and a spectator's token reads standings only")
  func licences() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      var draft = TestEvent.draft("1", "Ann")
      draft.licence = "GBR-7"
      try await event.entries([draft])
      #expect(try await event.list().map(\.licence) == ["GBR-7"])
      let outsider = try server.client(named: "Will")
      let seen = try await outsider.call(
        Events.listEventEntries, .with { $0.tournamentID = event.id })
      #expect(seen.entries.map(\.bib) == ["1"] && seen.entries.map(\.licence) == [""])
      let token = try await server.nobody().call(
        Tournament.getSpectatorToken, .with { $0.joinCode = event.tournament.event.joinCode })
      let spectator = try server.client(token: token.token)
      let standings = try await spectator.call(
        Events.getCategoryStandings, .with { $0.tournamentID = event.id })
      #expect(standings.rows.map { $0.entry?.bib } == ["1"] && standings.provisional)
      let other = await spectator.refusal(
        Events.listEventEntries, .with { $0.tournamentID = event.id })
      #expect(other?.code == .permissionDenied)
    }
  }
}
