import QuiverRules

extension Snapshot {
  private static let late = Query(
    """
    SELECT \(operationColumns) FROM scoring_operation o
    WHERE o.session_id = ?1 AND o.state = \(OperationRecord.State.late.rawValue) AND o.id > ?2
    ORDER BY o.id LIMIT ?3
    """)

  /// A page of the operations that wait for the organiser, oldest first.
  ///
  /// Throws `permissionDenied` unless the caller organises the event.
  package func lateOperations(
    tournament: Int64, principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<LateOperationRecord> {
    let head = try visibleTournament(id: tournament, principal: principal)
    guard head.organiser == principal else {
      throw StoreError(
        .permissionDenied, "only the organiser of the event may", field: "tournament_id")
    }
    let token = PageToken(
      scope: [.text("late operations"), .integer(principal), .integer(tournament)])
    let after = try token.position(in: pageToken, key: pageTokenKey) ?? 0
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(Self.late, .integer(tournament), .integer(after), .integer(size + 1)) {
      (row) throws(StoreError) in try OperationRecord(row)
    }
    let page = token.page(rows, size: size, key: pageTokenKey) { $0.id }
    var items: [LateOperationRecord] = []
    for operation in page.items {
      let round = try round(ofParticipant: operation.participant)?.id ?? 0
      let arrows = try arrows(round: round, end: operation.slot.endIndex)
      items.append(
        LateOperationRecord(
          operation: operation, arrow: arrows.first { $0.slot == operation.slot }))
    }
    return Page(items: items, nextPageToken: page.nextPageToken)
  }
}

/// A waiting operation, with the current arrow of its slot.
package struct LateOperationRecord: Sendable {
  package let operation: OperationRecord
  package let arrow: ScoredArrowRecord?
}

/// Applies or rejects late operations on a finalised event, as its organiser decides.
///
/// An operation that cannot be applied any more stays late; its verdict says why.
package struct RuleOnOperations: Command {
  private let tournament: Int64
  private let ids: [Int64]
  private let admits: Bool
  private let reason: String
  /// The place of the first id in its request.
  private let firstPlace: Int

  package static let maximumCount = 1_000

  private static let reject = Query(
    """
    UPDATE scoring_operation SET state = \(OperationRecord.State.rejected.rawValue), ruling = ?2
    WHERE id = ?1
    """)
  private static let note = Query("UPDATE scoring_operation SET ruling = ?2 WHERE id = ?1")

  /// Validates the ids and the reason.
  package init(
    tournament: Int64, ids: [Int64], admits: Bool, reason: String
  ) throws(StoreError) {
    guard (1...Self.maximumCount).contains(ids.count) else {
      throw .invalid("operation_ids", "must be from 1 to \(Self.maximumCount)")
    }
    self.tournament = tournament
    self.ids = ids
    self.admits = admits
    self.reason = try TournamentText.reason(reason)
    firstPlace = 0
  }

  /// The commands that rule on operations, ``StoreLimits/operationsPerCommand`` in each.
  package static func slices(
    of ids: [Int64], tournament: Int64, admits: Bool, reason: String
  ) throws(StoreError) -> [RuleOnOperations] {
    let whole = try RuleOnOperations(
      tournament: tournament, ids: ids, admits: admits, reason: reason)
    return ids.slices(of: StoreLimits.operationsPerCommand).enumerated().map { index, ids in
      RuleOnOperations(
        whole, ids: ids, firstPlace: index * StoreLimits.operationsPerCommand)
    }
  }

  private init(_ whole: RuleOnOperations, ids: [Int64], firstPlace: Int) {
    tournament = whole.tournament
    self.ids = ids
    admits = whole.admits
    reason = whole.reason
    self.firstPlace = firstPlace
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [(operation: OperationRecord, outcome: ScoringOutcome)] {
    let head = try transaction.ownTournament(tournament)
    var operations: [OperationRecord] = []
    for (index, id) in ids.enumerated() {
      guard let operation = try transaction.snapshot.operation(id: id),
        try transaction.snapshot.participant(id: operation.participant)?.sessionID == head.id
      else {
        throw StoreError(
          .notFound, "there is no such operation of this event",
          field: "operation_ids[\(firstPlace + index)]")
      }
      operations.append(operation)
    }
    var outcomes: [(operation: OperationRecord, outcome: ScoringOutcome)] = []
    for operation in operations {
      let outcome = try rule(on: operation, of: head, transaction)
      outcomes.append((operation, outcome))
    }
    // Results and watches of the event show how many operations wait.
    if operations.contains(where: { $0.state == .late }) {
      try transaction.recordEvent(head.id, organiser: head.organiser, .updated)
    }
    return outcomes
  }

  private func rule(
    on operation: OperationRecord, of head: TournamentHead,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> ScoringOutcome {
    guard operation.state == .late else {
      return ScoringOutcome(.same, operationID: operation.id)
    }
    guard admits else {
      try transaction.run(Self.reject, .integer(operation.id), .text(reason))
      try transaction.countLate(session: head.id, by: -1)
      try transaction.auditEvent(
        head.id, "arrow.reject", participant: operation.participant, reason: reason)
      return ScoringOutcome(.stored, operationID: operation.id)
    }
    guard let place = try transaction.snapshot.scoringPlace(participant: operation.participant)
    else { throw Snapshot.unknownParticipant }
    let draft = OperationDraft(operation)
    let present: ValidatedOperation
    do throws(StoreError) {
      // The round can have changed since the operation was stored.
      present = try transaction.validated(draft, at: place)
    } catch {
      guard error.code == .invalidArgument else { throw error }
      return .refused(error)
    }
    let validated = ValidatedOperation(
      draft: draft, end: present.end, score: operation.score,
      isFlagged: operation.isFlagged, scoredAtMilliseconds: operation.scoredAtMilliseconds)
    var progress = ScoringProgress()
    let outcome = try transaction.put(validated, at: place, lateID: operation.id, &progress)
    guard outcome.verdict == .stored || outcome.verdict == .same else { return outcome }
    try transaction.run(Self.note, .integer(operation.id), .text(reason))
    try transaction.countLate(session: head.id, by: -1)
    try transaction.auditEvent(
      head.id, "arrow.admit", participant: operation.participant, reason: reason)
    return outcome
  }
}

extension OperationDraft {
  /// The draft of a stored operation.
  fileprivate init(_ record: OperationRecord) {
    clientID = record.clientID
    kind = record.kind
    participant = .id(record.participant)
    slot = record.slot
    score = record.score
    position = record.position
    input = record.input
    shaft = record.shaft
    scoredAtMilliseconds = record.scoredAtMilliseconds
    replaces =
      record.kind == .record
      ? nil
      : record.replacesClientID.isEmpty
        ? .id(record.replacesID ?? 0) : .clientID(record.replacesClientID)
    reason = record.reason
    device = record.device
    witness = record.witness
    path = ""
  }
}
