import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire

extension AdminService {
  func listBackups(
    _ request: ListBackupsRequest, _ call: CallContext
  ) throws -> ListBackupsResponse {
    _ = try call.administrator()
    guard let status = commands.store.backupStatus else {
      throw RPCError(
        .failedPrecondition,
        "the server makes no backups by itself; start it with --backup-directory DIR")
    }
    return ListBackupsResponse(status)
  }
}

extension ListBackupsResponse {
  init(_ status: BackupStatus) {
    self.init()
    backups = status.backups.map(StoredBackup.init)
    directory = status.schedule.directory
    intervalMilliseconds = status.schedule.intervalMilliseconds
    keptCount = UInt32(clamping: status.schedule.keptCount)
    keptMilliseconds = status.schedule.keptMilliseconds
    nextAtMilliseconds = status.nextAtMilliseconds
    isRunning = status.isRunning
    madeCount = status.madeCount
    failedCount = status.failedCount
    failure = status.failure
  }
}

extension StoredBackup {
  init(_ backup: ScheduledBackup) {
    self.init()
    file = backup.path
    madeAtMilliseconds = backup.madeAtMilliseconds
    byteCount = backup.byteCount
    sha256 = backup.sha256
  }
}
