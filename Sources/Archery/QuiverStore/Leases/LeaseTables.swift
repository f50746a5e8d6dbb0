extension SQLiteSchema {
  /// Leases of targets by scoring devices.
  ///
  /// `lease_serial` of an event is above 0 while it demands leases; codes of targets hold for one
  /// serial. The session of a target of matches is 0. `card` is 1 or 2.
  static let leases = """
    CREATE TABLE event_lease (
      event_id INTEGER NOT NULL,
      session_id INTEGER NOT NULL,
      target INTEGER NOT NULL,
      card INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      joined_at_ms INTEGER NOT NULL,
      expires_at_ms INTEGER NOT NULL,
      device TEXT NOT NULL,
      taken_over_at_ms INTEGER NOT NULL DEFAULT 0,
      taken_over_from INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (event_id, session_id, target, card)
    ) WITHOUT ROWID;
    CREATE INDEX event_lease_by_principal ON event_lease (principal_id, event_id);

    """
}

extension PostgresSchema {
  /// Step 29: leases of targets.
  static let leases = """
    ALTER TABLE tournament ADD COLUMN lease_serial bigint NOT NULL DEFAULT 0;
    CREATE TABLE event_lease (
      event_id bigint NOT NULL, session_id bigint NOT NULL, target bigint NOT NULL,
      card bigint NOT NULL, principal_id bigint NOT NULL, joined_at_ms bigint NOT NULL,
      expires_at_ms bigint NOT NULL, device text COLLATE "C" NOT NULL,
      PRIMARY KEY (event_id, session_id, target, card)
    );
    CREATE INDEX event_lease_by_principal ON event_lease (principal_id, event_id);

    \(CountedTable.leases.postgresTriggers)
    """
}

extension CountedTable {
  /// The table of migration 29. A lease counts for the organiser of the event.
  static let leases = ofEvent("event_lease", fixed: 128, ["device"])
}

extension Table {
  static let ofLeases: [Table] = [
    Table(
      "event_lease", key: .columns("event_id session_id target card"),
      export: .sections([.leases]),
      erasing: [.limited(17, key: "event_id")],
      .integers("event_id session_id target card principal_id joined_at_ms expires_at_ms"),
      .integers("taken_over_at_ms taken_over_from"),
      .text("device", export: .included, erasure: .withRow))
  ]
}
