extension SQLiteSchema {
  /// Body weight: entries, their number per principal, and its plan.
  static let weightLog = """
    CREATE TABLE weight_entry (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      client_id BLOB,
      revision INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL,
      day INTEGER NOT NULL,
      measured_at_ms INTEGER NOT NULL,
      clock_ahead INTEGER NOT NULL,
      thousandths INTEGER NOT NULL,
      unit INTEGER NOT NULL,
      has_note INTEGER NOT NULL,
      note TEXT NOT NULL,
      body_fat REAL,
      deleted_at_ms INTEGER
    );
    CREATE INDEX weight_entry_by_day ON weight_entry
      (principal_id, day, measured_at_ms, id, thousandths, unit, has_note)
      WHERE deleted_at_ms IS NULL;
    CREATE INDEX weight_entry_by_principal ON weight_entry (principal_id, id);
    CREATE INDEX weight_entry_deleted ON weight_entry
      (principal_id, day, measured_at_ms, id) WHERE deleted_at_ms IS NOT NULL;
    CREATE INDEX weight_entry_by_deletion ON weight_entry (deleted_at_ms)
      WHERE deleted_at_ms IS NOT NULL;

    CREATE TABLE weight_entry_count (
      principal_id INTEGER PRIMARY KEY,
      entries INTEGER NOT NULL
    );

    CREATE TABLE weight_plan (
      principal_id INTEGER PRIMARY KEY,
      revision INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL,
      unit INTEGER NOT NULL,
      start_thousandths INTEGER NOT NULL,
      goal_thousandths INTEGER NOT NULL,
      step_thousandths INTEGER NOT NULL,
      start_day INTEGER NOT NULL,
      deleted_at_ms INTEGER
    );

    """
}

extension Table {
  private static let countErasedEntry = Query(
    "UPDATE weight_entry_count SET entries = entries - 1 WHERE principal_id = ?1 AND ?2 >= 0")

  static let ofWeights: [Table] = [
    Table(
      "weight_entry", key: .assigned, export: .sections([.weightEntries]),
      erasing: [.owned(40, after: [countErasedEntry])],
      .integers("principal_id revision created_at_ms updated_at_ms day measured_at_ms"),
      .integers("clock_ahead thousandths unit has_note deleted_at_ms?"), .reals("body_fat?"),
      .opaque("client_id?"), .text("note", export: .included, erasure: .withRow)),
    Table(
      "weight_entry_count", key: .columns("principal_id"), export: .omitted(.isOfStore),
      erasing: [.limited(46, key: "principal_id")],
      .integers("principal_id entries")),
    Table(
      "weight_plan", key: .columns("principal_id"), export: .sections([.weightPlan]),
      .integers("principal_id revision updated_at_ms unit start_thousandths goal_thousandths"),
      .integers("step_thousandths start_day deleted_at_ms?")),
    Table(
      "weight_import", key: .assigned, export: .omitted(.isTemporary),
      erasing: [.limited(39, key: "id")],
      .integers("principal_id decided_at_ms? server_id")),
    Table(
      "weight_import_entry", key: .assigned, export: .omitted(.isTemporary),
      .integers("import_id principal_id day measured_at_ms thousandths unit"),
      .reals("body_fat?"),
      .text("note", export: .omitted(.isTemporary), erasure: .withRow)),
  ]
}
