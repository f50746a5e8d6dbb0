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

  /// The next row to send, marked as sent before it goes.
  func takeNextRow() throws(SessionError) -> OutboxRow? {
    try file.write { (transaction) throws(SessionError) in
      guard var row = try transaction.nextOutboxRow() else { return nil }
      row.state = .sent
      row.attempts &+= 1
      try transaction.save(&row)
      return row
    }
  }

  /// The server certainly did not process a row that was sent.
  func releaseRow(_ sequence: Int64) throws(SessionError) {
    try file.write { (transaction) throws(SessionError) in
      guard var row = try transaction.outboxRow(sequence), row.state == .sent else { return }
      row.state = .waiting
      try transaction.save(&row)
    }
  }

  /// Records what a row's call came to.
  func settle<Result>(
    _ body: (Settling) throws(SessionError) -> Result
  ) throws(SessionError) -> Result {
    try file.write { (transaction) throws(SessionError) in
      try body(Settling(transaction: transaction))
    }
  }

  /// Runs `body` on a row of the outbox that its owner decides about.
  func decide(
    _ sequence: Int64, _ body: (Settling, OutboxRow) throws(SessionError) -> Void
  ) throws(SessionError) {
    try file.write { (transaction) throws(SessionError) in
      guard let row = try transaction.outboxRow(sequence) else {
        throw SessionError(.notFound, "this change does not wait here any more")
      }
      try body(Settling(transaction: transaction), row)
    }
  }
}
