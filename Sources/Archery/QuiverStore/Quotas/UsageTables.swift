/// How the rows of a table count for what their owner stores.
///
/// `$` stands for the row in the expressions.
struct CountedTable: Sendable {
  let name: String
  /// The id of the principal that the row counts for.
  let owner: String
  /// About how many bytes a row without its texts takes, with its entries in indexes.
  let fixedBytes: Int64
  /// The columns whose lengths are added.
  let texts: [String]
  /// How many rows it counts as, if not one, and the bytes for each of them.
  let rows: String
  let bytesPerRow: Int64
  /// The columns besides `texts` on which these expressions depend.
  let columns: [String]
  /// Whether what is added counts for the rate.
  let isRated: Bool

  init(
    _ name: String, owner: String = "$.principal_id", fixed: Int64, texts: [String] = [],
    rows: String = "1", bytesPerRow: Int64 = 0, columns: [String] = ["principal_id"],
    isRated: Bool = true
  ) {
    self.name = name
    self.owner = owner
    fixedBytes = fixed
    self.texts = texts
    self.rows = rows
    self.bytesPerRow = bytesPerRow
    self.columns = columns
    self.isRated = isRated
  }

  private func bytes(_ row: String) -> String {
    var terms = ["\(fixedBytes)"]
    if bytesPerRow > 0 { terms.append("\(bytesPerRow) * (\(expand(rows, row)))") }
    terms += texts.map { "ifnull(length(CAST(\(row).\($0) AS BLOB)), 0)" }
    return terms.joined(separator: " + ")
  }

  func expand(_ expression: String, _ row: String) -> String {
    expression.split(separator: "$", omittingEmptySubsequences: false).joined(separator: row)
  }

  private func ownerID(_ row: String) -> String { "ifnull((\(expand(owner, row))), 0)" }

  /// The stored rows and bytes by owner: columns owner, rows, bytes.
  var sums: String {
    """
    SELECT \(ownerID(name)) AS owner, sum(\(expand(rows, name))) AS rows,
      sum(\(bytes(name))) AS bytes
    FROM \(name) GROUP BY 1
    """
  }

  /// The stored rows and bytes of some tables, by owner and table: the same columns.
  static func sums(of tables: [CountedTable]) -> String {
    tables.map { "SELECT * FROM (\($0.sums))" }.joined(separator: "\nUNION ALL ")
  }

  /// What each row of some tables counts, in no order: the same columns.
  ///
  /// SQLite sorts rows to add them up by an expression: who reads many adds them up itself.
  static func amounts(of tables: [CountedTable]) -> String {
    tables.map { table in
      """
      SELECT \(table.ownerID(table.name)) AS owner, \(table.expand(table.rows, table.name)) AS rows,
        \(table.bytes(table.name)) AS bytes
      FROM \(table.name)
      """
    }.joined(separator: "\nUNION ALL ")
  }

  /// A row that counts others has written what it counts more.
  private var writtenByUpdate: String {
    bytesPerRow > 0 ? "max(0, \(bytes("new")) - (\(bytes("old"))))" : bytes("new")
  }

  private func add(written: String) -> String {
    let written = isRated ? written : "0"
    return """
      INSERT INTO usage (principal_id, rows, bytes, written_bytes)
        VALUES (\(ownerID("new")), \(expand(rows, "new")), \(bytes("new")), \(written))
        ON CONFLICT (principal_id) DO UPDATE SET rows = rows + excluded.rows,
          bytes = bytes + excluded.bytes, written_bytes = written_bytes + excluded.written_bytes;
      """
  }

  private var subtract: String {
    """
    UPDATE usage SET rows = rows - (\(expand(rows, "old"))), bytes = bytes - (\(bytes("old")))
        WHERE principal_id = \(ownerID("old"));
    """
  }

  /// Keeps the owner's usage in step with the table for every change that commands do not count.
  var triggers: String {
    let dependencies = (columns + texts).joined(separator: ", ")
    let update =
      dependencies.isEmpty
      ? ""
      : """
      CREATE TRIGGER \(name)_usage_update AFTER UPDATE OF \(dependencies) ON \(name) BEGIN
        \(subtract)
        \(add(written: writtenByUpdate))
      END;

      """
    let insert =
      Self.namesCountedByCommands.contains(name)
      ? ""
      : """
      CREATE TRIGGER \(name)_usage_insert AFTER INSERT ON \(name) BEGIN
        \(add(written: bytes("new")))
      END;

      """
    return """
      \(insert)\(update)CREATE TRIGGER \(name)_usage_delete AFTER DELETE ON \(name) BEGIN
        \(subtract)
      END;

      """
  }
}

extension CountedTable {
  /// The tables of accounts, equipment, practice and logbook.
  ///
  /// Not counted: rows of fixed number and size beside a counted row (rounds, arrows and passes
  /// count with the row that they belong to).
  static let all: [CountedTable] = equipment + setups + scoring + logbook + account

  /// The tables of step 20, the first one of PostgreSQL. Never change it: the text of that step is
  /// made of it.
  static let ofStep20 = all + weightImports + administration

  /// The tables of step 44, the first one of SQLite. Never change it either.
  static let ofStep44 =
    ofStep20 + events + elimination.filter { $0.name != matchOperations.name } + [matchOperations]
    + teams + doubleScoring + [leases, roundPlaces, devices, targetCalls] + notices + [typedTotals]
    + [shareInvites]

  /// All tables that count.
  static let counted = ofStep44 + cardDistances

  private static let equipment: [CountedTable] = [
    CountedTable(
      "equipment", fixed: 256,
      texts: ["display_brand", "display_model", "brand", "model", "notes"]),
    item("riser", ["material", "grip_type"]),
    item("limbs", ["material"]),
    item("sight", ["type", "material", "adjustments"]),
    item("plunger", ["tension"]),
    item("bow_string", ["maker", "string_type", "material", "serving_material"]),
    item("weight", ["location", "name"]),
    item(
      "arrow",
      [
        "identifier", "point_brand", "point_name", "nock_brand", "nock_name", "nock_size", "vanes",
      ]),
    item("accessory", ["name", "purpose", "size", "thickness", "material", "travel"]),
  ]

  private static func item(_ name: String, _ texts: [String]) -> CountedTable {
    CountedTable(
      name, owner: "SELECT e.principal_id FROM equipment e WHERE e.id = $.id", fixed: 0,
      texts: texts, rows: "0", columns: [])
  }

  private static let setups: [CountedTable] = [
    CountedTable("bow_setup", fixed: 128, texts: ["name", "sort_name", "notes"]),
    CountedTable(
      "bow_setup_version",
      owner: "SELECT s.principal_id FROM bow_setup s WHERE s.id = $.setup_id", fixed: 32,
      columns: []),
    CountedTable(
      "bow_setup_component",
      owner: "SELECT s.principal_id FROM bow_setup s WHERE s.id = $.setup_id", fixed: 48,
      columns: []),
    CountedTable("sight_mark", fixed: 128, texts: ["notes"]),
  ]

  private static let scoring: [CountedTable] = [
    CountedTable("round_format", fixed: 512, texts: ["name", "body"]),
    CountedTable("shooting_session", fixed: 128, texts: ["notes"]),
    CountedTable(
      "participant",
      owner: "SELECT s.principal_id FROM shooting_session s WHERE s.id = $.session_id", fixed: 512,
      texts: ["display_name"], columns: []),
    CountedTable("scoring_operation", fixed: 256, texts: ["reason", "device"]),
    CountedTable("tournament", fixed: 256, texts: ["name"]),
    CountedTable(
      "tournament_scorer",
      owner: "SELECT t.principal_id FROM tournament t WHERE t.id = $.tournament_id", fixed: 48,
      columns: []),
    CountedTable(
      "status_change",
      owner: "SELECT t.principal_id FROM tournament t WHERE t.id = $.session_id", fixed: 48,
      columns: []),
  ]

  /// Sets count through their series; those of an import that has not ended, through the import.
  private static let logbook: [CountedTable] = [
    CountedTable("weight_entry", fixed: 192, texts: ["note"]),
    CountedTable("exercise", fixed: 64, texts: ["name"]),
    CountedTable(
      "lift_series", fixed: 64, rows: "1 + $.set_count", bytesPerRow: 64,
      columns: ["principal_id", "set_count"], isRated: false),
    CountedTable(
      "lift_import", fixed: 64, rows: "1 + $.stored_sets", bytesPerRow: 64,
      columns: ["principal_id", "stored_sets"]),
  ]

  private static let account: [CountedTable] = [
    CountedTable("preference", fixed: 64, texts: ["key", "value"]),
    CountedTable("token", fixed: 192, texts: ["label"]),
    CountedTable("client_object", fixed: 96),
  ]
}

extension SQLiteSchema {
  private static let keyBytes = "128 + ifnull(length($.reply), 0)"

  private static func keyBytes(_ row: String) -> String {
    keyBytes.split(separator: "$").joined(separator: row)
  }

  /// What is stored by each principal, kept by triggers in the transaction of each change.
  ///
  /// `written_bytes` only grows; the rate is taken of it. `kept_key` has the sums of all
  /// idempotency keys.
  static let usage = """
    CREATE TABLE usage (
      principal_id INTEGER PRIMARY KEY,
      rows INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0,
      keys INTEGER NOT NULL DEFAULT 0,
      key_bytes INTEGER NOT NULL DEFAULT 0,
      written_bytes INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE kept_key (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      keys INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    );
    INSERT INTO kept_key VALUES (1, 0, 0);

    \(CountedTable.ofStep44.map(\.triggers).joined())
    CREATE TRIGGER idempotency_key_usage_update AFTER UPDATE OF reply ON idempotency_key BEGIN
      UPDATE usage SET key_bytes = key_bytes - (\(keyBytes("old"))) + \(keyBytes("new"))
        WHERE principal_id = new.principal_id;
      UPDATE kept_key SET bytes = bytes - (\(keyBytes("old"))) + \(keyBytes("new"));
    END;
    CREATE TRIGGER idempotency_key_usage_delete AFTER DELETE ON idempotency_key BEGIN
      UPDATE usage SET keys = keys - 1, key_bytes = key_bytes - (\(keyBytes("old")))
        WHERE principal_id = old.principal_id;
      UPDATE kept_key SET keys = keys - 1, bytes = bytes - (\(keyBytes("old")));
    END;

    """

  /// What each key of idempotency counts for its owner, as `usage` has it.
  static let keyAmounts = """
    SELECT principal_id AS owner, 1 AS rows, \(keyBytes("idempotency_key")) AS bytes
    FROM idempotency_key
    """
}

extension Table {
  static let ofUsage: [Table] = [
    Table(
      "usage", key: .columns("principal_id"), export: .omitted(.isOfStore),
      .integers("principal_id rows bytes keys key_bytes written_bytes")),
    Table(
      "kept_key", key: .columns("id"), export: .omitted(.isOfStore), copying: .onlyToPostgreSQL,
      .integers("id keys bytes")),
  ]
}
