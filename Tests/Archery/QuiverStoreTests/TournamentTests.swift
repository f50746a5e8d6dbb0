import QuiverRules
import QuiverSQLite
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct TournamentTests {
  @Test("An event goes from open to completed, and only its organiser reopens it")
  func life() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = event.head.id
    #expect(event.head.status == .open && event.head.maxParticipants == 50)
    #expect(event.head.tiePolicy == .xFirst && event.head.joinCode.count == 16)
    #expect(event.format.format.arrowCount == 30)
    let robin = try bench.archer()
    let own = try bench.join(robin, event)
    let early = bench.refusal { try bench.record(own.id, 0, 0, "9", as: robin) }
    #expect(early?.marker == .notYet && early?.code == .failedPrecondition)
    for step in [ChangeTournamentState.Step.start, .pause, .finalise, .cancel] {
      let refused = bench.refusal {
        try bench.perform(try ChangeTournamentState(id, step, reason: "r"), as: robin)
      }
      #expect(refused?.code == .permissionDenied, "\(step)")
    }
    #expect(
      bench.refusal { try bench.perform(try ChangeTournamentState(id, .finalise)) }?.code
        == .failedPrecondition)
    try bench.start(event)
    #expect(try bench.start(event).head.revision == 2)
    try bench.record(own.id, 0, 0, "9", as: robin)
    let paused = try bench.perform(try ChangeTournamentState(id, .pause))
    #expect(paused.head.isPaused)
    let held = bench.refusal { try bench.record(own.id, 0, 1, "9", as: robin) }
    #expect(held?.marker == .notYet)
    try bench.start(event)
    try bench.record(own.id, 0, 1, "9", as: robin)
    let done = try bench.finalise(event)
    #expect(done.head.status == .completed && done.head.finalisedAtMilliseconds != nil)
    #expect(try bench.participant(own.id)?.status == .completed)
    let blank = bench.refusal { try ChangeTournamentState(id, .reopen, reason: " ") }
    #expect(blank?.field == "reason")
    let again = try bench.perform(
      try ChangeTournamentState(id, .reopen, reason: "a sheet was found"))
    #expect(again.head.status == .inProgress && again.head.finalisedAtMilliseconds == nil)
    #expect(try bench.participant(own.id)?.status == .active)
    try bench.record(own.id, 0, 2, "X", as: robin)
    #expect(try bench.store.verify() == [])
  }

  @Test("A participant is scored by itself, its host, the organiser and appointed scorers")
  func permissions() throws {
    let bench = try EventBench()
    let event = try bench.event { $0.isPublic = true }
    let (robin, john, tuck) = (try bench.archer(), try bench.archer(), try bench.archer("Tuck"))
    let own = try bench.join(robin, event)
    let guest = try bench.perform(
      try AddGuest(name: "Will", clientID: [], to: event.head.id), as: robin)
    let entry = try bench.entries(["Much"], event)[0]
    _ = try bench.join(john, event)
    try bench.start(event)
    for (principal, participant) in [
      (robin, own), (robin, guest), (bench.organiser, own), (bench.organiser, guest),
      (bench.organiser, entry),
    ] {
      let reply = try bench.record(participant.id, 0, 0, "9", as: principal)
      #expect(reply.tally.total == 9)
    }
    let before = try bench.sequence()
    for (principal, participant) in [
      (john, own), (john, guest), (john, entry), (robin, entry), (tuck, entry), (tuck, own),
    ] {
      let refused = bench.refusal { try bench.record(participant.id, 1, 0, "9", as: principal) }
      #expect(refused?.code == .permissionDenied)
    }
    #expect(try bench.sequence() == before)

    let scorer = try bench.perform(
      try AppointScorer(
        try bench.code(of: tuck), of: event.head.id, participants: [entry.id, own.id]))
    #expect(scorer.assignedCount == 2 && scorer.displayName == "Tuck")
    let turn = try bench.record(own.id, 1, 0, "9", as: tuck)
    #expect(turn.turn.kind == .arrow)
    #expect(try bench.record(own.id, 1, 1, "9", as: robin).verdict == .stored)
    let foreign = bench.refusal { try bench.record(guest.id, 1, 0, "9", as: tuck) }
    #expect(foreign?.code == .permissionDenied)
    let other = bench.refusal {
      try bench.perform(
        try AppointScorer(try bench.code(of: john), of: event.head.id, participants: []), as: robin)
    }
    #expect(other?.code == .permissionDenied)
    try bench.perform(DismissScorer(tuck, of: event.head.id))
    let dismissed = bench.refusal { try bench.record(entry.id, 1, 0, "9", as: tuck) }
    #expect(dismissed?.code == .permissionDenied)
  }

  @Test("An event that is not public is not found by principals that do not belong to it")
  func hidden() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let entry = try bench.entries(["Much"], event)[0]
    let otherUser = try bench.archer()
    try bench.start(event)
    for refusal in [
      bench.refusal { try bench.record(entry.id, 0, 0, "9", as: otherUser) },
      bench.refusal {
        try bench.perform(
          try ChangeParticipant(entry.id, to: .disqualified, reason: "r"), as: otherUser)
      },
      bench.refusal {
        try bench.store.read { (snapshot) throws(StoreError) in
          try snapshot.tournament(id: event.head.id, principal: otherUser)
        }
      },
      bench.refusal {
        try bench.store.standings(
          event.head.id, under: nil, principal: otherUser, pageSize: 0, pageToken: "")
      },
    ] { #expect(refusal?.code == .notFound) }
  }

  @Test(
    "Joining requires the code and an open event below its limit; joining again returns the same"
  )
  func joining() throws {
    let bench = try EventBench()
    let event = try bench.event { $0.maxParticipants = 2 }
    let (robin, john, tuck) = (try bench.archer(), try bench.archer(), try bench.archer())
    let wrong = bench.refusal {
      try bench.perform(JoinTournament(.joinCode("AAAAAAAA")), as: robin)
    }
    #expect(wrong?.code == .notFound && wrong?.field == "join_code")
    let hidden = bench.refusal {
      try bench.perform(JoinTournament(.id(event.head.id)), as: robin)
    }
    #expect(hidden?.code == .notFound)
    let own = try bench.join(robin, event)
    #expect(own.displayName == "Robin" && own.kind == .user && own.principal == robin)
    let code = event.head.joinCode
    let spelt = code.prefix(8).lowercased() + "-" + code.dropFirst(8)
    #expect(try bench.perform(JoinTournament(.joinCode(spelt)), as: robin).id == own.id)
    _ = try bench.join(john, event)
    let full = bench.refusal { try bench.join(tuck, event) }
    #expect(full?.code == .failedPrecondition && full?.message.contains("full") == true)
    try bench.start(event)
    let late = bench.refusal { try bench.join(tuck, event) }
    #expect(late?.code == .failedPrecondition)
    #expect(try bench.join(robin, event).id == own.id)
    let head = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: event.head.id)
    }
    #expect(head?.participantCount == 2)
  }

  @Test("A user may add 2 guests, an event has at most 10, with names of 1 to 50 characters")
  func guests() throws {
    let bench = try EventBench()
    let event = try bench.event { $0.guestLimit = 3 }
    let (robin, john) = (try bench.archer(), try bench.archer())
    func add(_ name: String, as principal: Int64) throws -> ParticipantRecord {
      try bench.perform(
        try AddGuest(name: name, clientID: [], to: event.head.id), as: principal)
    }
    _ = try bench.join(robin, event)
    #expect(bench.refusal { try add("Will", as: john) }?.code == .notFound)
    _ = try bench.join(john, event)
    for name in ["", " \u{2003}", String(repeating: "w", count: 51)] {
      let refusal = bench.refusal { try add(name, as: robin) }
      #expect(refusal?.code == .invalidArgument && refusal?.field == "name")
    }
    #expect(try add(String(repeating: "w", count: 50), as: robin).kind == .guest)
    _ = try add("Will", as: robin)
    #expect(bench.refusal { try add("Third", as: robin) }?.code == .failedPrecondition)
    _ = try add("Much", as: john)
    let all = bench.refusal { try add("Fourth", as: john) }
    #expect(all?.code == .failedPrecondition && all?.message.contains("3 guests") == true)
    // Entries know no guest limit.
    #expect(try bench.entries((0..<20).map { "E\($0)" }, event).count == 20)
  }

  @Test(
    "Withdrawn and disqualified participants are not scored until the organiser reinstates them"
  )
  func leaving() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let robin = try bench.archer()
    let own = try bench.join(robin, event)
    try bench.start(event)
    try bench.record(own.id, 0, 0, "9", as: robin)
    func change(
      _ status: ParticipantStatus, as principal: Int64, _ reason: String = "r"
    ) throws -> ParticipantRecord {
      try bench.perform(try ChangeParticipant(own.id, to: status, reason: reason), as: principal)
    }
    #expect(try change(.withdrawn, as: robin, "").status == .withdrawn)
    let refused = bench.refusal { try bench.record(own.id, 0, 1, "9", as: robin) }
    #expect(refused?.code == .failedPrecondition)
    #expect(bench.refusal { try change(.active, as: robin) }?.code == .permissionDenied)
    #expect(bench.refusal { try change(.disqualified, as: robin) }?.code == .permissionDenied)
    #expect(try change(.active, as: bench.organiser).status == .active)
    try bench.record(own.id, 0, 1, "9", as: robin)
    #expect(bench.refusal { try change(.disqualified, as: bench.organiser, "") }?.field == "reason")
    #expect(try change(.disqualified, as: bench.organiser).status == .disqualified)
    #expect(bench.refusal { try change(.withdrawn, as: robin) }?.code == .failedPrecondition)
  }

  @Test("An operation after the end is stored as late, and the organiser admits or rejects it")
  func late() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let robin = try bench.archer()
    let own = try bench.join(robin, event)
    try bench.start(event)
    try bench.record(own.id, 0, 0, "9", as: robin)
    try bench.finalise(event)
    var names: [[UInt8]] = []
    for (arrow, text) in [(1, "X"), (2, "7"), (0, "10")] {
      let name = try bench.clientID()
      names.append(name)
      let reply = try bench.record(own.id, 0, arrow, text, as: robin) { $0.clientID = name }
      #expect(reply.verdict == .late && reply.tally.total == 9)
    }
    let again = try bench.record(own.id, 0, 1, "X", as: robin) { $0.clientID = names[0] }
    #expect(again.verdict == .late)
    let impossible = bench.refusal { try bench.record(own.id, 0, 9, "9", as: robin) }
    #expect(impossible?.code == .invalidArgument)
    let page = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.lateOperations(
        tournament: event.head.id, principal: bench.organiser, pageSize: 0, pageToken: "")
    }
    #expect(page.items.map(\.operation.clientID) == names)
    #expect(page.items[2].arrow?.score == ArrowScore(value: 9))
    let ids = page.items.map(\.operation.id)
    func rule(_ ids: [Int64], _ admits: Bool, as principal: Int64? = nil) throws
      -> [ScoringOutcome.Verdict]
    {
      try bench.perform(
        try RuleOnOperations(
          tournament: event.head.id, ids: ids, admits: admits, reason: "seen"), as: principal
      ).map(\.outcome.verdict)
    }
    #expect(bench.refusal { try rule(ids, true, as: robin) }?.code == .permissionDenied)
    #expect(try rule([ids[0], ids[2]], true) == [.stored, .conflict])
    #expect(try bench.tally(own.id).total == 19)
    #expect(try rule([ids[1], ids[2]], false) == [.stored, .stored])
    #expect(try rule(ids, true) == [.same, .same, .same])
    #expect(try bench.tally(own.id).total == 19)
    let head = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: event.head.id)
    }
    #expect(head?.lateCount == 0 && head?.status == .completed)
  }

  @Test("The audit has every change of scores and memberships, and its hash chain is valid")
  func audited() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let robin = try bench.archer()
    let own = try bench.join(robin, event)
    try bench.start(event)
    let reply = try bench.record(own.id, 0, 0, "9", as: robin) { $0.device = "phone" }
    let operation = try #require(reply.arrows.first?.operationID)
    try bench.replace(operation, of: own.id, 0, 0, "X", as: robin)
    try bench.perform(try ChangeParticipant(own.id, to: .withdrawn, reason: "rain"))
    try bench.finalise(event)
    let connection = try Connection(path: bench.directory.databasePath, mode: .readOnly)
    let statement = try connection.prepare(
      "SELECT action, before, after, device, reason FROM audit WHERE topic = ?1 ORDER BY sequence")
    try statement.bind(event.head.id, at: 1)
    var lines: [String] = []
    while try statement.step() {
      lines.append((0..<5).map { statement.text($0) }.joined(separator: "|"))
    }
    #expect(
      lines == [
        "tournament.create||||", "participant.add||user||", "tournament.start||||",
        "arrow.record||0.0=9|phone|", "arrow.correct|0.0=9|0.0=X||misread",
        "participant.withdrawn|active|withdrawn||rain", "tournament.finalise||||",
      ])
    #expect(try bench.store.verify() == [])
  }

  @Test("An event without scores is deleted; others are cancelled")
  func deletion() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let own = try bench.join(try bench.archer(), event)
    try bench.perform(DeleteTournament(event.head.id))
    #expect(try bench.participant(own.id) == nil)
    #expect(bench.refusal { try bench.start(event) }?.code == .notFound)
    let other = try bench.event()
    let entry = try bench.entries(["Much"], other)[0]
    try bench.start(other)
    try bench.record(entry.id, 0, 0, "9")
    let refused = bench.refusal { try bench.perform(DeleteTournament(other.head.id)) }
    #expect(refused?.code == .failedPrecondition)
    let cancelled = try bench.perform(
      try ChangeTournamentState(other.head.id, .cancel, reason: "storm"))
    #expect(cancelled.head.status == .cancelled)
    let closed = bench.refusal { try bench.record(entry.id, 0, 1, "9") }
    #expect(closed?.code == .failedPrecondition && closed?.marker == nil)
  }

  @Test("An event that is not valid fails with the name of its field", arguments: 0..<6)
  func badEvents(_ number: Int) throws {
    let bench = try EventBench()
    let spoils: [(String, (inout CreateTournament.Content) -> Void)] = [
      ("name", { $0.name = " " }),
      ("name", { $0.name = String(repeating: "n", count: 201) }),
      ("tie_policy", { $0.tiePolicy = 99 }), ("max_participants", { $0.maxParticipants = 20_001 }),
      ("format", { $0.format = .codename("wa19") }), ("format", { $0.format = .own(.id(99)) }),
    ]
    let (field, spoil) = spoils[number]
    let before = try bench.sequence()
    let refusal = bench.refusal { try bench.event(spoil) }
    #expect(refusal?.field == field)
    #expect(try bench.sequence() == before)
  }
}
