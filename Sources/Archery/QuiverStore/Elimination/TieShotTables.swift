extension Migration {
  /// The arrows and distances of the shoot-off that decided a tie, as in `match_card`, and entries
  /// whose places a draw leaves to them.
  static let tieShots = """
    ALTER TABLE event_tie ADD COLUMN arrows BLOB;
    ALTER TABLE event_tie ADD COLUMN distances BLOB;
    ALTER TABLE event_entry ADD COLUMN is_fixed INTEGER NOT NULL DEFAULT 0;

    """
}

extension PostgresSchema {
  /// The same step.
  static let tieShots = """
    ALTER TABLE event_tie ADD COLUMN arrows bytea;
    ALTER TABLE event_tie ADD COLUMN distances bytea;
    ALTER TABLE event_entry ADD COLUMN is_fixed bigint NOT NULL DEFAULT 0;
    """
}
