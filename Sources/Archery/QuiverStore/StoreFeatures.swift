/// The registrations of the features with the engine: migrations, recovery, expiry, verification
/// and commit observers.
///
/// The engine names no feature. A feature adds itself to the lists of this file.
struct StoreFeatures {
  let equipmentCache = EquipmentCache()
  let keptReplies = KeptReplies()
  let keptComparisons: KeptComparisons
  let leaderboards: Leaderboards
  let permissions = PermissionObserver()
  let erasures = AccountErasures()
  let devices = DevicePresence()

  init(readers: ReaderPool) {
    keptComparisons = KeptComparisons(isShared: readers.isShared)
    leaderboards = Leaderboards(readers: readers)
  }

  /// Called after each commit, in this order.
  var observers: [any CommitObserver] {
    [equipmentCache, keptReplies, keptComparisons, leaderboards, permissions, erasures]
  }

  /// Run when a store is opened, outside of a transaction, until all is done, to discard or
  /// complete what a process that ended left unfinished.
  static let recoveries = [
    Recovery(run: LiftExpirer.discardImports), Recovery(run: WeightImportRecovery.run),
  ]

  /// Run while the store is open, a slice at a time, to remove rows that are no longer needed.
  static let expiries = [
    Expiry(run: WeightExpirer.expire), Expiry(run: LiftExpirer.expire),
  ]

  /// Run by ``Store/verify()``, in this order.
  static let checks: [Verification.Check] = [
    Verification.Check(subject: .pages, isOnlySQLite: true, run: PageVerification.run),
    Verification.Check(subject: .schema, isOnlySQLite: true, run: SchemaCheck.run),
    Verification.Check(subject: .audit, run: AuditCheck.run),
    Verification.Check(subject: .journal, run: SequenceCheck.journal),
    Verification.Check(subject: .idempotencyKeys, run: SequenceCheck.idempotencyKeys),
    Verification.Check(subject: .counts, run: EquipmentCountCheck.run),
    Verification.Check(subject: .counts, run: TallyCheck.run),
    Verification.Check(subject: .counts, run: ScoringCountCheck.run),
    Verification.Check(subject: .counts, run: RoundCheck.run),
    Verification.Check(subject: .usage, run: UsageCheck.run),
    Verification.Check(subject: .rollups, run: RollupCheck.run),
    Verification.Check(subject: .logbook, run: LogbookCheck.run),
  ]
}

extension SQLiteSchema {
  /// What makes the schema of a new store, in order: each script uses what those before it make.
  static let scripts = [
    kernel, times, equipment, accounts, bowSetups, scoring, tournaments, rollups, acting, weightLog,
    strengthLog, certificates, weightImports, erasure, events, elimination, teams, doubleScoring,
    leases, qualificationRounds, notices, endedPermissions, serverPresence, devices, targetCalls,
    typedTotals, sharing, usage,
  ]
}

extension Table {
  /// Every table of the store.
  static let all: [Table] =
    [
      ofEngine, ofUsage, ofAccounts, ofEquipment, ofItems, ofSetups, ofScoring, ofTournaments,
      ofComparison, ofWeights, ofStrength, ofEvents, ofNotices, ofElimination, ofDoubleScoring,
      ofCardDistances,
      ofLeases, ofPermissions, ofServers, ofDevices, ofTargetCalls, ofTypedTotals, ofSharing,
    ].flatMap { $0 }
}
