import QuiverSQLite

/// Decides when the write-ahead log is copied into the database; the writer's alone.
struct LogKeeper {
  private let connection: Connection
  private let readers: ReaderPool

  /// Frames in use at the latest complete checkpoint, after which the log begins anew.
  private var copiedFrameCount = 0

  /// The frames at which a forced checkpoint is tried again after readers kept it from finishing.
  private var nextForcedFrameCount = 0

  /// The frames at the latest checkpoint of a bulk.
  private var bulkFrameCount = 0

  /// A page of 4,096 bytes and its header.
  private static let frameByteCount = 4_120

  /// How much the log grows before a checkpoint that was kept waiting is tried again.
  private static let retryFrameCount = 256

  init(connection: Connection, readers: ReaderPool) {
    self.connection = connection
    self.readers = readers
  }

  /// The frames in use, in bytes; 0 when all of them are in the database.
  var byteCount: Int {
    let count = connection.walFrameCount
    return count == copiedFrameCount ? 0 : count * Self.frameByteCount
  }

  var wantsIdleCheckpoint: Bool { byteCount >= StoreLimits.idleCheckpointByteCount }

  /// Checkpoints a log past the higher bound; answers whether it did.
  mutating func checkpointIfForced() throws(SQLiteError) -> Bool {
    guard byteCount >= StoreLimits.forcedCheckpointByteCount,
      connection.walFrameCount >= nextForcedFrameCount
    else { return false }
    connection.setBusyTimeout(milliseconds: StoreLimits.checkpointWaitMilliseconds)
    defer { connection.setBusyTimeout(milliseconds: 0) }
    return try checkpoint(.restart)
  }

  /// Checkpoints what bulks have added to the log, once it is past their bound; answers whether it
  /// did.
  ///
  /// Rows that are added in order fill each page once, so that many small checkpoints copy no more
  /// than a few large ones, and others wait for less. It waits for no reader.
  mutating func checkpointIfBulk() throws(SQLiteError) -> Bool {
    let count = connection.walFrameCount
    // Less than before: the log has begun anew.
    if count < bulkFrameCount { bulkFrameCount = 0 }
    let grown = (count - bulkFrameCount) * Self.frameByteCount
    guard grown >= StoreLimits.bulkCheckpointByteCount else { return false }
    bulkFrameCount = count
    return try checkpoint(.passive)
  }

  /// Checkpoints a log past the lower bound; answers whether it did.
  mutating func checkpointIfIdle() throws(SQLiteError) -> Bool {
    guard wantsIdleCheckpoint else { return false }
    return try checkpoint(.passive)
  }

  /// Copies everything and cuts the log, before the file is left; answers whether nothing kept it
  /// from that.
  mutating func empty() throws(SQLiteError) -> Bool {
    _ = try checkpoint(.truncate)
    return byteCount == 0
  }

  private mutating func checkpoint(_ mode: Checkpoint.Mode) throws(SQLiteError) -> Bool {
    readers.releaseSnapshots()
    let checkpoint = try connection.checkpoint(mode)
    let isComplete = !checkpoint.wasBusy && checkpoint.copiedFrameCount >= checkpoint.logFrameCount
    copiedFrameCount = isComplete ? connection.walFrameCount : 0
    nextForcedFrameCount =
      isComplete ? 0 : connection.walFrameCount + Self.retryFrameCount
    return true
  }
}
