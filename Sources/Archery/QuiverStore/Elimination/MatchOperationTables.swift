extension PostgresSchema {
  /// Step 24: owners of operations and entries.
  static let owners = """
    DROP TRIGGER match_operation_usage ON match_operation;
    DROP FUNCTION match_operation_usage();
    UPDATE usage SET rows = usage.rows - s.rows, bytes = usage.bytes - s.bytes
      FROM (\(CountedTable.postgresSums(of: [.matchOperationsOfOrganiser]))) AS s
      WHERE s.owner = usage.principal_id;
    INSERT INTO usage (principal_id, rows, bytes)
      SELECT owner, rows, bytes
      FROM (\(CountedTable.postgresSums(of: [.matchOperations]))) AS counted
      ON CONFLICT (principal_id) DO UPDATE SET rows = usage.rows + excluded.rows,
        bytes = usage.bytes + excluded.bytes;
    \(CountedTable.matchOperations.postgresTriggers)
    CREATE INDEX match_operation_by_match ON match_operation (match_id, principal_id);

    UPDATE participant SET principal_id = (
        SELECT t.principal_id FROM tournament t WHERE t.id = participant.session_id)
      WHERE kind = 3 AND session_id IN (SELECT id FROM tournament);

    CREATE INDEX event_entry_by_session ON event_entry (event_id, session_id, id);

    ALTER TABLE event_tie ADD COLUMN keys bytea;
    """
}

extension CountedTable {
  /// Operations on matches count for their sender, because an archer can send any number.
  static let matchOperations = CountedTable("match_operation", fixed: 192)

  /// As migration 22 counted them.
  fileprivate static let matchOperationsOfOrganiser = ofEvent("match_operation", fixed: 192, [])
}
