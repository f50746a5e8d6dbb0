import QuiverRules

/// Withdraws, disqualifies or reinstates a participant.
///
/// A participant withdraws itself and its guests; a judge disqualifies and reinstates; everything
/// else requires an organiser.
package struct ChangeParticipant: Command {
  private let id: Int64
  private let status: ParticipantStatus
  private let reason: String
  private let expected: UInt64

  private static let update = Query("UPDATE participant SET status = ?2 WHERE id = ?1")

  /// Validates the reason, which is optional for a withdrawal. `active` reinstates.
  /// `expected` is the revision of the entry that was read; 0: any.
  package init(
    _ id: Int64, to status: ParticipantStatus, reason: String, expected: UInt64 = 0
  ) throws(StoreError) {
    self.expected = expected
    self.id = id
    self.status = status
    self.reason = try TournamentText.reason(reason, mayBeEmpty: status == .withdrawn)
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ParticipantRecord {
    let field = "participant_id"
    let unknown = StoreError(.notFound, "there is no such participant", field: field)
    let caller = transaction.caller.principal
    guard let before = try transaction.snapshot.participant(id: id),
      let head = try transaction.snapshot.tournamentHead(id: before.sessionID)
    else { throw unknown }
    if !head.isOpen(to: caller, at: transaction.nowMilliseconds) {
      let hasPart = try transaction.snapshot.hasPart(
        in: head.id, organiser: head.organiser, principal: caller)
      guard hasPart else { throw unknown }
    }
    let isOwn = before.principal == caller && before.kind != .entry
    let role = try transaction.snapshot.role(of: caller, in: head)
    let rules = role == .organiser || (role == .judge && status != .withdrawn)
    guard rules || (status == .withdrawn && isOwn) else {
      throw StoreError(
        .permissionDenied,
        status == .withdrawn
          ? "only the participant, who added it, or the organiser may"
          : "only an organiser or a judge of the event may", field: field)
    }
    try transaction.check(head, [.open, .inProgress], field: field)
    guard before.status != status else { return before }
    guard status != .withdrawn || before.status == .active else {
      throw StoreError(.failedPrecondition, "it is disqualified", field: field)
    }
    if expected != 0 {
      let entry = try transaction.entry(id)
      guard entry.revision == expected else {
        // Its licence is for officials.
        throw .changed(
          since: "expected_revision", "the entry", role == nil ? nil : .entry(entry))
      }
    }
    try transaction.run(Self.update, .integer(id), .integer(Int64(status.rawValue)))
    try transaction.noteStatus(session: head.id, participant: id, status: status.rawValue)
    let after = try transaction.certain(id)
    try transaction.recordScore(of: after, isTournament: true)
    try transaction.recordMembership(of: after, .updated)
    try transaction.auditEvent(
      head.id, "participant.\(status)", participant: id, before: "\(before.status)",
      after: "\(status)", reason: reason)
    return after
  }
}
