import QuiverRules

/// Changes the status of an event for its organiser.
///
/// If the event has the status already, nothing changes.
package struct ChangeTournamentState: Command {
  private let id: Int64
  private let step: Step
  private let reason: String
  private let anyway: Bool
  private let expected: UInt64

  package enum Step: String, Sendable {
    /// OPEN to IN_PROGRESS; ends a pause.
    case start
    case pause
    /// IN_PROGRESS to COMPLETED.
    case finalise
    /// COMPLETED to IN_PROGRESS.
    case reopen
    case cancel
  }

  /// Finalising makes the results of all participants final, whatever its organiser stores. It adds
  /// one row for the status of the event, and can be repeated only after the event was reopened,
  /// which a full quota refuses. A cancellation cannot be repeated.
  package var isRefusedAtQuota: Bool { step != .finalise && step != .cancel }

  private static let reopenParticipants = Query(
    """
    UPDATE participant SET status = \(ParticipantStatus.active.rawValue)
    WHERE session_id = ?1 AND status = \(ParticipantStatus.completed.rawValue)
    """)
  private static let reopenRounds = Query(
    """
    UPDATE round SET status = \(RoundStatus.inProgress.rawValue), completed_at_ms = NULL
    WHERE status = \(RoundStatus.completed.rawValue) AND participant_id IN (
      SELECT p.id FROM participant p JOIN round r ON r.participant_id = p.id
      WHERE p.session_id = ?1 AND p.arrow_count < (
        SELECT sum(f.arrow_count) FROM format_pass f WHERE f.format_id = r.format_id))
    """)

  /// Validates the reason, which only reopening requires. With `anyway` an event is started or
  /// finalised although steps are open. `expected` is the revision that was read; 0: any.
  package init(
    _ id: Int64, _ step: Step, reason: String = "", anyway: Bool = false, expected: UInt64 = 0
  ) throws(StoreError) {
    self.expected = expected
    self.id = id
    self.step = step
    self.anyway = anyway
    self.reason = try TournamentText.reason(reason, mayBeEmpty: step != .reopen)
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> TournamentRecord {
    let before = try transaction.ownTournament(id, field: "id")
    guard expected == 0 || before.revision == expected else {
      let current = try transaction.snapshot.record(
        before, principal: transaction.caller.principal)
      throw .changed(since: "expected_revision", "the event", .tournament(current))
    }
    var head = before
    let now = transaction.nowMilliseconds
    switch step {
    case .start:
      try transaction.check(head, [.open, .inProgress], field: "id")
      if head.status == .open { try checkOpen(EventProgress.neededToStart, before, transaction) }
      head.status = .inProgress
      head.isPaused = false
      head.startedAtMilliseconds = head.startedAtMilliseconds ?? now
    case .pause:
      try transaction.check(head, [.inProgress], field: "id")
      head.isPaused = true
    case .finalise:
      try transaction.check(head, [.inProgress, .completed], field: "id")
      if head.status == .inProgress {
        try checkOpen(EventProgress.neededToFinalise, before, transaction)
        try transaction.completeRounds(ofEvent: id)
      }
      head.status = .completed
      head.isPaused = false
      head.finalisedAtMilliseconds = head.finalisedAtMilliseconds ?? now
    case .reopen:
      guard head.status != .inProgress else { break }
      try transaction.check(head, [.completed], field: "id")
      try reopen(transaction)
      head.status = .inProgress
      head.finalisedAtMilliseconds = nil
    case .cancel:
      try transaction.check(head, [.open, .inProgress, .cancelled], field: "id")
      if head.status != .cancelled { try transaction.cancelRounds(ofEvent: id) }
      head.status = .cancelled
      head.isPaused = false
    }
    return try transaction.replace(before, with: head, "tournament.\(step)", reason: reason)
  }

  /// Throws if steps of these kinds are open, unless the organiser goes on anyway.
  private func checkOpen(
    _ kinds: Set<EventProgress.Kind>, _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard !anyway else { return }
    let steps = try transaction.snapshot.openSteps(kinds, of: head)
    guard !steps.isEmpty else { return }
    throw StoreError(
      .failedPrecondition,
      steps.map(\.missing).joined(separator: ", ") + "; set it to \(step) the event nevertheless",
      field: "anyway", current: .openSteps(steps))
  }

  private func reopen(_ transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.reopenParticipants, .integer(id))
    try transaction.run(Self.reopenRounds, .integer(id))
  }
}

/// Changes an event's fields, if the revision is still current.
package struct UpdateTournament: Command {
  private let id: Int64
  private let revision: UInt64
  private let change: Change

  /// The fields to change; nil leaves a field as it is.
  package struct Change: Sendable {
    package var name: String?
    /// All three that follow at once, as older clients know it.
    package var isPublic: Bool?
    package var isListed: Bool?
    package var isWatchable: Bool?
    package var isJoinable: Bool?
    /// 0 stands for what is usual.
    package var publicNames: Int32?
    package var juniorNames: Int32?
    /// 0: none.
    package var lastBoardDay: Int32?
    package var maxParticipants: UInt32?
    package var guestsPerUser: UInt32?
    package var guestLimit: UInt32?
    /// Who must agree to corrections of full ends; 0: nobody.
    package var consent: Int32?
    /// Whether who scores an archer types its sums on paper, too.
    package var scorersTypePapers: Bool?
    /// 0 stands for the standard policy.
    package var tiePolicy: Int32?

    package init() {}
  }

  /// The fields that a mask may name.
  package static let fields: Set<String> = [
    "name", "is_public", "max_participants", "guests_per_user", "guest_limit", "tie_policy",
    "listed", "watchable", "joinable", "public_names", "junior_names", "last_board_day",
    "correction_consent", "scorers_type_papers",
  ]

  /// Validates the change.
  package init(_ id: Int64, revision: UInt64, _ change: Change) throws(StoreError) {
    guard revision > 0 else {
      throw .invalid("tournament.revision", "must be the revision that was read, from 1")
    }
    var change = change
    if let name = change.name {
      change.name = try TournamentText.name(name, field: "tournament.name")
    }
    let prefix = "tournament."
    if let count = change.maxParticipants {
      try TournamentText.check(maxParticipants: count, field: prefix + "max_participants")
      guard count > 0 else { throw .invalid(prefix + "max_participants", "must be above 0") }
    }
    try TournamentText.check(guests: change.guestsPerUser, field: prefix + "guests_per_user")
    try TournamentText.check(guests: change.guestLimit, field: prefix + "guest_limit")
    if let policy = change.tiePolicy {
      change.tiePolicy = try TournamentText.policy(policy, field: prefix + "tie_policy").rawValue
    }
    _ = try CorrectionConsent.checked(
      change.consent ?? 0, field: prefix + "correction_consent")
    _ = try EventVisibility.checked(
      names: change.publicNames ?? 0, juniorNames: change.juniorNames ?? 0,
      lastBoardDay: change.lastBoardDay ?? 0, prefix: prefix)
    self.id = id
    self.revision = revision
    self.change = change
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> TournamentRecord {
    let before = try transaction.ownTournament(id, field: "tournament.id")
    guard before.revision == revision else {
      let current = try transaction.snapshot.record(
        before, principal: transaction.caller.principal)
      throw .stale(revision, now: before.revision, .tournament(current))
    }
    var head = before
    if let name = change.name { head.name = name }
    change.apply(to: &head.visibility)
    if let count = change.maxParticipants { head.maxParticipants = Int64(count) }
    if let count = change.guestsPerUser { head.guestsPerUser = Int64(count) }
    if let count = change.guestLimit { head.guestLimit = Int64(count) }
    if let types = change.scorersTypePapers { head.scorersTypePapers = types }
    if let consent = change.consent { head.consent = CorrectionConsent(rawValue: consent) }
    if let policy = change.tiePolicy.flatMap(TiePolicy.init(rawValue:)), policy != head.tiePolicy {
      try transaction.check(head, [.open], field: "tournament.tie_policy")
      head.tiePolicy = policy
      head.tiePolicyDay = Int32(clamping: transaction.nowMilliseconds / 86_400_000)
    }
    guard head.maxParticipants >= head.participantCount else {
      throw StoreError(
        .failedPrecondition, "\(head.participantCount) take part already",
        field: "tournament.max_participants")
    }
    return try transaction.replace(before, with: head, "tournament.update")
  }
}

extension UpdateTournament.Change {
  fileprivate func apply(to visibility: inout EventVisibility) {
    if let isPublic { visibility.setPublic(isPublic) }
    if let isListed { visibility.isListed = isListed }
    if let isWatchable { visibility.isWatchable = isWatchable }
    if let isJoinable { visibility.isJoinable = isJoinable }
    if let publicNames { visibility.names = PublicName(rawValue: publicNames) }
    if let juniorNames { visibility.juniorNames = PublicName(rawValue: juniorNames) }
    if let lastBoardDay { visibility.lastBoardDay = lastBoardDay }
  }
}

/// Deletes an event without scores with its participants: of rounds, of second cards or of matches,
/// also where they were corrected away or wait for the organiser. What was answered as stored is
/// kept.
package struct DeleteTournament: Command {
  /// Devices end with their event.
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  private let id: Int64

  private static let scored = Query(
    """
    SELECT 1 FROM participant
    WHERE session_id = ?1 AND (arrow_count > 0 OR operation_count > 0) LIMIT 1
    """)
  private static let kept = Query(
    """
    SELECT 1 FROM match_operation WHERE event_id = ?1
    UNION ALL SELECT 1 FROM card_operation WHERE event_id = ?1
    UNION ALL SELECT 1 FROM event_card WHERE event_id = ?1
    UNION ALL SELECT 1 FROM typed_total WHERE event_id = ?1 LIMIT 1
    """)
  /// Devices belong to their event; nothing else names their principals.
  private static let devices = Query(
    "DELETE FROM principal WHERE id IN (SELECT id FROM event_device WHERE event_id = ?1)")
  private static let statements = [
    Query("DELETE FROM tournament_scorer WHERE tournament_id = ?1"),
    Query("DELETE FROM status_change WHERE session_id = ?1"),
    Query("DELETE FROM tournament WHERE id = ?1"),
  ]

  package init(_ id: Int64) { self.id = id }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let head = try transaction.ownTournament(id, field: "id")
    let isScored = try transaction.snapshot.first(Self.scored, .integer(id)) { _ in true }
    let isKept = try transaction.snapshot.first(Self.kept, .integer(id)) { _ in true }
    guard isScored == nil, isKept == nil, head.lateCount == 0 else {
      throw StoreError(
        .failedPrecondition, "arrows have been scored in it; cancel it instead", field: "id")
    }
    for device in try transaction.snapshot.devices(event: id) {
      transaction.effects.note(.deleted, of: .principal, id: device.principal)
    }
    try transaction.run(Self.devices, .integer(id))
    try transaction.deleteSession(id: id)
    for statement in EventRows.deletions { try transaction.run(statement, .integer(id)) }
    for statement in Self.statements { try transaction.run(statement, .integer(id)) }
    try transaction.countScoring(.tournaments, by: -1)
    try transaction.recordEvent(id, organiser: head.organiser, .deleted)
    try transaction.auditEvent(id, "tournament.delete")
  }
}
