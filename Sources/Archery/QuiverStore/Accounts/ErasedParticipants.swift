/// Gives a deleted principal's participants neutral names: itself, its guests, and the entries of
/// its events, which belong to the new organisers from then on.
enum ErasedParticipants {
  /// A participant counts as so many rows, since it has operations.
  private static let rowsPerParticipant: Int64 = 8

  private static let rows = Query(
    """
    SELECT p.id, p.session_id, s.is_tournament
    FROM participant p JOIN shooting_session s ON s.id = p.session_id
    WHERE p.principal_id = ?1 AND p.id > ?2 ORDER BY p.id LIMIT ?3
    """)
  static let neutralName = """
    CASE kind WHEN \(ParticipantRecord.Kind.user.rawValue) THEN 'Archer ' || principal_id
      WHEN \(ParticipantRecord.Kind.guest.rawValue) THEN 'Guest ' || id ELSE 'Entry ' || id END
    """
  private static let statements = [
    ErasureStep.word("display_name", "participant"),
    Query(
      """
      UPDATE scoring_operation SET reason = '', device = ''
      WHERE participant_id = ?2 AND (reason <> '' OR device <> '') AND EXISTS (
        SELECT 1 FROM participant p WHERE p.id = ?2
          AND p.kind <> \(ParticipantRecord.Kind.entry.rawValue))
      """),
    // Those of entries without an account are words and signatures of others.
    Query(
      """
      UPDATE event_card_end SET reason = ''
      WHERE participant_id = ?2 AND reason <> '' AND EXISTS (
        SELECT 1 FROM participant p WHERE p.id = ?2
          AND p.kind <> \(ParticipantRecord.Kind.entry.rawValue))
      """),
    Query(
      """
      UPDATE card_confirmation SET signature = NULL
      WHERE participant_id = ?2 AND signature IS NOT NULL AND EXISTS (
        SELECT 1 FROM participant p WHERE p.id = ?2
          AND p.kind <> \(ParticipantRecord.Kind.entry.rawValue))
      """),
    Query(
      """
      UPDATE distance_confirmation SET signature = NULL
      WHERE participant_id = ?2 AND signature IS NOT NULL AND EXISTS (
        SELECT 1 FROM participant p WHERE p.id = ?2
          AND p.kind <> \(ParticipantRecord.Kind.entry.rawValue))
      """),
    ErasureStep.word("bib", "event_entry"), ErasureStep.word("club", "event_entry"),
    ErasureStep.word("country", "event_entry"), ErasureStep.word("licence", "event_entry"),
    Query(
      """
      UPDATE event_entry SET bib = '', club = '', country = '', licence = '' WHERE id = ?2
      """),
    Query(
      """
      DELETE FROM client_object
      WHERE kind = \(ObjectKind.participant.rawValue) AND object_id = ?2 AND client_id = (
        SELECT client_id FROM participant WHERE id = ?2 AND principal_id = ?1)
      """),
    Query(
      """
      UPDATE participant SET client_id = NULL,
        display_name = \(neutralName), public_name = '',
        principal_id = CASE kind
          WHEN \(ParticipantRecord.Kind.entry.rawValue) THEN coalesce(
            (SELECT t.principal_id FROM tournament t WHERE t.id = participant.session_id),
            principal_id)
          ELSE principal_id END
      WHERE id = ?2 AND principal_id = ?1
      """),
  ]

  @Sendable static func slice(
    _ transaction: borrowing Transaction, _ place: ErasurePlace
  ) throws(StoreError) -> ErasureProgress {
    let limit = StoreLimits.erasedRowsPerCommand / rowsPerParticipant
    let found = try transaction.snapshot.all(
      rows, .integer(place.principal), .integer(place.position), .integer(limit)
    ) { row in (id: row.int64(0), session: row.int64(1), isTournament: row.bool(2)) }
    for participant in found {
      for statement in statements {
        try transaction.run(statement, .integer(place.principal), .integer(participant.id))
      }
      if participant.isTournament {
        // Leaderboards and all watches of the event show the name.
        for kind in [ObjectKind.participant, .membership] {
          try transaction.record(
            .updated, of: kind, id: participant.id, principal: place.principal,
            topic: participant.session)
        }
      }
    }
    return ErasureProgress(
      position: found.last?.id ?? place.position, isDone: found.count < limit,
      rowCount: Int64(found.count) * rowsPerParticipant)
  }
}
