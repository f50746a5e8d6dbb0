/// The tables of a store's file and of the directory's file, as numbered migrations.
enum LocalSchema {
  /// "Qvls".
  static let storeApplicationID: Int32 = 0x5176_6C73
  /// "Qvss".
  static let directoryApplicationID: Int32 = 0x5176_7373

  /// The store's file. `server_*` is the server's last state, `local_*` the same with the outbox
  /// applied. Kinds and actions are the raw values of ``CachedKind`` and ``OutboxAction``. Scoring
  /// rows of the outbox name an event and a participant, and have no object.
  static let store = [
    """
    CREATE TABLE object(
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      client_id BLOB,
      server_id INTEGER,
      server_revision INTEGER NOT NULL DEFAULT 0,
      server_message BLOB,
      is_on_server INTEGER NOT NULL DEFAULT 0,
      is_put_away_on_server INTEGER NOT NULL DEFAULT 0,
      local_message BLOB,
      is_visible INTEGER NOT NULL DEFAULT 1,
      is_put_away INTEGER NOT NULL DEFAULT 0,
      title TEXT NOT NULL DEFAULT '',
      subtitle TEXT NOT NULL DEFAULT '',
      seen_in INTEGER NOT NULL DEFAULT 0);
    CREATE UNIQUE INDEX object_by_client_id ON object(client_id) WHERE client_id IS NOT NULL;
    CREATE UNIQUE INDEX object_by_server_id ON object(kind, server_id)
      WHERE server_id IS NOT NULL;
    CREATE INDEX object_by_kind ON object(kind);
    CREATE TABLE outbox(
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      object_key INTEGER NOT NULL,
      action INTEGER NOT NULL,
      method_id INTEGER NOT NULL,
      request BLOB NOT NULL,
      draft BLOB,
      idempotency_key BLOB NOT NULL,
      base_revision INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      state INTEGER NOT NULL DEFAULT 0,
      status_code INTEGER NOT NULL DEFAULT 0,
      verdict TEXT NOT NULL DEFAULT '',
      server_object BLOB);
    CREATE INDEX outbox_by_object ON outbox(object_key, sequence);
    CREATE TABLE answer(
      name TEXT PRIMARY KEY,
      message BLOB NOT NULL,
      fetched_at_ms INTEGER NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE event(
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      is_tournament INTEGER NOT NULL,
      client_id BLOB,
      server_id INTEGER,
      is_on_server INTEGER NOT NULL,
      message BLOB NOT NULL,
      fetched_at_ms INTEGER,
      cursor_participant INTEGER NOT NULL DEFAULT 0,
      cursor_end INTEGER NOT NULL DEFAULT 0);
    CREATE UNIQUE INDEX event_by_server_id ON event(server_id) WHERE server_id IS NOT NULL;
    CREATE UNIQUE INDEX event_by_client_id ON event(client_id) WHERE client_id IS NOT NULL;
    CREATE TABLE participant(
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      event_key INTEGER NOT NULL,
      client_id BLOB,
      server_id INTEGER,
      is_on_server INTEGER NOT NULL,
      may_score INTEGER NOT NULL,
      message BLOB NOT NULL);
    CREATE UNIQUE INDEX participant_by_server_id ON participant(server_id)
      WHERE server_id IS NOT NULL;
    CREATE INDEX participant_by_event ON participant(event_key);
    CREATE TABLE slot(
      participant_key INTEGER NOT NULL,
      end_index INTEGER NOT NULL,
      arrow_index INTEGER NOT NULL,
      value INTEGER,
      is_x INTEGER NOT NULL,
      x REAL,
      y REAL,
      is_flagged INTEGER NOT NULL,
      head_id INTEGER NOT NULL,
      head_client_id BLOB,
      PRIMARY KEY(participant_key, end_index, arrow_index)) WITHOUT ROWID;
    CREATE TABLE scoring_step(
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      event_key INTEGER NOT NULL,
      participant_key INTEGER NOT NULL,
      end_index INTEGER NOT NULL,
      arrow_index INTEGER NOT NULL,
      operation BLOB NOT NULL,
      replaced BLOB NOT NULL,
      value INTEGER,
      is_x INTEGER NOT NULL);
    CREATE INDEX scoring_step_by_event ON scoring_step(event_key, sequence);
    ALTER TABLE outbox ADD COLUMN event_key INTEGER;
    ALTER TABLE outbox ADD COLUMN participant_key INTEGER;
    ALTER TABLE outbox ADD COLUMN is_deferred INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX outbox_by_participant ON outbox(participant_key, sequence)
      WHERE participant_key IS NOT NULL;
    CREATE INDEX outbox_by_event ON outbox(event_key, sequence) WHERE event_key IS NOT NULL;
    """,
    "ALTER TABLE slot ADD COLUMN shaft INTEGER",
    """
    CREATE TABLE elimination_match(
      server_id INTEGER PRIMARY KEY,
      message BLOB NOT NULL,
      fetched_at_ms INTEGER NOT NULL);
    """,
    """
    CREATE TABLE target_lease(
      code TEXT PRIMARY KEY,
      message BLOB NOT NULL,
      fetched_at_ms INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE second_card(
      participant_id INTEGER PRIMARY KEY,
      card BLOB NOT NULL,
      format BLOB NOT NULL,
      fetched_at_ms INTEGER NOT NULL);
    """,
    """
    CREATE TABLE event_plan(
      tournament_id INTEGER PRIMARY KEY,
      fetched_at_ms INTEGER NOT NULL);
    CREATE TABLE event_part(
      tournament_id INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      id INTEGER NOT NULL,
      message BLOB NOT NULL,
      PRIMARY KEY(tournament_id, kind, id)) WITHOUT ROWID;
    CREATE TABLE event_answer(
      name TEXT PRIMARY KEY,
      message BLOB NOT NULL,
      fetched_at_ms INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE open_call(
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      method_id INTEGER NOT NULL,
      request BLOB NOT NULL,
      idempotency_key BLOB NOT NULL,
      created_at_ms INTEGER NOT NULL);
    """,
    """
    CREATE TABLE acknowledged(
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      action INTEGER NOT NULL,
      method_id INTEGER NOT NULL,
      request BLOB NOT NULL,
      created_at_ms INTEGER NOT NULL,
      event_key INTEGER NOT NULL,
      participant_key INTEGER,
      acknowledged_at_ms INTEGER NOT NULL);
    CREATE INDEX acknowledged_by_time ON acknowledged(acknowledged_at_ms);
    CREATE INDEX acknowledged_by_event ON acknowledged(event_key);
    """,
  ]

  /// The file of the sign-ins.
  static let directory = [
    """
    CREATE TABLE salt(bytes BLOB NOT NULL);
    INSERT INTO salt VALUES(randomblob(16));
    CREATE TABLE identity(
      fingerprint BLOB NOT NULL,
      epoch INTEGER NOT NULL,
      principal INTEGER NOT NULL,
      shown_name TEXT NOT NULL,
      is_current INTEGER NOT NULL,
      seen_at_ms INTEGER NOT NULL,
      PRIMARY KEY(fingerprint, epoch, principal)) WITHOUT ROWID;
    """
  ]
}
