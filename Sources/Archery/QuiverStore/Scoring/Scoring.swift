import QuiverCrypto
import QuiverRules

/// Applies one operation. All reads that decide about it come before the first write.
///
/// A refusal is an outcome and not an error, so that the other operations of a batch continue;
/// thrown errors are failures of the store.
extension Transaction {
  /// How far a client's clock may be ahead; later times are replaced by the server's time.
  private static var clockAllowanceMilliseconds: Int64 { 5 * 60_000 }

  /// Applies an operation if the participant, the event and the slot allow it.
  ///
  /// - Parameter progress: what the command knows of the participant from its operations before;
  ///   ``finish(_:)`` stores what is left to store.
  func apply(
    _ draft: OperationDraft, _ progress: inout ScoringProgress
  ) throws(StoreError) -> ScoringOutcome {
    // Made only where they are needed, which an accepted operation does not.
    var field: String { draft.path + "participant_id" }
    var unknown: StoreError {
      StoreError(.notFound, "there is no such participant", field: field)
    }
    let id = try snapshot.objectID(
      draft.participant, kind: .participant, principal: caller.principal)
    guard let id, let place = try place(ofParticipant: id, &progress) else {
      return .refused(unknown)
    }
    // Who sends a stored operation again may have lost its lease or its role meanwhile.
    let kept = try keptOperation(draft)
    if let kept, kept.participant == id, kept.isRepeated(by: draft) {
      return try outcome(ofRepeated: kept, at: place)
    }
    guard var standing = try standing(of: draft, at: place) else {
      let sees = try snapshot.sees(place, principal: caller.principal, withExpiredLeases: true)
      guard sees else { return .refused(unknown) }
      return .refused(
        StoreError(
          .permissionDenied, "you do not score this participant", field: field))
    }
    if let refused = Self.refusalOfClientID(draft, isTaken: kept != nil) { return refused }
    if standing == .holder, place.event?.demandsLeases == true,
      let refused = try refusalOfLease(draft, at: place)
    {
      let hasScored = try snapshot.hasScored(
        participant: id, .first, principal: caller.principal)
      guard hasScored else { return refused }
      standing = .former
    }
    let ofCard = place.cardState == .none ? nil : try refusalOfCard(draft, at: place)
    if let ofCard, standing == .holder { return ofCard }
    let operation: ValidatedOperation
    do throws(StoreError) {
      operation = try validated(draft, at: place)
      if let witness = draft.witness { try check(witness, at: place, path: draft.path) }
    } catch {
      guard error.code == .invalidArgument else { throw error }
      return .refused(error)
    }
    if place.event?.status == .completed {
      try storeTally(&progress)
      return try keepLate(operation, at: place)
    }
    if let closed = Self.closed(place, draft) { return closed }
    guard standing == .holder else {
      return try putOfFormer(operation, at: place, mayFill: ofCard == nil, &progress)
    }
    let missing =
      draft.kind == .record ? nil : try missingConsent(draft.witness, at: place)
    return try put(operation, at: place, missing: missing, &progress)
  }

  /// The participant's place, read unless the command knows it.
  private func place(
    ofParticipant id: Int64, _ progress: inout ScoringProgress
  ) throws(StoreError) -> ScoringPlace? {
    if let known = progress.place, known.participant.id == id { return known }
    try storeTally(&progress)
    progress.place = try snapshot.scoringPlace(participant: id)
    return progress.place
  }

  /// How a caller may apply an operation.
  private enum Standing {
    case holder
    /// It has held the lease on the target: it fills empty slots, and the rest waits.
    case former
  }

  /// How the caller may apply it; nil: not at all. A judge of the event corrects arrows of all
  /// participants, and the holder of the lease on a target scores who stands there in the round of
  /// the end. A lease of a caller with a token that has expired is refused later, with NOT_YET.
  private func standing(
    of draft: OperationDraft, at place: ScoringPlace
  ) throws(StoreError) -> Standing? {
    if try snapshot.mayScore(place, principal: caller.principal) { return .holder }
    if draft.kind != .record, try isJudge(at: place) { return .holder }
    let lease = try snapshot.lease(at: place, end: draft.slot.endIndex, card: .first)
    if let lease, lease.principal == caller.principal {
      return lease.hasEnded(at: nowMilliseconds) ? .former : .holder
    }
    let hasScored = try snapshot.hasScored(
      participant: place.participant.id, .first, principal: caller.principal)
    return hasScored ? .former : nil
  }

  /// Applies an operation of a device that has lost its lease: to an empty slot, unless the card is
  /// closed, or as the arrow that is there. Any other one waits for the organiser.
  private func putOfFormer(
    _ operation: ValidatedOperation, at place: ScoringPlace, mayFill: Bool,
    _ progress: inout ScoringProgress
  ) throws(StoreError) -> ScoringOutcome {
    let draft = operation.draft
    let arrows = try arrows(ofEnd: draft.slot.endIndex, at: place, &progress)
    let current = arrows.first { $0.slot == draft.slot }
    guard draft.kind != .record else {
      let verdict = SlotVerdict.decide(
        operation.action(replacing: 0), on: current?.state, replacedIsKnown: false,
        replacesHead: false)
      if verdict == .stored && mayFill || verdict == .same {
        return try put(operation, at: place, &progress)
      }
      try storeTally(&progress)
      return try keepLate(operation, at: place)
    }
    try storeTally(&progress)
    guard let current, !current.isRetracted, operation.score == current.score else {
      return try keepLate(operation, at: place)
    }
    if let refused = place.refusalIfFull(draft) { return refused }
    let id = try keep(operation, at: place, replaces: nil, current.operationID, nil)
    return ScoringOutcome(.same, operationID: id, arrow: current)
  }

  /// The refusal of an operation by another device than the one that holds the lease on the target;
  /// nil if it may score. A judge corrects with any device.
  private func refusalOfLease(
    _ draft: OperationDraft, at place: ScoringPlace
  ) throws(StoreError) -> ScoringOutcome? {
    if draft.kind != .record, try isJudge(at: place) { return nil }
    let field = draft.path + "device"
    do throws(StoreError) {
      try checkLease(
        at: place, end: draft.slot.endIndex, card: .first, device: draft.device, field: field)
      return nil
    } catch {
      guard error.code == .failedPrecondition else { throw error }
      return error.marker == .notYet ? .notYet(error.message, field: field) : .refused(error)
    }
  }

  /// The caller's operation that has this client_id already; nil if there is none.
  private func keptOperation(_ draft: OperationDraft) throws(StoreError) -> OperationRecord? {
    guard UUIDv7.isValid(draft.clientID) else { return nil }
    return try snapshot.operation(clientID: draft.clientID, of: caller.principal)
  }

  /// The outcome of an operation that is stored already. Who may not see the participant any more
  /// does not get its arrow.
  private func outcome(
    ofRepeated kept: OperationRecord, at place: ScoringPlace
  ) throws(StoreError) -> ScoringOutcome {
    var arrow: ScoredArrowRecord?
    if try snapshot.sees(place, principal: caller.principal) {
      let arrows = try snapshot.arrows(round: place.round, end: kept.slot.endIndex)
      arrow = arrows.first { $0.slot == kept.slot }
    }
    return ScoringOutcome(
      kept.state == .late ? .late : .same, operationID: kept.id, arrow: arrow)
  }

  /// The refusal of a client_id that is none, or that another operation has; nil if there is none,
  /// or it is new.
  private static func refusalOfClientID(
    _ draft: OperationDraft, isTaken: Bool
  ) -> ScoringOutcome? {
    guard !draft.clientID.isEmpty else { return nil }
    guard UUIDv7.isValid(draft.clientID) else {
      return .refused(.invalid(draft.path + "client_id", "must be a UUIDv7 of 16 bytes"))
    }
    guard isTaken else { return nil }
    return .refused(
      StoreError(
        .alreadyExists, "another operation was made with this client_id",
        field: draft.path + "client_id"))
  }

  /// The refusal if the event or the round accepts no operation; nil if it does.
  private static func closed(_ place: ScoringPlace, _ draft: OperationDraft) -> ScoringOutcome? {
    var field: String { draft.path + "participant_id" }
    func refused(_ message: String) -> ScoringOutcome {
      .refused(StoreError(.failedPrecondition, message, field: field))
    }
    if let event = place.event {
      switch event.status {
      case .open: return .notYet("the event has not been started", field: field)
      case .cancelled: return refused("the event was cancelled")
      case .completed: return nil
      case .inProgress: break
      }
      if event.isPaused { return .notYet("the event is paused", field: field) }
      switch place.participant.status {
      case .active, .completed: return nil
      case .withdrawn: return refused("the participant has withdrawn; reinstate it first")
      case .disqualified: return refused("the participant is disqualified; reinstate it first")
      }
    }
    if !place.isTournament, !place.participant.typedPasses.isEmpty {
      return refused("the round is of a list, and has no arrows")
    }
    switch place.roundStatus {
    case .planned, .inProgress: return nil
    case .paused: return refused("the round is paused; resume it first")
    case .cancelled: return refused("the round was cancelled")
    case .completed:
      // A round that its last arrow completed still accepts corrections.
      let isFull = place.participant.tally.arrowCount == place.format.arrowCount
      return draft.kind == .record && !isFull
        ? refused("the round is completed; resume it first") : nil
    }
  }

  /// Checks the operation against the format and the face; throws `invalidArgument`.
  func validated(
    _ draft: OperationDraft, at place: ScoringPlace
  ) throws(StoreError) -> ValidatedOperation {
    let end = try validating { () throws(RuleViolation) in
      try draft.slot.end(in: place.format, path: draft.path)
    }
    let face = end.pass.face
    var score = draft.score
    var isFlagged = false
    if let given = score {
      score = try validating { () throws(RuleViolation) in
        try given.validated(on: face, path: draft.path)
      }
    }
    if let position = draft.position {
      let diameter = try snapshot.arrowDiameterMillimetres(at: place)
      let geometry = face.specification.score(
        x: position.x, y: position.y, arrowDiameterMillimetres: diameter,
        faceDiameterCentimetres: end.pass.diameterCentimetres)
      guard let geometry else {
        throw .invalid(draft.path + "x", "cannot be on this face, which is scored by buttons only")
      }
      if let given = score { isFlagged = given != geometry } else { score = geometry }
    }
    var scoredAt = draft.scoredAtMilliseconds == 0 ? nowMilliseconds : draft.scoredAtMilliseconds
    if scoredAt > nowMilliseconds + Self.clockAllowanceMilliseconds {
      scoredAt = nowMilliseconds
      isFlagged = true
    }
    return ValidatedOperation(
      draft: draft, end: end, score: score, isFlagged: isFlagged, scoredAtMilliseconds: scoredAt)
  }

  /// Applies an operation to its slot, if the slot's current arrow allows it.
  ///
  /// - Parameters:
  ///   - missing: Who would have to agree to the change of a full end, and has not.
  ///   - progress: as of ``apply(_:_:)``; its place is `place`, or none.
  func put(
    _ operation: ValidatedOperation, at place: ScoringPlace, lateID: Int64? = nil,
    missing: CorrectionConsent? = nil, _ progress: inout ScoringProgress
  ) throws(StoreError) -> ScoringOutcome {
    let draft = operation.draft
    let arrows = try arrows(ofEnd: draft.slot.endIndex, at: place, &progress)
    let current = arrows.first { $0.slot == draft.slot }
    var replaced: OperationRecord?
    if let reference = draft.replaces {
      replaced = try replacedOperation(reference, of: place.participant.id)
      if let replaced, replaced.slot != draft.slot {
        return .refused(
          .invalid(draft.path + draft.replacedFieldName, "is an operation on another slot"))
      }
    }
    let target = replaced.map { $0.standsForID ?? $0.id }
    let verdict = SlotVerdict.decide(
      operation.action(replacing: target ?? 0), on: current?.state,
      replacedIsKnown: replaced?.state == .applied,
      replacesHead: target != nil && target == current?.operationID)
    switch verdict {
    case .notYet:
      return .notYet(
        "the operation that it replaces has not arrived",
        field: draft.path + draft.replacedFieldName)
    case .conflict:
      if lateID == nil, let same = try outcomeOfOtherDevice(draft, at: place) { return same }
      return .conflict(
        draft.kind == .record
          ? "the slot has another value; correct it"
          : "another operation replaced the same one", current)
    case .same:
      // Without a client_id it needs no row.
      if lateID == nil, !draft.clientID.isEmpty, let refused = place.refusalIfFull(draft) {
        return refused
      }
      let id = try keep(operation, at: place, replaces: nil, current?.operationID, lateID)
      // It has counted an operation of the participant.
      try storeTally(&progress)
      return ScoringOutcome(.same, operationID: id, arrow: current)
    case .stored:
      // The arrows are in the progress alone from here on, so that it need not copy them.
      let filled = arrows.count { !$0.isRetracted }
      if let missing, filled == operation.end.arrowCount {
        return .refused(missing.refusal(path: draft.path))
      }
      if lateID == nil, let refused = place.refusalIfFull(draft) { return refused }
      let id = try keep(operation, at: place, replaces: replaced?.id, nil, lateID)
      let arrow = try store(
        operation, id: id, isNew: lateID == nil, over: current, filled: filled, at: place,
        &progress)
      return ScoringOutcome(.stored, operationID: id, arrow: arrow)
    }
  }

  /// The arrows of an end, also those that were retracted; read unless the command knows them.
  private func arrows(
    ofEnd end: Int, at place: ScoringPlace, _ progress: inout ScoringProgress
  ) throws(StoreError) -> [ScoredArrowRecord] {
    if progress.place?.round == place.round, progress.end == end { return progress.arrows }
    progress.end = end
    progress.arrows = try snapshot.arrows(round: place.round, end: end)
    return progress.arrows
  }

  /// The outcome where the operation is stored already as one of another device: whoever delivers
  /// it, it has its effect once.
  private func outcomeOfOtherDevice(
    _ draft: OperationDraft, at place: ScoringPlace
  ) throws(StoreError) -> ScoringOutcome? {
    guard !draft.clientID.isEmpty,
      let kept = try snapshot.operation(
        clientID: draft.clientID, participant: place.participant.id, preferring: caller.principal),
      kept.isRepeated(by: draft)
    else { return nil }
    return try outcome(ofRepeated: kept, at: place)
  }

  /// The operation on the participant that a reference names; nil if it has not arrived.
  private func replacedOperation(
    _ reference: ObjectReference, of participant: Int64
  ) throws(StoreError) -> OperationRecord? {
    switch reference {
    case .id(let id):
      guard let found = try snapshot.operation(id: id), found.participant == participant else {
        return nil
      }
      return found
    case .clientID(let clientID):
      return try snapshot.operation(
        clientID: clientID, participant: participant, preferring: caller.principal)
    }
  }
}

extension ScoringPlace {
  /// The refusal of one more operation on the participant; nil if there is room.
  func refusalIfFull(_ draft: OperationDraft) -> ScoringOutcome? {
    guard operationCount >= StoreLimits.operationsPerParticipant else { return nil }
    return .refused(
      StoreError.reached(
        .operationsPerParticipant,
        "a participant may have \(StoreLimits.operationsPerParticipant) scoring operations",
        field: draft.path + "participant_id"))
  }
}

/// An operation that the format and the face allow.
struct ValidatedOperation {
  let draft: OperationDraft
  let end: RoundFormat.End

  /// Nil for a retraction.
  let score: ArrowScore?
  let isFlagged: Bool
  let scoredAtMilliseconds: Int64

  func action(replacing id: Int64) -> ScoreOperation<Int64>.Action {
    switch draft.kind {
    case .record: .record(score ?? ArrowScore(value: 0))
    case .correct: .correct(score ?? ArrowScore(value: 0), replacing: id)
    case .retract: .retract(replacing: id)
    }
  }
}

extension OperationRecord {
  /// Whether the draft has the same content as this operation.
  fileprivate func isRepeated(by draft: OperationDraft) -> Bool {
    guard kind == draft.kind, slot == draft.slot, position == draft.position, shaft == draft.shaft
    else { return false }
    if let given = draft.score, given != score { return false }
    switch draft.replaces {
    case nil: return true
    case .id(let id): return replacesID == nil || replacesID == id
    case .clientID(let clientID): return replacesClientID.isEmpty || replacesClientID == clientID
    }
  }
}
