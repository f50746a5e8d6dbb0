import QuiverSQLite

/// Erases the next slice of a deleted account.
///
/// It is bounded work, so that other commands wait for a few milliseconds. The deletion of an
/// account runs it too, for more rows.
struct EraseAccount: Command {
  static var needsActiveCaller: Bool { false }
  static var storesContent: Bool { false }
  static var isBulk: Bool { true }

  /// What is left to do.
  enum Rest: Sendable {
    case rows
    /// All rows are erased; the write-ahead log still has what they were.
    case log
    case nothing
  }

  let principal: Int64

  /// Whether the log was emptied after the last row was erased.
  let isLogEmpty: Bool

  /// Above the number of each step: the log has to be emptied.
  private static let logStep: Int64 = 1_000

  private static let start = Query(
    """
    INSERT INTO account_erasure (principal_id, step, position) VALUES (?1, 1, 0)
    ON CONFLICT DO NOTHING
    """)
  private static let state = Query(
    "SELECT step, position FROM account_erasure WHERE principal_id = ?1")
  private static let advance = Query(
    "UPDATE account_erasure SET step = ?2, position = ?3 WHERE principal_id = ?1")
  private static let finish = Query("DELETE FROM account_erasure WHERE principal_id = ?1")
  private static let unfinished = Query(
    "SELECT principal_id FROM account_erasure ORDER BY principal_id")

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> Rest {
    let rest = try Self.erase(
      principal, in: transaction, rowCount: StoreLimits.erasedRowsPerCommand)
    guard rest == .log, isLogEmpty else { return rest }
    try transaction.run(Self.finish, .integer(principal))
    return .nothing
  }

  /// Begins to erase a principal, and erases about `rowCount` rows.
  static func begin(
    _ principal: Int64, in transaction: borrowing Transaction, rowCount: Int64
  ) throws(StoreError) {
    try transaction.run(start, .integer(principal))
    _ = try erase(principal, in: transaction, rowCount: rowCount)
  }

  /// The principals that are not erased completely, read before the writer starts.
  ///
  /// If they cannot be read, for example from a damaged page, the next start tries again.
  static func unfinished(on connection: Connection) -> [Int64] {
    let snapshot = Snapshot(session: Session(connection), pageTokenKey: [])
    return (try? unfinished(in: snapshot)) ?? []
  }

  /// The principals that are not erased completely.
  static func unfinished(in snapshot: borrowing Snapshot) throws(StoreError) -> [Int64] {
    try snapshot.all(unfinished) { row in row.int64(0) }
  }

  private static func erase(
    _ principal: Int64, in transaction: borrowing Transaction, rowCount: Int64
  ) throws(StoreError) -> Rest {
    // Replies of calls that were on their way when the account was deleted leave memory, too.
    transaction.effects.note(.updated, of: .principal, id: principal)
    let found = try transaction.snapshot.first(state, .integer(principal)) { row in
      (step: row.int64(0), position: row.int64(1))
    }
    guard let found else { return .nothing }
    var (number, position) = (found.step, found.position)
    var left = rowCount
    while left > 0, let step = ErasureStep.all.first(where: { $0.number >= number }) {
      if step.number > number { position = 0 }
      let progress = try step.slice(
        transaction, ErasurePlace(principal: principal, position: position))
      number = progress.isDone ? step.number + 1 : step.number
      position = progress.isDone ? 0 : progress.position
      left -= max(1, progress.rowCount)
    }
    let isDone = number > ErasureStep.all.last?.number ?? 0
    if isDone { number = logStep }
    if (number, position) != found {
      try transaction.run(
        advance, .integer(principal), .integer(number), .integer(position))
    }
    return isDone ? .log : .rows
  }
}
