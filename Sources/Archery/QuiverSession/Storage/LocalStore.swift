import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverSQLite

/// What one principal of one database has on this device: objects as they were read, the changes
/// that wait, and how both look together.
///
/// Any thread may use it.
final class LocalStore: Sendable {
  let identity: StoreIdentity
  let limits: SessionLimits
  private let file: LocalFile

  /// Opens or makes the file; see ``LocalFile`` for what is refused.
  init(
    _ identity: StoreIdentity, in directory: SessionDirectory, limits: SessionLimits
  ) throws(SessionError) {
    self.identity = identity
    self.limits = limits
    file = try LocalFile(
      path: directory.storePath(identity), applicationID: LocalSchema.storeApplicationID,
      migrations: LocalSchema.store)
  }

  func close() { file.close() }

  func read<Result>(
    _ body: (LocalTransaction) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try file.read(body)
  }

  func write<Result>(
    _ body: (LocalTransaction) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try file.write(body)
  }

  /// A change by the owner, in one transaction.
  func edit<Result>(
    _ body: (Edits) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try file.write { (transaction) throws(SessionError) in
      try body(
        Edits(
          transaction: transaction, limits: limits,
          nowMilliseconds: WallClock.nowMilliseconds()))
    }
  }

  /// What is to be sent next, marked as sent before it goes: one row, or operations of scoring
  /// that follow each other; empty where nothing is left.
  func takeNextRows() throws(SessionError) -> [OutboxRow] {
    try file.write { (transaction) throws(SessionError) in
      var rows = try transaction.nextOutboxRows(limit: limits.maxBatchedOperations)
      for place in rows.indices {
        rows[place].state = .sent
        rows[place].attempts &+= 1
        try transaction.save(&rows[place])
      }
      return rows
    }
  }

  /// The server certainly did not process rows that were sent.
  func release(_ rows: [OutboxRow]) throws(SessionError) {
    try file.write { (transaction) throws(SessionError) in
      for row in rows {
        guard var row = try transaction.outboxRow(row.sequence), row.state == .sent else {
          continue
        }
        row.state = .waiting
        try transaction.save(&row)
      }
    }
  }

  /// Records what a row's call came to.
  func reconcile<Result>(
    _ body: (Reconciliation) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try file.write { (transaction) throws(SessionError) in
      try body(Reconciliation(transaction: transaction))
    }
  }

  /// Runs `body` on a row of the outbox that its owner decides about.
  func decide(
    _ sequence: Int64, _ body: (Reconciliation, OutboxRow) throws(SessionError) -> Void
  ) throws(SessionError) {
    try file.write { (transaction) throws(SessionError) in
      guard let row = try transaction.outboxRow(sequence) else {
        throw SessionError(.notFound, "this change does not wait here any more")
      }
      try body(Reconciliation(transaction: transaction), row)
    }
  }
}
