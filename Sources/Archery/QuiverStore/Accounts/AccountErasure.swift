import QuiverRules

/// What is erased with an account, table by table.
///
/// A test holds it against the tables of the schema: whoever adds one says there what becomes of
/// it.
enum AccountErasure {
  private static let itemIDs = itemIDs("")

  /// Both halves have an index of their own.
  private static func itemIDs(_ condition: String) -> String {
    """
    SELECT id FROM equipment WHERE principal_id = ?1 \(condition) AND deleted_at_ms IS NULL
    UNION ALL
    SELECT id FROM equipment WHERE principal_id = ?1 \(condition) AND deleted_at_ms IS NOT NULL
    """
  }
  private static let setupIDs = "SELECT id FROM bow_setup WHERE principal_id = ?1"

  /// The ids of all items of a principal, also of those that old versions alone hold.
  static let items = Query(itemIDs)

  /// Each takes the principal's id; in order, since those before look things up in those after.
  static let statements: [Query] =
    [Query(clientObjects)]
    + EquipmentKind.all.map { kind in
      let ids = itemIDs("AND type = \(kind.type.rawValue)")
      return Query("DELETE FROM \(kind.name) WHERE id IN (\(ids))")
    }
    + [
      Query("DELETE FROM sight_mark WHERE principal_id = ?1"),
      Query("DELETE FROM bow_setup_component WHERE setup_id IN (\(setupIDs))"),
      Query("DELETE FROM bow_setup_version WHERE setup_id IN (\(setupIDs))"),
      Query("DELETE FROM bow_setup WHERE principal_id = ?1"),
      Query("DELETE FROM bow_setup_count WHERE principal_id = ?1"),
      Query("DELETE FROM equipment WHERE id IN (\(itemIDs))"),
      Query("DELETE FROM equipment_count WHERE principal_id = ?1"),
      Query("DELETE FROM preference WHERE principal_id = ?1"),
      Query("DELETE FROM acting_grant WHERE user_id = ?1"),
      Query("DELETE FROM acting_grant WHERE service_id = ?1"),
      Query("DELETE FROM certificate_binding WHERE principal_id = ?1"),
    ] + scoring + logbook + [
      Query(replies)
    ]

  /// Scores stay, under names that say nothing: leaderboards rest on them. Events that the
  /// principal organised belong to those who shot in them.
  private static let scoring = [
    Query(
      """
      UPDATE scoring_operation SET reason = '', device = '' WHERE participant_id IN (
        SELECT id FROM participant WHERE principal_id = ?1
          AND kind <> \(ParticipantRecord.Kind.entry.rawValue))
      """),
    Query(
      """
      UPDATE participant SET client_id = NULL,
        display_name = CASE kind WHEN 1 THEN 'Archer ' || principal_id ELSE 'Guest ' || id END
      WHERE principal_id = ?1 AND kind <> \(ParticipantRecord.Kind.entry.rawValue)
      """),
    Query("UPDATE round SET setup_id = NULL, setup_version = NULL WHERE principal_id = ?1"),
    Query(
      "UPDATE shooting_session SET notes = '', client_id = NULL WHERE principal_id = ?1"),
    Query(
      """
      UPDATE round_format SET is_listed = 0, client_id = NULL, name = 'Format ' || id, body = ''
      WHERE id IN (
        SELECT id FROM round_format WHERE principal_id = ?1 AND is_listed = 1
        UNION SELECT r.format_id FROM round r WHERE r.principal_id = ?1)
        AND principal_id = ?1
      """),
    Query("DELETE FROM tournament_scorer WHERE principal_id = ?1"),
    Query("DELETE FROM scoring_count WHERE principal_id = ?1"),
  ]

  /// The events on whose leaderboards the principal's names stand.
  static let events = Query(
    """
    SELECT DISTINCT p.session_id FROM participant p JOIN tournament t ON t.id = p.session_id
    WHERE p.principal_id = ?1
    """)

  /// The sets of a long log hold no text; they go in slices behind, where nobody reads them.
  private static let logbook = [
    Query("DELETE FROM weight_entry WHERE principal_id = ?1"),
    Query("DELETE FROM weight_entry_count WHERE principal_id = ?1"),
    Query("DELETE FROM weight_plan WHERE principal_id = ?1"),
    Query(
      """
      INSERT INTO lift_garbage (series_id) SELECT id FROM lift_series WHERE principal_id = ?1
      """),
    Query("DELETE FROM lift_series WHERE principal_id = ?1"),
    Query("DELETE FROM exercise WHERE principal_id = ?1"),
    Query("DELETE FROM lift_set_count WHERE principal_id = ?1"),
    Query("DELETE FROM lift_import WHERE principal_id = ?1"),
  ]

  /// By the objects, since a scan of all client_ids would take longer than all the rest. Those of
  /// objects that were deleted before stay; they hold no text, and of weights and sets no hash.
  private static let clientObjects = """
    DELETE FROM client_object WHERE principal_id = ?1 AND client_id IN (
      SELECT client_id FROM equipment WHERE id IN (\(itemIDs)) AND client_id IS NOT NULL
      UNION ALL SELECT client_id FROM bow_setup WHERE principal_id = ?1 AND client_id IS NOT NULL
      UNION ALL SELECT client_id FROM sight_mark WHERE principal_id = ?1 AND client_id IS NOT NULL
      UNION ALL SELECT client_id FROM participant
        WHERE principal_id = ?1 AND client_id IS NOT NULL
      UNION ALL SELECT client_id FROM shooting_session
        WHERE principal_id = ?1 AND client_id IS NOT NULL
      UNION ALL SELECT client_id FROM round_format
        WHERE principal_id = ?1 AND is_listed = 1 AND client_id IS NOT NULL
      UNION ALL SELECT client_id FROM weight_entry
      WHERE principal_id = ?1 AND client_id IS NOT NULL
      UNION ALL SELECT client_id FROM lift_set
      WHERE client_id IS NOT NULL
        AND series_id IN (SELECT id FROM lift_series WHERE principal_id = ?1))
    """

  /// Keys stay, in their order, without the replies that hold what the principal wrote.
  private static let replies = """
    UPDATE idempotency_key SET reply = NULL WHERE sequence IN (
      SELECT sequence FROM idempotency_key INDEXED BY idempotency_key_by_key
      WHERE principal_id = ?1)
    """
}
