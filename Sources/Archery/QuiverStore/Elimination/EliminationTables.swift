extension SQLiteSchema {
  /// Elimination: decided ties, entrants by seed, matches, cards, and the operations on them.
  ///
  /// A card has one row for each end and shoot-off; `arrows` has a byte for each arrow, its value
  /// and 128 for an X, `distances` four bytes for each, big-endian. Those of a tie are the shots of
  /// the shoot-off that decided it. The row of an applied operation
  /// is never deleted, so that the operation is applied once.
  static let elimination = """
    CREATE TABLE event_tie (
      category_id INTEGER NOT NULL,
      participant_id INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      place INTEGER NOT NULL,
      decision INTEGER NOT NULL,
      decided_by INTEGER NOT NULL,
      decided_at_ms INTEGER NOT NULL,
      decision_id INTEGER NOT NULL DEFAULT 0,
      keys BLOB,
      arrows BLOB,
      distances BLOB,
      PRIMARY KEY (category_id, participant_id)
    ) WITHOUT ROWID;
    CREATE INDEX event_tie_by_event ON event_tie (event_id);

    CREATE TABLE event_entrant (
      stage_id INTEGER NOT NULL,
      seed INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      participant_id INTEGER NOT NULL,
      PRIMARY KEY (stage_id, seed)
    ) WITHOUT ROWID;
    CREATE INDEX event_entrant_by_event ON event_entrant (event_id);

    CREATE TABLE event_match (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event_id INTEGER NOT NULL,
      stage_id INTEGER NOT NULL,
      round_size INTEGER NOT NULL,
      place_index INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      first_seed INTEGER NOT NULL,
      second_seed INTEGER NOT NULL,
      is_bye INTEGER NOT NULL,
      forfeits INTEGER NOT NULL,
      confirmations INTEGER NOT NULL,
      first_target INTEGER NOT NULL DEFAULT 0,
      second_target INTEGER NOT NULL DEFAULT 0,
      starts_at_ms INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX event_match_by_place ON event_match (stage_id, round_size, place_index);
    CREATE INDEX event_match_by_event ON event_match (event_id);
    CREATE INDEX event_match_by_start ON event_match (event_id, starts_at_ms)
      WHERE starts_at_ms > 0;

    CREATE TABLE match_card (
      match_id INTEGER NOT NULL,
      side INTEGER NOT NULL,
      is_shoot_off INTEGER NOT NULL,
      place_index INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      arrows BLOB NOT NULL,
      distances BLOB NOT NULL,
      is_closer INTEGER NOT NULL,
      operation_id INTEGER NOT NULL,
      PRIMARY KEY (match_id, side, is_shoot_off, place_index)
    ) WITHOUT ROWID;
    CREATE INDEX match_card_by_event ON match_card (event_id);

    CREATE TABLE match_operation (
      id INTEGER PRIMARY KEY,
      match_id INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      client_id BLOB NOT NULL,
      content_hash BLOB NOT NULL,
      scored_at_ms INTEGER NOT NULL,
      received_at_ms INTEGER NOT NULL,
      stands_for_id INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX match_operation_by_match ON match_operation (match_id, principal_id);
    CREATE UNIQUE INDEX match_operation_by_client_id ON match_operation (client_id, principal_id);
    CREATE INDEX match_operation_by_event ON match_operation (event_id);

    """
}

extension CountedTable {
  /// The tables of migration 22, which counted all of them for the organiser of the event. Never
  /// change it: the text of the migration is made of it.
  static let elimination: [CountedTable] = [
    ofEvent("event_tie", fixed: 96, []), ofEvent("event_entrant", fixed: 64, []),
    ofEvent("event_match", fixed: 160, []), ofEvent("match_card", fixed: 128, []),
    ofEvent("match_operation", fixed: 192, []),
  ]
}

extension PostgresSchema {
  /// Step 33: exempt seeds.
  static let exemptSeeds = """
    ALTER TABLE event_stage ADD COLUMN exempt_seeds bigint NOT NULL DEFAULT 0;
    """
}

extension Table {
  static let ofElimination: [Table] = [
    Table(
      "event_tie", key: .columns("category_id participant_id"), export: .sections([.ties]),
      .integers("category_id participant_id event_id place decision decided_by decided_at_ms"),
      .integers("decision_id"),
      .bytes("keys?", export: .omitted(.isScore), erasure: .none(.isScore)),
      .bytes("arrows?", export: .included, erasure: .none(.isScore)),
      .bytes("distances?", export: .included, erasure: .none(.isScore))),
    Table(
      "event_entrant", key: .columns("stage_id seed"), export: .sections([.matches]),
      .integers("stage_id seed event_id participant_id")),
    Table(
      "event_match", key: .assigned, export: .sections([.matches]),
      .integers("event_id stage_id round_size place_index revision first_seed second_seed is_bye"),
      .integers("forfeits confirmations first_target second_target starts_at_ms")),
    Table(
      "match_card", key: .columns("match_id side is_shoot_off place_index"),
      export: .sections([.matches]),
      .integers("match_id side is_shoot_off place_index event_id is_closer operation_id"),
      .bytes("arrows", export: .included, erasure: .none(.isScore)),
      .bytes("distances", export: .included, erasure: .none(.isScore))),
    Table(
      "match_operation", key: .assigned, export: .sections([.matches, .matchAgreements]),
      .integers("match_id event_id principal_id scored_at_ms received_at_ms stands_for_id"),
      .integers("witness_id judge_id"),
      .opaque("client_id content_hash")),
    Table(
      "event_team", key: .assigned, export: .sections([.matches]),
      erasing: [.ofErasedEvents(14)],
      .integers("event_id stage_id seed"),
      .text("name", export: .included, erasure: .shared("'Team ' || id"))),
    Table(
      "event_team_member", key: .columns("stage_id seed place"), export: .sections([.matches]),
      .integers("stage_id seed place event_id participant_id")),
  ]
}
