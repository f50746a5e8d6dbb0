import QuiverStore

/// The numbered operations in a store.
struct StoredOperations {
  /// The ids of the objects of each operation, one for each effect.
  private(set) var effects: [Int64: [[UInt8]]] = [:]

  /// The stored reply of each operation's key.
  private(set) var keys: [Int64: [UInt8]] = [:]

  /// Rows that no operation creates.
  private(set) var faults: [String] = []

  private static let items = Query(
    items(base: "CAST(value AS INTEGER)"),
    postgreSQL: items(base: "CAST(convert_from(value, 'UTF8') AS bigint)"))
  private static let strayRows = Query(
    "SELECT count(*) FROM riser WHERE id NOT IN (SELECT id FROM equipment)")
  private static let principals = Query("SELECT id, display_name FROM principal")
  private static let storedKeys = Query(
    "SELECT key, reply FROM idempotency_key WHERE principal_id = ?1")
  private static let changes = Query(
    """
    SELECT kind, object_id, change, count(*) FROM journal WHERE principal_id = ?1
    GROUP BY kind, object_id, change
    """)

  /// - Parameter base: the number of a row of `meta`, where it is text in bytes.
  private static func items(base: String) -> String {
    """
    SELECT e.id, e.model,
      -- In an epoch after the first one a revision begins at the base of the epoch.
      e.revision - coalesce((SELECT \(base) FROM meta WHERE name = 'epoch_base'), 0),
      e.notes, r.id IS NULL
    FROM equipment e LEFT JOIN riser r ON r.id = e.id WHERE e.principal_id = ?1
    """
  }

  /// - Parameter idOfReply: extracts the id from the stored reply of a key.
  init(_ store: Store, idOfReply: ([UInt8]) -> [UInt8]) throws {
    self = try store.read { (snapshot) throws(StoreError) in
      var stored = StoredOperations()
      try stored.readItems(snapshot)
      try stored.readOthers(snapshot, idOfReply)
      return stored
    }
  }

  private init() {}

  private mutating func readItems(_ snapshot: borrowing Snapshot) throws(StoreError) {
    let items = try snapshot.all(Self.items, .integer(Operation.principal)) { row in
      (
        id: row.int64(0), number: Int64(row.text(1)) ?? -1, revision: row.int64(2),
        notes: row.text(3), isHalf: row.bool(4)
      )
    }
    let journal = try journal(snapshot)
    for item in items {
      let id = withUnsafeBytes(of: item.id.bigEndian) { Array($0) }
      effects[item.number, default: []].append(id)
      if item.isHalf { faults.append("item \(item.id) has no row in its type's table") }
      let isUpdated = item.notes == "update \(item.number + 1)"
      if isUpdated { effects[item.number + 1, default: []].append(id) }
      if item.revision != (isUpdated ? 2 : 1) {
        faults.append("item \(item.id) has revision \(item.revision)")
      }
      if journal[[16, item.id, 1]] != 1 || (journal[[16, item.id, 2]] ?? 0) != item.revision - 1 {
        faults.append("the journal tells otherwise of item \(item.id)")
      }
    }
    let strayCount = try snapshot.first(Self.strayRows) { row in row.int64(0) } ?? 0
    if strayCount != 0 { faults.append("\(strayCount) rows belong to no item") }
    let journaled = journal.keys.count { $0[0] == 16 && $0[2] == 1 }
    if journaled != items.count { faults.append("the journal tells of \(journaled) items") }
  }

  private mutating func readOthers(
    _ snapshot: borrowing Snapshot, _ idOfReply: ([UInt8]) -> [UInt8]
  ) throws(StoreError) {
    let principals = try snapshot.all(Self.principals) { row in (row.int64(0), row.text(1)) }
    for (id, name) in principals {
      guard let number = Int64(name) else { continue }
      effects[number, default: []].append(withUnsafeBytes(of: id.bigEndian) { Array($0) })
    }
    let keys = try snapshot.all(Self.storedKeys, .integer(Operation.principal)) { row in
      (row.bytes(0), row.bytes(1))
    }
    for (key, reply) in keys {
      // Keys of other calls have another suffix.
      guard key.suffix(8) == [UInt8](repeating: 7, count: 8)[...] else { continue }
      let number = Int64(bitPattern: key.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
      self.keys[number] = idOfReply(reply)
    }
  }

  private func journal(_ snapshot: borrowing Snapshot) throws(StoreError) -> [[Int64]: Int64] {
    let rows = try snapshot.all(Self.changes, .integer(Operation.principal)) { row in
      ([row.int64(0), row.int64(1), row.int64(2)], row.int64(3))
    }
    return Dictionary(rows, uniquingKeysWith: +)
  }
}
