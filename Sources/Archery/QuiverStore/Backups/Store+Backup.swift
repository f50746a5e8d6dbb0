import Glibc
import QuiverSQLite

extension Store {
  /// Copies the whole database to a new file while commands continue, syncs it, and checks every
  /// page.
  ///
  /// It has every command that was acknowledged before it began, and later ones only in order. It
  /// takes as long as the disk needs: call it on a thread that no other work needs. It waits for a
  /// backup that runs. `path` is absolute, and its file must not exist. A cancelled backup leaves
  /// no file.
  package func backup(
    to path: String, _ cancellation: CommandCancellation? = nil
  ) throws(StoreError) -> BackupFile {
    guard let writer else {
      throw StoreError(
        .failedPrecondition, "the store is on PostgreSQL; back it up with the tools of PostgreSQL")
    }
    try BackupFile.checkPath(path, notOwnedIn: directory.path)
    return try backups.pass(cancellation) { () throws(StoreError) in
      for path in [path, BackupFile.checksumPath(of: path)] where access(path, F_OK) == 0 {
        throw BackupFile.exists(path)
      }
      return try makeBackup(path, writer, cancellation)
    }
  }

  /// Bytes of the database and its log.
  func databaseByteCount() throws(StoreError) -> Int64 {
    let file = try DatabaseFile(path: directory.databasePath)
    return file.byteCount + file.logByteCount
  }

  private func makeBackup(
    _ path: String, _ writer: Writer, _ cancellation: CommandCancellation?
  ) throws(StoreError) -> BackupFile {
    let unfinished = path + ".unfinished"
    try BackupFile.begin(unfinished)
    // The writer copies to the disk of the database only, so that it waits for no other disk.
    let isOnOtherDisk = !BackupFile.isSameDisk(unfinished, directory.path)
    let copied = isOnOtherDisk ? directory.unfinishedBackupPath : unfinished
    do throws(StoreError) {
      if isOnOtherDisk { try BackupFile.begin(copied) }
      let task = BackupTask(path: copied, work.begin(.backup), cancellation)
      try writer.queue.append(task)
      try task.wait()
      if isOnOtherDisk {
        try BackupFile.copy(copied, to: unfinished, cancellation)
        unlink(copied)
      }
      try BackupFile.synchronizeFile(unfinished)
      try Restoring.check(unfinished, cancellation)
      let backup = try BackupFile.finish(unfinished, as: path, cancellation)
      do throws(StoreError) {
        try backup.writeChecksum()
      } catch {
        unlink(path)
        throw error
      }
      return backup
    } catch {
      unlink(unfinished)
      unlink(copied)
      throw error
    }
  }

  /// Restores a backup to a data directory without a database, as a store with its own epoch;
  /// returns that epoch.
  ///
  /// Throws with what to do: for a directory with a running server or a database, and for a file
  /// that is foreign, damaged or newer. The backup is not changed.
  package static func restore(
    _ file: String, into directory: String, sha256: String? = nil, clock: StoreClock = .system
  ) throws(StoreError) -> UInt64 {
    if let sha256, !BackupFile.isChecksum(sha256) {
      throw StoreError(.invalidArgument, "a SHA-256 has 64 hexadecimal digits")
    }
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
    // A mark of the lost database does not apply to the restored one.
    try held.removeCleanMark()
    let unfinished = held.databasePath + ".unfinished"
    do throws(StoreError) {
      try BackupFile.begin(unfinished)
      try BackupFile.copy(file, to: unfinished)
      try checkCopy(unfinished, of: file, sha256)
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

  /// Compares the copy of a backup with the given checksum and the one beside the backup.
  private static func checkCopy(
    _ copy: String, of file: String, _ given: String?
  ) throws(StoreError) {
    let stored = try BackupFile.storedChecksum(of: file)
    guard given != nil || stored != nil else { return }
    let found = try BackupFile.checksum(of: copy)
    if let given, given.lowercased() != found {
      throw StoreError(
        .dataLoss, "\(file) has the SHA-256 \(found) and not the given one; use another backup")
    }
    if let stored, stored != found {
      throw StoreError(
        .dataLoss,
        """
        \(file) has the SHA-256 \(found) and not the one in \(BackupFile.checksumPath(of: file)); \
        it was changed since it was made, so use another backup
        """)
    }
  }
}
