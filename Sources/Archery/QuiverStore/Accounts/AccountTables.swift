extension Migration {
  /// Profiles, preferences, the scopes of tokens, and invites.
  ///
  /// Scopes of 7 are all scopes: the principal's kind still limits what a token allows.
  static let accounts = """
    ALTER TABLE principal ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE principal ADD COLUMN updated_at_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE principal ADD COLUMN time_zone TEXT NOT NULL DEFAULT '';
    ALTER TABLE principal ADD COLUMN units INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE principal ADD COLUMN disabled_at_ms INTEGER;
    ALTER TABLE principal ADD COLUMN deleted_at_ms INTEGER;
    UPDATE principal SET updated_at_ms = created_at_ms;

    ALTER TABLE token ADD COLUMN scopes INTEGER NOT NULL DEFAULT 7;

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

  /// Indexes for the export and the erasure of an account.
  static let accountIndexes = """
    CREATE INDEX equipment_deleted ON equipment (principal_id, id)
      WHERE deleted_at_ms IS NOT NULL;
    CREATE INDEX bow_setup_by_principal ON bow_setup (principal_id, id);
    CREATE INDEX sight_mark_by_principal ON sight_mark (principal_id, id);

    """
}

extension Migration {
  /// The users for whom services may act.
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

extension Migration {
  /// The names of client certificates that authenticate principals, and which token replaced
  /// another.
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

    ALTER TABLE token ADD COLUMN replaced_by INTEGER;

    """
}

extension Migration {
  /// The category of an archer in competitions, and the bowstyle of a round: 0 if unknown.
  static let archerCategories = """
    ALTER TABLE principal ADD COLUMN bowstyle INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE principal ADD COLUMN gender INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE principal ADD COLUMN age_group INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE round ADD COLUMN bowstyle INTEGER NOT NULL DEFAULT 0;

    """
}

extension Migration {
  /// What services may call for users: all but changes of the account, 15, for grants from before.
  static let actingScopes = """
    ALTER TABLE acting_grant ADD COLUMN scopes INTEGER NOT NULL DEFAULT 15;

    """
}

extension Migration {
  /// The remaining work for deleted accounts, and the texts of the audit by their hashes.
  ///
  /// `erased_event` has the events that a deleted principal organised, `erased_word` the texts that
  /// other principals may have received in replies. Accounts that were deleted before are erased
  /// again, since less was erased then.
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

    CREATE INDEX scoring_operation_ruled ON scoring_operation (session_id, id)
      WHERE ruling <> '';
    ALTER TABLE audit ADD COLUMN salt BLOB;
    ALTER TABLE audit ADD COLUMN text_hash BLOB;

    INSERT INTO account_erasure (principal_id, step, position)
      SELECT id, 1, 0 FROM principal WHERE deleted_at_ms IS NOT NULL;

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
