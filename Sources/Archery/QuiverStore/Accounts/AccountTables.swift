extension SQLiteSchema {
  /// Preferences and invites.
  static let accounts = """
    CREATE TABLE preference (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      updated_at_ms INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX preference_by_key ON preference (principal_id, key);

    CREATE TABLE invite (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sha256 BLOB NOT NULL UNIQUE,
      label TEXT NOT NULL,
      uses INTEGER NOT NULL,
      uses_left INTEGER NOT NULL,
      created_by INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER,
      revoked_at_ms INTEGER
    );

    """
}

extension SQLiteSchema {
  /// The users for whom services may act, and what users let others read: rows with scopes of parts
  /// and an end. Scopes of 15 are all but changes of the account.
  static let acting = """
    CREATE TABLE acting_grant (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      service_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      granted_by INTEGER NOT NULL,
      granted_at_ms INTEGER NOT NULL,
      scopes INTEGER NOT NULL DEFAULT 15,
      until_day INTEGER,
      ends_at_ms INTEGER,
      last_read_at_ms INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX acting_grant_by_service ON acting_grant (service_id, user_id);
    CREATE INDEX acting_grant_by_user ON acting_grant (user_id);

    """
}

extension SQLiteSchema {
  /// The names of client certificates that authenticate principals.
  static let certificates = """
    CREATE TABLE certificate_binding (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      san_kind INTEGER NOT NULL,
      san_value TEXT NOT NULL,
      label TEXT NOT NULL,
      created_by INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX certificate_binding_by_name ON certificate_binding (san_kind, san_value);
    CREATE INDEX certificate_binding_by_principal ON certificate_binding (principal_id, id);

    """
}

extension SQLiteSchema {
  /// The remaining work for deleted accounts, and the texts of the audit by their hashes.
  ///
  /// `erased_event` has the events that a deleted principal organised, `erased_word` the texts that
  /// other principals may have received in replies.
  static let erasure = """
    CREATE TABLE account_erasure (
      principal_id INTEGER PRIMARY KEY,
      step INTEGER NOT NULL,
      position INTEGER NOT NULL
    );
    CREATE TABLE erased_event (
      session_id INTEGER PRIMARY KEY,
      principal_id INTEGER NOT NULL
    );
    CREATE INDEX erased_event_by_principal ON erased_event (principal_id, session_id);
    CREATE TABLE erased_word (
      principal_id INTEGER NOT NULL,
      word BLOB NOT NULL,
      PRIMARY KEY (principal_id, word)
    ) WITHOUT ROWID;

    """
}

extension Table {
  static let ofAccounts: [Table] = [
    Table(
      "principal", key: .assigned, export: .sections([.profile]),
      .integers("kind created_at_ms revision updated_at_ms units disabled_at_ms? deleted_at_ms?"),
      .integers("bowstyle gender age_group"),
      .texts("display_name time_zone", export: .included, erasure: .value("''"))),
    Table(
      "token", key: .assigned, export: .sections([.tokens]),
      .integers("principal_id created_at_ms expires_at_ms? revoked_at_ms? scopes replaced_by?"),
      .opaque("sha256"), .text("label", export: .included, erasure: .value("''"))),
    Table(
      "preference", key: .assigned, export: .sections([.preferences]),
      .integers("principal_id updated_at_ms"),
      .texts("key value", export: .included, erasure: .withRow)),
    Table(
      "invite", key: .assigned, export: .sections([.invites]),
      erasing: [.searched(9, by: "created_by", where: "AND label <> ''")],
      .integers("uses uses_left created_by created_at_ms expires_at_ms? revoked_at_ms?"),
      .opaque("sha256"), .text("label", export: .included, erasure: .value("''"))),
    Table(
      "acting_grant", key: .assigned, export: .sections([.shares]),
      .integers("service_id user_id granted_by granted_at_ms scopes until_day? ends_at_ms?"),
      .integers("last_read_at_ms")),
    Table(
      "certificate_binding", key: .assigned, export: .sections([.certificates]),
      .integers("principal_id san_kind created_by created_at_ms"),
      .texts("san_value label", export: .included, erasure: .withRow)),
    Table(
      "account_erasure", key: .columns("principal_id"), export: .omitted(.isTemporary),
      .integers("principal_id step position")),
    // The steps of other tables need the rows of these two, so theirs come last. They were 51
    // and 52 before there were devices.
    Table(
      "erased_event", key: .columns("session_id"), export: .omitted(.isTemporary),
      erasing: [.limited(998, key: "session_id")],
      .integers("session_id principal_id")),
    Table(
      "erased_word", key: .columns("principal_id word"), export: .omitted(.isTemporary),
      erasing: [.limited(999, key: "word")],
      .integers("principal_id"),
      .bytes("word", export: .omitted(.isTemporary), erasure: .withRow)),
  ]
}
