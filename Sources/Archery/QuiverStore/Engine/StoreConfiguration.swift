import Glibc

/// How a store is opened.
package struct StoreConfiguration: Sendable {
  /// The data directory; made, with mode 0700, where it is not there.
  package var directory: String

  /// Whether a missing or empty directory is given a new database; if not, opening it fails.
  package var createsDatabase = true

  /// The address of a database of PostgreSQL, as libpq takes it, without a password; nil: the
  /// store is on SQLite in the data directory.
  package var databaseAddress: String?

  /// The address of a replica of that database, for reads of calls that state a position; nil: all
  /// reads run on the primary.
  package var readDatabaseAddress: String?

  /// Commands that run at once on PostgreSQL, each on a connection of its own.
  package var databaseWorkers = StoreLimits.databaseWorkers

  package var clock: StoreClock
  package var hooks: StoreHooks

  /// Commands that may wait for the writer.
  package var queuedCommands: Int

  /// Commands that share one commit at most.
  package var commandsPerBatch = StoreLimits.commandsPerBatch

  /// What one principal may store.
  package var quotas = StoreQuotas()

  /// How long a read may take.
  package var readMilliseconds = StoreLimits.readMilliseconds

  /// What a start does if the wall clock is more than a day behind the stored time.
  package var clockPolicy = ClockPolicy.refuse

  /// The largest database, in bytes, that is checked before it is served.
  package var checkedBeforeServingByteCount = StoreLimits.checkedBeforeServingByteCount

  /// The layer that files are reached by (`sqlite3_vfs`); nil is the system's own.
  package var fileSystem: String?

  /// How long the scrub waits between `StoreLimits.scrubbedPages` pages and the next.
  package var scrubIntervalMilliseconds: UInt64 = 1_000

  package init(
    directory: String, clock: StoreClock = .system, hooks: StoreHooks = StoreHooks(),
    queuedCommands: Int = StoreLimits.queuedCommands
  ) {
    self.directory = directory
    self.clock = clock
    self.hooks = hooks
    self.queuedCommands = queuedCommands
  }
}

/// What the store tells the process around it, on a thread of its own; none of it may block.
package struct StoreHooks: Sendable {
  /// A write or fsync failed: nothing more is acknowledged, and the process must exit.
  package var fatal: @Sendable (StoreError) -> Void

  /// Permissions ended, and that is committed and acknowledged: the connections and streams that
  /// rest on them must be ended.
  package var permissionsEnded: @Sendable (PermissionChanges) -> Void

  /// Tokens have another expiry, as read in the journal that several servers share.
  package var tokensReplaced: @Sendable ([TokenEnd]) -> Void = { _ in }

  /// At the start the wall clock differed from stored time by so many milliseconds, more than an
  /// hour; positive if the clock was ahead. Called while the store opens.
  package var clockDiffered: @Sendable (Int64) -> Void = { _ in }

  /// From now on nothing can be stored, for that reason, while reads continue; nil: it can again.
  package var storingChanged: @Sendable (StoreError?) -> Void = { _ in }

  /// From now on reads run on the primary alone, for that reason; nil: the replica can be read.
  package var replicaChanged: @Sendable (StoreError?) -> Void = { _ in }

  /// A commit made rows of the change journal up to this sequence visible.
  package var committed: @Sendable (Int64) -> Void

  /// The check that ran behind serving has ended: nil where all is well, else what is damaged.
  ///
  /// Hooks that are installed later are called at once.
  package var checked: @Sendable (StoreError?) -> Void

  package init(
    fatal: @escaping @Sendable (StoreError) -> Void = { _ in },
    permissionsEnded: @escaping @Sendable (PermissionChanges) -> Void = { _ in },
    committed: @escaping @Sendable (Int64) -> Void = { _ in },
    checked: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    self.checked = checked
    self.fatal = fatal
    self.permissionsEnded = permissionsEnded
    self.committed = committed
  }
}

/// A token, and when it expires in milliseconds since 1970-01-01.
package struct TokenEnd: Sendable, Equatable {
  package let id: Int64
  package let expiresAtMilliseconds: Int64
}

/// The two clocks that the store reads, so that tests can hold them.
package struct StoreClock: Sendable {
  /// Nanoseconds of CLOCK_MONOTONIC, which never decrease; deadlines are on this clock.
  package let monotonicNanoseconds: @Sendable () -> UInt64

  /// Milliseconds of UTC since 1970-01-01, which may jump.
  package let wallMilliseconds: @Sendable () -> Int64

  package init(
    monotonicNanoseconds: @escaping @Sendable () -> UInt64,
    wallMilliseconds: @escaping @Sendable () -> Int64
  ) {
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallMilliseconds = wallMilliseconds
  }

  /// The system's clocks.
  package static let system = StoreClock(
    monotonicNanoseconds: {
      let time = read(CLOCK_MONOTONIC)
      return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    },
    wallMilliseconds: {
      let time = read(CLOCK_REALTIME)
      return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000
    })

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

/// What the writer has done since the store was opened.
package struct StoreStatistics: Sendable, Equatable {
  /// Groups that were committed, each with one fsync.
  package internal(set) var committedBatches: UInt64 = 0

  /// Commands that had their effect.
  package internal(set) var committedCommands: UInt64 = 0

  /// Commands that were answered from a stored reply.
  package internal(set) var replayedCommands: UInt64 = 0

  /// Commands that were refused, by themselves or with their group.
  package internal(set) var refusedCommands: UInt64 = 0

  /// The most commands that one group held.
  package internal(set) var largestBatch = 0

  package internal(set) var checkpoints: UInt64 = 0

  /// The write-ahead log after the latest commit, in bytes that hold frames in use.
  package internal(set) var walByteCount = 0

  /// Old rows that were swept.
  package internal(set) var expiredRows: UInt64 = 0
}
