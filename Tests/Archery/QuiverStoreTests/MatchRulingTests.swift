import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Rulings over matches", .timeLimit(.minutes(5)))
struct MatchRulingTests {
  @Test("Both sides of a match forfeit, and the next opponent has a bye")
  func bothForfeit() throws {
    let bracket = try BracketBench(4, in: try EventBench())
    let bench = bracket.bench
    let first = try bracket.match(4, 0).id
    let second = try bracket.match(4, 1).id
    try bench.perform(try ForfeitMatch(first, .first, reason: "late"))
    #expect(try bracket.match(2, 0).seeds == [4, nil])
    let both = try bench.perform(try ForfeitMatch(first, .second, reason: "late too"))
    #expect(both.match.forfeits.count == 2 && both.match.isConfirmed)
    try bracket.play(second, winner: .first)
    let final = try bracket.match(2, 0)
    #expect(final.isBye && final.seeds[0] == nil && final.seeds[1] != nil)
    let ranks = try bracket.bracket().ranks
    #expect(ranks[final.seeds[1] ?? 0] == 1)
    #expect(ranks[1] == 4 && ranks[4] == 4)
    #expect(try bench.store.verify() == [])
  }

  @Test("A second forfeit is refused once the next match has scores")
  func lateForfeit() throws {
    let bracket = try BracketBench(4, in: try EventBench())
    let bench = bracket.bench
    let first = try bracket.match(4, 0).id
    try bench.perform(try ForfeitMatch(first, .second, reason: "late"))
    try bracket.play(try bracket.match(4, 1).id, winner: .first)
    let final = try bracket.match(2, 0).id
    try bracket.apply([try bracket.operation(final, .first, 0, [9, 9, 9])])
    let sequence = try bench.sequence()
    let refused = bench.refusal {
      try bench.perform(try ForfeitMatch(first, .first, reason: "late too"))
    }
    #expect(refused?.code == .failedPrecondition)
    // A match that was shot and confirmed has to be reopened first.
    let shot = bench.refusal {
      try bench.perform(try ForfeitMatch(try bracket.match(4, 1).id, .first, reason: "late"))
    }
    #expect(shot?.code == .failedPrecondition)
    #expect(try bench.sequence() == sequence)
  }

  @Test("Only an organiser or a judge marks a shoot-off as closer")
  func closer() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let (bench, archer) = (bracket.bench, bracket.archers[0])
    let match = try bracket.match(2, 0).id
    try bracket.tie(match)
    let marked = try bracket.operation(match, .first, 0, [9], shootOff: true, marked: true)
    let refused = try bracket.apply([marked], as: archer)[0]
    #expect(refused.verdict == .refused && refused.refusal?.code == .permissionDenied)
    let plain = try bracket.operation(match, .first, 0, [9], shootOff: true)
    #expect(try bracket.apply([plain], as: archer)[0].verdict == .stored)
    try bracket.apply([try bracket.operation(match, .second, 0, [9], shootOff: true)])
    let own = try bracket.operation(match, .first, 0, [9], shootOff: true, marked: true) {
      ($0.replaces, $0.reason) = (plain.clientID, "closer")
    }
    #expect(try bracket.apply([own], as: archer)[0].refusal?.code == .permissionDenied)
    let tuck = try bench.archer("Tuck")
    try bench.perform(SetOfficial(try bench.code(of: tuck), of: bracket.event, role: .judge))
    let ruled = try bracket.operation(match, .first, 0, [9], shootOff: true, marked: true) {
      ($0.replaces, $0.reason) = (plain.clientID, "closer")
    }
    #expect(try bracket.apply([ruled], as: tuck)[0].verdict == .stored)
    // The mark stays with its arrows only.
    let higher = try bracket.operation(match, .first, 0, [10], shootOff: true, marked: true) {
      ($0.replaces, $0.reason) = (ruled.clientID, "a line")
    }
    #expect(try bracket.apply([higher], as: archer)[0].refusal?.code == .permissionDenied)
    let same = try bracket.operation(match, .first, 0, [9], shootOff: true, marked: true)
    #expect(try bracket.apply([same], as: archer)[0].verdict == .same)
  }

  @Test("A spectator of one event reads no stage and no match of another, though it is public")
  func spectator() throws {
    let bench = try EventBench()
    let seen = try BracketBench(2, in: bench)
    let other = try BracketBench(2, in: bench)
    try bench.publish(other.event)
    let match = try other.match(2, 0).id
    for (spectated, code) in [(seen.event, StoreError.Code?.some(.notFound)), (other.event, nil)] {
      let bracket = bench.refusal {
        try bench.store.read { (snapshot) throws(StoreError) in
          try snapshot.bracket(stage: other.stage, principal: nil, spectated: spectated)
        }
      }
      let single = bench.refusal {
        try bench.store.read { (snapshot) throws(StoreError) in
          try snapshot.match(id: match, principal: nil, spectated: spectated)
        }
      }
      #expect(bracket?.code == code && single?.code == code)
    }
  }

  @Test("A service that acts for an organiser gives no roles and takes none away")
  func acting() throws {
    let bench = try EventBench()
    let event = try bench.event().head.id
    let service = try bench.store.perform(
      CreatePrincipal(kind: .service, displayName: "S"), .of(0)
    ).id
    _ = try bench.store.perform(GrantActing(service: service, user: bench.organiser), .of(0))
    var options = CommandOptions.of(bench.organiser)
    options.caller = CommandCaller(
      principal: bench.organiser, actor: service, actingScopes: .scoring)
    for role in [EventRole.organiser, .judge, nil] {
      let refused = bench.refusal {
        guard let role else {
          return try bench.store.perform(RemoveOfficial(service, of: event), options)
        }
        let code = try bench.code(of: service)
        _ = try bench.store.perform(SetOfficial(code, of: event, role: role), options)
      }
      #expect(refused?.code == .permissionDenied)
    }
    // Its other calls for the organiser stay possible.
    let opened = try bench.store.perform(
      try ChangeTournamentState(event, .start, anyway: true), options)
    #expect(opened.head.status == .inProgress)
  }

  @Test("Arrows of an archer who is not on the side any more are refused")
  func otherArcher() throws {
    let bracket = try BracketBench(4, in: try EventBench())
    let bench = bracket.bench
    let semifinal = try bracket.match(4, 0)
    try bracket.play(semifinal.id, winner: .first)
    try bracket.play(try bracket.match(4, 1).id, winner: .first)
    let final = try bracket.match(2, 0).id
    let winner = bracket.participants[0]
    let offline = try (0..<2).map { end in
      try bracket.operation(final, .first, end, [10, 10, 10]) { $0.participant = winner }
    }
    #expect(try bracket.apply([offline[0]])[0].verdict == .stored)
    // Seed 4 wins after all.
    try bench.perform(try ReopenMatch(semifinal.id, reason: "wrong card", voidsLater: true))
    try bench.perform(try ForfeitMatch(semifinal.id, .first, reason: "wrong bow"))
    #expect(try bracket.match(2, 0).seeds[0] == 4)
    let sequence = try bench.sequence()
    let late = try bracket.apply([offline[1]])[0]
    #expect(late.verdict == .refused && late.refusal?.code == .failedPrecondition)
    #expect(late.refusal?.field == "operations[0].participant_id")
    #expect(try bench.sequence() == sequence)
    // What was stored before is the same still, and no other content.
    #expect(try bracket.apply([offline[0]])[0].verdict == .same)
    var changed = offline[0]
    changed.participant = 0
    #expect(try bracket.apply([changed])[0].refusal?.code == .alreadyExists)
    let unchecked = try bracket.operation(final, .first, 1, [10, 10, 10])
    #expect(try bracket.apply([unchecked])[0].verdict == .stored)
  }

  @Test("A decision of a tie holds for the scores that were compared, and for no others")
  func decidedTie() throws {
    let bench = try EventBench()
    let record = try bench.event(arrows: 3)
    let event = record.head.id
    let entries = try ["A", "B", "C"].map { try bench.entry($0, event) }
    try bench.start(record)
    var arrows: [Int64: Int64] = [:]
    for (entry, value) in zip(entries, ["9", "9", "5"]) {
      for arrow in 0..<3 {
        arrows[entry] = try bench.record(entry, 0, arrow, value).arrows[0].operationID
      }
    }
    let category = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.eventEntry(id: entries[0])?.content.category ?? 0
    }
    let decide = try DecideTie([entries[1], entries[0]], of: category, in: event, .shootOff)
    try bench.perform(decide)
    var scope = CutCategory.Scope()
    (scope.event, scope.category, scope.size, scope.seed) = (event, category, 2, 3)
    let first = try bench.perform(try CutCategory(scope, .individualSets))
    #expect(first.entrants.map(\.participant) == [entries[1], entries[0]])
    // Both lose a point: they are tied again, by other scores.
    for entry in entries.prefix(2) {
      try bench.replace(try #require(arrows[entry]), of: entry, 0, 2, "8")
    }
    var filter = Snapshot.EntryFilter()
    filter.category = category
    func ranks() throws -> [Int] {
      try bench.store.categoryStandings(
        event, filter, principal: bench.organiser, pageSize: 0, pageToken: ""
      ).rows.map(\.rank)
    }
    #expect(try ranks() == [1, 1, 3])
    try bench.perform(decide)
    #expect(try ranks() == [1, 2, 3])
  }

  @Test("A match has a limited number of shoot-offs")
  func shootOffs() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let match = try bracket.match(2, 0).id
    try bracket.tie(match)
    var refusal: StoreError?
    var count = 0
    while refusal == nil, count < 100 {
      let outcomes = try bracket.apply(
        try MatchSide.allCases.map {
          try bracket.operation(match, $0, count, [0], shootOff: true)
        })
      refusal = outcomes.compactMap(\.refusal).first
      count += 1
    }
    #expect(refusal?.code == .invalidArgument && count < 100)
  }
}

extension EventBench {
  fileprivate func publish(_ event: Int64) throws {
    let head = try store.read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: event)
    }
    var change = UpdateTournament.Change()
    change.isPublic = true
    try perform(try UpdateTournament(event, revision: head?.revision ?? 0, change))
  }
}
