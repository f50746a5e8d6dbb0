extension SQLiteSchema {
  /// Bow setups with their versions, and sight marks.
  static let bowSetups = """
    CREATE TABLE bow_setup (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      client_id BLOB,
      revision INTEGER NOT NULL,
      version INTEGER NOT NULL,
      is_active INTEGER NOT NULL,
      is_default INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL,
      name TEXT NOT NULL,
      sort_name TEXT NOT NULL,
      notes TEXT NOT NULL
    );
    CREATE INDEX bow_setup_by_name ON bow_setup (principal_id, sort_name, id);
    CREATE UNIQUE INDEX bow_setup_default ON bow_setup (principal_id) WHERE is_default = 1;
    CREATE INDEX bow_setup_by_principal ON bow_setup (principal_id, id);

    CREATE TABLE bow_setup_version (
      setup_id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      made_at_ms INTEGER NOT NULL,
      PRIMARY KEY (setup_id, version)
    ) WITHOUT ROWID;

    CREATE TABLE bow_setup_component (
      setup_id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      place INTEGER NOT NULL,
      equipment_id INTEGER NOT NULL,
      quantity INTEGER NOT NULL,
      PRIMARY KEY (setup_id, version, place)
    ) WITHOUT ROWID;
    CREATE INDEX bow_setup_component_by_equipment
      ON bow_setup_component (equipment_id, setup_id, version);

    CREATE TABLE bow_setup_count (
      principal_id INTEGER PRIMARY KEY,
      active INTEGER NOT NULL,
      inactive INTEGER NOT NULL
    );

    CREATE TABLE sight_mark (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      client_id BLOB,
      revision INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL,
      sight_id INTEGER,
      setup_id INTEGER,
      distance REAL NOT NULL,
      unit INTEGER NOT NULL,
      mark_value REAL NOT NULL,
      notes TEXT NOT NULL
    );
    CREATE INDEX sight_mark_by_sight ON sight_mark (sight_id) WHERE sight_id IS NOT NULL;
    CREATE INDEX sight_mark_by_setup ON sight_mark (setup_id) WHERE setup_id IS NOT NULL;
    CREATE INDEX sight_mark_by_principal ON sight_mark (principal_id, id);

    """
}

extension Table {
  private static let countErased = Query(
    """
    UPDATE bow_setup_count SET
      active = active - (SELECT is_active FROM bow_setup WHERE id = ?2),
      inactive = inactive - (SELECT 1 - is_active FROM bow_setup WHERE id = ?2)
    WHERE principal_id = ?1
    """)

  static let ofSetups: [Table] = [
    Table(
      "bow_setup", key: .assigned, export: .sections([.setups]),
      erasing: [.owned(31, after: [countErased])],
      .integers("principal_id revision version is_active is_default created_at_ms updated_at_ms"),
      .opaque("client_id?"), .texts("name notes", export: .included, erasure: .withRow),
      .text("sort_name", export: .omitted(.isNotPersonal), erasure: .withRow)),
    Table(
      "bow_setup_version", key: .columns("setup_id version"), export: .sections([.setups]),
      .integers("setup_id version made_at_ms")),
    Table(
      "bow_setup_component", key: .columns("setup_id version place"), export: .sections([.setups]),
      .integers("setup_id version place equipment_id quantity")),
    Table(
      "bow_setup_count", key: .columns("principal_id"), export: .omitted(.isOfStore),
      erasing: [.limited(45, key: "principal_id")],
      .integers("principal_id active inactive")),
    Table(
      "sight_mark", key: .assigned, export: .sections([.sightMarks]),
      erasing: [.owned(32)],
      .integers("principal_id revision created_at_ms updated_at_ms sight_id? setup_id? unit"),
      .reals("distance mark_value"), .opaque("client_id?"),
      .text("notes", export: .included, erasure: .withRow)),
  ]
}
