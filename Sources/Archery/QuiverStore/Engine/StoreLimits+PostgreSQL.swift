/// The limits of stores on PostgreSQL.
extension StoreLimits {
  /// Commands that a server runs at once on PostgreSQL.
  package static let databaseWorkers = 16

  /// Connections to PostgreSQL for reads.
  package static let databaseReaders = 12

  /// How long one statement may take on PostgreSQL, and how long a transaction may be idle.
  package static let databaseMilliseconds: UInt64 = 10_000

  /// The pause after a connection to PostgreSQL could not be made: it doubles from the first to the
  /// second.
  package static let firstReconnectMilliseconds: UInt64 = 100
  package static let reconnectMilliseconds: UInt64 = 2_000

  /// How often the journal of PostgreSQL is read without a notification, and while it has rows
  /// behind which an earlier transaction has not ended.
  package static let journalPollMilliseconds: UInt64 = 1_000
  package static let pendingJournalMilliseconds: UInt64 = 10

  /// How often ended permissions are read from PostgreSQL without a notification; how long before a
  /// new connection they are read again; after what time a server takes those of its own commits
  /// from there too; and how long their rows are kept.
  package static let permissionPollMilliseconds: UInt64 = 250
  package static let permissionOverlapMilliseconds: Int64 = 60_000
  package static let ownPermissionMilliseconds: UInt64 = 2_000
  package static let endedPermissionKeepMilliseconds: Int64 = 7 * 24 * 3_600_000

  /// How often a server tells others on PostgreSQL that it runs, in turns of its background work,
  /// and after what time without that its imports are ended.
  static let housekeepingTurnsPerPresence = 5
  static let presenceMilliseconds: UInt64 = 20_000

  /// How long the transaction of a command stays open while a permission ends.
  package static let openTransactionMilliseconds: UInt64 = 1_000

  /// The latest rows that a server keeps outside of PostgreSQL to notice that it was set back, and
  /// the epochs that a store knows of.
  static let acknowledgedRows = 64
  static let pastEpochs = 64

  /// How long a call waits for the store to come to the position that it states, and how often
  /// PostgreSQL is asked meanwhile.
  package static let positionWaitMilliseconds: UInt64 = 1_000
  package static let positionPollMilliseconds: UInt64 = 20

  /// Calls that wait for a position, and those of one principal.
  package static let positionWaits = 1_024
  package static let positionWaitsPerPrincipal = 16

  /// How often a server looks how far its replica has come, its pause between two looks that calls
  /// want, and how long the replica may be behind before all reads run on the primary.
  package static let replicaLookMilliseconds: UInt64 = 100
  package static let replicaPauseMilliseconds: UInt64 = 5
  package static let replicaLagMilliseconds: UInt64 = 2_000

  /// Rows of the journal of PostgreSQL that a server compares on each new connection.
  package static let seenJournalRows = 256

  /// How often the background work of a store on PostgreSQL has a turn, and in how many turns one
  /// sums the idempotency keys, and continues erasures.
  package static let housekeepingMilliseconds: UInt64 = 1_000
  package static let housekeepingTurnsPerSum = 10
  package static let housekeepingTurnsPerErasure = 60
}
