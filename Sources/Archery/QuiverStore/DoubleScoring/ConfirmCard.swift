import QuiverRules

/// Confirms the card of a participant for its archer or its scorer.
///
/// The archer confirms by its own token, or by a signature on the device of who scores. The scorer
/// is somebody else. After both confirmations the rule set decides where the cards differ.
package struct ConfirmScoreCard: Command {
  private let participant: Int64
  private let role: CardRole
  private let revision: UInt64
  private let signature: [UInt8]

  private static let insert = Query(
    """
    INSERT INTO card_confirmation (participant_id, role, event_id, principal_id, confirmed_at_ms,
      signature)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """)

  /// An empty `signature` is none.
  package init(
    _ participant: Int64, _ role: CardRole?, revision: UInt64, signature: [UInt8]
  ) throws(StoreError) {
    guard let role else { throw .invalid("role", "must be archer or scorer") }
    guard revision > 0 else {
      throw .invalid("revision", "must be the revision that was read, from 1")
    }
    guard signature.count <= StoreLimits.signatureByteCount else {
      throw .invalid("signature", "must be at most \(StoreLimits.signatureByteCount) bytes")
    }
    self.participant = participant
    self.role = role
    self.revision = revision
    self.signature = signature
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ComparedCardRecord
  {
    let place = try transaction.cardPlace(participant)
    let record = try transaction.snapshot.comparedCard(participant: participant)
    // Who confirms again may have lost its lease or its role meanwhile.
    let isRepeated = record.confirmations.contains { confirmation in
      confirmation.role == role && confirmation.principal == transaction.caller.principal
    }
    if !isRepeated {
      try checkCaller(place, transaction)
    } else if try !transaction.snapshot.sees(place, principal: transaction.caller.principal) {
      // A lease that has expired shows nothing.
      return record.hidden
    }
    let confirmed = record.summary?.confirmations ?? []
    guard !confirmed.contains(role) else { return record }
    try transaction.checkShot(place)
    try place.checkTakesPart()
    if try transaction.snapshot.eventEntry(id: participant)?.stored == .didNotFinish {
      try Self.checkCompared(record, place)
    } else {
      try Self.checkComplete(record, place)
    }
    guard record.revision == Int64(clamping: revision) else {
      throw StoreError(
        .aborted,
        "it was changed since revision \(revision); it is at \(record.revision)",
        field: "revision")
    }
    try transaction.beginCard(of: place)
    try transaction.run(
      Self.insert, .integer(participant), .integer(Int64(role.rawValue)),
      .integer(place.participant.sessionID), .integer(transaction.caller.principal),
      .integer(transaction.nowMilliseconds), signature.isEmpty ? .null : .blob(signature))
    let all = confirmed.union([role])
    try transaction.setConfirmations(all, of: participant)
    try transaction.recordCard(
      place.participant, "card.confirm", after: "\(role) \(place.participant.tally.total)")
    if all.count == CardRole.allCases.count { try transaction.decide(participant) }
    return try transaction.snapshot.comparedCard(participant: participant)
  }

  private func checkCaller(
    _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let caller = transaction.caller.principal
    let isArcher =
      place.participant.kind == .user && place.participant.principal == caller
    switch role {
    case .archer where isArcher: return
    case .archer, .scorer:
      guard
        try transaction.snapshot.mayConfirmCard(
          place, principal: caller, leasedAfter: transaction.nowMilliseconds)
      else {
        throw StoreError(
          .permissionDenied, "you do not score this participant", field: "participant_id")
      }
    }
    switch role {
    case .scorer where isArcher:
      throw StoreError(
        .permissionDenied, "the archer confirms its own card as archer; somebody else scores it",
        field: "role")
    case .archer where signature.isEmpty:
      throw .invalid(
        "signature", "must be given, for the archer confirms without a token of its own")
    case .archer, .scorer: return
    }
  }

  /// Throws unless a second card has the ends of which the first one has all arrows, and no others:
  /// of an archer who did not finish.
  private static func checkCompared(
    _ record: ComparedCardRecord, _ place: ScoringPlace
  ) throws(StoreError) {
    guard !record.ends.isEmpty else { return }
    let counts = record.arrows.reduce(into: [Int: Int]()) { $0[$1.slot.endIndex, default: 0] += 1 }
    let second = Set(record.ends.map(\.index))
    for index in Set(counts.keys).union(second).sorted() {
      guard let end = place.format.end(index), !place.isTyped(end) else { continue }
      let isFull = counts[index] == end.arrowCount
      guard isFull != second.contains(index) else { continue }
      throw StoreError(
        .failedPrecondition,
        isFull
          ? "the second card does not have end \(index + 1)"
          : "the first card does not have all arrows of end \(index + 1)",
        field: "participant_id")
    }
  }

  /// Throws unless each card that there is has all ends.
  fileprivate static func checkComplete(
    _ record: ComparedCardRecord, _ place: ScoringPlace
  ) throws(StoreError) {
    let typed = place.participant.typedPasses
    let format = place.format
    func isTyped(_ index: Int) -> Bool {
      format.end(index).map { typed.contains(pass: $0.passIndex) } ?? false
    }
    let byArrows = format.passes.enumerated().filter { !typed.contains(pass: $0.offset) }
    let arrows = record.arrows.count { !isTyped($0.slot.endIndex) }
    let wanted = byArrows.reduce(0) { $0 + $1.element.arrowCount }
    guard arrows == wanted else {
      throw StoreError(
        .failedPrecondition, "the card is not complete: it has \(arrows) of \(wanted) arrows",
        field: "participant_id")
    }
    let ends = byArrows.reduce(0) { $0 + $1.element.endCount }
    let second = record.ends.count { !isTyped($0.index) }
    guard record.ends.isEmpty || second == ends else {
      throw StoreError(
        .failedPrecondition,
        "the second card is not complete: it has \(second) of \(ends) ends",
        field: "participant_id")
    }
  }
}

extension Transaction {
  /// Decides by the rule set between the cards that archer and scorer have confirmed.
  ///
  /// Where the second card counts, the first one gets its arrows by corrections, so that
  /// operations, arrows and leaderboards stay in step. Of a total on paper only the difference is
  /// known.
  fileprivate func decide(_ id: Int64) throws(StoreError) {
    guard let record = try snapshot.participant(id: id),
      let card = try snapshot.cardSummary(participant: id)
    else { return }
    let rule = try rule(of: record)
    let ends = try snapshot.cardEnds(participant: id)
    // A ruling counts on both cards: only ends in dispute tell their totals apart.
    var second = ends.isEmpty ? nil : record.tally.total
    if let place = try snapshot.scoringPlace(participant: id) {
      for end in ends where end.state == .disputed {
        if let stored = place.format.end(end.index), place.isTyped(stored) { continue }
        let first = try snapshot.firstCard(round: place.round, end: end.index).map(\.score)
        second = second.map { $0 + end.arrows.total - first.total }
      }
    }
    let counted = rule.counted(first: record.tally.total, second: second, paper: nil)
    for end in ends where end.state == .disputed {
      if counted == .second {
        try correct(end.index, of: id, to: end.arrows, reason: rule.name)
      }
      try self.rule(on: end.index, of: id, by: 0, reason: rule.name)
    }
    try setCardState(.confirmed, of: id)
    try count(id)
    try deduct(id)
    let totals = [second, card.paperTotal].compactMap { $0 }
    guard totals.contains(where: { $0 != record.tally.total }) || card.disputed > 0 else { return }
    let after = try certain(id)
    try recordCard(
      after, "card.decide",
      before: ([record.tally.total] + totals).map { "\($0)" }.joined(separator: " "),
      after: "\(after.tally.total)", reason: rule.name)
  }
}

extension Transaction {
  /// Takes confirmations back that were of an incomplete card, where its archer goes on.
  func archerGoesOn(_ participant: Int64, reason: String) throws(StoreError) {
    guard let place = try snapshot.scoringPlace(participant: participant),
      place.cardState != .none
    else { return }
    let record = try snapshot.comparedCard(participant: participant)
    guard record.summary?.confirmations.isEmpty == false else { return }
    do throws(StoreError) {
      try ConfirmScoreCard.checkComplete(record, place)
    } catch {
      guard error.code == .failedPrecondition else { throw error }
      try reopenCard(of: place, reason: reason.isEmpty ? "the archer goes on" : reason)
    }
  }
}

extension [ArrowScore] {
  var total: Int { reduce(0) { $0 + $1.value } }
}

/// Takes the confirmations of a card back, with the corrections that the rule set made after them
/// and the deduction of a lower total on paper. What a judge has ruled or corrected stays.
package struct ReopenScoreCard: Command {
  package static var storesContent: Bool { false }

  private let participant: Int64
  private let reason: String

  package init(_ participant: Int64, reason: String) throws(StoreError) {
    self.participant = participant
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ComparedCardRecord
  {
    let place = try transaction.cardPlace(participant)
    try transaction.checkJudge(place)
    try transaction.checkShot(place)
    let record = try transaction.snapshot.comparedCard(participant: participant)
    guard record.summary?.confirmations.isEmpty == false else { return record }
    try transaction.reopenCard(of: place, reason: reason)
    return try transaction.snapshot.comparedCard(participant: participant)
  }
}
