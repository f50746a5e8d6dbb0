extension Migration {
  /// The tables that every command uses.
  ///
  /// Indexes start with client-made keys, which are ordered by time and so are appended.
  static let kernel = """
    CREATE TABLE meta (
      name TEXT PRIMARY KEY NOT NULL,
      value BLOB NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE journal (
      sequence INTEGER PRIMARY KEY,
      principal_id INTEGER NOT NULL,
      topic INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      object_id INTEGER NOT NULL,
      change INTEGER NOT NULL,
      at_ms INTEGER NOT NULL
    );

    CREATE TABLE idempotency_key (
      sequence INTEGER PRIMARY KEY,
      key BLOB NOT NULL,
      principal_id INTEGER NOT NULL,
      request_hash BLOB NOT NULL,
      reply BLOB,
      at_ms INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX idempotency_key_by_key ON idempotency_key (key, principal_id);

    CREATE TABLE client_object (
      client_id BLOB NOT NULL,
      principal_id INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      object_id INTEGER NOT NULL,
      content_hash BLOB NOT NULL,
      PRIMARY KEY (client_id, principal_id)
    ) WITHOUT ROWID;

    CREATE TABLE audit (
      sequence INTEGER PRIMARY KEY,
      at_ms INTEGER NOT NULL,
      actor_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      token_id INTEGER NOT NULL,
      action TEXT NOT NULL,
      kind INTEGER NOT NULL,
      object_id INTEGER NOT NULL,
      topic INTEGER NOT NULL,
      before BLOB NOT NULL,
      after BLOB NOT NULL,
      device TEXT NOT NULL,
      reason TEXT NOT NULL,
      hash BLOB NOT NULL
    );

    CREATE TABLE principal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      display_name TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL
    );

    CREATE TABLE token (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      label TEXT NOT NULL,
      sha256 BLOB NOT NULL UNIQUE,
      created_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER,
      revoked_at_ms INTEGER
    );
    CREATE INDEX token_by_principal ON token (principal_id, id);

    """

  /// The store's times, and when an operator set stored time back.
  ///
  /// A correction names the last row of each table whose rows carry the earlier, wrong times.
  static let times = """
    CREATE TABLE store_time (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last_ms INTEGER NOT NULL,
      expiry_ms INTEGER NOT NULL
    );

    CREATE TABLE time_correction (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      before_ms INTEGER NOT NULL,
      after_ms INTEGER NOT NULL,
      journal_sequence INTEGER NOT NULL,
      key_sequence INTEGER NOT NULL,
      audit_sequence INTEGER NOT NULL
    );

    """
}
