import QuiverSQLite

/// The copying of a backup, between batches on the writer's thread.
///
/// The writer's own connection is the source, so that the changes of batches are copied as well and
/// nothing is copied twice; between slices no snapshot prevents a restart of the log.
// `@unchecked`: what is not the outcome is touched on the writer's thread alone.
final class BackupTask: BackgroundTask, @unchecked Sendable {
  private let path: String
  private let cancellation: CommandCancellation?
  private let work: RunningWork
  private let outcome = Monitor<Result<Void, StoreError>?>(nil)
  private var copying: (backup: Backup, destination: Connection)?

  /// A quarter of a mebibyte, which takes a fraction of a millisecond.
  private static let pagesPerSlice: Int32 = 64

  init(path: String, _ work: RunningWork, _ cancellation: CommandCancellation?) {
    self.path = path
    self.work = work
    self.cancellation = cancellation
  }

  /// Returns when all is copied; the file is not yet synced.
  func wait() throws(StoreError) {
    try outcome.wait { $0 }?.get()
  }

  func slice(on connection: Connection) -> Bool {
    if cancellation?.isCancelled ?? false {
      end(.failure(.backupGivenUp))
      return true
    }
    do {
      let (backup, destination) = try copying ?? begin(connection)
      let isCopied = try backup.step(pageCount: Self.pagesPerSlice)
      let pages = backup.pages
      work.advance(to: pages.copied, of: pages.total)
      guard isCopied else { return false }
      try backup.finish()
      // One file without a log beside it.
      try destination.execute("PRAGMA journal_mode = DELETE")
      destination.close()
      end(.success(()))
    } catch {
      end(.failure(Self.failure(error, path)))
    }
    return true
  }

  func abandon(_ error: StoreError) { end(.failure(error)) }

  private func begin(
    _ connection: Connection
  ) throws(SQLiteError) -> (backup: Backup, destination: Connection) {
    let destination = try Connection(path: path, mode: .readWrite)
    if try connection.hasPageChecksums() { try destination.beginPageChecksums() }
    try destination.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    let begun = (
      backup: try Backup(from: connection, to: destination), destination: destination
    )
    copying = begun
    return begun
  }

  private func end(_ result: Result<Void, StoreError>) {
    copying = nil
    outcome.withLock { $0 = result }
    outcome.broadcast()
  }

  private static func failure(_ error: any Error, _ path: String) -> StoreError {
    guard let error = error as? SQLiteError else {
      return StoreError(.internalError, "the backup \(path) failed")
    }
    if error.code.isDamage { return StoreError(error) }
    return switch error.code.primary {
    case .full: StoreError(.resourceExhausted, "the disk of \(path) is full; make room first")
    default: StoreError(.failedPrecondition, "cannot write the backup \(path): \(error)")
    }
  }
}

extension StoreError {
  static var backupGivenUp: StoreError {
    StoreError(.cancelled, "the backup was cancelled, and its file was removed", notProcessed: true)
  }
}
