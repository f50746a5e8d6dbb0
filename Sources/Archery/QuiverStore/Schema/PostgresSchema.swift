/// The script that makes schema 20 in PostgreSQL: the tables, indexes and triggers that SQLite has
/// after its first twenty migrations. A test compares both.
///
/// Texts have the collation "C", which compares bytes as SQLite does. Keys that SQLite assigns are
/// identities. Triggers use functions, since PostgreSQL has no statements in triggers.
enum PostgresSchema {
  static let script =
    functions + kernel + accounts + equipment + scoring + logbook + rollupTriggers + usageTriggers
    + ownerIndexes

  /// By these triggers find the owner of a new row's parent, which is mostly new itself. By the
  /// primary key they would read the page where the keys of all new parents are inserted, so that
  /// under `SERIALIZABLE` every two creations would conflict.
  private static let ownerIndexes = """
    CREATE INDEX equipment_by_id ON equipment USING hash (id);
    CREATE INDEX bow_setup_by_id ON bow_setup USING hash (id);
    CREATE INDEX shooting_session_by_id ON shooting_session USING hash (id);

    """

  /// Two functions of SQLite that PostgreSQL has only as `least` and `greatest`, which ignore NULL.
  private static let functions = """
    CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN least($1, $2);
    CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN greatest($1, $2);

    """

  private static let rollupTriggers = """
    CREATE FUNCTION round_to_rollup() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        DELETE FROM arrow_rollup WHERE id BETWEEN old.id * 32 AND old.id * 32 + 31;
      ELSIF new.setup_id IS NULL THEN
        DELETE FROM arrow_rollup WHERE id BETWEEN new.id * 32 AND new.id * 32 + 31;
      ELSE
        UPDATE arrow_rollup SET status = new.status, setup_id = new.setup_id,
          setup_version = new.setup_version
        WHERE id BETWEEN new.id * 32 AND new.id * 32 + 31;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER round_status_to_rollup AFTER UPDATE OF status ON round FOR EACH ROW
      WHEN (new.status <> old.status AND new.setup_id IS NOT NULL)
      EXECUTE FUNCTION round_to_rollup();
    CREATE TRIGGER round_setup_to_rollup AFTER UPDATE OF setup_id, setup_version ON round
      FOR EACH ROW WHEN (old.setup_id IS NOT NULL) EXECUTE FUNCTION round_to_rollup();
    CREATE TRIGGER round_to_no_rollup AFTER DELETE ON round FOR EACH ROW
      WHEN (old.setup_id IS NOT NULL) EXECUTE FUNCTION round_to_rollup();

    """

  private static let usageTriggers =
    CountedTable.ofStep20.map(\.postgresTriggers).joined() + """
      INSERT INTO kept_key VALUES (1, 0, 0);
      CREATE FUNCTION idempotency_key_usage() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        old_bytes bigint := CASE TG_OP WHEN 'INSERT' THEN 0
          ELSE 128 + coalesce(length(old.reply), 0) END;
        new_bytes bigint := CASE TG_OP WHEN 'DELETE' THEN 0
          ELSE 128 + coalesce(length(new.reply), 0) END;
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO usage (principal_id, keys, key_bytes, written_bytes)
            VALUES (new.principal_id, 1, new_bytes, new_bytes)
            ON CONFLICT (principal_id) DO UPDATE SET keys = usage.keys + 1,
              key_bytes = usage.key_bytes + excluded.key_bytes,
              written_bytes = usage.written_bytes + excluded.written_bytes;
        ELSIF TG_OP = 'UPDATE' THEN
          UPDATE usage SET key_bytes = key_bytes - old_bytes + new_bytes
            WHERE principal_id = new.principal_id;
        ELSE
          UPDATE usage SET keys = keys - 1, key_bytes = key_bytes - old_bytes
            WHERE principal_id = old.principal_id;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER idempotency_key_usage AFTER INSERT OR DELETE OR UPDATE OF reply
        ON idempotency_key FOR EACH ROW EXECUTE FUNCTION idempotency_key_usage();

      """
}

extension CountedTable {
  private func postgresBytes(_ row: String) -> String {
    var terms = ["\(fixedBytes)"]
    if bytesPerRow > 0 { terms.append("\(bytesPerRow) * (\(expand(rows, row)))") }
    terms += texts.map { "coalesce(octet_length(\(row).\($0)), 0)" }
    return terms.joined(separator: " + ")
  }

  private func postgresOwner(_ row: String) -> String { "coalesce((\(expand(owner, row))), 0)" }

  /// The bytes that a written row counts for the rate: all of them, or the increase.
  private var postgresWritten: String {
    guard isRated else { return "0" }
    guard bytesPerRow > 0 else { return postgresBytes("new") }
    return """
      CASE TG_OP WHEN 'INSERT' THEN \(postgresBytes("new"))
        ELSE greatest(0, \(postgresBytes("new")) - (\(postgresBytes("old")))) END
      """
  }

  /// What is stored in some tables, by owner and table: columns owner, rows, bytes.
  static func postgresSums(of tables: [CountedTable]) -> String {
    tables.map { table in
      """
      SELECT \(table.postgresOwner(table.name)) AS owner,
        sum(\(table.expand(table.rows, table.name))) AS rows,
        sum(\(table.postgresBytes(table.name))) AS bytes
      FROM \(table.name) GROUP BY 1
      """
    }.joined(separator: "\nUNION ALL ")
  }

  /// What the keys of idempotency count for, by owner: the same columns.
  static let postgresKeySums = """
    SELECT principal_id AS owner, count(*) AS rows,
      sum(128 + coalesce(length(reply), 0)) AS bytes
    FROM idempotency_key GROUP BY 1
    """

  /// The same as ``triggers`` for PostgreSQL.
  var postgresTriggers: String {
    let dependencies = (columns + texts).joined(separator: ", ")
    let update = dependencies.isEmpty ? "" : " OR UPDATE OF \(dependencies)"
    return """
      CREATE FUNCTION \(name)_usage() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          UPDATE usage SET rows = rows - (\(expand(rows, "old"))),
            bytes = bytes - (\(postgresBytes("old")))
          WHERE principal_id = \(postgresOwner("old"));
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO usage (principal_id, rows, bytes, written_bytes)
          VALUES (\(postgresOwner("new")), \(expand(rows, "new")), \(postgresBytes("new")),
            \(postgresWritten))
          ON CONFLICT (principal_id) DO UPDATE SET rows = usage.rows + excluded.rows,
            bytes = usage.bytes + excluded.bytes,
            written_bytes = usage.written_bytes + excluded.written_bytes;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER \(name)_usage AFTER INSERT OR DELETE\(update) ON \(name)
        FOR EACH ROW EXECUTE FUNCTION \(name)_usage();

      """
  }
}
