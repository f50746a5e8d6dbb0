import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// The scores that follow from the operations that were sent, whatever their order.
struct ExpectedScores {
  /// By participant.
  private(set) var tallies: [Int64: PlainTally] = [:]
  /// By participant and end.
  private(set) var ends: [Int64: [UInt32: [RehearsalPlan.Arrow]]] = [:]

  private struct Slot: Hashable {
    let participant: Int64
    let end: UInt32
    let arrow: UInt32
  }

  /// In each slot the last operation counts of the chain that begins with its record, and in an end
  /// on which a judge has ruled what the judge said. Typed sums count instead of the arrows, and
  /// points that a lower paper has deducted do not count.
  init(
    _ sent: [RehearsalLog.Sent<ScoringOperation, Verdict>], participants: [Int64],
    rulings: [Int64: [UInt32: [RehearsalPlan.Arrow]]] = [:],
    typed: [Int64: PlainTally] = [:],
    deductions: [Int64: RehearsalPlan.Deduction] = [:], _ findings: Findings
  ) {
    var slots: [Slot: [ScoringOperation]] = [:]
    for sent in sent where !sent.isWithoutEffect {
      let operation = sent.operation
      let slot = Slot(
        participant: operation.participantID, end: operation.endIndex, arrow: operation.arrowIndex)
      slots[slot, default: []].append(operation)
      switch sent.verdict {
      case .stored?, .same?, .late?: break
      default:
        findings.note(
          "an operation on end \(slot.end) of participant \(slot.participant) has the verdict"
            + " \(sent.verdict.map { "\($0.rawValue)" } ?? "none")")
      }
    }
    for (slot, operations) in slots {
      guard let last = Self.last(of: operations) else {
        findings.note("the operations of participant \(slot.participant) are no chain")
        continue
      }
      guard last.kind != .retract else { continue }
      ends[slot.participant, default: [:]][slot.end, default: []].append(
        RehearsalPlan.Arrow(value: Int(last.value ?? 0), isX: last.isX))
    }
    for (participant, ruled) in rulings {
      for (end, arrows) in ruled { ends[participant, default: [:]][end] = arrows }
    }
    for participant in participants {
      var tally = typed[participant] ?? PlainTally((ends[participant] ?? [:]).values)
      tally.deduct(deductions[participant] ?? RehearsalPlan.Deduction())
      tallies[participant] = tally
    }
  }

  private static func last(of operations: [ScoringOperation]) -> ScoringOperation? {
    let roots = operations.filter(\.replacesClientID.isEmpty)
    guard roots.count == 1, var current = roots.first else { return nil }
    for _ in 1..<max(1, operations.count) {
      let next = operations.filter { $0.replacesClientID == current.clientID }
      guard next.count == 1 else { return nil }
      current = next[0]
    }
    return current
  }
}

extension Rehearsal {
  /// What follows from all that was sent.
  var expectedScores: ExpectedScores {
    ExpectedScores(
      log.scores, participants: event.participants, rulings: log.rulings, typed: log.typed,
      deductions: log.deductions, findings)
  }

  /// Compares all standings with the fold of the operations.
  func checkStandings(tiesAreDecided: Bool) async throws {
    let expected = expectedScores
    for (index, archer) in plan.archers.enumerated() {
      findings.compare(
        "the fold of the operations of bib \(archer.bib)",
        expected.tallies[event.participants[index]], archer.tally)
    }
    try await checkWholeEvent(expected)
    let ties = tiesAreDecided ? plan.ties.map(\.archers) : []
    for (index, category) in plan.categories.enumerated() {
      try await checkPart(expected, ties, category.code, policy: category.policy) {
        $0.categoryID = event.categories[index]
      } isPart: {
        $0.category == index
      }
    }
    for session in event.sessions.indices {
      try await checkPart(expected, ties, "session \(session)", policy: .xFirst) {
        $0.sessionID = event.sessions[session]
      } isPart: {
        plan.categories[$0.category].session == session % (event.sessions.count / plan.dayCount)
      }
    }
    for club in Set(plan.archers.map(\.club)).sorted().prefix(4) {
      try await checkPart(expected, ties, club, policy: .xFirst) {
        $0.club = club
      } isPart: {
        $0.club == club
      }
    }
  }

  private func checkWholeEvent(_ expected: ExpectedScores) async throws {
    let id = event.id
    let rows = try await staff.organiser.way.call(
      Tournament.getStandings, .with { ($0.tournamentID, $0.pageSize) = (id, 500) }
    ).rows
    findings.compare("rows of the standings", rows.count, plan.archers.count)
    let ranked = plan.archers.indices.filter { index in
      switch plan.archers[index].fate {
      case .withdraws, .isDisqualified: false
      default: true
      }
    }.map { (archer: $0, tally: expected.tallies[event.participants[$0]] ?? PlainTally()) }
    for row in rows {
      guard let index = event.archer(row.participantID) else {
        findings.note("the standings have participant \(row.participantID), who was not entered")
        continue
      }
      let tally = expected.tallies[row.participantID] ?? PlainTally()
      check(row, tally, "the standings")
      let isRanked = ranked.contains { $0.archer == index }
      findings.compare(
        "the rank of bib \(plan.archers[index].bib) in the event", Int(row.rank),
        isRanked ? PlainPolicy.xFirst.rank(of: tally, index, among: ranked) : 0)
    }
  }

  private func checkPart(
    _ expected: ExpectedScores, _ ties: [[Int]], _ name: String, policy: PlainPolicy,
    filter: (inout GetCategoryStandingsRequest) -> Void,
    isPart: (RehearsalPlan.Archer) -> Bool
  ) async throws {
    var request = GetCategoryStandingsRequest()
    request.tournamentID = event.id
    request.pageSize = 500
    filter(&request)
    let rows = try await spectator.call(Events.getCategoryStandings, request).rows
    let part = plan.archers.indices.filter { isPart(plan.archers[$0]) }
    findings.compare("rows of the standings of \(name)", rows.count, part.count)
    let ranked = part.filter { plan.archers[$0].isRanked }
      .map { (archer: $0, tally: expected.tallies[event.participants[$0]] ?? PlainTally()) }
    for row in rows {
      guard let line = row.row, let index = event.archer(line.participantID) else {
        findings.note("the standings of \(name) have a row of nobody")
        continue
      }
      let tally = expected.tallies[line.participantID] ?? PlainTally()
      check(line, tally, "the standings of \(name)")
      checkRounds(row, expected.ends[line.participantID] ?? [:], "the standings of \(name)")
      findings.compare(
        "the rank of bib \(plan.archers[index].bib) in \(name)", Int(line.rank),
        plan.archers[index].isRanked
          ? policy.rank(of: tally, index, among: ranked, ties: ties) : 0)
    }
  }

  /// Compares the sums of each round.
  private func checkRounds(
    _ row: CategoryStandingsRow, _ ends: [UInt32: [RehearsalPlan.Arrow]], _ place: String
  ) {
    let name = "of participant \(row.row?.participantID ?? 0) in \(place)"
    // A category of one round has no totals of rounds.
    let dayCount = plan.dayCount > 1 ? plan.dayCount : 0
    findings.compare("the number of rounds \(name)", row.rounds.count, dayCount)
    for (day, round) in row.rounds.enumerated() {
      let own = ends.filter { plan.ends(ofDay: day).contains(Int($0.key)) }
      let tally = PlainTally(own.values)
      findings.compare("the total of round \(day + 1) \(name)", Int(round.total), tally.total)
      findings.compare("the X of round \(day + 1) \(name)", Int(round.xCount), tally.xCount)
      findings.compare(
        "the arrows of round \(day + 1) \(name)", Int(round.arrowCount), tally.arrowCount)
    }
  }

  private func check(_ row: LeaderboardRow, _ tally: PlainTally, _ place: String) {
    let name = "of participant \(row.participantID) in \(place)"
    findings.compare("the total \(name)", Int(row.total), tally.total)
    findings.compare("the X \(name)", Int(row.xCount), tally.xCount)
    findings.compare("the tens \(name)", Int(row.tenCount), tally.tenCount)
    findings.compare("the arrows \(name)", Int(row.arrowCount), tally.arrowCount)
    findings.compare("the ends \(name)", Int(row.endsCompleted), tally.endsCompleted)
  }

  /// Compares the teams of a category, or of two, with sums of the fold; returns their names, best
  /// first, with whether the first `size` share a rank with others.
  func checkTeams(
    _ system: MatchSystem, _ categories: [Int]
  ) async throws -> [(rank: Int, name: String, members: [Int64])] {
    let expected = expectedScores
    var teams: [(name: String, tally: PlainTally)] = []
    let policy = PlainPolicy.xFirst
    for club in Set(plan.archers.map(\.club)).sorted() {
      var members: [PlainTally] = []
      for category in categories {
        let own = plan.archers.indices.filter {
          let archer = plan.archers[$0]
          return archer.club == club && archer.category == category && archer.isRanked
        }.compactMap { expected.tallies[event.participants[$0]] }
          .sorted { policy.keys($1).lexicographicallyPrecedes(policy.keys($0)) }
        members += own.prefix(categories.count > 1 ? 1 : 3)
      }
      if members.count == (categories.count > 1 ? 2 : 3) {
        teams.append((club, PlainTally(sumOf: members)))
      }
    }
    let ids = categories.map { event.categories[$0] }
    let id = event.id
    let found = try await spectator.call(
      Events.getTeamStandings,
      .with { request in
        request.tournamentID = id
        request.categoryID = ids[0]
        request.secondCategoryID = ids.count > 1 ? ids[1] : 0
        request.system = system
        request.group = .club
      }
    ).rows
    let name = categories.count > 1 ? "mixed teams" : "teams"
    findings.compare("the number of \(name)", found.count, teams.count)
    for row in found {
      let tally = teams.first { $0.name == row.name }?.tally ?? PlainTally()
      let above = teams.count {
        policy.keys(tally).lexicographicallyPrecedes(policy.keys($0.tally))
      }
      findings.compare("the total of the \(name) of \(row.name)", Int(row.total), tally.total)
      findings.compare("the rank of the \(name) of \(row.name)", Int(row.rank), above + 1)
    }
    return found.map { (Int($0.rank), $0.name, $0.members.map(\.participantID)) }
  }
}
