import QuiverObservability
import QuiverStore

/// Starts the scheduled backups and logs what happens to them.
enum BackupLog {
  /// The running schedule; nil if the configuration has none.
  static func start(
    _ store: Store, _ configuration: Configuration, _ log: Log
  ) throws(Failure) -> BackupScheduler? {
    guard !configuration.backups.directory.isEmpty else { return nil }
    let scheduler = BackupScheduler(store, configuration.backups) { record($0, log) }
    do throws(StoreError) {
      try scheduler.start()
    } catch {
      throw Failure(.internalFault, error.message)
    }
    return scheduler
  }

  private static func record(_ event: BackupEvent, _ log: Log) {
    switch event {
    case .made(let file, let milliseconds):
      log.write(
        .backupMade,
        [
          "file": file.path, "bytes": "\(file.byteCount)", "milliseconds": "\(milliseconds)",
        ])
    case .failed(let error, let retryMilliseconds):
      log.write(
        .backupFailed,
        ["reason": error.message, "retry-seconds": "\(retryMilliseconds / 1_000)"])
    case .removed(let path): log.write(.backupRemoved, ["file": path])
    }
  }
}
