import QuiverRules

/// Applies one operation, or the operations of one end: all of them or none.
package struct RecordArrows: Command {
  private let operations: [OperationDraft]

  /// The maximum number of arrows of one end.
  package static let maximumCount = RoundPass.arrowsPerEndRange.upperBound

  /// Applies one operation.
  package init(_ operation: OperationDraft) { operations = [operation] }

  /// Applies the arrows of one end of one participant; `path` is the path of their list.
  package init(end operations: [OperationDraft], path: String) throws(StoreError) {
    guard (1...Self.maximumCount).contains(operations.count) else {
      throw .invalid(path, "must be from 1 to \(Self.maximumCount)")
    }
    for operation in operations {
      guard operation.participant == operations.first?.participant else {
        throw .invalid(operation.path + "participant_id", "must be the same of all")
      }
      guard operation.slot.endIndex == operations.first?.slot.endIndex else {
        throw .invalid(operation.path + "end_index", "must be the same of all")
      }
    }
    guard Set(operations.map(\.slot)).count == operations.count else {
      throw .invalid(path, "must name each slot once")
    }
    self.operations = operations
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ScoringReply {
    var outcomes: [ScoringOutcome] = []
    outcomes.reserveCapacity(operations.count)
    // A correction may take a status of the round back that the arrow before it has set.
    var progress = ScoringProgress(
      defersTally: operations.count > 1 && operations.allSatisfy { $0.kind == .record })
    for operation in operations {
      let outcome = try transaction.apply(operation, &progress)
      if let refusal = outcome.refusal { throw refusal }
      outcomes.append(outcome)
    }
    try transaction.finish(&progress)
    guard let first = operations.first else {
      throw StoreError(.internalError, "there was nothing to record")
    }
    let place = try place(of: first, progress, in: transaction)
    let verdicts = outcomes.map(\.verdict)
    // Who repeats an operation after it lost its part in the event gets its verdict alone.
    if outcomes.allSatisfy({ $0.arrow == nil }),
      try !transaction.snapshot.sees(place, principal: transaction.caller.principal)
    {
      return ScoringReply(ofHidden: verdicts.first ?? .same)
    }
    let turn = try transaction.snapshot.turn(
      after: place, end: first.slot.endIndex, scorer: transaction.caller.principal,
      knowing: progress.end == first.slot.endIndex ? progress.arrows : nil)
    return ScoringReply(
      verdict: verdicts.contains(.stored) ? .stored : verdicts.first ?? .same,
      arrows: outcomes.compactMap(\.arrow), tally: place.participant.tally, turn: turn,
      next: try next(turn, after: place, in: transaction))
  }

  /// The place of the participant with all that was written.
  private func place(
    of operation: OperationDraft, _ progress: ScoringProgress, in transaction: borrowing Transaction
  ) throws(StoreError) -> ScoringPlace {
    if let place = progress.place { return place }
    let id = try transaction.participantID(operation.participant)
    guard let place = try transaction.snapshot.scoringPlace(participant: id) else {
      throw Snapshot.unknownParticipant
    }
    return place
  }

  private func next(
    _ turn: ScoringTurn, after place: ScoringPlace, in transaction: borrowing Transaction
  ) throws(StoreError) -> ParticipantRecord? {
    guard turn.kind != .done else { return nil }
    if turn.participant == place.participant.id { return place.participant }
    return try transaction.snapshot.participant(id: turn.participant)
  }
}

/// Applies many operations independently of each other.
package struct ApplyOperations: Command {
  /// An operation without a client_id that is valid counts as often as it arrives.
  package var isToldByClientIDs: Bool {
    operations.allSatisfy { operation in
      if case .success(let draft) = operation { !draft.clientID.isEmpty } else { true }
    }
  }

  private let operations: [Result<OperationDraft, StoreError>]

  package static let maximumCount = 1_000

  /// An operation that is not valid is refused in its verdict; `path` is the path of the list.
  package init(
    _ operations: [Result<OperationDraft, StoreError>], path: String
  ) throws(StoreError) {
    guard (1...Self.maximumCount).contains(operations.count) else {
      throw .invalid(path, "must be from 1 to \(Self.maximumCount)")
    }
    self.operations = operations
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [ScoringOutcome] {
    var outcomes: [ScoringOutcome] = []
    outcomes.reserveCapacity(operations.count)
    for operation in operations {
      switch operation {
      case .success(let draft):
        var progress = ScoringProgress()
        outcomes.append(try transaction.apply(draft, &progress))
      case .failure(let error): outcomes.append(.refused(error))
      }
    }
    return outcomes
  }
}
