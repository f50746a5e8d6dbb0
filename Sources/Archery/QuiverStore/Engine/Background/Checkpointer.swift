import QuiverSQLite

/// Decides when the write-ahead log is copied into the database. It belongs to the writer's thread.
struct Checkpointer {
  private let connection: Connection
  private let readers: ReaderPool

  /// Frames in use at the latest complete checkpoint, after which the log starts again.
  private var copiedFrameCount = 0

  /// The frame count at which a forced checkpoint is tried again after readers blocked it.
  private var nextForcedFrameCount = 0

  /// The frame count at the latest checkpoint after bulk commands.
  private var bulkFrameCount = 0

  /// Whether bulk commands were committed since the latest checkpoint.
  var hasBulk = false

  /// A page of 4,096 bytes and its header.
  private static let frameByteCount = 4_120

  /// How much the log grows before a blocked checkpoint is tried again.
  private static let retryFrameCount = 256

  init(connection: Connection, readers: ReaderPool) {
    self.connection = connection
    self.readers = readers
  }

  /// The frames in use, in bytes; 0 if the database contains all of them.
  var byteCount: Int {
    let count = connection.walFrameCount
    return count == copiedFrameCount ? 0 : count * Self.frameByteCount
  }

  var wantsIdleCheckpoint: Bool { byteCount >= StoreLimits.idleCheckpointByteCount }

  /// Checkpoints if the log exceeds the higher bound; returns whether it did.
  mutating func checkpointIfForced() throws(SQLiteError) -> Bool {
    guard byteCount >= StoreLimits.forcedCheckpointByteCount,
      connection.walFrameCount >= nextForcedFrameCount
    else { return false }
    connection.setBusyTimeout(milliseconds: StoreLimits.checkpointWaitMilliseconds)
    defer { connection.setBusyTimeout(milliseconds: 0) }
    return try checkpoint(.restart)
  }

  /// Checkpoints if the log has grown by more than this number of bytes while bulk commands were
  /// committed; returns whether it did.
  ///
  /// Rows that are added in order fill each page once, so many small checkpoints copy no more than
  /// a few large ones, and each delays other commands for less time. It does not wait for readers.
  mutating func checkpointIfBulk(_ byteCount: Int) throws(SQLiteError) -> Bool {
    guard hasBulk else { return false }
    let count = connection.walFrameCount
    // Less than before: the log has started again.
    if count < bulkFrameCount { bulkFrameCount = 0 }
    let grown = (count - bulkFrameCount) * Self.frameByteCount
    guard grown >= byteCount else { return false }
    bulkFrameCount = count
    return try checkpoint(.passive)
  }

  /// Checkpoints if the log exceeds the lower bound; returns whether it did.
  mutating func checkpointIfIdle() throws(SQLiteError) -> Bool {
    guard wantsIdleCheckpoint else { return false }
    return try checkpoint(.passive)
  }

  /// Copies everything and truncates the log before the database is closed; returns whether it
  /// succeeded.
  mutating func empty() throws(SQLiteError) -> Bool {
    _ = try checkpoint(.truncate)
    return byteCount == 0
  }

  private mutating func checkpoint(_ mode: Checkpoint.Mode) throws(SQLiteError) -> Bool {
    let checkpoint = try readers.withoutKeptSnapshots { () throws(SQLiteError) in
      try connection.checkpoint(mode)
    }
    let isComplete = !checkpoint.wasBusy && checkpoint.copiedFrameCount >= checkpoint.logFrameCount
    copiedFrameCount = isComplete ? connection.walFrameCount : 0
    if isComplete {
      hasBulk = false
      nextForcedFrameCount = 0
    } else if mode != .passive {
      nextForcedFrameCount = connection.walFrameCount + Self.retryFrameCount
    }
    return true
  }
}
