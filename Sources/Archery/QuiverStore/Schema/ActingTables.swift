extension Migration {
  /// For whom services may act.
  static let acting = """
    CREATE TABLE acting_grant (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      service_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      granted_by INTEGER NOT NULL,
      granted_at_ms INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX acting_grant_by_service ON acting_grant (service_id, user_id);
    CREATE INDEX acting_grant_by_user ON acting_grant (user_id);

    """
}
