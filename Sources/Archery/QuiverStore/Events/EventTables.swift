extension SQLiteSchema {
  /// The structure of events: categories, entries, sessions, officials and stages.
  ///
  /// An entry has the id of its participant. A participant without an entry is in the first
  /// category of its event, which uses the format and the tie policy of the event: its `format_id`
  /// and `tie_policy` are 0. `public_name`, the face and the category's numbers of an entry are 0
  /// where nothing was chosen for it; a draw leaves its place to one with `is_fixed`.
  /// `exempt_seeds` of a stage is how many of the first seeds of a bracket start some rounds later.
  /// `blocked_places` of a session lists places as `4C`, `wheelchair_targets` targets as `4`.
  static let events = """
    CREATE TABLE event_category (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      is_first INTEGER NOT NULL,
      bowstyle INTEGER NOT NULL,
      gender INTEGER NOT NULL,
      age_group INTEGER NOT NULL,
      format_id INTEGER NOT NULL,
      tie_policy INTEGER NOT NULL,
      tie_policy_day INTEGER NOT NULL,
      code TEXT NOT NULL,
      name TEXT NOT NULL
    );
    CREATE UNIQUE INDEX event_category_by_code ON event_category (event_id, code);
    CREATE UNIQUE INDEX event_category_first ON event_category (event_id) WHERE is_first = 1;

    CREATE TABLE event_stage (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event_id INTEGER NOT NULL,
      category_id INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      size INTEGER NOT NULL,
      entrant_count INTEGER NOT NULL,
      match_system INTEGER NOT NULL,
      rule_day INTEGER NOT NULL,
      has_bronze INTEGER NOT NULL,
      face INTEGER NOT NULL,
      repeats_maximum INTEGER NOT NULL,
      seed INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      second_category_id INTEGER NOT NULL DEFAULT 0,
      team_group INTEGER NOT NULL DEFAULT 0,
      group_count INTEGER NOT NULL DEFAULT 0,
      from_stage_id INTEGER NOT NULL DEFAULT 0,
      exempt_seeds INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX event_stage_by_event ON event_stage (event_id, category_id, id);

    CREATE TABLE event_session (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      starts_at_ms INTEGER NOT NULL,
      first_target INTEGER NOT NULL,
      last_target INTEGER NOT NULL,
      archers_per_target INTEGER NOT NULL,
      draw_seed INTEGER NOT NULL,
      drawn_at_ms INTEGER NOT NULL,
      name TEXT NOT NULL,
      round INTEGER NOT NULL DEFAULT 1,
      blocked_places TEXT NOT NULL DEFAULT '',
      wheelchair_targets TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX event_session_by_event ON event_session (event_id, id);

    CREATE TABLE event_entry (
      id INTEGER PRIMARY KEY,
      event_id INTEGER NOT NULL,
      category_id INTEGER NOT NULL,
      session_id INTEGER NOT NULL,
      target INTEGER NOT NULL,
      letter INTEGER NOT NULL,
      state INTEGER NOT NULL,
      bib TEXT NOT NULL,
      club TEXT NOT NULL,
      country TEXT NOT NULL,
      licence TEXT NOT NULL,
      bowstyle INTEGER NOT NULL DEFAULT 0,
      gender INTEGER NOT NULL DEFAULT 0,
      age_group INTEGER NOT NULL DEFAULT 0,
      face_layout INTEGER NOT NULL DEFAULT 0,
      public_name INTEGER NOT NULL DEFAULT 0,
      is_fixed INTEGER NOT NULL DEFAULT 0,
      uses_wheelchair INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX event_entry_by_category ON event_entry (event_id, category_id, id);
    CREATE INDEX event_entry_by_session ON event_entry (event_id, session_id, id);
    CREATE UNIQUE INDEX event_entry_by_bib ON event_entry (event_id, bib) WHERE bib <> '';
    CREATE UNIQUE INDEX event_entry_by_place ON event_entry (session_id, target, letter)
      WHERE target > 0;

    CREATE TABLE event_official (
      event_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      role INTEGER NOT NULL,
      PRIMARY KEY (event_id, principal_id)
    ) WITHOUT ROWID;
    CREATE INDEX event_official_by_principal ON event_official (principal_id, event_id);

    """
}

extension CountedTable {
  /// The tables of migration 21; they count for the organiser of the event.
  static let events: [CountedTable] = [
    ofEvent("event_category", fixed: 128, ["code", "name"]),
    ofEvent("event_stage", fixed: 128, []),
    ofEvent("event_session", fixed: 96, ["name"]),
    ofEvent("event_entry", fixed: 192, ["bib", "club", "country", "licence"]),
    ofEvent("event_official", fixed: 48, []),
  ]

  static func ofEvent(_ name: String, fixed: Int64, _ texts: [String]) -> CountedTable {
    CountedTable(name, owner: organiser, fixed: fixed, texts: texts, columns: [])
  }

  /// The organiser of the event that a row names.
  static let organiser = "SELECT t.principal_id FROM tournament t WHERE t.id = $.event_id"
}

/// The rows that belong to an event and are deleted with it.
enum EventRows {
  /// The tables whose rows name their event.
  static let tables = Table.all.filter { table in
    table.columns.contains { $0.name == "event_id" }
  }.map(\.name)

  /// The tables whose rows count for the organiser of their event.
  static let ofOrganiser = CountedTable.counted.filter { table in
    table.owner == CountedTable.organiser && tables.contains(table.name)
  }.map(\.name)

  /// Deletes all rows of an event. They count for its organiser, so the event goes after them.
  static let deletions = tables.map { Query("DELETE FROM \($0) WHERE event_id = ?1") }
}

extension Table {
  static let ofEvents: [Table] = [
    // The neutral code is longer than any that can be entered: codes are unique in an event.
    Table(
      "event_category", key: .assigned, export: .sections([.categories]),
      erasing: [.ofErasedEvents(11)],
      .integers("event_id revision is_first bowstyle gender age_group format_id tie_policy"),
      .integers("tie_policy_day"),
      .text("code", export: .included, erasure: .shared("'erased category ' || id")),
      .text("name", export: .included, erasure: .shared("''"))),
    Table(
      "event_stage", key: .assigned, export: .sections([.stages]),
      .integers("event_id category_id kind revision size entrant_count match_system rule_day"),
      .integers("has_bronze face repeats_maximum seed created_at_ms exempt_seeds"),
      .integers("second_category_id team_group group_count from_stage_id")),
    Table(
      "event_session", key: .assigned, export: .sections([.lines]),
      erasing: [.ofErasedEvents(12)],
      .integers("event_id revision starts_at_ms first_target last_target archers_per_target"),
      .integers("draw_seed drawn_at_ms round"),
      .text("name", export: .included, erasure: .shared("'Session ' || id")),
      .texts(
        "blocked_places wheelchair_targets", export: .omitted(.isNotPersonal),
        erasure: .none(.isNotPersonal))),
    Table(
      "event_entry", key: .columns("id"), export: .sections([.entries]),
      .integers("id event_id category_id session_id target letter state bowstyle gender age_group"),
      .integers("face_layout public_name is_fixed uses_wheelchair"),
      .texts("bib club country licence", export: .included, erasure: .value("''"))),
    Table(
      "event_official", key: .columns("event_id principal_id"), export: .sections([.roles]),
      erasing: [.limited(13, key: "event_id")],
      .integers("event_id principal_id role")),
    Table(
      "event_round_place", key: .columns("participant_id round"), export: .sections([.entries]),
      .integers("participant_id round event_id session_id target letter")),
  ]
}
