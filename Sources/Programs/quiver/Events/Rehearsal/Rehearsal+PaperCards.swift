import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Papers: totals that are compared with arrows, and sums that count instead of arrows.
extension Rehearsal {
  /// Types the papers of the plan, as the judge, and compares what counts.
  func checkPaperCards() async throws {
    for (index, archer) in plan.archers.enumerated() {
      if let paper = archer.paper { try await compare(paper, of: index) }
      if case .isOnPaper = archer.fate { try await typeSums(of: index) }
    }
  }

  private var judge: FaultyTransport { staff.judge.way }

  /// Types the total and the counts of a paper.
  private func type(
    _ total: Int, _ tally: PlainTally, xCount: Int, of participant: Int64
  ) async throws {
    let card = try await judge.call(
      Events.setPaperTotal,
      .with { request in
        (request.participantID, request.total) = (participant, UInt32(total))
        (request.hits, request.golds) = (UInt32(tally.hitCount), UInt32(tally.tenCount))
        request.xCount = UInt32(xCount)
      })
    let name = "of participant \(participant)"
    findings.compare("the total on paper \(name)", card.summary?.paperTotal, UInt32(total))
    findings.compare("the X on paper \(name)", card.summary?.paper?.xCount, UInt32(xCount))
    findings.compare(
      "whether the paper differs \(name)", card.paperDiffers,
      total != tally.total || xCount != tally.xCount)
  }

  private func compare(_ paper: RehearsalPlan.PaperCard, of archer: Int) async throws {
    let participant = event.participants[archer]
    let tally = PlainTally(plan.archers[archer].ends)
    let total = tally.total
    let difference = RehearsalPlan.PaperCard.difference
    var lower = RehearsalPlan.Deduction()
    let written =
      switch paper {
      case .isEqual: total
      case .isHigher: total + difference
      case .isMisread, .isLower: total - difference
      }
    switch paper {
    case .isEqual, .isHigher: break
    case .isMisread: lower.points = difference
    case .isLower: lower = RehearsalPlan.Deduction(tally)
    }
    try await type(written, tally, xCount: tally.xCount - lower.xCount, of: participant)
    try await confirm(participant)
    try await compare(archer, tally, lower)
    switch paper {
    case .isEqual, .isHigher: break
    case .isLower: log.deducted(lower, from: participant)
    case .isMisread:
      _ = try await judge.call(
        Events.reopenScoreCard,
        .with { ($0.participantID, $0.reason) = (participant, "the paper was misread") })
      try await compare(archer, tally, RehearsalPlan.Deduction())
      try await type(total, tally, xCount: tally.xCount, of: participant)
      try await confirm(participant)
      try await compare(archer, tally, RehearsalPlan.Deduction())
    }
  }

  private func compare(
    _ archer: Int, _ tally: PlainTally, _ lower: RehearsalPlan.Deduction
  ) async throws {
    let participant = event.participants[archer]
    let card = try await judge.call(
      Events.getComparedCard, .with { $0.participantID = participant })
    let name = "of bib \(plan.archers[archer].bib), who has a paper"
    findings.compare("the total \(name)", Int(card.total), tally.total - lower.points)
    findings.compare("the points that were deducted \(name)", card.deducted, lower.points)
    findings.compare(
      "the X that were deducted \(name)", Int(card.summary?.deductions?.xCount ?? 0),
      lower.xCount)
  }

  /// Types the sums of an archer whose device stopped: first wrongly, then corrected.
  private func typeSums(of archer: Int) async throws {
    let participant = event.participants[archer]
    let tally = PlainTally(plan.archers[archer].ends)
    var request = SetTypedTotalRequest()
    request.participantID = participant
    request.paper = "score card"
    request.sums = .with { sums in
      (sums.total, sums.hits) = (UInt32(tally.total - 1), UInt32(tally.hitCount))
      (sums.golds, sums.xCount) = (UInt32(tally.tenCount), UInt32(tally.xCount))
    }
    let first = try await judge.call(Events.setTypedTotal, request)
    request.sums?.total = UInt32(tally.total)
    do {
      _ = try await judge.call(Events.setTypedTotal, request)
      findings.note("another total of participant \(participant) was typed without a reason")
    } catch let error as RPCError {
      findings.compare(
        "the answer to another total that is typed", error.code, .alreadyExists)
    }
    (request.replacesID, request.reason) = (first.id, "added up again")
    let second = try await judge.call(Events.setTypedTotal, request)
    findings.compare(
      "the typed total of participant \(participant)", second.sums?.total, request.sums?.total)
    log.typed(tally, of: participant)
    let id = event.id
    let listed = try await judge.call(Events.listTypedTotals, .with { $0.tournamentID = id }).totals
    findings.compare(
      "the typed totals of the event", listed.map(\.id), [second.id])
  }
}

extension ComparedCard {
  /// The points by which a total on paper is lower; 0: nothing is deducted.
  fileprivate var deducted: Int { Int(summary?.deducted ?? 0) }
}
