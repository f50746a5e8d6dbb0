import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// Double scoring: leases of all targets, second cards on some, and what judges and the rule set
/// decide between them.
extension Rehearsal {
  /// One target in this number has two devices.
  private static let targetsPerSecondDevice = 4

  /// Demands leases, and returns the codes of the targets, by session.
  func demandLeases() async throws -> [[UInt32: String]] {
    let id = event.id
    let office = staff.organiser.way
    _ = try await office.call(
      Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (id, true) })
    var codes: [[UInt32: String]] = []
    for session in event.sessions {
      let listed = try await office.call(
        Events.listTargetCodes, .with { ($0.tournamentID, $0.sessionID) = (id, session) }
      ).codes
      codes.append(
        Dictionary(listed.map { ($0.target, $0.code) }, uniquingKeysWith: { first, _ in first }))
    }
    return codes
  }

  /// The second cards: of archers on some targets of the first day who shoot all ends, and whose
  /// first card is right.
  func secondCards(besides wrong: [Int: ArrowSlot]) -> [SecondCard] {
    var cards: [SecondCard] = []
    var number = Int(plan.seed % 5)
    for (index, target) in event.targets(ofDay: 0)
    where index % Self.targetsPerSecondDevice == 1 {
      let archers = target.archers.filter { archer in
        plan.archers[archer].fate == .shootsAll && plan.archers[archer].paper == nil
          && wrong[archer] == nil
      }
      cards += archers.map { archer in
        number += 1
        let outcomes = SecondCard.Outcome.allCases
        return SecondCard(
          archer, event.participants[archer], plan.archers[archer].ends,
          outcomes[number % outcomes.count])
      }
    }
    return cards
  }

  /// Keeps the second cards of a target by a device of its own, on the day of the target.
  func keep(
    _ cards: [SecondCard], _ target: RehearsalEvent.Target, _ index: Int, code: String,
    _ plates: [UInt32: String]
  ) async throws {
    let number = target.day == 0 ? index / Self.targetsPerSecondDevice : index
    let member = staff.matchScorers[number % staff.matchScorers.count]
    var device = SecondDevice(
      member.way, office: staff.organiser.way, log, findings,
      device: "second card of target \(target.number)", code: code,
      seed: plan.seed &+ UInt64(index) &* 104_729, shuffles: hasFaults)
    // Every second one is a phone that has nothing but the plate.
    var phone: LineDevice?
    if number % 2 == 1 {
      let plate = try plate(target, plates)
      let made = try self.device("second card", at: target, 3)
      device.use(made, at: plate)
      phone = made
    }
    let troubles = SecondDevice.Trouble.allCases
    try await device.keep(
      cards, ends: plan.ends(ofDay: target.day), troubles[number % troubles.count])
    await phone?.close()
  }

  /// Compares both cards of each archer, has the judge rule, confirms them, and compares again.
  func checkCards(_ cards: [SecondCard]) async throws {
    let cards = cards.sorted { $0.archer < $1.archer }
    let first = ExpectedScores(log.scores, participants: [], findings).ends
    let second = log.secondCards
    for card in cards {
      let own = first[card.participant] ?? [:]
      try await compare(card, own, second[card.participant] ?? [:])
      try await decide(card)
      let shown = try await shown(card)
      let name = "of bib \(plan.archers[card.archer].bib) after \(card.outcome)"
      findings.compare(
        "the total of the cards \(name)", Int(shown.total),
        PlainCards.total(plan.archers[card.archer].ends))
      findings.compare(
        "the status of the cards \(name)", shown.summary?.status,
        card.outcome == .isReopened ? .agreed : .confirmed)
    }
  }

  private func shown(_ card: SecondCard) async throws -> ComparedCard {
    let participant = card.participant
    return try await staff.judge.way.call(
      Events.getComparedCard, .with { $0.participantID = participant })
  }

  /// Compares the ends of both cards with those that follow from the operations.
  private func compare(
    _ card: SecondCard, _ first: [UInt32: [RehearsalPlan.Arrow]],
    _ second: [Int: [RehearsalPlan.Arrow]]
  ) async throws {
    let shown = try await shown(card)
    let bib = plan.archers[card.archer].bib
    findings.compare("ends of the cards of bib \(bib)", shown.ends.count, card.ends.count)
    for end in shown.ends {
      let name = "of end \(end.endIndex) of bib \(bib)"
      let (own, other) = (first[end.endIndex] ?? [], second[Int(end.endIndex)] ?? [])
      findings.compare("the first card \(name)", Self.arrows(end.first), PlainCards.sorted(own))
      findings.compare("the second card \(name)", Self.arrows(end.second), PlainCards.sorted(other))
      findings.compare(
        "the comparison \(name)", end.state, PlainCards.agree(own, other) ? .agreed : .disputed)
    }
    let disputed = card.outcome == .agrees ? 0 : 1
    findings.compare(
      "disputes of bib \(bib)", Int(shown.summary?.disputedEnds ?? 0), disputed)
  }

  private static func arrows(_ arrows: [MatchArrow]) -> [RehearsalPlan.Arrow] {
    PlainCards.sorted(
      arrows.map { RehearsalPlan.Arrow(value: Int($0.value), isX: $0.isX) })
  }

  private func decide(_ card: SecondCard) async throws {
    switch card.outcome {
    case .agrees, .firstIsLower: try await confirm(card.participant)
    case .ruledForFirst, .ruledForSecond:
      try await rule(card)
      try await confirm(card.participant)
    case .isReopened:
      try await confirm(card.participant)
      let name = "of bib \(plan.archers[card.archer].bib)"
      let decided = try await shown(card)
      // The lower total counts, and the first card has the arrows of the second one.
      findings.compare(
        "the lower total \(name)", Int(decided.total), PlainCards.total(card.ends))
      let participant = card.participant
      let reopened = try await staff.judge.way.call(
        Events.reopenScoreCard,
        .with { ($0.participantID, $0.reason) = (participant, "the archer was not asked") })
      findings.compare(
        "the total of the reopened card \(name)", Int(reopened.total),
        PlainCards.total(plan.archers[card.archer].ends))
      findings.compare(
        "disputes of the reopened card \(name)", Int(reopened.summary?.disputedEnds ?? 0), 1)
      try await rule(card)
    }
  }

  /// Has the judge rule that the archer shot what the plan has.
  private func rule(_ card: SecondCard) async throws {
    let arrows = plan.archers[card.archer].ends[card.end]
    _ = try await staff.judge.way.call(
      Events.ruleOnEnd,
      .with { request in
        (request.participantID, request.endIndex) = (card.participant, UInt32(card.end))
        (request.arrows, request.reason) = (arrows.map(MatchArrow.init), "seen by the judge")
      })
    log.ruled(card.participant, UInt32(card.end), arrows)
  }

  /// Confirms a card, or one of its distances, for the archer, by a signature on a device, and for
  /// the scorer.
  func confirm(_ participant: Int64, part: Int = 0) async throws {
    for (role, way) in [
      (CardRole.archer, staff.matchScorers[0].way), (CardRole.scorer, staff.judge.way),
    ] {
      try await MatchDevices.repeated { () async throws in
        let revision = try await way.call(
          Events.getComparedCard, .with { $0.participantID = participant }
        ).revision
        _ = try await way.call(
          Events.confirmScoreCard,
          .with { request in
            (request.participantID, request.role) = (participant, role)
            (request.revision, request.signature) = (revision, role == .archer ? [1] : [])
            request.part = UInt32(part)
          })
      }
    }
  }
}
