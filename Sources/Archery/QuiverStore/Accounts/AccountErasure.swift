import QuiverRules

/// The statements that erase an account, table by table.
///
/// A test compares them with the tables of the schema: each new table needs an entry.
enum AccountErasure {
  private static let itemIDs = itemIDs("")

  /// Each half of the condition has its own index.
  private static func itemIDs(_ condition: String) -> String {
    """
    SELECT id FROM equipment WHERE principal_id = ?1 \(condition) AND deleted_at_ms IS NULL
    UNION ALL
    SELECT id FROM equipment WHERE principal_id = ?1 \(condition) AND deleted_at_ms IS NOT NULL
    """
  }
  private static let setupIDs = "SELECT id FROM bow_setup WHERE principal_id = ?1"

  /// The ids of all items of a principal, also of those that only old versions have.
  static let items = Query(itemIDs)

  /// Each takes the principal's id. The order matters: the first ones read rows that later ones
  /// delete.
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

  /// Scores stay, under neutral names, since leaderboards depend on them. Events that the principal
  /// organised belong to their participants.
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
      "UPDATE shooting_session SET notes = '', place = '', client_id = NULL WHERE principal_id = ?1"
    ),
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

  /// The events whose leaderboards show the principal's names.
  static let events = Query(
    """
    SELECT DISTINCT p.session_id FROM participant p JOIN tournament t ON t.id = p.session_id
    WHERE p.principal_id = ?1
    """)

  /// The sets of a long log have no text; they are removed in slices later, and nobody can read
  /// them.
  private static let logbook = [
    Query("DELETE FROM weight_entry WHERE principal_id = ?1"),
    Query("DELETE FROM weight_entry_count WHERE principal_id = ?1"),
    Query("DELETE FROM weight_plan WHERE principal_id = ?1"),
    Query(
      """
      DELETE FROM weight_import_entry WHERE import_id IN (
        SELECT id FROM weight_import WHERE principal_id = ?1)
      """),
    Query("DELETE FROM weight_import WHERE principal_id = ?1"),
    Query(
      """
      INSERT INTO lift_garbage (series_id) SELECT id FROM lift_series WHERE principal_id = ?1
      """),
    Query("DELETE FROM lift_series WHERE principal_id = ?1"),
    Query("DELETE FROM exercise WHERE principal_id = ?1"),
    Query("DELETE FROM lift_set_count WHERE principal_id = ?1"),
    Query("DELETE FROM lift_import WHERE principal_id = ?1"),
  ]

  /// By object, since a scan of all client_ids would take longer than everything else. The
  /// client_ids of objects that were deleted earlier stay; they have no text, and those of weights
  /// and sets have no hash.
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

  /// Idempotency keys stay, without the replies that have the principal's texts.
  private static let replies = """
    UPDATE idempotency_key SET reply = NULL WHERE sequence IN (
      SELECT sequence FROM idempotency_key INDEXED BY idempotency_key_by_key
      WHERE principal_id = ?1)
    """
}
