import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverSQLite

/// The data of one principal on this device: objects as the server last sent them, the pending
/// changes, and the objects with these changes applied.
///
/// Any isolation may use it. Transactions run on the store's queue, in the order of the calls; a
/// change is on the disk when its method returns.
final class LocalStore: Sendable {
  let identity: StoreIdentity
  let limits: SessionLimits
  private let file: LocalFile
  private let queue: StorageQueue

  private init(
    _ identity: StoreIdentity, _ limits: SessionLimits, _ file: LocalFile, _ queue: StorageQueue
  ) {
    self.identity = identity
    self.limits = limits
    self.file = file
    self.queue = queue
  }

  /// Opens or creates the file; ``LocalFile`` documents which files are refused.
  ///
  /// Calls `onChange` after each commit, on the store's queue.
  static func open(
    _ identity: StoreIdentity, in directory: SessionDirectory, limits: SessionLimits,
    onChange: @escaping @Sendable (Set<ChangeKey>) -> Void = { _ in }
  ) async throws(SessionError) -> LocalStore {
    let queue = StorageQueue(label: "quiver.session.store")
    let path = directory.storePath(identity)
    let file = try await queue.run { () throws(SessionError) in
      try LocalFile(
        path: path, applicationID: LocalSchema.storeApplicationID, migrations: LocalSchema.store,
        onCommit: onChange)
    }
    return LocalStore(identity, limits, file, queue)
  }

  func close() async {
    try? await queue.run { [file] () throws(SessionError) in file.close() }
  }

  /// Runs `body`, which only reads.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (LocalTransaction) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    try await queue.run { [file] () throws(SessionError) in try file.read(body) }
  }

  /// Runs `body` in a transaction; nothing changes if it throws.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (LocalTransaction) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    try await queue.run { [file] () throws(SessionError) in try file.write(body) }
  }

  /// Runs a change by the user in one transaction.
  func edit<Result: Sendable>(
    _ body: @escaping @Sendable (Edits) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    try await write { [limits] (transaction) throws(SessionError) in
      try body(
        Edits(
          transaction: transaction, limits: limits,
          nowMilliseconds: WallClock.nowMilliseconds()))
    }
  }

  /// The next rows, marked as sent before they are sent: one row, or consecutive scoring
  /// operations; empty if none are left.
  func takeNextRows() async throws(SessionError) -> [OutboxRow] {
    try await write { [limits] (transaction) throws(SessionError) in
      var rows = try transaction.nextOutboxRows(limit: limits.maxBatchedOperations)
      for place in rows.indices {
        rows[place].state = .sent
        rows[place].attempts &+= 1
        try transaction.save(&rows[place])
      }
      return rows
    }
  }

  /// Makes sent rows pending again, because the server did not process them.
  func release(_ rows: [OutboxRow]) async throws(SessionError) {
    try await write { (transaction) throws(SessionError) in
      for row in rows {
        guard var row = try transaction.outboxRow(row.sequence), row.state == .sent else {
          continue
        }
        row.state = .waiting
        try transaction.save(&row)
      }
    }
  }

  /// Records the result of a row's call.
  func reconcile<Result: Sendable>(
    _ body: @escaping @Sendable (Reconciliation) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    try await write { (transaction) throws(SessionError) in
      try body(Reconciliation(transaction: transaction))
    }
  }

  /// Runs `body` on an outbox row about which the user decides.
  func decide(
    _ sequence: Int64,
    _ body: @escaping @Sendable (Reconciliation, OutboxRow) throws(SessionError) -> Void
  ) async throws(SessionError) {
    try await write { (transaction) throws(SessionError) in
      guard let row = try transaction.outboxRow(sequence) else {
        throw SessionError(.notFound, "this change no longer waits")
      }
      try body(Reconciliation(transaction: transaction), row)
    }
  }
}
