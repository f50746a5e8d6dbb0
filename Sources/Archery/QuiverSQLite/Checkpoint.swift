import CSQLite

/// How far a checkpoint came.
package struct Checkpoint: Sendable, Equatable {
  /// How hard a checkpoint tries.
  package enum Mode: Sendable {
    /// Copies what it can without waiting for anyone.
    case passive
    /// Waits, within the busy timeout, until the log can restart.
    case restart
    /// As `restart`, and cuts the log to nothing.
    case truncate
  }

  /// Frames in the log.
  package let logFrameCount: Int

  /// The frames of these that are in the database.
  package let copiedFrameCount: Int

  /// Whether a lock of another connection kept it from finishing.
  package let wasBusy: Bool
}

extension Connection {
  /// Copies the write-ahead log into the database (`sqlite3_wal_checkpoint_v2`).
  package func checkpoint(_ mode: Checkpoint.Mode) throws(SQLiteError) -> Checkpoint {
    var logFrameCount: Int32 = 0
    var copiedFrameCount: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(
      cHandle.pointer, nil, mode.value, &logFrameCount, &copiedFrameCount)
    let isBusy = result & 0xFF == SQLITE_BUSY
    guard result == SQLITE_OK || isBusy else { throw cHandle.error(result) }
    return Checkpoint(
      logFrameCount: Int(logFrameCount), copiedFrameCount: Int(copiedFrameCount),
      wasBusy: isBusy)
  }

  /// Frames in the write-ahead log after the latest commit of this connection, once observed.
  package var walFrameCount: Int { Int(cHandle.walFrameCount.pointee) }

  /// Counts the frames of the log at each commit (`sqlite3_wal_hook`).
  package func observeWAL() {
    sqlite3_wal_hook(
      cHandle.pointer,
      { context, _, _, frameCount in
        context?.assumingMemoryBound(to: Int32.self).pointee = frameCount
        return SQLITE_OK
      }, cHandle.walFrameCount)
  }
}

extension Checkpoint.Mode {
  fileprivate var value: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}
