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

  /// Types the total and the counts of a paper, of the whole card or of one distance.
  private func type(_ total: Int, _ tally: PlainTally, xCount: Int, of archer: Int) async throws {
    let participant = event.participants[archer]
    let part = UInt32(plan.archers[archer].paperPart)
    let card = try await judge.call(
      Events.setPaperTotal,
      .with { request in
        (request.participantID, request.part) = (participant, part)
        (request.total, request.hits) = (UInt32(total), UInt32(tally.hitCount))
        (request.golds, request.xCount) = (UInt32(tally.tenCount), UInt32(xCount))
      })
    let name = "of participant \(participant)"
    let distance = card.parts.first { $0.part == part }
    let paper = part == 0 ? card.summary?.paper : distance?.paper
    findings.compare("the total on paper \(name)", paper?.total, UInt32(total))
    findings.compare("the X on paper \(name)", paper?.xCount, UInt32(xCount))
    findings.compare(
      "whether the paper differs \(name)",
      part == 0 ? card.paperDiffers : distance?.paperDiffers,
      total != tally.total || xCount != tally.xCount)
  }

  private func compare(_ paper: RehearsalPlan.PaperCard, of archer: Int) async throws {
    let participant = event.participants[archer]
    let part = plan.archers[archer].paperPart
    let tally = PlainTally(plan.archers[archer].ends[plan.archers[archer].paperEnds])
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
    try await type(written, tally, xCount: tally.xCount - lower.xCount, of: archer)
    try await confirm(participant, part: part)
    try await compare(archer, lower)
    switch paper {
    case .isEqual, .isHigher: break
    case .isLower: log.deducted(lower, from: participant)
    case .isMisread:
      _ = try await judge.call(
        Events.reopenScoreCard,
        .with { request in
          (request.participantID, request.part) = (participant, UInt32(part))
          request.reason = "the paper was misread"
        })
      lower = RehearsalPlan.Deduction()
      try await compare(archer, lower)
      try await type(total, tally, xCount: tally.xCount, of: archer)
      try await confirm(participant, part: part)
      try await compare(archer, lower)
    }
    guard part > 0 else { return }
    // The whole card is confirmed behind its distance, and takes nothing away a second time.
    try await confirm(participant)
    try await compare(archer, lower)
  }

  private func compare(_ archer: Int, _ lower: RehearsalPlan.Deduction) async throws {
    let participant = event.participants[archer]
    let card = try await judge.call(
      Events.getComparedCard, .with { $0.participantID = participant })
    let name = "of bib \(plan.archers[archer].bib), who has a paper"
    let total = PlainTally(plan.archers[archer].ends).total
    findings.compare("the total \(name)", Int(card.total), total - lower.points)
    findings.compare("the points that were deducted \(name)", card.deducted, lower.points)
    findings.compare(
      "the X that were deducted \(name)", Int(card.summary?.deductions?.xCount ?? 0),
      lower.xCount)
    let part = UInt32(plan.archers[archer].paperPart)
    guard part > 0 else { return }
    findings.compare(
      "the points of distance \(part) that were deducted \(name)",
      card.parts.first { $0.part == part }.map { Int($0.deducted) }, lower.points)
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
