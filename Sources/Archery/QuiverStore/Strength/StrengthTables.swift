extension SQLiteSchema {
  /// Strength: the sets of an exercise are in one or more series. A series is readable as a whole
  /// or not at all, so that few rows make an import readable.
  ///
  /// `import_id` is the import of a hidden series, 0 for a readable one. A series in `lift_garbage`
  /// is deleted; its sets are removed in slices. The record of a series is the first entry of an
  /// index: of the sets that have enough confidence, or of the others; each set is in one of the
  /// two.
  static let strengthLog = """
    CREATE TABLE exercise (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      name TEXT NOT NULL
    );
    CREATE UNIQUE INDEX exercise_by_name ON exercise (principal_id, name);

    CREATE TABLE lift_series (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      exercise_id INTEGER NOT NULL,
      import_id INTEGER NOT NULL,
      set_count INTEGER NOT NULL,
      record_id INTEGER,
      confident_record_id INTEGER
    );
    CREATE INDEX lift_series_by_exercise ON lift_series (exercise_id, import_id);
    CREATE INDEX lift_series_by_principal ON lift_series (principal_id, import_id);

    CREATE TABLE lift_set (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      series_id INTEGER NOT NULL,
      client_id BLOB,
      revision INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL,
      day INTEGER NOT NULL,
      sets INTEGER NOT NULL,
      repetitions INTEGER NOT NULL,
      weight REAL NOT NULL,
      unit INTEGER NOT NULL,
      one_rep_max_lb REAL
    );
    CREATE INDEX lift_set_by_day ON lift_set (series_id, day, one_rep_max_lb DESC);
    CREATE INDEX lift_set_of_client ON lift_set (series_id) WHERE client_id IS NOT NULL;
    CREATE INDEX lift_set_by_confident_max ON lift_set (series_id, one_rep_max_lb DESC, day, id)
      WHERE one_rep_max_lb IS NOT NULL AND repetitions <= 12;
    CREATE INDEX lift_set_by_other_max ON lift_set (series_id, one_rep_max_lb DESC, day, id)
      WHERE one_rep_max_lb IS NOT NULL AND repetitions > 12;

    CREATE TABLE lift_set_count (
      principal_id INTEGER PRIMARY KEY,
      sets INTEGER NOT NULL
    );

    CREATE TABLE lift_import (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      state INTEGER NOT NULL,
      replaces INTEGER NOT NULL,
      begun_at_ms INTEGER NOT NULL,
      stored_sets INTEGER NOT NULL DEFAULT 0,
      server_id INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX lift_import_by_principal ON lift_import (principal_id);

    CREATE TABLE lift_garbage (
      series_id INTEGER PRIMARY KEY
    );

    """
}

extension Table {
  /// The sets of a series have no text; they are hidden from readers and removed in slices later.
  private static let erasedSeries = [
    Query(
      """
      UPDATE lift_set_count SET sets = sets - (
        SELECT CASE import_id WHEN 0 THEN set_count ELSE 0 END FROM lift_series WHERE id = ?2)
      WHERE principal_id = ?1
      """),
    Query("INSERT INTO lift_garbage (series_id) VALUES (?2) ON CONFLICT DO NOTHING"),
  ]

  static let ofStrength: [Table] = [
    Table(
      "exercise", key: .assigned, export: .sections([.liftSets]), erasing: [.owned(43)],
      .integers("principal_id"),
      .text("name", export: .included, erasure: .withRow)),
    Table(
      "lift_series", key: .assigned, export: .sections([.liftSets]),
      erasing: [.owned(42, after: erasedSeries)],
      .integers("principal_id exercise_id import_id set_count record_id? confident_record_id?")),
    Table(
      "lift_set", key: .assigned, export: .sections([.liftSets]),
      .integers("series_id revision created_at_ms updated_at_ms day sets repetitions unit"),
      .reals("weight one_rep_max_lb?"), .opaque("client_id?")),
    Table(
      "lift_set_count", key: .columns("principal_id"), export: .omitted(.isOfStore),
      erasing: [.limited(47, key: "principal_id")],
      .integers("principal_id sets")),
    Table(
      "lift_import", key: .assigned, export: .omitted(.isTemporary),
      .integers("principal_id state replaces begun_at_ms stored_sets server_id")),
    Table(
      "lift_garbage", key: .columns("series_id"), export: .omitted(.isTemporary),
      .integers("series_id")),
  ]
}
