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

  private func type(_ total: Int, of participant: Int64) async throws {
    let card = try await judge.call(
      Events.setPaperTotal, .with { ($0.participantID, $0.total) = (participant, UInt32(total)) })
    findings.compare(
      "the total on paper of participant \(participant)", card.summary?.paperTotal, UInt32(total))
  }

  private func compare(_ paper: RehearsalPlan.PaperCard, of archer: Int) async throws {
    let participant = event.participants[archer]
    let total = PlainCards.total(plan.archers[archer].ends)
    let difference = RehearsalPlan.PaperCard.difference
    let written =
      switch paper {
      case .isEqual: total
      case .isHigher: total + difference
      case .isMisread, .isLower: total - difference
      }
    try await type(written, of: participant)
    try await confirm(participant)
    try await compare(archer, counts: min(total, written), deducted: max(0, total - written))
    switch paper {
    case .isEqual, .isHigher: break
    case .isLower: log.deducted(difference, from: participant)
    case .isMisread:
      _ = try await judge.call(
        Events.reopenScoreCard,
        .with { ($0.participantID, $0.reason) = (participant, "the paper was misread") })
      try await compare(archer, counts: total, deducted: 0)
      try await type(total, of: participant)
      try await confirm(participant)
      try await compare(archer, counts: total, deducted: 0)
    }
  }

  private func compare(_ archer: Int, counts total: Int, deducted points: Int) async throws {
    let participant = event.participants[archer]
    let card = try await judge.call(
      Events.getComparedCard, .with { $0.participantID = participant })
    let name = "of bib \(plan.archers[archer].bib), who has a paper"
    findings.compare("the total \(name)", Int(card.total), total)
    findings.compare("the points that were deducted \(name)", card.deducted, points)
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
