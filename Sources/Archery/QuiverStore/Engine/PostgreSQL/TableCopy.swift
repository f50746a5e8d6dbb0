import QuiverRules

/// Copies the tables of a store from one engine to the other, and compares them.
///
/// Rows are copied in the order of their keys, a slice in a transaction each, so that a copy that
/// ended goes on behind the rows that are there.
struct TableCopy {
  /// What differs between the engines.
  enum Direction {
    /// The audit has a chain of hashes for each principal.
    case toPostgreSQL
    /// The audit has one chain, and it and the idempotency keys are numbered without gaps in the
    /// order of their time. The journal starts again, and the sums of all keys are computed.
    case toSQLite
  }

  let source: any TransferEnd
  let target: any TransferEnd
  let direction: Direction
  /// Called after each slice with the table and the number of its rows that are copied.
  let progress: (_ table: String, _ rowCount: Int64) -> Void
  /// The hash of the latest row of the audit, of each principal or of all.
  private var auditHashes: [Int64: [UInt8]] = [:]

  /// Rows of one transaction.
  private let slice: Int64

  init(
    from source: any TransferEnd, to target: any TransferEnd, _ direction: Direction,
    rowsPerSlice: Int64, progress: @escaping (_ table: String, _ rowCount: Int64) -> Void
  ) {
    (self.source, self.target, self.direction) = (source, target, direction)
    slice = rowsPerSlice
    self.progress = progress
  }

  /// Copies what is missing, then reads all rows of both and compares them.
  mutating func run() throws -> StoreTransfer.Report {
    let tables = Table.copied.filter { direction == .toPostgreSQL || $0.copying == .both }
    for table in tables { try copy(table) }
    var report = StoreTransfer.Report()
    for table in tables {
      let found = try checksum(of: table, at: source)
      report.replacedTextCount += found.replacedTextCount
      let copied = try checksum(of: table, at: target)
      guard copied.rowCount == found.rowCount, copied.sum == found.sum else {
        throw Self.differs(table)
      }
      report.tableCount += 1
      report.rowCount += found.rowCount
    }
    return report
  }

  private static func differs(_ table: Table) -> StoreError {
    StoreError(
      .dataLoss,
      """
      the rows of \(table.name) differ; if the store was used since the copy began, begin again \
      with an empty database or directory
      """)
  }

  private mutating func copy(_ table: Table) throws {
    let order = order(of: table)
    let places = order.compactMap(table.place)
    var count = try target.rowCount(of: table)
    var key: [SQLValue]?
    if count > 0 {
      let last = try source.rows(
        of: table, inOrderOf: order, behind: nil, offset: count - 1, limit: 1)
      guard let last = last.first else { throw Self.differs(table) }
      key = places.map { last[$0] }
    }
    while true {
      let rows = try source.rows(
        of: table, inOrderOf: order, behind: key, offset: 0, limit: slice)
      guard let last = rows.last else { return }
      var placed: [[SQLValue]] = []
      for row in rows { placed.append(try changed(row, of: table, number: &count)) }
      try target.insert(placed, into: table)
      key = places.map { last[$0] }
      progress(table.name, count)
    }
  }

  private func order(of table: Table) -> [String] {
    isNumberedAnew(table) && table.name != "audit" ? ["at_ms"] + table.keyColumns : table.keyColumns
  }

  private func isNumberedAnew(_ table: Table) -> Bool {
    direction == .toSQLite && ["audit", "idempotency_key"].contains(table.name)
  }

  /// A row as the target has it.
  private mutating func changed(
    _ row: [SQLValue], of table: Table, number: inout Int64
  ) throws -> [SQLValue] {
    number += 1
    var row = row
    _ = replaceZeroCharacters(in: &row)
    if isNumberedAnew(table), let place = table.place(of: "sequence") {
      row[place] = .integer(number)
    }
    if table.name == "audit" { try chain(&row, table) }
    return row
  }

  /// Makes texts of SQLite such as PostgreSQL keeps; answers how many it changed.
  private func replaceZeroCharacters(in row: inout [SQLValue]) -> Int64 {
    guard direction == .toPostgreSQL else { return 0 }
    var count: Int64 = 0
    for index in row.indices {
      guard case .text(let text) = row[index], text.hasZeroCharacter else { continue }
      row[index] = .text(text.replacingZeroCharacters)
      count += 1
    }
    return count
  }

  /// Chains a row of the audit to the previous one, of its principal in PostgreSQL.
  ///
  /// A text whose hash is empty was erased with what its row was chained with: the hash of that row
  /// can no longer be computed, and stays.
  private mutating func chain(_ values: inout [SQLValue], _ table: Table) throws {
    func value(_ name: String) -> SQLValue {
      table.place(of: name).map { values[$0] } ?? .null
    }
    guard case .integer(let principal) = value("principal_id"),
      let place = table.place(of: "hash"), case .blob(let stored) = values[place]
    else { return }
    let isByPrincipal = direction == .toPostgreSQL
    let chain = isByPrincipal ? principal : 0
    var previous = auditHashes[chain]
    if previous == nil { previous = try target.lastAuditHash(of: isByPrincipal ? principal : nil) }
    var hash = stored
    var textHash: [UInt8]?
    if case .blob(let bytes) = value("text_hash") { textHash = bytes }
    if textHash != [] {
      let content = [
        "at_ms", "actor_id", "principal_id", "token_id", "action", "kind", "object_id", "topic",
        "before", "after",
      ].map(value)
      let texts = ["device", "reason"].map(value)
      hash = AuditChain.hash(
        previous: previous ?? AuditChain.beginning,
        content + AuditChain.chained(texts, textHash: textHash))
    }
    values[place] = .blob(hash)
    auditHashes[chain] = hash
  }

  /// The number of the rows, and the sum of their hashes, whatever their order.
  private struct Checksum {
    var rowCount: Int64 = 0
    var replacedTextCount: Int64 = 0
    var sum: UInt64 = 0

    mutating func add(_ values: [SQLValue]) {
      rowCount += 1
      let hash = AuditChain.hash(previous: [], values)
      sum &+= hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// The checksum of a table, without what the copy changes.
  private func checksum(of table: Table, at end: any TransferEnd) throws -> Checksum {
    var changed: [String] = table.name == "audit" ? ["hash"] : []
    if isNumberedAnew(table) { changed.append("sequence") }
    let left = Set(changed.compactMap(table.place))
    let places = table.keyColumns.compactMap(table.place)
    var checksum = Checksum()
    var key: [SQLValue]?
    while true {
      let rows = try end.rows(
        of: table, inOrderOf: table.keyColumns, behind: key, offset: 0, limit: slice)
      guard let last = rows.last else { return checksum }
      for var row in rows {
        checksum.replacedTextCount += replaceZeroCharacters(in: &row)
        checksum.add(row.indices.map { left.contains($0) ? .null : row[$0] })
      }
      key = places.map { last[$0] }
    }
  }
}
