import QuiverRules

extension ScoringPlace {
  /// Throws unless the archer takes part.
  func checkTakesPart(field: String = "participant_id") throws(StoreError) {
    guard participant.status.standing == .ranked else {
      throw StoreError(
        .failedPrecondition, "the participant has withdrawn or is disqualified", field: field)
    }
  }
}

extension StoreError {
  /// The refusal of a change of a card that both have confirmed.
  static func confirmedCard(_ field: String = "participant_id") -> StoreError {
    StoreError(
      .failedPrecondition, "archer and scorer have confirmed the card; a judge may reopen it",
      field: field)
  }
}

/// Keeps second cards in step with the arrows of the first one.
extension Transaction {
  private static let insertCard = Query(
    """
    INSERT INTO event_card (participant_id, event_id, revision, operation_count, end_count, ends,
      agreed, disputed, ruled, confirmations, paper_total, deduction, decided_at_ms)
    VALUES (?1, ?2, ?4, 0, ?3, 0, 0, 0, 0, 0, NULL, 0, 0)
    ON CONFLICT (participant_id) DO NOTHING
    """)
  private static let setCardState = Query("UPDATE participant SET card_state = ?2 WHERE id = ?1")
  private static let count = Query(
    """
    UPDATE event_card SET revision = revision + 1,
      ends = (SELECT count(*) FROM event_card_end e WHERE e.participant_id = ?1),
      agreed = (SELECT count(*) FROM event_card_end e WHERE e.participant_id = ?1
        AND e.state = \(CardEndState.agreed.rawValue)),
      disputed = (SELECT count(*) FROM event_card_end e WHERE e.participant_id = ?1
        AND e.state = \(CardEndState.disputed.rawValue)),
      ruled = (SELECT count(*) FROM event_card_end e WHERE e.participant_id = ?1
        AND e.state = \(CardEndState.ruled.rawValue))
    WHERE participant_id = ?1
    """)
  private static let setEndState = Query(
    """
    UPDATE event_card_end SET state = ?3, ruled_by = ?4, ruled_at_ms = ?5, reason = ?6
    WHERE participant_id = ?1 AND end_index = ?2
    """)
  private static let setConfirmations = Query(
    """
    UPDATE event_card SET revision = revision + 1, confirmations = ?2 WHERE participant_id = ?1
    """)
  private static let removeConfirmations = Query(
    "DELETE FROM card_confirmation WHERE participant_id = ?1")
  private static let setDeduction = Query(
    """
    UPDATE event_card SET revision = revision + 1, deduction = ?2, decided_at_ms = ?3,
      deducted_hits = ?4, deducted_golds = ?5, deducted_x = ?6
    WHERE participant_id = ?1
    """)

  /// A participant of an event that the caller may see; throws `notFound`. With `orScored` who has
  /// kept the second card under a lease gets it too.
  func cardPlace(
    _ id: Int64, orScored: Bool = false, field: String = "participant_id"
  ) throws(StoreError) -> ScoringPlace {
    guard let place = try snapshot.scoringPlace(participant: id), place.isTournament else {
      throw Snapshot.noEventParticipant(field: field)
    }
    if try snapshot.sees(place, principal: caller.principal, withExpiredLeases: true) {
      return place
    }
    guard orScored,
      try snapshot.hasScored(participant: id, .second, principal: caller.principal)
    else { throw Snapshot.noEventParticipant(field: field) }
    return place
  }

  /// Whether the caller rules over the cards of the event.
  func isJudge(at place: ScoringPlace) throws(StoreError) -> Bool {
    try snapshot.isJudge(caller.principal, at: place)
  }

  /// Throws unless the caller rules over the cards of the event.
  func checkJudge(_ place: ScoringPlace) throws(StoreError) {
    guard try isJudge(at: place) else {
      throw StoreError(
        .permissionDenied, "only an organiser, or a judge, of the event may",
        field: "participant_id")
    }
  }

  /// Throws unless the event is shot, or was.
  func checkShot(
    _ place: ScoringPlace, field: String = "participant_id"
  ) throws(StoreError) {
    switch place.event?.status {
    case .inProgress, .completed: return
    case .open, nil:
      throw StoreError(
        .failedPrecondition, "the event has not been started", field: field, marker: .notYet)
    case .cancelled:
      throw StoreError(.failedPrecondition, "the event was cancelled", field: field)
    }
  }

  /// Throws unless the event is shot now, the archer takes part, and the card is not confirmed.
  func checkOpen(
    _ place: ScoringPlace, field: String = "participant_id"
  ) throws(StoreError) {
    try checkShot(place, field: field)
    guard place.event?.status != .completed else {
      throw StoreError(
        .failedPrecondition, "the event is finalised; reopen it first", field: field)
    }
    try place.checkTakesPart(field: field)
    guard place.cardState != .confirmed else { throw .confirmedCard(field) }
  }

  /// Begins to keep a second card or confirmations of a participant.
  func beginCard(of place: ScoringPlace) throws(StoreError) {
    guard place.cardState == .none else { return }
    let participant = place.participant
    try run(
      Self.insertCard, .integer(participant.id), .integer(participant.sessionID),
      .integer(Int64(place.format.endCount)),
      .integer(snapshot.session.epoch.base))
    try setCardState(.open, of: participant.id)
  }

  func setCardState(_ state: CardState, of participant: Int64) throws(StoreError) {
    try run(Self.setCardState, .integer(participant), .integer(state.rawValue))
  }

  /// The refusal of an operation on the first card after its confirmation, or after a ruling on the
  /// end; nil if it may change the card.
  func refusalOfCard(
    _ draft: OperationDraft, at place: ScoringPlace
  ) throws(StoreError) -> ScoringOutcome? {
    let isRuled =
      try snapshot.cardEnd(
        participant: place.participant.id, index: draft.slot.endIndex)?.state == .ruled
    let isOfDistance = try snapshot.isConfirmed(distanceOfEnd: draft.slot.endIndex, at: place)
    guard place.cardState == .confirmed || isRuled || isOfDistance else { return nil }
    if draft.kind != .record, try isJudge(at: place) { return nil }
    let cause =
      place.cardState == .confirmed
      ? "archer and scorer have confirmed the card"
      : isOfDistance
        ? "archer and scorer have confirmed the distance" : "a judge has ruled on this end"
    return .refused(
      StoreError(
        .failedPrecondition, "\(cause); only a judge corrects it",
        field: draft.path + "participant_id"))
  }

  /// Compares the end of an arrow that has changed. What archer and scorer have confirmed was the
  /// card before: one confirmation is taken back, and so are both where a judge empties a slot or
  /// a late operation is admitted.
  func cardDidChange(
    _ operation: ValidatedOperation, at place: ScoringPlace, isLate: Bool
  ) throws(StoreError) {
    let (id, index) = (place.participant.id, operation.draft.slot.endIndex)
    let distance = operation.end.passIndex + 1
    let isOfDistance = try snapshot.isConfirmed(distanceOfEnd: index, at: place)
    guard place.cardState == .confirmed || isOfDistance else {
      try compareEnd(index, at: place)
      return try takeConfirmationsBack(place, distance: distance)
    }
    guard operation.score != nil, !isLate else {
      let reason = operation.draft.reason
      return try reopenCard(
        of: place, part: isOfDistance ? distance : 0,
        reason: reason.isEmpty ? "a late operation was admitted" : reason)
    }
    try compareEnd(index, at: place)
    // Nothing stays in dispute on a confirmed card: this is the ruling of the judge.
    if try snapshot.cardEnd(participant: id, index: index)?.state == .disputed {
      try rule(on: index, of: id, by: caller.principal, reason: operation.draft.reason)
    }
    try count(id)
    try deduct(id)
    if isOfDistance { try takeWholeBack(place) }
  }

  /// Compares an end of both cards, unless somebody has ruled on it and that holds.
  func compareEnd(
    _ index: Int, at place: ScoringPlace, keepsRuling: Bool = true
  ) throws(StoreError) {
    let id = place.participant.id
    guard let end = try snapshot.cardEnd(participant: id, index: index) else { return }
    let first = try snapshot.firstCard(round: place.round, end: index).map(\.score)
    let state: CardEndState
    if first.count < place.format.end(index)?.arrowCount ?? 0 {
      state = .waiting
    } else if end.state == .ruled, keepsRuling {
      return
    } else {
      state = CardComparison.agrees(first, end.arrows) ? .agreed : .disputed
    }
    guard state != end.state else { return }
    try run(
      Self.setEndState, .integer(id), .integer(Int64(index)), .integer(Int64(state.rawValue)),
      .integer(0), .integer(0), .text(""))
    try count(id)
  }

  /// Notes that somebody has ruled on an end; `judge` is 0 for the rule set.
  func rule(
    on index: Int, of participant: Int64, by judge: Int64, reason: String
  ) throws(StoreError) {
    try run(
      Self.setEndState, .integer(participant), .integer(Int64(index)),
      .integer(Int64(CardEndState.ruled.rawValue)), .integer(judge), .integer(nowMilliseconds),
      .text(reason))
  }

  /// Counts how the ends of both cards compare.
  func count(_ participant: Int64) throws(StoreError) {
    try run(Self.count, .integer(participant))
  }

  /// Takes the confirmations of a card back that was changed in a distance, and those of that
  /// distance; 0 names all.
  func takeConfirmationsBack(_ place: ScoringPlace, distance: Int) throws(StoreError) {
    try takeDistancesBack(distance, of: place.participant.id)
    try takeWholeBack(place)
  }

  /// Takes the confirmations of the whole card back.
  func takeWholeBack(_ place: ScoringPlace) throws(StoreError) {
    let id = place.participant.id
    guard let card = try snapshot.cardSummary(participant: id), !card.confirmations.isEmpty else {
      return
    }
    try run(Self.removeConfirmations, .integer(id))
    try setConfirmations([], of: id)
  }

  func setConfirmations(
    _ roles: Set<CardRole>, of participant: Int64
  ) throws(StoreError) {
    try run(Self.setConfirmations, .integer(participant), .integer(CardRole.bits(of: roles)))
  }

  /// Takes the confirmations of a distance back, or those of the whole card with its distances (0),
  /// and what the rule set decided after them. What a judge has ruled or corrected stays.
  func reopenCard(
    of place: ScoringPlace, part: Int = 0, reason: String
  ) throws(StoreError) {
    let id = place.participant.id
    let before = try certain(id).tally.total
    try takeConfirmationsBack(place, distance: part)
    try setCardState(.open, of: id)
    let ends = try snapshot.cardEnds(participant: id).filter {
      place.isEnd($0.index, ofPart: part)
    }
    for end in ends where end.isRuledByRuleSet { try takeCorrectionsBack(of: end, at: place) }
    try deduct(id)
    for end in ends {
      if end.isRuledByRuleSet {
        try run(
          Self.setEndState, .integer(id), .integer(Int64(end.index)),
          .integer(Int64(CardEndState.waiting.rawValue)), .integer(0), .integer(0), .text(""))
      }
      try compareEnd(end.index, at: place)
    }
    try count(id)
    try recordCard(
      place.participant, "card.reopen", before: "\(before)",
      after: "\(try certain(id).tally.total)", reason: reason)
  }

  /// Gives the arrows of an end back what they were before the rule set decided on it. An arrow
  /// that a judge has corrected since stays.
  private func takeCorrectionsBack(
    of end: CardEndRecord, at place: ScoringPlace
  ) throws(StoreError) {
    let id = place.participant.id
    let present = try snapshot.firstCard(round: place.round, end: end.index)
    var restored = false
    for arrow in present {
      guard let correction = try snapshot.operation(id: arrow.operationID),
        correction.isDecision(on: end), let replaced = correction.replacesID,
        let former = try snapshot.operation(id: replaced), let score = former.score
      else { continue }
      var content = OperationDraft.Content(.id(id))
      content.restore(former, score)
      content.replaces = .id(correction.id)
      content.reason = "taken back: \(end.reason)"
      try putQuietly(content, on: id)
      restored = true
    }
    guard restored else { return }
    try recordCard(
      place.participant, "card.restore",
      before: "\(end.index)=\(present.map(\.score).sheetText)",
      after: "\(end.index)="
        + (try snapshot.firstCard(round: place.round, end: end.index).map(\.score).sheetText),
      reason: end.reason)
  }

  /// Lowers the sums of a confirmed card to those on paper, and gives back what any other deducted.
  func deduct(_ participant: Int64) throws(StoreError) {
    guard let card = try snapshot.cardSummary(participant: participant),
      let place = try snapshot.scoringPlace(participant: participant)
    else { return }
    let distances = try snapshot.cardDistances(participant: participant)
    guard card.paper != nil || !card.deduction.isNone || distances.contains(where: \.hasPaper)
    else { return }
    let rule = try rule(of: place.participant)
    let parts = try snapshot.cardParts(of: place)
    var lower = try deduct(distances, of: participant, parts, by: rule)
    if card.confirmations.count == CardRole.allCases.count, let paper = card.paper {
      let sums = TypedScore.sum(of: parts.map(\.sums)).without(lower)
      lower += rule.deduction(from: sums, by: paper)
    }
    guard !lower.isNone || !card.deduction.isNone else { return }
    if lower != card.deduction {
      try run(
        Self.setDeduction, .integer(participant), .integer(Int64(lower.points)),
        .integer(nowMilliseconds), .integer(Int64(lower.hits)), .integer(Int64(lower.golds)),
        .integer(Int64(lower.xCount)))
    }
    // A correction has changed sums of which something was deducted.
    try keepDeducted(lower, of: participant)
  }

  /// The rule of the event of a participant.
  func rule(of participant: ParticipantRecord) throws(StoreError) -> DoubleScoringRule {
    DoubleScoringRule.of(day: try head(participant.sessionID).tiePolicyDay)
  }

  /// Gives an end of the first card the arrows of another one, by corrections.
  func correct(
    _ index: Int, of participant: Int64, to arrows: [ArrowScore], reason: String
  ) throws(StoreError) {
    guard let place = try snapshot.scoringPlace(participant: participant) else { return }
    let present = try snapshot.firstCard(round: place.round, end: index)
    let changes = CardComparison.changes(from: present.map(\.score), to: arrows)
    for (position, score) in changes.sorted(by: { $0.key < $1.key }) {
      var content = OperationDraft.Content(.id(participant))
      content.kind = .correct
      content.endIndex = UInt32(clamping: index)
      content.arrowIndex = UInt32(clamping: present[position].slot.arrowIndex)
      content.value = UInt32(clamping: score.value)
      content.isX = score.isX
      content.replaces = .id(present[position].operationID)
      content.reason = reason
      try putQuietly(content, on: participant)
    }
  }

  /// Applies a correction of a card; the caller compares the cards afterwards.
  func putQuietly(
    _ content: OperationDraft.Content, on participant: Int64
  ) throws(StoreError) {
    guard var place = try snapshot.scoringPlace(participant: participant) else { return }
    place.cardState = .none
    var progress = ScoringProgress()
    let outcome = try put(
      try validated(try OperationDraft(content, path: ""), at: place), at: place, &progress)
    if let refusal = outcome.refusal { throw refusal }
  }

  /// Records in the journal that the card of a participant changed, and in the audit why.
  func recordCard(
    _ participant: ParticipantRecord, _ action: String, before: String = "", after: String = "",
    device: String = "", reason: String = ""
  ) throws(StoreError) {
    try recordScore(of: participant, isTournament: true)
    try audit(
      AuditEntry(
        action: action, kind: .participant, objectID: participant.id,
        topic: participant.sessionID, before: Array(before.utf8), after: Array(after.utf8),
        device: device, reason: reason))
  }
}

extension CardEndRecord {
  /// Whether the rule set decided between the cards, and not a judge.
  fileprivate var isRuledByRuleSet: Bool { state == .ruled && ruledBy == 0 }
}

extension OperationRecord {
  /// Whether it is a correction with which the rule set decided on an end: it has the time of the
  /// decision and its reason, which can have been erased with the account of who confirmed, and no
  /// client_id.
  fileprivate func isDecision(on end: CardEndRecord) -> Bool {
    kind == .correct && clientID.isEmpty && receivedAtMilliseconds == end.ruledAtMilliseconds
      && (reason == end.reason || reason.isEmpty)
  }
}

extension OperationDraft.Content {
  /// Corrects a slot to what an earlier operation had.
  fileprivate mutating func restore(_ former: OperationRecord, _ score: ArrowScore) {
    kind = .correct
    endIndex = UInt32(clamping: former.slot.endIndex)
    arrowIndex = UInt32(clamping: former.slot.arrowIndex)
    value = UInt32(clamping: score.value)
    isX = score.isX
    (x, y) = (former.position?.x, former.position?.y)
    input = former.input.rawValue
    shaft = UInt32(clamping: former.shaft)
  }
}

extension [ArrowScore] {
  /// As a score sheet has them.
  var sheetText: String { map { "\($0)" }.joined(separator: " ") }
}
