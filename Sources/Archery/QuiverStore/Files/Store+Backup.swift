import Glibc
import QuiverSQLite

extension Store {
  /// Copies the whole database into a new file while commands go on, sees it on the disk and checks
  /// every page of it.
  ///
  /// It holds every command that was acknowledged before it began, and none but in order. It takes
  /// as long as the disk needs: call it on a thread that nobody waits for. `path` is absolute, and
  /// its file must not be there yet. A backup that is given up leaves nothing.
  package func backup(
    to path: String, _ cancellation: CommandCancellation? = nil
  ) throws(StoreError) -> BackupFile {
    guard path.hasPrefix("/"), !path.hasSuffix("/") else {
      throw .invalid("file", "must be the absolute path of a new file on the server")
    }
    guard access(path, F_OK) != 0 else { throw BackupFile.exists(path) }
    let unfinished = path + ".unfinished"
    do throws(StoreError) {
      try BackupFile.begin(unfinished)
      let task = BackupTask(path: unfinished, cancellation)
      try writer.queue.append(task)
      try task.wait()
      try Restoring.check(unfinished)
      if cancellation?.isCancelled ?? false { throw StoreError.backupGivenUp }
      return try BackupFile.finish(unfinished, as: path)
    } catch {
      unlink(unfinished)
      throw error
    }
  }

  /// Puts a backup into a data directory that holds no database, as a store with an epoch of its
  /// own; answers that epoch.
  ///
  /// Throws with a message that says what to do: for a directory in which a server runs or a
  /// database lies, and for a file that is foreign, damaged or newer. The backup stays as it is.
  package static func restore(
    _ file: String, into directory: String, clock: StoreClock = .system
  ) throws(StoreError) -> UInt64 {
    let source = try DatabaseFile(path: file)
    guard source.byteCount > 0 else {
      throw StoreError(.failedPrecondition, "\(file) is not there or is empty; name a backup")
    }
    try source.validate()
    guard !source.hasLog, !source.hasJournal else {
      throw StoreError(
        .failedPrecondition,
        "\(file) has a log or journal beside it and is no backup; make one from its server")
    }
    let held = try DataDirectory(path: directory)
    defer { held.release() }
    guard try DatabaseFile(path: held.databasePath).isEmpty else {
      throw StoreError(
        .failedPrecondition,
        "\(held.databasePath) is there already; name another directory or move it away")
    }
    // A mark of the lost database says nothing about the restored one.
    try held.removeCleanMark()
    let unfinished = held.databasePath + ".unfinished"
    do throws(StoreError) {
      try BackupFile.begin(unfinished)
      try BackupFile.copy(file, to: unfinished)
      try Restoring.check(unfinished)
      let epoch = try Restoring.makeAnew(unfinished, clock)
      unlink(held.databasePath)
      _ = try BackupFile.finish(unfinished, as: held.databasePath)
      return epoch
    } catch {
      unlink(unfinished)
      throw error
    }
  }
}
