import QuiverCrypto
package import QuiverRules

/// Records or corrects an end of a second card.
package struct CardOperationDraft: Sendable {
  package var clientID: [UInt8] = []
  package var participant: Int64 = 0
  package var endIndex = 0
  /// Empty: empties the end.
  package var arrows: [ArrowScore] = []
  /// The client_id of the operation that is corrected; empty: none.
  package var replaces: [UInt8] = []
  package var reason = ""
  package var device = ""
  /// Who agreed to a correction; nil: nobody is named.
  package var witness: CorrectionWitness?
  package var scoredAtMilliseconds: Int64 = 0
  /// Why it cannot be valid, whatever the store has: a refusal of this operation alone. Nil: it
  /// can.
  package var invalid: StoreError?

  package init() {}

  /// How far a client's clock may be ahead.
  private static let clockAllowanceMilliseconds: Int64 = 5 * 60_000

  /// The client's time; the server's where there is none, or it is more than 5 minutes ahead.
  fileprivate func scoredAt(receivedAt now: Int64) -> Int64 {
    scoredAtMilliseconds <= 0 || scoredAtMilliseconds > now + Self.clockAllowanceMilliseconds
      ? now : scoredAtMilliseconds
  }

  /// What makes two operations the same.
  fileprivate var contentHash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.integer(participant))
    encoding.append(.integer(Int64(endIndex)))
    encoding.append(.blob(CardBytes.arrows(arrows)))
    encoding.append(.blob(replaces))
    return SHA256.hash(encoding.bytes)
  }
}

/// What became of an operation on a second card.
package struct CardOutcome: Sendable {
  package let verdict: ScoringOutcome.Verdict
  package let refusal: StoreError?
  /// The end afterwards; nil if the card does not have it, or the caller may not see it.
  package let end: CardEndRecord?
}

/// Applies operations on second cards, each with a verdict of its own.
package struct ApplyCardOperations: Command {
  package var isToldByClientIDs: Bool { true }

  private let drafts: [CardOperationDraft]

  private static let find = Query(
    """
    SELECT content_hash, stands_for_id FROM card_operation
    WHERE client_id = ?1 AND principal_id = ?2
    """)
  /// NULL: there is no such operation; 1: it is the one that the end has, or stands for it.
  private static let replaced = Query(
    """
    SELECT max(CASE WHEN id = ?3 OR stands_for_id = ?3 THEN 1 ELSE 0 END) FROM card_operation
    WHERE client_id = ?1 AND participant_id = ?2
    """)
  private static let insert = Query(
    """
    INSERT INTO card_operation (participant_id, event_id, principal_id, client_id, content_hash,
      scored_at_ms, received_at_ms, stands_for_id, witness_id, judge_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """, key: "id")
  private static let countOperation = Query(
    """
    UPDATE event_card SET operation_count = operation_count + 1, revision = revision + 1
    WHERE participant_id = ?1
    """)
  private static let putEnd = Query(
    """
    INSERT INTO event_card_end (participant_id, end_index, event_id, state, operation_id, ruled_by,
      ruled_at_ms, arrows, reason)
    VALUES (?1, ?2, ?3, \(CardEndState.waiting.rawValue), ?4, 0, 0, ?5, '')
    ON CONFLICT (participant_id, end_index) DO UPDATE SET operation_id = ?4, arrows = ?5
    """)
  private static let removeEnd = Query(
    "DELETE FROM event_card_end WHERE participant_id = ?1 AND end_index = ?2")

  package init(_ drafts: [CardOperationDraft]) throws(StoreError) {
    guard (1...StoreLimits.operationsPerCommand).contains(drafts.count) else {
      throw .invalid("operations", "must be from 1 to \(StoreLimits.operationsPerCommand)")
    }
    self.drafts = drafts
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> [CardOutcome] {
    var outcomes: [CardOutcome] = []
    for (index, draft) in drafts.enumerated() {
      outcomes.append(try apply(draft, "operations[\(index)].", transaction))
    }
    return outcomes
  }

  /// All reads that decide come before the first write, so a refusal changes nothing.
  private func apply(
    _ draft: CardOperationDraft, _ path: String, _ transaction: borrowing Transaction
  ) throws(StoreError) -> CardOutcome {
    var seen: ScoringPlace?
    do throws(StoreError) {
      let kept = try stored(draft, transaction)
      // Who sends a stored operation again may have lost its lease or its role meanwhile.
      if draft.invalid == nil, let kept, kept.hash == draft.contentHash {
        return try outcome(ofRepeated: draft, isLate: kept.isLate, transaction)
      }
      let place = try transaction.cardPlace(
        draft.participant, orScored: true, field: path + "participant_id")
      seen = place
      let verdict = try store(draft, path, place, isTaken: kept != nil, transaction)
      return CardOutcome(
        verdict: verdict, refusal: nil, end: try end(of: draft, at: place, transaction))
    } catch {
      guard let verdict = ScoringOutcome.Verdict(refusal: error) else { throw error }
      return CardOutcome(
        verdict: verdict, refusal: error, end: try end(of: draft, at: seen, transaction))
    }
  }

  private func end(
    of draft: CardOperationDraft, _ transaction: borrowing Transaction
  ) throws(StoreError) -> CardEndRecord? {
    try transaction.snapshot.cardEnd(participant: draft.participant, index: draft.endIndex)
  }

  /// The end, if the caller sees it. A lease that has expired shows nothing, though its operations
  /// are answered with NOT_YET.
  private func end(
    of draft: CardOperationDraft, at place: ScoringPlace?, _ transaction: borrowing Transaction
  ) throws(StoreError) -> CardEndRecord? {
    guard let place,
      try transaction.snapshot.sees(place, principal: transaction.caller.principal)
    else { return nil }
    return try end(of: draft, transaction)
  }

  /// The caller's operation that has this client_id already; nil if there is none.
  private func stored(
    _ draft: CardOperationDraft, _ transaction: borrowing Transaction
  ) throws(StoreError) -> (hash: [UInt8], isLate: Bool)? {
    guard UUIDv7.isValid(draft.clientID) else { return nil }
    return try transaction.snapshot.first(
      Self.find, .blob(draft.clientID), .integer(transaction.caller.principal)
    ) { row in (row.bytes(0), row.int64(1) == LateArrows.standsFor) }
  }

  /// The outcome of an operation that is stored already, with the end if the caller still sees it.
  private func outcome(
    ofRepeated draft: CardOperationDraft, isLate: Bool, _ transaction: borrowing Transaction
  ) throws(StoreError) -> CardOutcome {
    let place = try transaction.snapshot.scoringPlace(participant: draft.participant)
    return CardOutcome(
      verdict: isLate ? .late : .same, refusal: nil, end: try end(of: draft, at: place, transaction)
    )
  }

  private func store(
    _ draft: CardOperationDraft, _ path: String, _ place: ScoringPlace, isTaken: Bool,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> ScoringOutcome.Verdict {
    let caller = transaction.caller.principal
    if let invalid = draft.invalid { throw invalid }
    let hasScored = try transaction.snapshot.hasScored(
      participant: draft.participant, .second, principal: caller)
    var mayKeep = hasScored
    if !mayKeep {
      mayKeep = try transaction.snapshot.mayKeepCard(
        place, end: draft.endIndex, principal: caller)
    }
    guard mayKeep else {
      throw StoreError(
        .permissionDenied, "you do not score this participant", field: path + "participant_id")
    }
    guard UUIDv7.isValid(draft.clientID) else {
      throw .invalid(path + "client_id", "must be a UUIDv7 of 16 bytes")
    }
    guard !isTaken else {
      throw StoreError(
        .alreadyExists, "another operation was made with this client_id",
        field: path + "client_id")
    }
    let current = try transaction.snapshot.cardEnd(
      participant: draft.participant, index: draft.endIndex)
    try checkOpen(place, path, transaction)
    let closed = try Self.refusalOfCard(draft, place, current, path, transaction)
    let texts = try Self.texts(draft, path)
    var corrects = !draft.replaces.isEmpty
    if corrects { corrects = try transaction.isJudge(at: place) }
    var isFormer = false
    if !corrects {
      do throws(StoreError) {
        isFormer = try isOfFormer(
          draft, texts.device, path, place, hasScored: hasScored, transaction)
      } catch {
        throw closed ?? error
      }
    }
    if let closed, !isFormer { throw closed }
    try Self.check(draft, path, place)
    if let witness = draft.witness { try transaction.check(witness, at: place, path: path) }
    let isSame = current != nil && current?.arrows == draft.arrows
    if isFormer, !isSame, current != nil || closed != nil || !draft.replaces.isEmpty {
      return try keepLate(draft, texts.device, path, place, current, transaction)
    }
    if !isSame { try checkHead(draft, path, current, transaction) }
    guard isSame || current == nil || !texts.reason.isEmpty else {
      throw .invalid(path + "reason", "must be given for a correction")
    }
    if current != nil, !isSame,
      let missing = try transaction.missingConsent(draft.witness, at: place)
    {
      throw missing.refusal(path: path)
    }
    try checkCount(draft.participant, path, transaction)
    return try keep(draft, over: current, isSame: isSame, texts, place, transaction)
  }

  /// Stores an operation, and its arrows unless they are there already.
  private func keep(
    _ draft: CardOperationDraft, over current: CardEndRecord?, isSame: Bool,
    _ texts: (reason: String, device: String), _ place: ScoringPlace,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> ScoringOutcome.Verdict {
    try transaction.beginCard(of: place)
    let id = try transaction.insert(
      Self.insert, .integer(draft.participant), .integer(place.participant.sessionID),
      .integer(transaction.caller.principal), .blob(draft.clientID), .blob(draft.contentHash),
      .integer(draft.scoredAt(receivedAt: transaction.nowMilliseconds)),
      .integer(transaction.nowMilliseconds), .integer(isSame ? current?.operationID ?? 0 : 0),
      .integer(draft.witness?.participant ?? 0), .integer(draft.witness?.judge ?? 0))
    try transaction.run(Self.countOperation, .integer(draft.participant))
    guard !isSame else { return .same }
    try put(draft, operation: id, place, transaction)
    let action = current == nil ? "card.record" : "card.correct"
    try transaction.recordCard(
      place.participant, action, before: "\(draft.endIndex)=\(current?.arrows.sheetText ?? "")",
      after: "\(draft.endIndex)=\(draft.arrows.sheetText)\(draft.witness?.auditText ?? "")",
      device: texts.device, reason: texts.reason)
    return .stored
  }

  /// Whether a device sends it that has lost its lease; throws where another one scores the target
  /// and this one has not, or none does.
  private func isOfFormer(
    _ draft: CardOperationDraft, _ device: String, _ path: String, _ place: ScoringPlace,
    hasScored: Bool, _ transaction: borrowing Transaction
  ) throws(StoreError) -> Bool {
    let lease = try transaction.snapshot.lease(at: place, end: draft.endIndex, card: .second)
    let caller = transaction.caller.principal
    if let lease, lease.principal == caller, lease.hasEnded(at: transaction.nowMilliseconds) {
      return true
    }
    do throws(StoreError) {
      try transaction.checkLease(
        at: place, end: draft.endIndex, card: .second, device: device, field: path + "device")
    } catch {
      guard error.code == .failedPrecondition, hasScored else { throw error }
      return true
    }
    // Where leases are not demanded, who has none and has scored before is a former device too.
    guard place.event?.demandsLeases != true, hasScored, lease?.principal != caller else {
      return false
    }
    return try !transaction.snapshot.mayKeepCard(place, end: draft.endIndex, principal: caller)
  }

  /// Keeps an operation that is none of the card: an official sees its arrows.
  private func keepLate(
    _ draft: CardOperationDraft, _ device: String, _ path: String, _ place: ScoringPlace,
    _ current: CardEndRecord?, _ transaction: borrowing Transaction
  ) throws(StoreError) -> ScoringOutcome.Verdict {
    try checkCount(draft.participant, path, transaction)
    try transaction.beginCard(of: place)
    _ = try transaction.insert(
      Self.insert, .integer(draft.participant), .integer(place.participant.sessionID),
      .integer(transaction.caller.principal), .blob(draft.clientID), .blob(draft.contentHash),
      .integer(draft.scoredAt(receivedAt: transaction.nowMilliseconds)),
      .integer(transaction.nowMilliseconds), .integer(LateArrows.standsFor),
      .integer(draft.witness?.participant ?? 0), .integer(draft.witness?.judge ?? 0))
    try transaction.run(Self.countOperation, .integer(draft.participant))
    try transaction.keepLate(
      LateArrows(
        place: draft.endIndex, isShootOff: false, sent: draft.arrows.sheetText,
        stored: current?.arrows.sheetText ?? "", device: device),
      ofCardAt: place)
    return .late
  }

  private func put(
    _ draft: CardOperationDraft, operation id: Int64, _ place: ScoringPlace,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let key: [SQLValue] = [.integer(draft.participant), .integer(Int64(draft.endIndex))]
    if draft.arrows.isEmpty {
      try transaction.run(Self.removeEnd, values: key)
    } else {
      try transaction.run(
        Self.putEnd,
        values: key + [
          .integer(place.participant.sessionID), .integer(id),
          .blob(CardBytes.arrows(draft.arrows)),
        ])
      try transaction.compareEnd(draft.endIndex, at: place)
    }
    try transaction.count(draft.participant)
    try transaction.takeConfirmationsBack(
      place, distance: (place.format.end(draft.endIndex)?.passIndex ?? -1) + 1)
  }

  /// Throws `aborted` unless the operation replaces what the end has, and `NOT_YET` if the
  /// operation that it replaces has not arrived. One that was answered SAME stands for the one that
  /// the end had then, so that the order in which two devices sent equal arrows decides nothing.
  private func checkHead(
    _ draft: CardOperationDraft, _ path: String, _ current: CardEndRecord?,
    _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard draft.replaces != current?.operationClientID ?? [] else { return }
    guard !draft.replaces.isEmpty else {
      throw StoreError(
        .aborted, "the end has other arrows; correct them", field: path + "end_index")
    }
    // No operation has the id -1, which stands for an end without arrows.
    let isHead = try transaction.snapshot.first(
      Self.replaced, .blob(draft.replaces), .integer(draft.participant),
      .integer(current?.operationID ?? -1)
    ) { row in row.optionalInt64(0) }
    guard let isHead = isHead ?? nil else {
      throw StoreError(
        .failedPrecondition, "the operation that it replaces has not arrived",
        field: path + "replaces_client_id", marker: .notYet)
    }
    guard isHead == 1 else {
      throw StoreError(
        .aborted, "another operation replaced the same one", field: path + "replaces_client_id")
    }
  }

  private func checkOpen(
    _ place: ScoringPlace, _ path: String, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let field = path + "participant_id"
    try transaction.checkShot(place, field: field)
    guard place.event?.status == .inProgress else {
      throw StoreError(
        .failedPrecondition, "the event is finalised; its organiser may reopen it", field: field)
    }
    guard place.event?.isPaused == false else {
      throw StoreError(
        .failedPrecondition, "the event is paused", field: field, marker: .notYet)
    }
    try place.checkTakesPart(field: field)
  }

  /// The refusal of who scores now after the confirmation of the card, or a ruling on the end. What
  /// a former device has recorded before waits for an official.
  private static func refusalOfCard(
    _ draft: CardOperationDraft, _ place: ScoringPlace, _ current: CardEndRecord?, _ path: String,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> StoreError? {
    if place.cardState == .confirmed { return .confirmedCard(path + "participant_id") }
    if try transaction.snapshot.isConfirmed(distanceOfEnd: draft.endIndex, at: place),
      let end = place.format.end(draft.endIndex)
    {
      return .confirmedDistance(end.passIndex + 1, path + "end_index")
    }
    guard current?.state == .ruled else { return nil }
    return StoreError(
      .failedPrecondition, "a judge has ruled on this end", field: path + "end_index")
  }

  /// Throws unless the arrows are all those of an end of the round.
  private static func check(
    _ draft: CardOperationDraft, _ path: String, _ place: ScoringPlace
  ) throws(StoreError) {
    guard draft.endIndex >= 0, let end = place.format.end(draft.endIndex) else {
      throw .invalid(path + "end_index", "must be below \(place.format.endCount)")
    }
    guard !draft.arrows.isEmpty || !draft.replaces.isEmpty else {
      throw .invalid(path + "arrows", "must be given")
    }
    if let witness = draft.witness, draft.replaces.isEmpty {
      throw .invalid(
        path + (witness.judge > 0 ? "judge_id" : "witness_id"), "goes with corrections alone")
    }
    guard draft.arrows.isEmpty || draft.arrows.count == end.arrowCount else {
      throw .invalid(path + "arrows", "must be all \(end.arrowCount) of the end")
    }
    try checkValues(draft.arrows, on: end.pass.face, path)
  }

  /// Throws unless the face has the values.
  static func checkValues(
    _ arrows: [ArrowScore], on face: Face, _ path: String
  ) throws(StoreError) {
    for (index, arrow) in arrows.enumerated() {
      _ = try validating { () throws(RuleViolation) in
        try arrow.validated(on: face, path: path + "arrows[\(index)].")
      }
    }
  }

  private static func texts(
    _ draft: CardOperationDraft, _ path: String
  ) throws(StoreError) -> (reason: String, device: String) {
    try validating { () throws(RuleViolation) in
      (
        try TextLimits.checked(
          draft.reason, length: TextLimits.nameLength, path: path + "reason"),
        try TextLimits.checked(
          draft.device, length: TextLimits.nameLength, path: path + "device")
      )
    }
  }

  private func checkCount(
    _ participant: Int64, _ path: String, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    let card = try transaction.snapshot.cardSummary(participant: participant)
    guard card?.operationCount ?? 0 < StoreLimits.cardOperationsPerParticipant else {
      throw StoreError.reached(
        .cardOperationsPerParticipant,
        "a second card may have \(StoreLimits.cardOperationsPerParticipant) operations",
        field: path + "participant_id")
    }
  }
}

extension Snapshot {
  /// Whether the principal may keep an end of the second card: who may keep all of it, and who
  /// holds a lease on the target of the participant in the round of the end. Operations under an
  /// expired lease are answered with NOT_YET, and not refused.
  fileprivate func mayKeepCard(
    _ place: ScoringPlace, end: Int, principal: Int64
  ) throws(StoreError) -> Bool {
    if try mayKeepCard(place, principal: principal) { return true }
    for card in LeasedCard.allCases {
      if try lease(at: place, end: end, card: card)?.principal == principal { return true }
    }
    return false
  }

  /// Whether the principal may keep the second card without a lease: who may score the participant,
  /// and the organisers, judges and scorers of the event.
  private func mayKeepCard(_ place: ScoringPlace, principal: Int64) throws(StoreError) -> Bool {
    if try mayScore(place, principal: principal) { return true }
    switch try role(of: principal, at: place) {
    case .organiser, .judge, .scorer: return true
    case .results, .checkIn, nil: return false
    }
  }

  /// Whether the principal may confirm the card: who may keep it, and who holds a lease of one of
  /// some cards on a target of the participant that ends after a time.
  func mayConfirmCard(
    _ place: ScoringPlace, principal: Int64, leasedAfter now: Int64,
    on cards: [LeasedCard] = LeasedCard.allCases
  ) throws(StoreError) -> Bool {
    if try mayKeepCard(place, principal: principal) { return true }
    for card in cards {
      let isHeld = try leases(at: place, card: card).contains { lease in
        lease.principal == principal && lease.expiresAtMilliseconds > now
      }
      if isHeld { return true }
    }
    return false
  }
}
