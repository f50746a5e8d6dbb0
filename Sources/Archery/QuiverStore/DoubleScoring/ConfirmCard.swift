import QuiverRules

/// Confirms the card of a participant for its archer or its scorer.
///
/// The archer confirms by its own token, or by a signature on the device of who scores. The scorer
/// is somebody else. After both confirmations the rule set decides where the cards differ.
package struct ConfirmScoreCard: Command {
  private let participant: Int64
  private let role: CardRole
  private let part: Int
  private let revision: UInt64
  private let signature: [UInt8]

  private static let insert = Query(
    """
    INSERT INTO card_confirmation (participant_id, role, event_id, principal_id, confirmed_at_ms,
      signature)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """)

  /// An empty `signature` is none; `part` is the number of a distance, or 0 for the whole card.
  package init(
    _ participant: Int64, _ role: CardRole?, part: Int = 0, revision: UInt64, signature: [UInt8]
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
    self.part = part
    self.revision = revision
    self.signature = signature
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ComparedCardRecord
  {
    let place = try transaction.cardPlace(participant)
    let record = try transaction.snapshot.comparedCard(participant: participant)
    // Who confirms again may have lost its lease or its role meanwhile.
    let isRepeated = record.confirmations.contains { confirmation in
      confirmation.role == role && confirmation.part == part
        && confirmation.principal == transaction.caller.principal
    }
    if !isRepeated {
      try checkCaller(place, transaction)
    } else if try !transaction.snapshot.sees(place, principal: transaction.caller.principal) {
      // A lease that has expired shows nothing.
      return record.hidden
    }
    try place.checkPart(part)
    guard part == 0 || record.parts.contains(where: { $0.number == part }) else {
      throw StoreError(
        .failedPrecondition, "the whole round is typed; confirm the whole card", field: "part")
    }
    let distance = record.parts.first { $0.number == part }?.distance
    let confirmed = (part == 0 ? record.summary?.confirmations : distance?.confirmations) ?? []
    guard !confirmed.contains(role) else { return record }
    try transaction.checkShot(place)
    try place.checkTakesPart()
    if try transaction.snapshot.eventEntry(id: participant)?.stored == .didNotFinish {
      try Self.checkCompared(record, place, part)
    } else {
      try Self.checkComplete(record, place, part)
    }
    guard record.revision == Int64(clamping: revision) else {
      throw StoreError(
        .aborted,
        "it was changed since revision \(revision); it is at \(record.revision)",
        field: "revision")
    }
    let all = confirmed.union([role])
    if part == 0 {
      try transaction.beginCard(of: place)
      try transaction.run(
        Self.insert, .integer(participant), .integer(Int64(role.rawValue)),
        .integer(place.participant.sessionID), .integer(transaction.caller.principal),
        .integer(transaction.nowMilliseconds), signature.isEmpty ? .null : .blob(signature))
      try transaction.setConfirmations(all, of: participant)
    } else {
      guard place.cardState != .confirmed else { throw .confirmedCard() }
      try transaction.confirm(
        distance: part, of: place, role, among: confirmed, signature: signature)
    }
    let suffix = part == 0 ? "" : " / distance \(part)"
    try transaction.recordCard(
      place.participant, "card.confirm",
      after: "\(role) \(try transaction.points(of: place, part: part))\(suffix)")
    if all.count == CardRole.allCases.count { try transaction.decide(participant, part: part) }
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
    _ record: ComparedCardRecord, _ place: ScoringPlace, _ part: Int
  ) throws(StoreError) {
    let compared = record.ends.map(\.index).filter { place.isEnd($0, ofPart: part) }
    guard !compared.isEmpty else { return }
    var counts: [Int: Int] = [:]
    for arrow in record.arrows where place.isEnd(arrow.slot.endIndex, ofPart: part) {
      counts[arrow.slot.endIndex, default: 0] += 1
    }
    let second = Set(compared)
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
    _ record: ComparedCardRecord, _ place: ScoringPlace, _ part: Int = 0
  ) throws(StoreError) {
    let typed = place.participant.typedPasses
    let format = place.format
    func counts(_ index: Int) -> Bool {
      place.isEnd(index, ofPart: part)
        && format.end(index).map { !typed.contains(pass: $0.passIndex) } ?? true
    }
    let byArrows = format.passes.enumerated().filter { index, _ in
      !typed.contains(pass: index) && (part == 0 || index == part - 1)
    }
    let what = part == 0 ? "the card" : "distance \(part)"
    let arrows = record.arrows.count { counts($0.slot.endIndex) }
    let wanted = byArrows.reduce(0) { $0 + $1.element.arrowCount }
    guard arrows == wanted else {
      throw StoreError(
        .failedPrecondition, "\(what) is not complete: it has \(arrows) of \(wanted) arrows",
        field: "participant_id")
    }
    let ends = byArrows.reduce(0) { $0 + $1.element.endCount }
    let second = record.ends.count { counts($0.index) }
    let hasSecond = record.ends.contains { place.isEnd($0.index, ofPart: part) }
    guard !hasSecond || second == ends else {
      throw StoreError(
        .failedPrecondition,
        "the second card is not complete: it has \(second) of \(ends) ends"
          + (part == 0 ? "" : " of distance \(part)"),
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
  ///
  /// `part` is the number of the distance that they have confirmed, or 0 for the whole card.
  fileprivate func decide(_ id: Int64, part: Int) throws(StoreError) {
    guard let place = try snapshot.scoringPlace(participant: id),
      let card = try snapshot.cardSummary(participant: id)
    else { return }
    let rule = try rule(of: place.participant)
    let ends = try snapshot.cardEnds(participant: id).filter {
      place.isEnd($0.index, ofPart: part)
    }
    let total = try points(of: place, part: part)
    // A ruling counts on both cards: only ends in dispute tell their totals apart.
    let disputed = ends.filter { $0.state == .disputed }
    var second = ends.isEmpty ? nil : total
    for end in disputed {
      if let stored = place.format.end(end.index), place.isTyped(stored) { continue }
      let first = try snapshot.firstCard(round: place.round, end: end.index).map(\.score)
      second = second.map { $0 + end.arrows.total - first.total }
    }
    let counted = rule.counted(first: total, second: second, paper: nil)
    for end in disputed {
      if counted == .second {
        try correct(end.index, of: id, to: end.arrows, reason: rule.name)
      }
      try self.rule(on: end.index, of: id, by: 0, reason: rule.name)
    }
    if part == 0 { try setCardState(.confirmed, of: id) }
    try count(id)
    try deduct(id)
    let paper =
      part == 0
      ? card.paper : try snapshot.cardDistances(participant: id, number: part).first?.paper
    let totals = [second, paper?.total].compactMap { $0 }
    let hasDeducted = try snapshot.cardSummary(participant: id)?.deduction != card.deduction
    guard totals.contains(where: { $0 != total }) || !disputed.isEmpty || hasDeducted else {
      return
    }
    let after = try certain(id)
    try recordCard(
      after, "card.decide",
      before: ([total] + totals).map { "\($0)" }.joined(separator: " "),
      after: "\(after.tally.total)" + (part == 0 ? "" : " / distance \(part)"),
      reason: rule.name)
  }

  /// The points of a card, or of one of its distances before a total on paper is compared.
  fileprivate func points(of place: ScoringPlace, part: Int) throws(StoreError) -> Int {
    guard part > 0 else { return place.participant.tally.total }
    return try snapshot.cardParts(of: place).first { $0.number == part }?.sums.total
      ?? place.participant.tally.total
  }
}

extension Transaction {
  /// Takes confirmations back that were of an incomplete card, where its archer goes on.
  func archerGoesOn(_ participant: Int64, reason: String) throws(StoreError) {
    guard let place = try snapshot.scoringPlace(participant: participant),
      place.cardState != .none
    else { return }
    let record = try snapshot.comparedCard(participant: participant)
    let reason = reason.isEmpty ? "the archer goes on" : reason
    let distances = record.parts.compactMap(\.distance).filter { !$0.confirmations.isEmpty }
    for part in distances.map(\.number) {
      guard try !isComplete(record, place, part) else { continue }
      try reopenCard(of: place, part: part, reason: reason)
    }
    guard record.summary?.confirmations.isEmpty == false, try !isComplete(record, place, 0) else {
      return
    }
    try reopenCard(of: place, reason: reason)
  }

  private func isComplete(
    _ record: ComparedCardRecord, _ place: ScoringPlace, _ part: Int
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try ConfirmScoreCard.checkComplete(record, place, part)
      return true
    } catch {
      guard error.code == .failedPrecondition else { throw error }
      return false
    }
  }
}

extension [ArrowScore] {
  var total: Int { reduce(0) { $0 + $1.value } }
}

/// Takes the confirmations of a card back, or those of one of its distances, with the corrections
/// that the rule set made after them and the deduction of a lower total on paper. What a judge has
/// ruled or corrected stays.
package struct ReopenScoreCard: Command {
  package static var storesContent: Bool { false }

  private let participant: Int64
  private let part: Int
  private let reason: String
  private let expected: UInt64

  /// `part` is the number of a distance, or 0 for the whole card with its distances. `expected` is
  /// the revision of the card that was read; 0: any.
  package init(
    _ participant: Int64, part: Int = 0, reason: String, expected: UInt64 = 0
  ) throws(StoreError) {
    self.expected = expected
    self.participant = participant
    self.part = part
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ComparedCardRecord
  {
    let place = try transaction.cardPlace(participant)
    try transaction.checkJudge(place)
    try transaction.checkShot(place)
    try place.checkPart(part)
    let record = try transaction.snapshot.comparedCard(participant: participant)
    guard part == 0 || place.cardState != .confirmed else { throw .confirmedCard() }
    guard record.confirmations.contains(where: { part == 0 || $0.part == part }) else {
      return record
    }
    if expected != 0 { try transaction.checkCard(of: participant, hasRevision: expected) }
    try transaction.reopenCard(of: place, part: part, reason: reason)
    return try transaction.snapshot.comparedCard(participant: participant)
  }
}
