extension SQLiteSchema {
  /// The folded arrows of each pass of each round with a setup.
  ///
  /// The id is 32 times the round's id plus the index of the pass; a format has at most 32 passes.
  /// The row repeats the pass's conditions, which never change, so that a range is read from one
  /// table. Triggers copy setup, version and status from the round; commands that change arrows
  /// update the fold.
  static let rollups = """
    CREATE TABLE arrow_rollup (
      id INTEGER PRIMARY KEY,
      setup_id INTEGER NOT NULL,
      setup_version INTEGER NOT NULL,
      status INTEGER NOT NULL,
      distance REAL NOT NULL,
      unit INTEGER NOT NULL,
      face INTEGER NOT NULL,
      diameter_cm REAL NOT NULL,
      first_shot_ms INTEGER NOT NULL,
      last_shot_ms INTEGER NOT NULL,
      x_count INTEGER NOT NULL,
      position_count INTEGER NOT NULL,
      sum_x REAL NOT NULL,
      sum_y REAL NOT NULL,
      sum_xx REAL NOT NULL,
      sum_yy REAL NOT NULL,
      sum_xy REAL NOT NULL,
      v0 INTEGER NOT NULL,
      v1 INTEGER NOT NULL,
      v2 INTEGER NOT NULL,
      v3 INTEGER NOT NULL,
      v4 INTEGER NOT NULL,
      v5 INTEGER NOT NULL,
      v6 INTEGER NOT NULL,
      v7 INTEGER NOT NULL,
      v8 INTEGER NOT NULL,
      v9 INTEGER NOT NULL,
      v10 INTEGER NOT NULL,
      v11 INTEGER NOT NULL
    );
    CREATE INDEX arrow_rollup_by_setup ON arrow_rollup (setup_id, last_shot_ms);

    CREATE TRIGGER round_status_to_rollup AFTER UPDATE OF status ON round
    WHEN new.status <> old.status AND new.setup_id IS NOT NULL BEGIN
      UPDATE arrow_rollup SET status = new.status
      WHERE id BETWEEN new.id * 32 AND new.id * 32 + 31;
    END;
    CREATE TRIGGER round_setup_to_rollup AFTER UPDATE OF setup_id, setup_version ON round
    WHEN old.setup_id IS NOT NULL BEGIN
      DELETE FROM arrow_rollup
      WHERE id BETWEEN new.id * 32 AND new.id * 32 + 31 AND new.setup_id IS NULL;
      UPDATE arrow_rollup SET setup_id = new.setup_id, setup_version = new.setup_version
      WHERE id BETWEEN new.id * 32 AND new.id * 32 + 31;
    END;
    CREATE TRIGGER round_to_no_rollup AFTER DELETE ON round WHEN old.setup_id IS NOT NULL BEGIN
      DELETE FROM arrow_rollup WHERE id BETWEEN old.id * 32 AND old.id * 32 + 31;
    END;

    """
}

extension Table {
  static let ofComparison: [Table] = [
    Table(
      "arrow_rollup", key: .columns("id"), export: .omitted(.isOfStore),
      .integers("id setup_id setup_version status unit face first_shot_ms last_shot_ms x_count"),
      .integers("position_count v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10 v11"),
      .reals("distance diameter_cm sum_x sum_y sum_xx sum_yy sum_xy"))
  ]
}
