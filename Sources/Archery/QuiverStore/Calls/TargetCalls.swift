import QuiverCrypto
import QuiverRules

/// A call from a target.
package struct TargetCallRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let content: TargetCallContent
  package let displayName: String
  package let raisedAtMilliseconds: Int64
  package let raisedBy: Int64
  package let raisedByName: String
  /// 0: it is open.
  package let resolvedAtMilliseconds: Int64
  package let resolvedByName: String
  package let decision: String
}

/// What who raises a call says of it.
package struct TargetCallContent: Sendable, Equatable {
  package var clientID: [UInt8] = []
  /// 0: the target of matches.
  package var session: Int64 = 0
  package var target: UInt32 = 0
  package var kind = TargetCallKind.judge
  /// 0: of nobody alone.
  package var participant: Int64 = 0
  package var owedArrows: UInt32 = 0
  /// The end of the card in which arrows are owed; nil: the first one that lacks arrows when the
  /// call is raised.
  package var endIndex: Int?
  package var text = ""

  package init() {}
}

/// What a target asks for; the raw values are those of `quiver.v1.TargetCallKind` and are stored.
package enum TargetCallKind: Int32, Sendable, CaseIterable {
  case judge = 1
  case absentArcher = 2
  case archerStopped = 3
  case equipmentFailure = 4
  case undecidedArrow = 5
  case help = 6
  /// By the server: arrows of a device that had lost its lease, where others are.
  case lateArrows = 7

  /// Whether it names an archer.
  var isOfArcher: Bool {
    switch self {
    case .absentArcher, .archerStopped, .equipmentFailure, .undecidedArrow: true
    case .judge, .help, .lateArrows: false
    }
  }
}

extension Snapshot {
  private static let columns = """
    c.id, c.event_id, c.session_id, c.target, c.kind, c.participant_id, c.owed_arrows,
    c.raised_at_ms, c.raised_by, c.resolved_at_ms, c.call_key, c.message, c.decision,
    coalesce(a.display_name, ''), coalesce(p.display_name, ''), coalesce(r.display_name, ''),
    c.resolved_by, c.end_index
    """
  private static let tables = """
    target_call c LEFT JOIN participant a ON a.id = c.participant_id
    LEFT JOIN principal p ON p.id = c.raised_by LEFT JOIN principal r ON r.id = c.resolved_by
    """
  private static let byID = Query("SELECT \(columns) FROM \(tables) WHERE c.id = ?1")
  private static let byKey = Query(
    "SELECT \(columns) FROM \(tables) WHERE c.raised_by = ?1 AND c.call_key = ?2")
  private static let pageOfCalls = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE c.event_id = ?1 AND c.id < ?2 AND (?3 = 1 OR c.resolved_at_ms = 0)
    ORDER BY c.id DESC LIMIT ?4
    """)
  private static let pageOfTargets = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE c.event_id = ?1 AND c.id < ?2 AND (?3 = 1 OR c.resolved_at_ms = 0)
      AND EXISTS (SELECT 1 FROM event_lease l WHERE l.event_id = ?1 AND l.principal_id = ?5
        AND l.session_id = c.session_id AND l.target = c.target AND l.expires_at_ms > ?6)
    ORDER BY c.id DESC LIMIT ?4
    """)

  func targetCall(id: Int64) throws(StoreError) -> TargetCallRecord? {
    try first(Self.byID, .integer(id)) { (row) throws(StoreError) in try TargetCallRecord(row) }
  }

  func targetCall(
    clientID: [UInt8], raisedBy principal: Int64
  ) throws(StoreError) -> TargetCallRecord? {
    try first(Self.byKey, .integer(principal), .blob(clientID)) {
      (row) throws(StoreError) in try TargetCallRecord(row)
    }
  }

  /// A page of the calls of an event, newest first: for officials all of them, for others those of
  /// targets that they lease; throws `permissionDenied` for those who lease none.
  package func targetCalls(
    event: Int64, principal: Int64, includesResolved: Bool, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<TargetCallRecord> {
    let head = try visibleTournament(id: event, principal: principal)
    let isOfficial = try role(of: principal, in: head) != nil
    if !isOfficial, try heldLeases(of: principal, in: event).isEmpty {
      throw StoreError(
        .permissionDenied, "only an official of the event, or who leases a target, may",
        field: "tournament_id")
    }
    let token = PageToken(
      scope: [
        .text("target calls"), .integer(principal), .integer(event),
        .integer(includesResolved ? 1 : 0),
      ])
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? Int64.max
    let size = StoreLimits.pageSize(pageSize)
    let resolved: Int64 = includesResolved ? 1 : 0
    let rows: [TargetCallRecord]
    if isOfficial {
      rows = try all(
        Self.pageOfCalls, .integer(event), .integer(before), .integer(resolved),
        .integer(size + 1)
      ) { (row) throws(StoreError) in try TargetCallRecord(row) }
    } else {
      rows = try all(
        Self.pageOfTargets, .integer(event), .integer(before), .integer(resolved),
        .integer(size + 1), .integer(principal), .integer(wallMilliseconds())
      ) { (row) throws(StoreError) in try TargetCallRecord(row) }
    }
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }

  /// Those of some calls that are of an event, by id, without an access check.
  package func targetCalls(_ ids: Set<Int64>, event: Int64) throws(StoreError) -> [TargetCallRecord]
  {
    var found: [TargetCallRecord] = []
    for id in ids.sorted() {
      if let call = try targetCall(id: id), call.event == event { found.append(call) }
    }
    return found
  }

  /// The open calls of an event, newest first, without an access check.
  package func openTargetCalls(event: Int64) throws(StoreError) -> [TargetCallRecord] {
    try all(
      Self.pageOfCalls, .integer(event), .integer(.max), .integer(0),
      .integer(StoreLimits.callsPerEvent)
    ) { (row) throws(StoreError) in try TargetCallRecord(row) }
  }

  /// Throws `permissionDenied` unless the principal is an official of an event that it sees.
  package func checkOfficial(_ principal: Int64, of event: Int64) throws(StoreError) {
    let head = try visibleTournament(id: event, principal: principal)
    guard try role(of: principal, in: head) != nil else {
      throw StoreError(
        .permissionDenied, "only an official of the event may", field: "tournament_id")
    }
  }
}

extension TargetCallRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let kind = TargetCallKind(rawValue: row.int32(4)) else {
      throw StoreError(.dataLoss, "a stored call is none")
    }
    id = row.int64(0)
    event = row.int64(1)
    var content = TargetCallContent()
    content.session = row.int64(2)
    content.target = UInt32(clamping: row.int64(3))
    content.kind = kind
    content.participant = row.int64(5)
    content.owedArrows = UInt32(clamping: row.int64(6))
    let end = row.int64(17)
    content.endIndex = end < 0 ? nil : Int(clamping: end)
    content.clientID = row.bytes(10)
    content.text = row.text(11)
    self.content = content
    raisedAtMilliseconds = row.int64(7)
    raisedBy = row.int64(8)
    resolvedAtMilliseconds = row.int64(9)
    decision = row.text(12)
    displayName = row.text(13)
    raisedByName = Self.name(row.text(14), row.int64(8))
    resolvedByName = Self.name(row.text(15), row.int64(16))
  }

  private static func name(_ name: String, _ principal: Int64) -> String {
    principal == 0 || !name.isEmpty ? name : "Archer \(principal)"
  }
}

/// Calls an official to a target; by the holder of a lease on it, or an official.
package struct RaiseTargetCall: Command {
  package var isToldByClientIDs: Bool { !content.clientID.isEmpty }

  /// The line is heard whatever the organiser stores: the number of calls has a limit of its own.
  package static var storesContent: Bool { false }

  private let event: Int64
  private let content: TargetCallContent

  /// Validates the content.
  package init(_ content: TargetCallContent, of event: Int64) throws(StoreError) {
    guard content.clientID.isEmpty || UUIDv7.isValid(content.clientID) else {
      throw .invalid("client_id", "must be a UUIDv7 of 16 bytes")
    }
    guard content.kind != .lateArrows else {
      throw .invalid("kind", "must be one that somebody raises")
    }
    guard content.target > 0, content.target <= StoreLimits.targetNumber else {
      throw .invalid("target", "must be from 1 to \(StoreLimits.targetNumber)")
    }
    guard !content.kind.isOfArcher || content.participant != 0 else {
      throw .invalid("participant_id", "must name the archer")
    }
    guard content.owedArrows == 0 || content.kind == .equipmentFailure,
      content.owedArrows <= StoreLimits.owedArrows
    else {
      throw .invalid(
        "owed_arrows", "must be at most \(StoreLimits.owedArrows), of an equipment failure")
    }
    guard content.endIndex == nil || (content.owedArrows > 0 && content.session > 0) else {
      throw .invalid("end_index", "goes with owed arrows on a target of a session")
    }
    var content = content
    if !content.text.isEmpty {
      content.text = try EventText.line(
        content.text, length: StoreLimits.callLength, field: "text")
    }
    self.event = event
    self.content = content
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> TargetCallRecord {
    let head = try checkedHead(transaction)
    let caller = transaction.caller.principal
    if !content.clientID.isEmpty,
      let kept = try transaction.snapshot.targetCall(
        clientID: content.clientID, raisedBy: caller)
    {
      var same = content
      same.endIndex = content.endIndex ?? kept.content.endIndex
      guard kept.event == event, kept.content == same else {
        throw StoreError(
          .alreadyExists, "another call was made with this client_id", field: "client_id")
      }
      return kept
    }
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    try checkTarget(transaction)
    guard
      try transaction.openCallCount(event, content.session, content.target)
        < StoreLimits.openCallsPerTarget
    else {
      throw StoreError.reached(
        .openCallsPerTarget,
        "target \(content.target) has \(StoreLimits.openCallsPerTarget) open calls; an official is"
          + " on the way", field: "target")
    }
    var content = content
    if content.owedArrows > 0, content.session > 0 {
      content.endIndex = try transaction.endOfOwedArrows(content)
    }
    guard let call = try transaction.raise(content, in: head) else {
      throw StoreError.reached(
        .callsPerEvent, "one event may have \(StoreLimits.callsPerEvent) calls")
    }
    return call
  }

  private func checkedHead(
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> TournamentHead {
    let caller = transaction.caller.principal
    let head = try transaction.snapshot.visibleTournament(id: event, principal: caller)
    let isHeld = try transaction.snapshot.heldLeases(of: caller, in: event).contains { lease in
      lease.session == content.session && lease.target == content.target
    }
    if isHeld { return head }
    guard try transaction.snapshot.role(of: caller, in: head) != nil else {
      throw StoreError(
        .permissionDenied, "only who leases the target, or an official of the event, may",
        field: "target")
    }
    return head
  }

  private func checkTarget(_ transaction: borrowing Transaction) throws(StoreError) {
    if content.session > 0 {
      let line = try transaction.snapshot.eventSessionContent(id: content.session, of: event)
      guard line.firstTarget <= content.target, content.target <= line.lastTarget else {
        throw StoreError(
          .failedPrecondition, "the session has no target \(content.target)", field: "target")
      }
    }
    guard content.participant != 0 else { return }
    guard try transaction.snapshot.participant(id: content.participant)?.sessionID == event else {
      throw StoreError(
        .notFound, "there is no such participant of this event", field: "participant_id")
    }
    guard content.session > 0 else { return }
    let present = try transaction.snapshot.participants(
      session: content.session, target: content.target)
    guard present.contains(content.participant) else {
      throw StoreError(
        .failedPrecondition, "the archer is not on target \(content.target)",
        field: "participant_id")
    }
  }
}

/// Says what was decided of a call; by an organiser or a judge.
package struct ResolveTargetCall: Command {
  package static var storesContent: Bool { false }

  private let id: Int64
  private let event: Int64
  private let decision: String

  private static let resolve = Query(
    """
    UPDATE target_call SET resolved_at_ms = ?2, resolved_by = ?3, decision = ?4 WHERE id = ?1
    """)

  /// Validates the decision.
  package init(_ id: Int64, of event: Int64, decision: String) throws(StoreError) {
    self.id = id
    self.event = event
    self.decision = try EventText.line(
      decision, length: StoreLimits.callLength, field: "decision")
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> TargetCallRecord {
    let head = try transaction.event(event, for: [.judge])
    guard let call = try transaction.snapshot.targetCall(id: id), call.event == event else {
      throw StoreError(.notFound, "there is no such call of this event", field: "call_id")
    }
    guard call.resolvedAtMilliseconds == 0 else {
      guard call.decision == decision else {
        throw StoreError(
          .failedPrecondition, "it was decided: \(call.decision)", field: "call_id")
      }
      return call
    }
    try transaction.run(
      Self.resolve, .integer(id), .integer(transaction.nowMilliseconds),
      .integer(transaction.caller.principal), .text(decision))
    try transaction.record(
      .updated, of: .targetCall, id: id, principal: head.organiser, topic: event)
    try transaction.auditEvent(
      event, "call.resolve", participant: call.content.participant, before: "\(id)",
      reason: decision)
    guard let resolved = try transaction.snapshot.targetCall(id: id) else {
      throw StoreError(.internalError, "a call was deleted while it was resolved")
    }
    return resolved
  }
}

extension Transaction {
  private static let openCount = Query(
    """
    SELECT count(*) FROM target_call
    WHERE event_id = ?1 AND session_id = ?2 AND target = ?3 AND resolved_at_ms = 0
    """)
  private static let count = Query("SELECT count(*) FROM target_call WHERE event_id = ?1")
  private static let insert = Query(
    """
    INSERT INTO target_call (event_id, session_id, target, kind, participant_id, owed_arrows,
      raised_at_ms, raised_by, resolved_at_ms, resolved_by, call_key, message, decision, end_index)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, ?9, ?10, '', ?11)
    """, key: "id")

  func openCallCount(
    _ event: Int64, _ session: Int64, _ target: UInt32
  ) throws(StoreError) -> Int64 {
    try snapshot.first(
      Self.openCount, .integer(event), .integer(session), .integer(Int64(target))
    ) { row in row.int64(0) } ?? 0
  }

  /// Stores a call of the caller; nil if the event has as many as it may.
  func raise(
    _ content: TargetCallContent, in head: TournamentHead
  ) throws(StoreError) -> TargetCallRecord? {
    let count = try snapshot.first(Self.count, .integer(head.id)) { row in row.int64(0) } ?? 0
    guard count < StoreLimits.callsPerEvent else { return nil }
    let id = try insert(
      Self.insert, .integer(head.id), .integer(content.session), .integer(Int64(content.target)),
      .integer(Int64(content.kind.rawValue)), .integer(content.participant),
      .integer(Int64(content.owedArrows)), .integer(nowMilliseconds), .integer(caller.principal),
      .blob(content.clientID), .text(content.text), .integer(Int64(content.endIndex ?? -1)))
    try record(.created, of: .targetCall, id: id, principal: head.organiser, topic: head.id)
    try auditEvent(
      head.id, "call.raise", participant: content.participant,
      after: "\(id) \(content.session) \(content.target) \(content.kind)")
    return try snapshot.targetCall(id: id)
  }
}
