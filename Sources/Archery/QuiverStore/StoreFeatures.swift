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

extension Migration {
  /// Every step of the schema, in order. A released step never changes; add a new one.
  static let all: [Migration] = [
    Migration(number: 1, name: "kernel, principals, equipment", script: kernel + equipment),
    Migration(number: 2, name: "profiles, preferences, scopes, invites", script: accounts),
    Migration(number: 3, name: "bow setups, sight marks", script: bowSetups),
    Migration(number: 4, name: "indexes of accounts", script: accountIndexes),
    Migration(number: 5, name: "rounds, tournaments", script: scoring + tournaments),
    Migration(number: 6, name: "rollups of arrows", script: rollups),
    Migration(number: 7, name: "acting for users", script: acting),
    Migration(number: 8, name: "body weight, strength", script: weightLog + strengthLog),
    Migration(number: 9, name: "days of rounds", script: roundDays),
    Migration(
      number: 10, name: "deleted weight plans, hashes of what is gone", script: goneContent),
    Migration(number: 11, name: "certificates, times of the store", script: certificates + times),
    Migration(number: 12, name: "times of records", script: recordTimes),
    Migration(number: 13, name: "usage by principal", script: usage),
    Migration(number: 14, name: "scopes of acting", script: actingScopes),
    Migration(number: 15, name: "categories of archers", script: archerCategories),
    Migration(number: 16, name: "imports of weights", script: weightImports),
    Migration(number: 17, name: "usage of administration", script: administrationUsage),
    Migration(number: 18, name: "conditions of sessions", script: sessionConditions),
    Migration(number: 19, name: "numbers of shafts", script: shafts),
    Migration(number: 20, name: "erasure of accounts", script: erasure),
    Migration(number: 21, name: "structure of events", script: events),
    Migration(number: 22, name: "elimination", script: elimination),
    Migration(number: 23, name: "ties, turns, targets of matches", script: stages),
    Migration(number: 24, name: "owners of operations and entries", script: owners),
    Migration(number: 25, name: "teams and groups", script: teams),
    Migration(
      number: 26, name: "records of exercises, numbers of operations",
      script: liftRecords + operationCounts),
    Migration(number: 27, name: "commands count what they insert", script: commandCounts),
    Migration(number: 28, name: "second cards, confirmations", script: doubleScoring),
    Migration(number: 29, name: "leases of targets", script: leases),
    Migration(number: 30, name: "rounds of a qualification", script: qualificationRounds),
    Migration(
      number: 31, name: "what repeated operations stand for", script: repeatedOperations),
    Migration(number: 32, name: "notices, pauses of the shooting", script: notices),
    Migration(number: 33, name: "exempt seeds", script: exemptSeeds),
    Migration(number: 34, name: "times that no store saw", script: timeGaps),
    Migration(number: 35, name: "ended permissions", script: endedPermissions),
    Migration(number: 36, name: "owners of imports", script: serverPresence),
    Migration(number: 37, name: "devices of events", script: devices),
    Migration(number: 38, name: "calls from targets", script: targetCalls),
    Migration(number: 39, name: "typed totals", script: typedTotals),
    Migration(number: 40, name: "rounds without arrows", script: pastRounds),
    Migration(number: 41, name: "what users let others read", script: sharing),
    Migration(number: 42, name: "visibility of events", script: visibility),
    Migration(number: 43, name: "shots of ties, fixed places", script: tieShots),
    Migration(number: 44, name: "blocked places, wheelchairs", script: sessionPlaces),
  ]
}

extension Table {
  /// Every table of the store.
  static let all: [Table] =
    [
      ofEngine, ofUsage, ofAccounts, ofEquipment, ofItems, ofSetups, ofScoring, ofTournaments,
      ofComparison, ofWeights, ofStrength, ofEvents, ofNotices, ofElimination, ofDoubleScoring,
      ofLeases, ofPermissions, ofServers, ofDevices, ofTargetCalls, ofTypedTotals, ofSharing,
    ].flatMap { $0 }
}
