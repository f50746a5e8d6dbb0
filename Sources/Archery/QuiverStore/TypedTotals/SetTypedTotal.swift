package import QuiverRules

/// What an official types from a paper.
package struct TypedTotalDraft: Sendable {
  package var participant: Int64 = 0
  /// The number of a pass, from 1; 0: the whole round.
  package var part: UInt32 = 0
  package var score = TypedScore(total: 0)
  /// 0: now.
  package var shotAtMilliseconds: Int64 = 0
  package var paper = ""
  /// The one that is corrected; 0: there is none yet.
  package var replaces: Int64 = 0
  /// Of a correction.
  package var reason = ""

  package init() {}
}

/// Stores the sums of a part of a card as a paper has them: they count instead of its arrows.
package struct SetTypedTotal: Command {
  private let draft: TypedTotalDraft

  private static let insert = Query(
    """
    INSERT INTO typed_total (event_id, participant_id, part, total, hits, golds, x_count,
      shot_at_ms, typed_by, typed_at_ms, ended_at_ms, paper, reason)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, ?12)
    """, key: "id")
  private static let count = Query("SELECT count(*) FROM typed_total WHERE participant_id = ?1")

  /// Validates the texts.
  package init(_ draft: TypedTotalDraft) throws(StoreError) {
    var draft = draft
    let paper = draft.paper
    draft.paper = try validating { () throws(RuleViolation) in
      try TextLimits.checked(paper, length: TextLimits.nameLength, path: "paper")
    }
    draft.reason = try TournamentText.reason(draft.reason, mayBeEmpty: draft.replaces == 0)
    self.draft = draft
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> TypedTotalRecord {
    var draft = draft
    let place = try transaction.typedPlace(draft.participant)
    let now = transaction.nowMilliseconds
    guard let passes = place.format.passes(ofPart: Int(draft.part)) else {
      throw .invalid(
        "part", "must be from 1 to \(place.format.passes.count), or 0 for the whole round")
    }
    try transaction.checkDistances(ofPart: Int(draft.part), of: place)
    guard draft.shotAtMilliseconds >= 0, draft.shotAtMilliseconds <= now + Self.clockAllowance
    else { throw .invalid("shot_at_ms", "must not be in the future") }
    let shot = Array(place.format.passes[passes])
    let typed = draft.score
    draft.score = try validating { () throws(RuleViolation) in try typed.validated(for: shot) }
    let counting = try transaction.snapshot.typedTotals(participant: draft.participant)
    let before = counting.first { $0.part == Int(draft.part) }
    if let before, before.isEqual(draft) { return before }
    try Self.check(draft, before, among: counting, place, transaction)
    try check(draft.score, against: Self.arrows(passes, place, transaction))
    if let before { try transaction.end(before) }
    let score = draft.score
    let id = try transaction.insert(
      Self.insert, .integer(place.participant.sessionID), .integer(draft.participant),
      .integer(Int64(draft.part)), .integer(Int64(score.total)),
      .optional(score.hits.map(Int64.init)), .optional(score.golds.map(Int64.init)),
      .optional(score.xCount.map(Int64.init)),
      .integer(draft.shotAtMilliseconds == 0 ? now : draft.shotAtMilliseconds),
      .integer(transaction.caller.principal), .integer(now), .text(draft.paper),
      .text(draft.reason))
    guard let record = try transaction.snapshot.typedTotal(id: id) else {
      throw StoreError(.internalError, "a typed total went while it was stored")
    }
    try transaction.keepSheet(of: draft.participant, part: Int(draft.part))
    try transaction.auditTyped(record, before: before, place, reason: draft.reason)
    return record
  }

  /// How far the clock of a client may be ahead.
  private static let clockAllowance: Int64 = 5 * 60_000

  private static func check(
    _ draft: TypedTotalDraft, _ before: TypedTotalRecord?, among counting: [TypedTotalRecord],
    _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    if draft.part == 0 {
      let rounds = try transaction.snapshot.rounds(ofFormat: place.formatID, place.format)
      guard rounds.count == 1 else {
        throw StoreError(
          .failedPrecondition,
          "the qualification has \(rounds.count) rounds; type the distances of each", field: "part")
      }
    }
    if let other = counting.first(where: { ($0.part == 0) != (draft.part == 0) }) {
      throw StoreError(
        .failedPrecondition,
        other.part == 0
          ? "the whole round is typed; remove that first"
          : "distance \(other.part) is typed; remove that first", field: "part")
    }
    switch (before, draft.replaces) {
    case (nil, 0): break
    case (nil, _):
      throw StoreError(
        .failedPrecondition, "this total does not count any more", field: "replaces_id")
    case (let before?, 0):
      throw StoreError(
        .alreadyExists,
        "\(before.score.total) was typed for this part; name it, and why it is corrected",
        field: "replaces_id")
    case (let before?, let id):
      guard before.id == id else {
        throw StoreError(
          .aborted, "the total was corrected since; it is \(before.score.total) now",
          field: "replaces_id")
      }
    }
    let rows = try transaction.snapshot.first(
      count, .integer(draft.participant)
    ) { row in row.int64(0) }
    guard rows ?? 0 < StoreLimits.typedTotalsPerParticipant else {
      throw StoreError.reached(
        .typedTotalsPerParticipant,
        "a participant may have \(StoreLimits.typedTotalsPerParticipant) typed totals, with those "
          + "that were corrected", field: "participant_id")
    }
  }

  /// What the arrows of the part show so far.
  private static func arrows(
    _ passes: Range<Int>, _ place: ScoringPlace, _ transaction: borrowing Transaction
  ) throws(StoreError) -> ScoreTally {
    var tally = ScoreTally()
    for arrow in try transaction.snapshot.arrows(round: place.round) where !arrow.isRetracted {
      guard let end = place.format.end(arrow.slot.endIndex), passes.contains(end.passIndex)
      else { continue }
      tally.add(arrow.score, on: end.pass.face)
    }
    return tally
  }

  private func check(_ score: TypedScore, against arrows: ScoreTally) throws(StoreError) {
    let counts = [
      (score.total, arrows.total, "total", "points"),
      (score.hits, arrows.hitCount, "hits", "hits"),
      (score.golds, arrows.goldCount, "golds", "golds"),
      (score.xCount, arrows.xCount, "x_count", "X"),
    ]
    for (typed, shown, field, noun) in counts where typed.map({ $0 < shown }) == true {
      throw StoreError(
        .failedPrecondition,
        "is below the \(shown) \(noun) that the arrows of this part show; correct these first",
        field: field)
    }
  }
}

/// Removes a typed total, so that the arrows of its part count again.
package struct RemoveTypedTotal: Command {
  package static var storesContent: Bool { false }

  private let participant: Int64
  private let id: Int64
  private let reason: String

  /// Validates the reason.
  package init(_ id: Int64, of participant: Int64, reason: String) throws(StoreError) {
    self.participant = participant
    self.id = id
    self.reason = try TournamentText.reason(reason)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let place = try transaction.typedPlace(participant)
    guard let record = try transaction.snapshot.typedTotal(id: id),
      record.participant == participant
    else {
      throw StoreError(.notFound, "the participant has no such typed total", field: "id")
    }
    guard record.endedAtMilliseconds == 0 else {
      throw StoreError(
        .failedPrecondition, "it was corrected or removed already", field: "id")
    }
    try transaction.checkDistances(ofPart: record.part, of: place)
    try transaction.end(record)
    try transaction.keepSheet(of: participant, part: record.part)
    try transaction.auditTyped(nil, before: record, place, reason: reason)
  }
}

extension TypedTotalRecord {
  /// Whether a draft has the same sums and the same paper.
  fileprivate func isEqual(_ draft: TypedTotalDraft) -> Bool {
    part == Int(draft.part) && score == draft.score && paper == draft.paper
      && (draft.shotAtMilliseconds == 0 || draft.shotAtMilliseconds == shotAtMilliseconds)
  }
}

extension Snapshot {
  /// The card of a participant added up: the arrows of the parts by arrows, and the sums of the
  /// typed ones.
  fileprivate func sheet(
    of place: ScoringPlace
  ) throws(StoreError) -> (tally: ScoreTally, nextEnd: Int, typed: PassSet) {
    let typed = try typedTotals(participant: place.participant.id)
    let passes = typed.passes(in: place.format)
    var tally = ScoreTally()
    var filled: [Int: Int] = [:]
    for arrow in try arrows(round: place.round) where !arrow.isRetracted {
      guard let end = place.format.end(arrow.slot.endIndex), !passes.contains(pass: end.passIndex)
      else { continue }
      tally.add(arrow.score, on: end.pass.face)
      filled[arrow.slot.endIndex, default: 0] += 1
    }
    let open = (0..<place.format.endCount).filter { index in
      guard let end = place.format.end(index), !passes.contains(pass: end.passIndex) else {
        return false
      }
      return filled[index, default: 0] < end.arrowCount
    }
    tally.endsCompleted = filled.keys.count { !open.contains($0) }
    tally.add(typed, in: place.format)
    return (tally, open.first ?? place.format.endCount, passes)
  }
}

/// Writes what typed totals change.
extension Transaction {
  private static let endTyped = Query("UPDATE typed_total SET ended_at_ms = ?2 WHERE id = ?1")
  private static let keepSheet = Query(
    """
    UPDATE participant SET total = ?2, x_count = ?3, gold_count = ?4, arrow_count = ?5,
      ends_completed = ?6, last_active_at_ms = ?7, next_end = ?8, missing_counts = ?9,
      typed_passes = ?10, n0 = ?11, n1 = ?12, n2 = ?13, n3 = ?14, n4 = ?15, n5 = ?16, n6 = ?17,
      n7 = ?18, n8 = ?19, n9 = ?20, n10 = ?21, n11 = ?22
    WHERE id = ?1
    """)
  private static let keepCounts = Query(
    """
    UPDATE participant SET total = ?2, x_count = ?3, gold_count = ?4, n0 = ?5, n1 = ?6, n2 = ?7,
      n3 = ?8, n4 = ?9, n5 = ?10, n6 = ?11, n7 = ?12, n8 = ?13, n9 = ?14, n10 = ?15, n11 = ?16
    WHERE id = ?1
    """)
  private static let setFirstShot = Query(
    """
    UPDATE round SET first_shot_ms = (
        SELECT min(shot) FROM (
          SELECT a.scored_at_ms AS shot FROM scored_arrow a WHERE a.round_id = round.id
          UNION ALL SELECT y.shot_at_ms FROM typed_total y
          WHERE y.participant_id = ?1 AND y.ended_at_ms = 0) AS times)
    WHERE participant_id = ?1
    """)

  /// A participant whose totals the caller may type: an organiser or a judge, while the event is
  /// shot and the card is not confirmed.
  fileprivate func typedPlace(_ id: Int64) throws(StoreError) -> ScoringPlace {
    let place = try cardPlace(id)
    try checkJudge(place)
    try checkOpen(place)
    return place
  }

  fileprivate func end(_ record: TypedTotalRecord) throws(StoreError) {
    try run(Self.endTyped, .integer(record.id), .integer(nowMilliseconds))
  }

  /// Adds the card of a participant up again: the arrows of the parts by arrows, and the sums of
  /// the typed ones.
  fileprivate func keepSheet(of id: Int64, part: Int) throws(StoreError) {
    guard var place = try snapshot.scoringPlace(participant: id) else { return }
    let sheet = try snapshot.sheet(of: place)
    var tally = sheet.tally
    // Of distances: the card as a whole is not confirmed.
    tally.deduct(
      try snapshot.cardSummary(participant: id)?.deduction ?? SumDeduction(),
      of: place.format.passes)
    try keepSums(tally, of: id, nextEnd: sheet.nextEnd, typed: sheet.typed)
    try run(Self.setFirstShot, .integer(id))
    try keepTurn(ofParticipant: id)
    try keepRoundStatus(tally, at: &place)
    // What was confirmed is the card before.
    try takeConfirmationsBack(place, distance: part)
    try recordScore(of: place.participant, isTournament: true)
  }

  /// Stores the sums of a participant of which a paper deducts something.
  func keepDeducted(_ lower: SumDeduction, of id: Int64) throws(StoreError) {
    guard let place = try snapshot.scoringPlace(participant: id) else { return }
    var tally = try snapshot.sheet(of: place).tally
    tally.deduct(lower, of: place.format.passes)
    var values: [SQLValue] = [
      .integer(id), .integer(Int64(tally.total)), .integer(Int64(tally.xCount)),
      .integer(Int64(tally.goldCount)),
    ]
    values += tally.countsByValue.map { .integer(Int64($0)) }
    try run(Self.keepCounts, values: values)
  }

  /// Stores the sums of a participant with the passes that are typed.
  func keepSums(
    _ tally: ScoreTally, of id: Int64, nextEnd: Int, typed: PassSet
  ) throws(StoreError) {
    var values: [SQLValue] = [
      .integer(id), .integer(Int64(tally.total)), .integer(Int64(tally.xCount)),
      .integer(Int64(tally.goldCount)), .integer(Int64(tally.arrowCount)),
      .integer(Int64(tally.endsCompleted)), .integer(nowMilliseconds), .integer(Int64(nextEnd)),
      .integer(Int64(tally.missing.rawValue)), .integer(Int64(typed.rawValue)),
    ]
    values += tally.countsByValue.map { .integer(Int64($0)) }
    try run(Self.keepSheet, values: values)
  }

  fileprivate func auditTyped(
    _ record: TypedTotalRecord?, before: TypedTotalRecord?, _ place: ScoringPlace, reason: String
  ) throws(StoreError) {
    try auditEvent(
      place.participant.sessionID,
      record == nil ? "card.untype" : before == nil ? "card.type" : "card.retype",
      participant: place.participant.id, before: before?.auditText ?? "",
      after: record?.auditText ?? "", reason: reason)
  }
}

extension TypedTotalRecord {
  /// The part and its sums; the texts of the paper are not in the audit.
  fileprivate var auditText: String { "\(part)=\(score.auditText)" }
}

extension TypedScore {
  /// The total, hits, golds and X; a question mark is a count that is not known.
  var auditText: String {
    let counts = [hits, golds, xCount].map { $0.map { "\($0)" } ?? "?" }
    return "\(total) " + counts.joined(separator: " ")
  }
}
