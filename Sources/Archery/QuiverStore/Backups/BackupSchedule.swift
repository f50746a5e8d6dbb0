/// When scheduled backups are made, where, and which of them are kept.
package struct BackupSchedule: Sendable, Equatable {
  /// The directory of the backups, absolute; it is created where its parent exists.
  package var directory: String
  /// From the start of one backup to the start of the next.
  package var intervalMilliseconds: Int64
  /// How many backups are kept.
  package var keptCount: Int
  /// How long a backup is kept, of the time that the store runs. The newest verified one is always
  /// kept.
  package var keptMilliseconds: Int64

  /// A day; a week of backups; 30 days.
  package init(
    directory: String, intervalMilliseconds: Int64 = 24 * 3_600_000, keptCount: Int = 7,
    keptMilliseconds: Int64 = 30 * 24 * 3_600_000
  ) {
    self.directory = directory
    self.intervalMilliseconds = intervalMilliseconds
    self.keptCount = keptCount
    self.keptMilliseconds = keptMilliseconds
  }
}

/// A backup in the directory of a schedule.
package struct ScheduledBackup: Sendable, Equatable {
  package let path: String
  /// When it began, to the second, from its name.
  package let madeAtMilliseconds: Int64
  package let byteCount: Int64
  /// The SHA-256 in the file beside it; empty if there is none: it was not verified.
  package let sha256: [UInt8]

  package var isVerified: Bool { !sha256.isEmpty }
}

/// What happened in a schedule.
package enum BackupEvent: Sendable {
  /// A backup was written and verified.
  case made(BackupFile, milliseconds: Int64)
  /// No backup could be made, or what is old could not be removed; it is tried again after so many
  /// milliseconds.
  case failed(StoreError, retryMilliseconds: Int64)
  /// A backup that need not be kept was removed.
  case removed(path: String)
}

/// A schedule and its backups now.
package struct BackupStatus: Sendable, Equatable {
  package var schedule: BackupSchedule
  /// Newest first; at most ``StoreLimits/listedBackups``.
  package var backups: [ScheduledBackup] = []
  /// When the schedule began in this process.
  package var beganAtMilliseconds: Int64 = 0
  /// When the next backup is due; in the past if it is late.
  package var nextAtMilliseconds: Int64 = 0
  package var isRunning = false
  package var madeCount: UInt64 = 0
  package var failedCount: UInt64 = 0
  /// Why the latest attempt failed; empty if it did not.
  package var failure = ""

  /// When the newest verified backup began; nil if there is none.
  package var newestMilliseconds: Int64? {
    backups.lazy.filter(\.isVerified).map(\.madeAtMilliseconds).max()
  }
}
