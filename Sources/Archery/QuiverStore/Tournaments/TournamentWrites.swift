import QuiverRules

/// Helpers for all commands on events.
extension Transaction {
  private static let insertStatus = Query(
    """
    INSERT INTO status_change (session_id, participant_id, status, at_ms)
    VALUES (?1, ?2, ?3, ?4)
    """)
  private static let update = Query(
    """
    UPDATE tournament SET revision = revision + 1, status = ?2, is_paused = ?3, is_public = ?4,
      max_participants = ?5, guests_per_user = ?6, guest_limit = ?7, tie_policy = ?8,
      tie_policy_day = ?9, started_at_ms = ?10, finalised_at_ms = ?11, name = ?12, pause_id = ?13,
      is_listed = ?14, is_joinable = ?15, public_names = ?16, junior_names = ?17,
      boards_end_day = ?18, correction_consent = ?19,
      scorers_type_papers = ?20
    WHERE id = ?1
    """)

  private static let completeParticipants = Query(
    """
    UPDATE participant SET status = \(ParticipantStatus.completed.rawValue)
    WHERE session_id = ?1 AND status = \(ParticipantStatus.active.rawValue)
    """)
  private static let completeRounds = Query(
    """
    UPDATE round SET status = \(RoundStatus.completed.rawValue), completed_at_ms = ?2
    WHERE status IN (\(RoundStatus.inProgress.rawValue), \(RoundStatus.paused.rawValue))
      AND participant_id IN (
        SELECT id FROM participant
        WHERE session_id = ?1 AND status = \(ParticipantStatus.completed.rawValue))
    """)
  private static let cancelRounds = Query(
    """
    UPDATE round SET status = \(RoundStatus.cancelled.rawValue) WHERE participant_id IN (
      SELECT id FROM participant WHERE session_id = ?1)
    """)

  /// Completes the participants and the begun rounds of an event.
  func completeRounds(ofEvent id: Int64) throws(StoreError) {
    try run(Self.completeParticipants, .integer(id))
    try run(Self.completeRounds, .integer(id), .integer(nowMilliseconds))
  }

  /// Cancels the rounds of an event.
  func cancelRounds(ofEvent id: Int64) throws(StoreError) {
    try run(Self.cancelRounds, .integer(id))
  }

  /// An event that must exist.
  func head(_ id: Int64) throws(StoreError) -> TournamentHead {
    guard let head = try snapshot.tournamentHead(id: id) else {
      throw StoreError(.internalError, "an event was deleted while it was changed")
    }
    return head
  }

  /// An event that the caller organises.
  ///
  /// Throws `notFound` if the caller may not see it, `permissionDenied` if another principal
  /// organises it.
  func ownTournament(
    _ id: Int64, field: String = "tournament_id"
  ) throws(StoreError) -> TournamentHead {
    let head = try snapshot.visibleTournament(
      id: id, principal: caller.principal, field: field)
    guard head.organiser == caller.principal else {
      throw StoreError(.permissionDenied, "only the organiser of the event may", field: field)
    }
    return head
  }

  /// Throws unless the event has one of the statuses; `now` says what to change first.
  func check(
    _ head: TournamentHead, _ statuses: [TournamentStatus], field: String
  ) throws(StoreError) {
    guard !statuses.contains(head.status) else { return }
    let message =
      switch head.status {
      case .open: "the event is open; start it first"
      case .inProgress: "the event is in progress; this is possible only before the start"
      case .completed: "the event is finalised; reopen it first"
      case .cancelled: "the event was cancelled"
      }
    throw StoreError(.failedPrecondition, message, field: field)
  }

  /// Stores the next revision of an event; if nothing differs, nothing is written. The pause of the
  /// shooting ends where the event is no longer in progress.
  func replace(
    _ before: TournamentHead, with head: TournamentHead, _ action: String, reason: String = ""
  ) throws(StoreError) -> TournamentRecord {
    guard head != before else {
      return try snapshot.record(before, principal: caller.principal)
    }
    var head = head
    if head.status != .inProgress { try endPause(of: &head) }
    let visibility = head.visibility
    try run(
      Self.update, .integer(head.id), .integer(Int64(head.status.rawValue)),
      .integer(head.isPaused ? 1 : 0), .integer(visibility.isWatchable ? 1 : 0),
      .integer(head.maxParticipants), .integer(head.guestsPerUser), .integer(head.guestLimit),
      .integer(Int64(head.tiePolicy.rawValue)), .integer(Int64(head.tiePolicyDay)),
      .optional(head.startedAtMilliseconds), .optional(head.finalisedAtMilliseconds),
      .text(head.name), .integer(head.pause), .integer(visibility.isListed ? 1 : 0),
      .integer(visibility.isJoinable ? 1 : 0),
      .integer(Int64(visibility.names?.rawValue ?? 0)),
      .integer(Int64(visibility.juniorNames?.rawValue ?? 0)),
      .integer(Int64(visibility.lastBoardDay)), .integer(Int64(head.consent?.rawValue ?? 0)),
      .integer(head.scorersTypePapers ? 1 : 0))
    if visibility.names != before.visibility.names
      || visibility.juniorNames != before.visibility.juniorNames
    {
      try keepPublicNames(event: head.id)
    }
    if head.status != before.status {
      try noteStatus(session: head.id, status: head.status.rawValue)
    }
    try recordEvent(head.id, organiser: head.organiser, .updated)
    try auditEvent(head.id, action, reason: reason)
    return try snapshot.record(try self.head(head.id), principal: caller.principal)
  }

  /// Stores the time at which an event or a participant gets a status.
  func noteStatus(
    session: Int64, participant: Int64 = 0, status: Int32
  ) throws(StoreError) {
    try run(
      Self.insertStatus, .integer(session), .integer(participant), .integer(Int64(status)),
      .integer(nowMilliseconds))
  }

  /// Records in the journal that an event changed; this changes its whole leaderboard.
  func recordEvent(
    _ id: Int64, organiser: Int64, _ change: JournalEntry.Change
  ) throws(StoreError) {
    try record(change, of: .tournament, id: id, principal: organiser, topic: id)
  }

  /// Audits a change of an event or of one of its participants.
  func auditEvent(
    _ id: Int64, _ action: String, participant: Int64 = 0, before: String = "",
    after: String = "", reason: String = ""
  ) throws(StoreError) {
    try audit(
      AuditEntry(
        action: action, kind: participant == 0 ? .tournament : .participant,
        objectID: participant == 0 ? id : participant, topic: id, before: Array(before.utf8),
        after: Array(after.utf8), reason: reason))
  }
}
