extension PostgresSchema {
  /// Step 43: shots of ties, fixed places.
  static let tieShots = """
    ALTER TABLE event_tie ADD COLUMN arrows bytea;
    ALTER TABLE event_tie ADD COLUMN distances bytea;
    ALTER TABLE event_entry ADD COLUMN is_fixed bigint NOT NULL DEFAULT 0;
    """
}
