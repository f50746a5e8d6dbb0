import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Scoring devices over the wire", .timeLimit(.minutes(5)))
struct DeviceServiceTests {
  /// What a device may call, in the order of services; everything else is PERMISSION_DENIED.
  private static let ofDevices: Set<String> = [
    "Health/Check", "Health/Watch", "Reflection/Describe", "Tournament/GetTournament",
    "Tournament/GetSpectatorToken", "Tournament/RecordArrow", "Tournament/RecordEnd",
    "Tournament/CorrectArrow", "Tournament/RetractArrow", "Tournament/ApplyOperations",
    "Tournament/WatchTournament", "Events/ListEventCategories", "Events/ListEventSessions",
    "Events/ListEventNotices", "Events/JoinTarget", "Events/LeaveTarget",
    "Events/ApplyCardOperations", "Events/SetPaperTotal", "Events/ConfirmScoreCard",
    "Events/WatchTargets",
    "Events/RaiseTargetCall", "Events/ListTargetCalls", "Events/ReportDevice",
    "Events/DeliverOperations", "Elimination/GetMatch", "Elimination/WatchMatch",
    "Elimination/ApplyMatchOperations",
    "Elimination/ConfirmMatchCard",
  ]

  private static let ofEndedDevices: Set<String> = [
    "Health/Check", "Health/Watch", "Reflection/Describe", "Tournament/ApplyOperations",
    "Events/JoinTarget", "Events/ApplyCardOperations", "Events/DeliverOperations",
    "Elimination/ApplyMatchOperations",
  ]

  private static let ofSpectators: Set<String> = [
    "Health/Check", "Health/Watch", "Reflection/Describe", "Tournament/GetSpectatorToken",
    "Tournament/GetStandings", "Tournament/RankUnderPolicy", "Tournament/ExplainRank",
    "Tournament/GetResults", "Tournament/ListTiePolicies", "Tournament/WatchLeaderboard",
    "Tournament/WatchTournament", "Events/GetCategoryStandings", "Events/GetTeamStandings",
    "Events/ListEventCategories", "Events/ListEventSessions", "Events/ListEventNotices",
    "Elimination/ListStages", "Elimination/GetBracket",
    "Elimination/GetMatch", "Elimination/WatchBracket", "Elimination/WatchMatch",
  ]

  @Test(
    "The table says for each method of all services whether a device or a spectator may call it")
  func table() {
    let methods = ServiceCatalogue.archery.methods
    let names = Dictionary(
      methods.map { ($0.id, String($0.name.dropFirst("quiver.v1.".count))) },
      uniquingKeysWith: { first, _ in first })
    func named(_ set: MethodSet) -> Set<String> { Set(set.ids.compactMap { names[$0] }) }
    #expect(named(RestrictedMethods.ofDevices) == Self.ofDevices)
    #expect(named(RestrictedMethods.ofEndedDevices) == Self.ofEndedDevices)
    #expect(named(RestrictedMethods.ofSpectators) == Self.ofSpectators)
    // Each method once, and none that there is not.
    let listed = RestrictedMethods.table.map(\.method.id)
    #expect(Set(listed).count == listed.count && Set(listed).isSubset(of: Set(names.keys)))
  }

  @Test("Every method that is not in the table is PERMISSION_DENIED to devices and spectators")
  func refusals() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let phone = try await line.phone(1)
      let code = line.event.tournament.event.joinCode
      let token = try await server.nobody().call(
        Tournament.getSpectatorToken, .with { $0.joinCode = code })
      let spectator = try server.client(token: token.token)
      for method in ServiceCatalogue.archery.methods {
        let name = String(method.name.dropFirst("quiver.v1.".count))
        let call = UnaryMethod<ListTiePoliciesRequest, ListTiePoliciesRequest>(
          method.name, id: method.id, mutating: method.isMutating)
        for (client, allowed) in [(phone, Self.ofDevices), (spectator, Self.ofSpectators)]
        where !allowed.contains(name) {
          let refusal = await client.refusal(call, ListTiePoliciesRequest())
          #expect(refusal?.code == .permissionDenied, "\(name)")
        }
      }
    }
  }

  @Test("A phone joins a plate without a token, scores its target, and is told what it may not")
  func scores() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let joined = try await line.join(1)
      #expect(joined.lease?.entries.map(\.displayName) == ["Ann", "Bea"])
      #expect(joined.principalID == joined.lease?.principalID && joined.choices.isEmpty)
      let phone = try server.client(token: line.token(1))
      let verdict = try await line.record(line.entries[0], 0, 9, by: phone)
      #expect(verdict.verdict == .stored)
      // The archers of another target are not its own.
      let other = try await line.record(line.entries[2], 0, 9, by: phone)
      #expect(other.verdict == .refused && other.code == StatusCode.permissionDenied.rawValue)
      // Nor is another event.
      let elsewhere = try await TestEvent(server) { $0.isPublic = false }
      let hidden = await phone.refusal(
        Tournament.getTournament, .with { $0.id = elsewhere.id })
      #expect(hidden?.code == .notFound)
      // A second target with the token of the device.
      let plate = line.plates[1]
      let second = try await phone.call(
        Events.joinTarget, .with { ($0.code, $0.device, $0.card) = (plate, "phone 1", 1) })
      #expect(second.principalID == joined.principalID && second.lease?.target == 2)
      #expect(try await line.record(line.entries[2], 0, 9, by: phone).verdict == .stored)
      let listed = try await line.event.organiser.call(
        Events.listEventDevices, .with { $0.tournamentID = line.event.id })
      #expect(listed.devices.map(\.leaseCount) == [2])
    }
  }

  @Test("A call that joins a target or makes codes of plates is answered again under its key")
  func repeatedKeys() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let (join, plates) = (IdempotencyKey.random(), IdempotencyKey.random())
      let id = line.event.id
      var devices: [Int64] = []
      for _ in 0..<2 {
        devices.append(try await line.join(1, key: join).principalID)
        let codes = try await line.event.organiser.call(
          Events.createPlateCodes, .with { $0.tournamentID = id }, key: plates
        ).codes
        #expect(codes.map(\.code) == line.plates)
      }
      #expect(Set(devices).count == 1 && devices[0] > 0)
    }
  }

  @Test("Joining without a token and without a secret is UNAUTHENTICATED, and a bad secret invalid")
  func badSecrets() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let nobody = try server.nobody()
      func refusal(_ client: Client, _ secret: [UInt8]) async -> RPCError? {
        await client.refusal(
          Events.joinTarget,
          .with { request in
            (request.code, request.device, request.card) = (line.plates[0], "phone", 1)
            request.deviceSecret = secret
          })
      }
      #expect(await refusal(nobody, [])?.code == .unauthenticated)
      #expect(await refusal(nobody, [1])?.code == .invalidArgument)
      #expect(
        await refusal(nobody, [UInt8](repeating: 0, count: 32))?.code == .invalidArgument)
      let user = try server.client(named: "Robin")
      #expect(await refusal(user, DeviceEvent.secret(1))?.code == .invalidArgument)
      let devices = try await line.event.organiser.call(
        Events.listEventDevices, .with { $0.tournamentID = line.event.id })
      #expect(devices.devices.isEmpty)
      // A token that no device has is as unknown as any other.
      let unknown = try server.client(token: line.token(9))
      let refused = await unknown.refusal(
        Tournament.getTournament, .with { $0.id = line.event.id })
      #expect(refused?.code == .unauthenticated)
    }
  }

  @Test("Wrong codes of targets are limited, and the right one is taken nevertheless")
  func wrongCodes() async throws {
    var options = ServerAssembly.Options()
    options.maxFailedJoinCodesPerMinute = 3
    try await TestServer.run(options) { server in
      let line = try await DeviceEvent(server)
      let nobody = try server.nobody()
      var codes: [StatusCode?] = []
      for _ in 0..<5 {
        let refused = await nobody.refusal(
          Events.joinTarget,
          .with { request in
            (request.code, request.device, request.card) = ("qp_wrong", "phone", 1)
            request.deviceSecret = DeviceEvent.secret(1)
          })
        codes.append(refused?.code)
      }
      #expect(codes == [.notFound, .notFound, .notFound, .resourceExhausted, .resourceExhausted])
      #expect(try await line.join(1).lease != nil)
    }
  }

  @Test("An ended device loses its connections, and may deliver what it recorded")
  func ended() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let joined = try await line.join(1)
      let phone = try server.client(token: line.token(1))
      #expect(try await line.record(line.entries[0], 0, 9, by: phone).verdict == .stored)
      _ = try await line.event.organiser.call(
        Events.endDevice,
        .with { ($0.tournamentID, $0.principalID) = (line.event.id, joined.principalID) })
      // Its connection is closed after the reply, and the next one knows that it has ended.
      var reads: RPCError?
      for _ in 0..<200 where reads?.code != .permissionDenied {
        reads = await phone.refusal(Tournament.getTournament, .with { $0.id = line.event.id })
      }
      #expect(reads?.code == .permissionDenied)
      #expect(try await line.record(line.entries[0], 1, 8, by: phone).verdict == .stored)
      #expect(try await line.record(line.entries[0], 0, 7, by: phone).verdict == .late)
      let late = try await line.event.organiser.call(
        Tournament.listLateOperations, .with { $0.tournamentID = line.event.id })
      #expect(late.operations.count == 1)
      let report = await phone.refusal(
        Events.reportDevice, .with { $0.report = DeviceReport() })
      #expect(report?.code == .permissionDenied)
    }
  }

  @Test("A watch of targets shows who shoots there, arrows, moves, notices and calls")
  func watchTargets() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let phone = try await line.phone(1)
      var messages = try phone.client.stream(
        Events.watchTargets, WatchTargetsRequest.with { $0.tournamentID = line.event.id }
      ).makeAsyncIterator()
      let first = try #require(try await messages.next())
      #expect(first.event?.status == .inProgress && first.allTargets)
      #expect(first.targets.map { $0.lease?.target } == [1])
      #expect(first.targets[0].entries.map { $0.entry?.letter } == ["A", "B"])
      #expect(first.targets[0].session?.name == "line")
      #expect(first.targets[0].entries[0].round?.endCount == 2)
      _ = try await line.record(line.entries[0], 0, 9, by: phone)
      let shot = try #require(try await messages.next())
      #expect(shot.targets[0].entries[0].arrows.map(\.value) == [9] && !shot.allTargets)
      #expect(shot.event == nil)
      // An arrow on another target is none of its own.
      _ = try await line.record(line.entries[2], 0, 5, by: line.event.organiser)
      _ = try await line.event.organiser.call(
        Events.sendEventNotice,
        .with { ($0.tournamentID, $0.text) = (line.event.id, "Lunch at noon") })
      let noticed = try #require(try await messages.next())
      #expect(noticed.notices.map(\.text) == ["Lunch at noon"] && noticed.targets.isEmpty)
      // A move is seen at once.
      _ = try await line.event.organiser.call(
        Events.placeEventEntry,
        .with { request in
          (request.participantID, request.sessionID) = (line.entries[1], line.session)
          (request.target, request.letter) = (2, "B")
        })
      let moved = try #require(try await messages.next())
      #expect(moved.targets[0].entries.map { $0.entry?.displayName } == ["Ann"])
      _ = try await phone.call(
        Events.raiseTargetCall,
        .with { request in
          (request.tournamentID, request.sessionID) = (line.event.id, line.session)
          (request.target, request.kind) = (1, .judge)
        })
      let called = try #require(try await messages.next())
      #expect(called.calls.map(\.kind) == [.judge])
      // Who loses the lease is shown that it has none.
      let principal = try #require(first.targets[0].lease?.principalID)
      _ = try await line.event.organiser.call(
        Events.leaveTarget,
        .with { request in
          (request.tournamentID, request.sessionID) = (line.event.id, line.session)
          (request.target, request.card) = (1, 1)
        })
      let left = try #require(try await messages.next())
      #expect(left.allTargets && left.targets.isEmpty && left.event == nil, "\(principal)")
    }
  }

  @Test("A watch says how far a target is ahead of the line at the end of an end")
  func endsAhead() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let phone = try await line.phone(1)
      let watch = WatchTargetsRequest.with { $0.tournamentID = line.event.id }
      func ahead() async throws -> UInt32 {
        var messages = try phone.client.stream(Events.watchTargets, watch).makeAsyncIterator()
        return try #require(try await messages.next()).targets[0].endsAhead
      }
      #expect(try await ahead() == 0)
      for arrow in 0..<UInt32(6) {
        for archer in line.entries[0...1] { _ = try await line.record(archer, arrow, 8, by: phone) }
        if arrow == 2 { #expect(try await ahead() == 1) }
        if arrow == 3 { #expect(try await ahead() == 1) }
      }
      #expect(try await ahead() == 2)
      try await line.join(2, target: 2)
      let other = try server.client(token: line.token(2))
      for arrow in 0..<UInt32(3) { _ = try await line.record(line.entries[2], arrow, 8, by: other) }
      #expect(try await ahead() == 1)
    }
  }

  @Test("A watch has handicap and class of a whole first card, by the entry, else its category")
  func rating() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server, .library("bray_i"))
      _ = try await line.event.organiser.call(
        Events.updateEventEntry,
        .with { request in
          request.entry = .with { entry in
            entry.participantID = line.entries[0]
            (entry.bowstyle, entry.gender, entry.ageGroup) = (.recurve, .female, .adult)
          }
          request.updateMask = ["bowstyle", "gender", "age_group"]
        })
      let phone = try await line.phone(1)
      func shown() async throws -> [WatchedEntry] {
        var messages = try phone.client.stream(
          Events.watchTargets, WatchTargetsRequest.with { $0.tournamentID = line.event.id }
        ).makeAsyncIterator()
        return try #require(try await messages.next()).targets[0].entries
      }
      for arrow in 0..<UInt32(30) {
        if arrow == 29 {
          #expect(try await shown().allSatisfy { $0.handicap == nil && $0.classCode.isEmpty })
        }
        for archer in line.entries[0...1] { _ = try await line.record(archer, arrow, 8, by: phone) }
      }
      let known = try await line.event.organiser.call(
        Comparison.getClassification,
        .with { request in
          request.format = .library("bray_i")
          (request.bowstyle, request.gender, request.ageGroup) = (.recurve, .female, .adult)
          request.score = 240
        })
      let handicap = try await line.event.organiser.call(
        Comparison.getScoreHandicap, .with { ($0.format, $0.score) = (.library("bray_i"), 240) })
      let rated = try await shown()
      #expect(!known.code.isEmpty && rated[0].score?.total == 240)
      #expect(rated.map(\.handicap) == [handicap.handicap, handicap.handicap])
      #expect(rated.map(\.classCode) == [known.code, ""])
      #expect(rated.map(\.className) == [known.name, ""])
    }
  }

  @Test("The watch of one card hides the other card's arrows until both have the end")
  func hidesOtherCard() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let first = try await line.phone(1)
      let second = try await line.phone(2, card: 2)
      func shown(_ client: Client) async throws -> WatchedEntry {
        var messages = try client.client.stream(
          Events.watchTargets, WatchTargetsRequest.with { $0.tournamentID = line.event.id }
        ).makeAsyncIterator()
        let message = try #require(try await messages.next())
        return message.targets[0].entries[0]
      }
      for index in 0..<UInt32(3) {
        _ = try await line.record(line.entries[0], index, 9, by: first)
      }
      let early = try await shown(second)
      #expect(early.ends.isEmpty && early.arrows.isEmpty && early.score == nil)
      let draft = CardOperation.with { operation in
        operation.clientID = line.clientID()
        operation.participantID = line.entries[0]
        operation.arrows = [9, 9, 8].map { value in MatchArrow.with { $0.value = value } }
        operation.device = "phone 2"
      }
      let stored = try await second.call(
        Events.applyCardOperations, .with { $0.operations = [draft] })
      #expect(stored.verdicts.map(\.verdict) == [.stored])
      let both = try await shown(second)
      #expect(both.ends.map { $0.first.map(\.value) } == [[9, 9, 9]])
      #expect(both.ends[0].state == .disputed)
      #expect(try await shown(first).ends[0].second.map(\.value) == [9, 9, 8])
      // The next end of the second card is nothing for who keeps the first one.
      var next = draft
      (next.clientID, next.endIndex) = (line.clientID(), 1)
      _ = try await second.call(Events.applyCardOperations, .with { $0.operations = [next] })
      let waiting = try await shown(first).ends
      #expect(waiting.map { $0.second.count } == [3, 0] && waiting[1].operationClientID.isEmpty)
    }
  }

  @Test("A device calls from its own targets alone, and officials see, watch and resolve calls")
  func calls() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let phone = try await line.phone(1)
      let organiser = line.event.organiser
      var watch = try organiser.client.stream(
        Events.watchTargetCalls, WatchTargetCallsRequest.with { $0.tournamentID = line.event.id }
      ).makeAsyncIterator()
      #expect(try await watch.next()?.calls.isEmpty == true)
      var request = RaiseTargetCallRequest.with { request in
        (request.tournamentID, request.sessionID) = (line.event.id, line.session)
        (request.target, request.kind) = (1, .equipmentFailure)
        (request.participantID, request.owedArrows) = (line.entries[0], 3)
        (request.text, request.clientID) = ("string broke", line.clientID())
      }
      let raised = try await phone.call(Events.raiseTargetCall, request)
      #expect(raised.displayName == "Ann" && raised.raisedBy == "phone 1")
      #expect(try await phone.call(Events.raiseTargetCall, request).id == raised.id)
      #expect(try await watch.next()?.calls.map(\.id) == [raised.id])
      try await line.refusesFaults(of: request, by: phone)
      // By the thousand: ten are open, and the rest is told that they are.
      (request.kind, request.owedArrows, request.text) = (.help, 0, "")
      var refused = 0
      for _ in 0..<30 {
        request.clientID = line.clientID()
        if await phone.refusal(Events.raiseTargetCall, request)?.code == .resourceExhausted {
          refused += 1
        }
      }
      #expect(refused == 21)
      let open = try await organiser.call(
        Events.listTargetCalls, .with { $0.tournamentID = line.event.id })
      #expect(open.calls.count == 10)
      let denied = await phone.refusal(
        Events.resolveTargetCall,
        .with { ($0.tournamentID, $0.callID, $0.decision) = (line.event.id, raised.id, "no") })
      #expect(denied?.code == .permissionDenied)
      let decision = ResolveTargetCallRequest.with {
        ($0.tournamentID, $0.callID, $0.decision) = (line.event.id, raised.id, "15 minutes")
      }
      let resolved = try await organiser.call(Events.resolveTargetCall, decision)
      #expect(resolved.decision == "15 minutes" && resolved.resolvedAtMilliseconds > 0)
      #expect(try await organiser.call(Events.resolveTargetCall, decision) == resolved)
      var other = decision
      other.decision = "20 minutes"
      #expect(
        await organiser.refusal(Events.resolveTargetCall, other)?.code == .failedPrecondition)
      let mine = try await phone.call(
        Events.listTargetCalls,
        .with { ($0.tournamentID, $0.includeResolved) = (line.event.id, true) })
      #expect(mine.calls.last?.decision == "15 minutes")
      let third = try server.client(named: "Third")
      let outside = await third.refusal(
        Events.listTargetCalls, .with { $0.tournamentID = line.event.id })
      #expect(outside?.code == .permissionDenied)
    }
  }

  @Test("The watch of an event sends places, names, categories, sessions and takeovers")
  func watchEvent() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let organiser = line.event.organiser
      var messages = try organiser.client.stream(
        Tournament.watchTournament,
        WatchTournamentRequest.with { $0.tournamentID = line.event.id }
      ).makeAsyncIterator()
      let first = try #require(try await messages.next())
      #expect(first.tournament != nil && first.entries.isEmpty && first.sessions.isEmpty)
      _ = try await organiser.call(
        Events.placeEventEntry,
        .with { request in
          (request.participantID, request.sessionID) = (line.entries[1], line.session)
          (request.target, request.letter) = (2, "B")
        })
      let moved = try #require(try await messages.next())
      #expect(moved.entries.map { "\($0.displayName) \($0.target)\($0.letter)" } == ["Bea 2B"])
      _ = try await line.event.category("RM")
      let added = try #require(try await messages.next())
      #expect(added.categories.map(\.code) == ["RM"] && added.tournament == nil)
      _ = try await line.event.session("final", targets: 1...1, archers: 2)
      #expect(try await messages.next()?.sessions.map(\.name) == ["final"])
      _ = try await line.join(1)
      #expect(try await messages.next()?.leases.map(\.device) == ["phone 1"])
    }
  }
}
