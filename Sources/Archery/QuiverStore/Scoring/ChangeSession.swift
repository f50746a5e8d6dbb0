package import QuiverRules

/// Deletes a session without a tournament, with its rounds, arrows and operations.
package struct DeleteSession: Command {
  package static var storesContent: Bool { false }

  private let reference: ObjectReference

  private static let statements = [
    Query(
      "DELETE FROM scored_arrow WHERE round_id IN (SELECT id FROM round WHERE participant_id IN "
        + "(SELECT id FROM participant WHERE session_id = ?1))"),
    Query(
      "DELETE FROM scoring_operation WHERE participant_id IN "
        + "(SELECT id FROM participant WHERE session_id = ?1)"),
    Query(
      "DELETE FROM round WHERE participant_id IN "
        + "(SELECT id FROM participant WHERE session_id = ?1)"),
    Query("DELETE FROM participant WHERE session_id = ?1"),
    Query("DELETE FROM shooting_session WHERE id = ?1"),
  ]

  package init(_ reference: ObjectReference) { self.reference = reference }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let session = try transaction.ownSession(reference)
    try transaction.deleteSession(id: session.id)
    try transaction.countScoring(.sessions, by: -1)
    try transaction.record(
      .deleted, of: .session, id: session.id, principal: transaction.caller.principal)
  }

  /// Deletes what belongs to a session, in order; each query takes the session's id.
  static var below: [Query] { statements }
}

extension Transaction {
  /// Deletes all rows of a session, with or without a tournament.
  func deleteSession(id: Int64) throws(StoreError) {
    for statement in DeleteSession.below { try run(statement, .integer(id)) }
  }
}

/// Pauses, resumes, completes or cancels a round of a session without a tournament.
package struct SetRoundStatus: Command {
  private let participant: ObjectReference
  private let revision: UInt64
  private let status: RoundStatus

  private static let update = Query(
    """
    UPDATE round SET status = ?2, revision = revision + 1, completed_at_ms = ?3 WHERE id = ?1
    """)

  /// Revision 0 matches any revision.
  package init(
    _ participant: ObjectReference, revision: UInt64, status: Int32
  ) throws(StoreError) {
    guard let known = RoundStatus(rawValue: status), known != .planned else {
      throw .invalid("status", "must be in progress, paused, completed or cancelled")
    }
    self.participant = participant
    self.revision = revision
    self.status = known
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> RoundRecord {
    let round = try transaction.ownRound(participant)
    try transaction.check(revision, of: round.revision, .round(round))
    guard round.status != status else { return round }
    guard round.status != .cancelled else {
      throw StoreError(.failedPrecondition, "the cancellation of a round is final", field: "status")
    }
    try transaction.run(
      Self.update, .integer(round.id), .integer(Int64(status.rawValue)),
      status == .completed ? .integer(transaction.nowMilliseconds) : .null)
    try transaction.record(
      .updated, of: .round, id: round.id, principal: transaction.caller.principal)
    return try transaction.round(ofParticipant: round.participant.id)
  }
}

/// Sets the bow setup of the caller's own round, and its bowstyle.
package struct SetRoundSetup: Command {
  private let participant: ObjectReference
  private let revision: UInt64
  private let setup: SetupChoice?
  private let bow: BowDivision?

  private static let update = Query(
    """
    UPDATE round SET setup_id = ?2, setup_version = ?3, bowstyle = ?4, revision = revision + 1
    WHERE id = ?1
    """)

  /// `setup` nil removes the setup; `bow` nil leaves the bowstyle as it is.
  package init(
    _ participant: ObjectReference, revision: UInt64, setup: SetupChoice?,
    bow: BowDivision? = nil
  ) {
    self.participant = participant
    self.revision = revision
    self.setup = setup
    self.bow = bow
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> RoundRecord {
    let caller = transaction.caller.principal
    let id = try transaction.participantID(participant)
    guard let round = try transaction.snapshot.round(ofParticipant: id),
      round.participant.principal == caller
    else { throw Snapshot.unknownParticipant }
    guard round.participant.kind == .user else {
      throw StoreError(
        .failedPrecondition, "a guest's round counts for no setup", field: "setup_id")
    }
    try transaction.check(revision, of: round.revision, .round(round))
    let version = try transaction.setupVersion(setup)
    let isOther =
      version?.id ?? 0 != round.setupID || version?.version ?? 0 != round.setupVersion
    let bow = bow ?? round.bow
    guard isOther || bow != round.bow else { return round }
    try transaction.run(
      Self.update, .integer(round.id), .optional(version?.id), .optional(version?.version),
      .integer(Int64(bow?.rawValue ?? 0)))
    if isOther, let version, let place = try transaction.snapshot.scoringPlace(participant: id) {
      try transaction.foldRollups(
        of: RolledRound(id: round.id, setupID: version.id, setupVersion: version.version),
        format: place.format)
    }
    try transaction.record(.updated, of: .round, id: round.id, principal: caller)
    return try transaction.round(ofParticipant: id)
  }
}

extension Transaction {
  /// The id of the participant that the request names.
  func participantID(
    _ reference: ObjectReference, field: String = "participant_id"
  ) throws(StoreError) -> Int64 {
    let id = try snapshot.objectID(
      reference, kind: .participant, principal: caller.principal)
    guard let id else {
      throw StoreError(.notFound, "there is no such participant", field: field)
    }
    return id
  }

  /// The round of a participant that must exist.
  func round(ofParticipant id: Int64) throws(StoreError) -> RoundRecord {
    guard let round = try snapshot.round(ofParticipant: id) else {
      throw StoreError(.internalError, "a round was deleted while it was changed")
    }
    return round
  }

  /// A round that the caller owns, in a session without a tournament.
  fileprivate func ownRound(_ reference: ObjectReference) throws(StoreError) -> RoundRecord {
    let id = try participantID(reference)
    guard let round = try snapshot.round(ofParticipant: id) else {
      throw Snapshot.unknownParticipant
    }
    let session: SessionRecord
    do throws(StoreError) {
      session = try snapshot.session(
        .id(round.participant.sessionID), principal: caller.principal)
    } catch {
      guard error.code == .notFound else { throw error }
      throw Snapshot.unknownParticipant
    }
    guard !session.isTournament else {
      throw StoreError(
        .failedPrecondition, "the rounds of a tournament are deleted with the tournament",
        field: "participant_id")
    }
    return round
  }
}
