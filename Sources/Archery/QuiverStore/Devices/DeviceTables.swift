extension SQLiteSchema {
  /// Scoring devices with secrets of their own, and who scored before.
  ///
  /// The id of a device is that of its principal. `ended_at_ms` is 0 until an organiser ends it
  /// (`ended_by`) or makes new codes (`ended_by` is 0). The object of a past scorer is a
  /// participant or, with `is_match`, a match. `taken_over_from` of a lease is a principal, or 0.
  static let devices = """
    CREATE TABLE event_device (
      id INTEGER PRIMARY KEY,
      event_id INTEGER NOT NULL,
      secret_hash BLOB NOT NULL,
      joined_at_ms INTEGER NOT NULL,
      last_call_at_ms INTEGER NOT NULL,
      ended_at_ms INTEGER NOT NULL,
      ended_by INTEGER NOT NULL,
      reported_at_ms INTEGER NOT NULL,
      waiting_operations INTEGER NOT NULL,
      waiting_since_ms INTEGER NOT NULL,
      battery_percent INTEGER NOT NULL,
      device TEXT NOT NULL,
      page_version TEXT NOT NULL
    );
    CREATE UNIQUE INDEX event_device_by_secret ON event_device (secret_hash);
    CREATE INDEX event_device_by_event ON event_device (event_id, id);

    CREATE TABLE event_past_scorer (
      principal_id INTEGER NOT NULL,
      is_match INTEGER NOT NULL,
      object_id INTEGER NOT NULL,
      card INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      ended_at_ms INTEGER NOT NULL,
      PRIMARY KEY (principal_id, is_match, object_id, card)
    ) WITHOUT ROWID;
    CREATE INDEX event_past_scorer_by_event ON event_past_scorer (event_id);

    """
}

extension PostgresSchema {
  /// Step 37: devices of events.
  static let devices = """
    ALTER TABLE event_lease ADD COLUMN taken_over_at_ms bigint NOT NULL DEFAULT 0;
    ALTER TABLE event_lease ADD COLUMN taken_over_from bigint NOT NULL DEFAULT 0;
    CREATE TABLE event_device (
      id bigint PRIMARY KEY, event_id bigint NOT NULL, secret_hash bytea NOT NULL,
      joined_at_ms bigint NOT NULL, last_call_at_ms bigint NOT NULL, ended_at_ms bigint NOT NULL,
      ended_by bigint NOT NULL, reported_at_ms bigint NOT NULL,
      waiting_operations bigint NOT NULL, waiting_since_ms bigint NOT NULL,
      battery_percent bigint NOT NULL, device text COLLATE "C" NOT NULL,
      page_version text COLLATE "C" NOT NULL
    );
    CREATE UNIQUE INDEX event_device_by_secret ON event_device (secret_hash);
    CREATE INDEX event_device_by_event ON event_device (event_id, id);
    CREATE TABLE event_past_scorer (
      principal_id bigint NOT NULL, is_match bigint NOT NULL, object_id bigint NOT NULL,
      card bigint NOT NULL, event_id bigint NOT NULL, ended_at_ms bigint NOT NULL,
      PRIMARY KEY (principal_id, is_match, object_id, card)
    );
    CREATE INDEX event_past_scorer_by_event ON event_past_scorer (event_id);

    \(CountedTable.devices.postgresTriggers)
    """
}

extension CountedTable {
  /// The table of this step. A device counts for the organiser of the event.
  static let devices = ofEvent("event_device", fixed: 192, ["device", "page_version"])
}

extension Table {
  /// The account and the leases of a device have its name, too.
  private static let erasedNames = [
    Query("UPDATE principal SET display_name = '' WHERE id = ?2"),
    Query("DELETE FROM event_lease WHERE principal_id = ?2"),
  ]

  static let ofDevices: [Table] = [
    Table(
      "event_device", key: .columns("id"), export: .sections([.devices]),
      erasing: [.ofErasedEvents(60, after: erasedNames)],
      .integers("id event_id joined_at_ms last_call_at_ms ended_at_ms ended_by reported_at_ms"),
      .integers("waiting_operations waiting_since_ms battery_percent"), .opaque("secret_hash"),
      .text("device", export: .included, erasure: .shared("''")),
      .text("page_version", export: .included, erasure: .none(.isNotPersonal))),
    Table(
      "event_past_scorer", key: .columns("principal_id is_match object_id card"),
      export: .omitted(.isOfStore), erasing: [.limited(61, key: "event_id")],
      .integers("principal_id is_match object_id card event_id ended_at_ms")),
  ]
}
