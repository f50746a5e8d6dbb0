package import QuiverRules

/// Rules on an end on which the two cards differ.
package struct RuleOnEnd: Command {
  package static var storesContent: Bool { false }

  private let participant: Int64
  private let index: Int
  private let arrows: [ArrowScore]
  private let reason: String

  /// `arrows` are those that count.
  package init(
    _ participant: Int64, end index: Int, arrows: [ArrowScore], reason: String
  ) throws(StoreError) {
    self.participant = participant
    self.index = index
    self.arrows = arrows
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ComparedCardRecord
  {
    let place = try transaction.cardPlace(participant)
    try transaction.checkJudge(place)
    try transaction.checkShot(place)
    guard index >= 0, let format = place.format.end(index) else {
      throw .invalid("end_index", "must be below \(place.format.endCount)")
    }
    guard arrows.count == format.arrowCount else {
      throw .invalid("arrows", "must be all \(format.arrowCount) of the end")
    }
    try ApplyCardOperations.checkValues(arrows, on: format.pass.face, "")
    let end = try transaction.snapshot.cardEnd(participant: participant, index: index)
    try Self.checkDisputed(end)
    let first = try transaction.snapshot.firstCard(round: place.round, end: index).map(\.score)
    try transaction.correct(index, of: participant, to: arrows, reason: reason)
    try transaction.rule(
      on: index, of: participant, by: transaction.caller.principal, reason: reason)
    try transaction.count(participant)
    // What was confirmed is the card before the ruling.
    if place.cardState != .confirmed {
      try transaction.takeConfirmationsBack(place, distance: format.passIndex + 1)
    }
    try transaction.recordCard(
      place.participant, "card.rule",
      before: "\(index)=\(first.sheetText) / \(end?.arrows.sheetText ?? "")",
      after: "\(index)=\(arrows.sheetText)", reason: reason)
    return try transaction.snapshot.comparedCard(participant: participant)
  }

  private static func checkDisputed(_ end: CardEndRecord?) throws(StoreError) {
    let cause: String
    switch end?.state {
    case .disputed: return
    case nil: cause = "the second card does not have this end"
    case .waiting: cause = "the first card does not have all arrows of this end"
    case .agreed: cause = "both cards have the same arrows in this end"
    case .ruled: cause = "it was ruled on this end already; a judge corrects single arrows"
    }
    throw StoreError(.failedPrecondition, cause, field: "end_index")
  }
}

/// Stores the sums of a card or of one of its distances on paper, which an official has typed, or
/// who scores the card where the event lets it, or removes them.
package struct SetPaperTotal: Command {
  private let participant: Int64
  private let paper: TypedScore?
  private let part: Int
  private let expected: UInt64?

  private static let set = Query(
    """
    UPDATE event_card SET revision = revision + 1, paper_total = ?2, paper_hits = ?3,
      paper_golds = ?4, paper_x = ?5
    WHERE participant_id = ?1
    """)

  /// A `paper` of nil removes them; `part` is the number of a distance, or 0 for the whole card.
  /// `expected` is the revision of the card that was read; nil: any.
  package init(
    _ participant: Int64, _ paper: TypedScore?, part: Int = 0, expected: UInt64? = nil
  ) {
    self.expected = expected
    self.participant = participant
    self.paper = paper
    self.part = part
  }

  /// The total alone.
  package init(_ participant: Int64, total: UInt32?, part: Int = 0) {
    self.init(participant, total.map { TypedScore(total: Int($0)) }, part: part)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ComparedCardRecord
  {
    let place = try transaction.cardPlace(participant)
    let isOfficial = try checkCaller(place, transaction)
    try transaction.checkShot(place)
    try place.checkPart(part)
    let distance = try transaction.snapshot.cardDistances(participant: participant, number: part)
      .first { $0.number == part }
    let passes = part == 0 ? place.format.passes : [place.format.passes[part - 1]]
    let paper = paper
    try validating { () throws(RuleViolation) in try paper?.checkNumbers(for: passes) }
    let whole = try transaction.snapshot.cardSummary(participant: participant)?.paper
    let before = part == 0 ? whole : distance?.paper
    guard before != paper else { return try shown(isOfficial, transaction) }
    if let expected {
      try transaction.checkCard(
        of: participant, hasRevision: expected, showsSecond: isOfficial)
    }
    guard place.cardState != .confirmed else { throw .confirmedCard() }
    if distance?.isConfirmed == true { throw .confirmedDistance(part) }
    if part == 0 {
      try transaction.beginCard(of: place)
      try transaction.run(
        Self.set, values: [.integer(participant)] + TypedScore.values(of: paper))
      try transaction.takeWholeBack(place)
    } else {
      try transaction.setPaper(paper, ofDistance: part, of: place)
      try transaction.takeConfirmationsBack(place, distance: part)
    }
    let suffix = part == 0 ? "" : " / distance \(part)"
    try transaction.recordCard(
      place.participant, "card.total", before: before?.auditText ?? "",
      after: (paper?.auditText ?? "") + suffix)
    return try shown(isOfficial, transaction)
  }

  /// The card; who is no official does not see the second one by it, so that scorers stay
  /// independent of each other.
  private func shown(
    _ isOfficial: Bool, _ transaction: borrowing Transaction
  ) throws(StoreError) -> ComparedCardRecord {
    let record = try transaction.snapshot.comparedCard(participant: participant)
    return isOfficial ? record : record.withoutSecond
  }

  /// Whether the caller is an official.
  private func checkCaller(
    _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Bool {
    let caller = transaction.caller.principal
    let role = try transaction.snapshot.role(of: caller, at: place)
    if let role, role != .checkIn { return true }
    let head = try transaction.head(place.participant.sessionID)
    guard head.scorersTypePapers else {
      throw StoreError(
        .permissionDenied,
        "only an official may, for the event does not let scorers type papers",
        field: "participant_id")
    }
    let isArcher = place.participant.kind == .user && place.participant.principal == caller
    // The paper stands for a second card: who keeps that does not type it.
    guard !isArcher,
      try transaction.snapshot.mayConfirmCard(
        place, principal: caller, leasedAfter: transaction.nowMilliseconds, on: [.first])
    else {
      throw StoreError(
        .permissionDenied, "only who scores the archer, or an official of the event, may",
        field: "participant_id")
    }
    return false
  }
}

extension Transaction {
  /// Throws `aborted` with the card, or the first one alone, unless it has a revision; 0: nothing
  /// is recorded.
  func checkCard(
    of participant: Int64, hasRevision expected: UInt64, showsSecond: Bool = true
  ) throws(StoreError) {
    let card = try snapshot.comparedCard(participant: participant)
    guard UInt64(clamping: card.revision) == expected else {
      throw .changed(
        since: "expected_revision", "the card", .card(showsSecond ? card : card.withoutSecond))
    }
  }
}

extension Migration {
  /// Step 50: who types sums on paper.
  static let papersByScorers = """
    ALTER TABLE tournament ADD COLUMN scorers_type_papers INTEGER NOT NULL DEFAULT 0;

    """
}

extension PostgresSchema {
  /// The same step as that of SQLite.
  static let papersByScorers = Migration.papersByScorers.replacing("INTEGER", with: "bigint")
}
