extension SQLiteSchema {
  /// The tables that every command uses.
  ///
  /// Indexes start with client-made keys, which are ordered by time and so are appended. Numbers of
  /// a principal's category are 0 if unknown. Scopes of 7 are all scopes: the principal's kind
  /// still limits what a token allows. `replaced_by` is the token that replaced this one.
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
      hash BLOB NOT NULL,
      salt BLOB,
      text_hash BLOB
    );

    CREATE TABLE principal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      display_name TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1,
      updated_at_ms INTEGER NOT NULL DEFAULT 0,
      time_zone TEXT NOT NULL DEFAULT '',
      units INTEGER NOT NULL DEFAULT 0,
      disabled_at_ms INTEGER,
      deleted_at_ms INTEGER,
      bowstyle INTEGER NOT NULL DEFAULT 0,
      gender INTEGER NOT NULL DEFAULT 0,
      age_group INTEGER NOT NULL DEFAULT 0
    );

    CREATE TABLE token (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      label TEXT NOT NULL,
      sha256 BLOB NOT NULL UNIQUE,
      created_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER,
      revoked_at_ms INTEGER,
      scopes INTEGER NOT NULL DEFAULT 7,
      replaced_by INTEGER
    );
    CREATE INDEX token_by_principal ON token (principal_id, id);

    """

  /// The store's time, the times that no running store saw pass, and when an operator set stored
  /// time back.
  ///
  /// A correction names the last row of each table whose rows carry the earlier, wrong times.
  static let times = """
    CREATE TABLE store_time (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last_ms INTEGER NOT NULL
    );
    CREATE TABLE time_gap (
      from_ms INTEGER PRIMARY KEY,
      to_ms INTEGER NOT NULL
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

extension PostgresSchema {
  /// Step 34: times that no store saw.
  static let timeGaps = """
    CREATE TABLE time_gap (from_ms bigint PRIMARY KEY, to_ms bigint NOT NULL);
    INSERT INTO time_gap SELECT expiry_ms, last_ms FROM store_time WHERE expiry_ms < last_ms;
    ALTER TABLE store_time DROP COLUMN expiry_ms;
    """
}

extension Table {
  static let ofEngine: [Table] = [
    Table(
      "meta", key: .columns("name"), export: .omitted(.isOfStore), copying: .none,
      .text("name", export: .omitted(.isOfStore), erasure: .none(.isOfStore)),
      .bytes("value", export: .omitted(.isOfStore), erasure: .none(.isOfStore))),
    Table(
      "migration", key: .columns("number"), export: .omitted(.isOfStore), copying: .none,
      .integers("number applied_at_ms"), .opaque("checksum"),
      .text("name", export: .omitted(.isOfStore), erasure: .none(.isOfStore))),
    Table(
      "journal", key: .columns("sequence"), export: .omitted(.isOfStore),
      copying: .onlyToPostgreSQL,
      .integers("sequence principal_id topic kind object_id change at_ms")),
    // A kept reply is a copy of what the export has.
    Table(
      "idempotency_key", key: .assignedTo("sequence"), export: .omitted(.isOfStore),
      .integers("sequence principal_id at_ms"), .opaque("key request_hash"),
      .bytes("reply?", export: .omitted(.isTemporary), erasure: .value("NULL"))),
    Table(
      "client_object", key: .columns("principal_id client_id"), export: .omitted(.isOfStore),
      .integers("principal_id kind object_id"), .opaque("client_id content_hash")),
    Table(
      "audit", key: .assignedTo("sequence"), export: .sections([.actions]),
      .integers("sequence at_ms actor_id principal_id token_id kind object_id topic"),
      .text("action", export: .included, erasure: .none(.isNotPersonal)),
      .bytes("before", export: .included, erasure: .none(.isScore)),
      .bytes("after", export: .included, erasure: .none(.isScore)),
      .texts("device reason", export: .included, erasure: .value("''")),
      .opaque("hash salt? text_hash?")),
    Table(
      "store_time", key: .columns("id"), export: .omitted(.isOfStore),
      .integers("id last_ms")),
    Table(
      "time_gap", key: .columns("from_ms"), export: .omitted(.isOfStore),
      .integers("from_ms to_ms")),
    Table(
      "time_correction", key: .assigned, export: .omitted(.isOfStore),
      .integers("before_ms after_ms journal_sequence key_sequence audit_sequence")),
  ]
}
