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
    for operation in operations {
      let outcome = try transaction.apply(operation)
      if let refusal = outcome.refusal { throw refusal }
      outcomes.append(outcome)
    }
    guard let first = operations.first else {
      throw StoreError(.internalError, "there was nothing to record")
    }
    let id = try transaction.participantID(first.participant)
    guard let place = try transaction.snapshot.scoringPlace(participant: id) else {
      throw Snapshot.unknownParticipant
    }
    let verdicts = outcomes.map(\.verdict)
    // Who repeats an operation after it lost its part in the event gets its verdict alone.
    if outcomes.allSatisfy({ $0.arrow == nil }),
      try !transaction.snapshot.sees(place, principal: transaction.caller.principal)
    {
      return ScoringReply(ofHidden: verdicts.first ?? .same)
    }
    let turn = try transaction.snapshot.turn(
      after: place, end: first.slot.endIndex, scorer: transaction.caller.principal)
    return ScoringReply(
      verdict: verdicts.contains(.stored) ? .stored : verdicts.first ?? .same,
      arrows: outcomes.compactMap(\.arrow), tally: place.participant.tally, turn: turn,
      next: turn.kind == .done
        ? nil : try transaction.snapshot.participant(id: turn.participant))
  }
}

/// Applies many operations independently of each other.
package struct ApplyOperations: Command {
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
      case .success(let draft): outcomes.append(try transaction.apply(draft))
      case .failure(let error): outcomes.append(.refused(error))
      }
    }
    return outcomes
  }
}
