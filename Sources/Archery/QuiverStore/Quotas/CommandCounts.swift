/// The insertions of a command that no trigger counts in SQLite.
///
/// Before a statement with a trigger, SQLite copies every page that it changes into a statement
/// journal, which takes longer than the statement. The most frequent insertions therefore have no
/// trigger: `Transaction` counts them, and stores the sums once for each command.
struct CommandCounts: Sendable, Equatable {
  var rows: Int64 = 0
  /// Of rows and texts, as ``CountedTable`` has it.
  var bytes: Int64 = 0
  var keys: Int64 = 0
  var keyBytes: Int64 = 0

  var isEmpty: Bool { self == CommandCounts() }

  static func += (sum: inout CommandCounts, other: CommandCounts) {
    sum.rows += other.rows
    sum.bytes += other.bytes
    sum.keys += other.keys
    sum.keyBytes += other.keyBytes
  }
}

extension CountedTable {
  /// The tables that have no trigger for insertions in SQLite.
  ///
  /// Only commands insert into them, by `Transaction.insert(_:values:countedAs:)`.
  static let namesCountedByCommands: Set = [
    "equipment", "riser", "limbs", "sight", "plunger", "bow_string", "weight", "arrow", "accessory",
    "scoring_operation", "client_object",
  ]

  static let equipmentRows = named("equipment")
  static let operationRows = named("scoring_operation")
  static let clientObjectRows = named("client_object")

  private static func named(_ name: String) -> CountedTable {
    guard let table = all.first(where: { $0.name == name }) else {
      preconditionFailure("There is no such counted table.")
    }
    return table
  }

  /// The bytes of an idempotency key without its reply.
  static let keyFixedBytes: Int64 = 128
}

extension Transaction {
  private static let countStored = Query(
    onlySQLite: """
      UPDATE usage SET rows = rows + ?2, bytes = bytes + ?3, keys = keys + ?4,
        key_bytes = key_bytes + ?5, written_bytes = written_bytes + ?6
      WHERE principal_id = ?1
      """)
  private static let insertStored = Query(
    onlySQLite: """
      INSERT INTO usage (principal_id, rows, bytes, keys, key_bytes, written_bytes)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)

  /// Inserts a row of a table of ``CountedTable/namesCountedByCommands`` and counts it for the
  /// caller, to whom it must belong; answers its id.
  ///
  /// The texts of the table are those values that are texts.
  func insert(
    _ query: Query, values: [SQLValue], countedAs table: CountedTable
  ) throws(StoreError) -> Int64 {
    let id = try insert(query, values: values)
    count(rows: 1, bytes: table.fixedBytes, textsOf: values)
    return id
  }

  /// Counts rows, and the texts among the values, for the caller. Triggers count in PostgreSQL.
  func count(rows: Int64, bytes: Int64, textsOf values: [SQLValue]) {
    guard !snapshot.session.isPostgreSQL else { return }
    effects.counts.rows += rows
    effects.counts.bytes += bytes
    for value in values {
      if case .text(let text) = value { effects.counts.bytes += Int64(text.utf8.count) }
    }
  }

  /// Counts an idempotency key for the caller. A trigger counts it in PostgreSQL.
  func countKey(replyByteCount: Int) {
    guard !snapshot.session.isPostgreSQL else { return }
    effects.counts.keys += 1
    effects.counts.keyBytes += CountedTable.keyFixedBytes + Int64(replyByteCount)
  }

  /// Adds what the command has counted to what the caller stores.
  func storeCounts() throws(StoreError) {
    let counts = effects.takeCounts()
    guard !counts.isEmpty else { return }
    let values: [SQLValue] = [
      .integer(caller.principal), .integer(counts.rows), .integer(counts.bytes),
      .integer(counts.keys), .integer(counts.keyBytes), .integer(counts.bytes + counts.keyBytes),
    ]
    if try runCounting(Self.countStored, values: values) == 0 {
      try run(Self.insertStored, values: values)
    }
  }
}

extension Session {
  private static let countKeys = Query(
    onlySQLite: "UPDATE kept_key SET keys = keys + ?1, bytes = bytes + ?2")

  /// Adds the idempotency keys of a batch to those of all principals.
  func countKeys(_ counts: CommandCounts) throws(StoreError) {
    guard counts.keys > 0 else { return }
    try run(Self.countKeys, [.integer(counts.keys), .integer(counts.keyBytes)])
  }
}

extension PostgresSchema {
  /// PostgreSQL keeps its triggers: it has no statement journal, and a statement more would be a
  /// round trip more.
  static let commandCounts = "COMMENT ON TABLE usage IS 'kept by triggers'"
}
