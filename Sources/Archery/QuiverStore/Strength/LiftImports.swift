package import QuiverRules

/// Begins an import; returns its id. A principal has at most one unfinished import.
package struct BeginLiftImport: Command {
  // An import may have nothing new to store. What it stores counts in each of its batches.
  package static var storesContent: Bool { false }

  private let replaces: Bool

  private static let insert = Query(
    """
    INSERT INTO lift_import (principal_id, state, replaces, begun_at_ms, server_id)
    VALUES (?1, \(LiftImportState.open.rawValue), ?2, ?3, ?4)
    """, key: "id")
  private static let other = Query("SELECT id FROM lift_import WHERE principal_id = ?1 LIMIT 1")

  /// - Parameter replaces: whether the import replaces the existing sets when it finishes.
  package init(replaces: Bool) { self.replaces = replaces }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Int64 {
    let principal = transaction.caller.principal
    if try transaction.snapshot.first(Self.other, .integer(principal), map: { _ in true }) != nil {
      throw StoreError(
        .failedPrecondition, "another import of this account is running; wait until it ends",
        notProcessed: true)
    }
    return try transaction.insert(
      Self.insert, .integer(principal), .integer(replaces ? 1 : 0),
      .integer(transaction.nowMilliseconds), .integer(transaction.snapshot.session.server))
  }
}

/// Stores a batch of an import's sets, hidden from readers. It stores a part of the batch if other
/// commands wait.
package struct AppendLifts: Command {
  private let importID: Int64
  private let sets: [LiftSet]
  private let series: [ExerciseName: Int64]
  private let storedCount: Int64

  /// How many sets were stored.
  package struct Outcome: Sendable, Equatable {
    /// The number of stored sets from the first on; all of them unless other commands waited.
    package var storedCount = 0
    /// How long that took, without the commit.
    package var nanoseconds: UInt64 = 0
    /// The series of exercises that this batch has first.
    package var series: [ExerciseName: Int64] = [:]
  }

  private static let countStored = Query(
    "UPDATE lift_import SET stored_sets = stored_sets + ?2 WHERE id = ?1")

  package static var isBulk: Bool { true }

  /// - Parameters:
  /// - sets: at most `StoreLimits.setsPerImportBatch`, validated by the rules.
  /// - series: the series that the earlier batches returned.
  /// - storedCount: the number of sets that the earlier batches stored.
  package init(
    _ sets: [LiftSet], of importID: Int64, series: [ExerciseName: Int64], storedCount: Int64
  ) {
    precondition(sets.count <= StoreLimits.setsPerImportBatch, "A group of an import is bounded.")
    self.importID = importID
    self.sets = sets
    self.series = series
    self.storedCount = storedCount
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Outcome {
    try transaction.checkImport(importID, isEnding: false)
    guard storedCount + Int64(sets.count) <= StoreLimits.liftSetsPerPrincipal else {
      throw StoreError.reached(
        .liftSetsPerPrincipal, "an account may have \(StoreLimits.liftSetsPerPrincipal) sets",
        notProcessed: false)
    }
    var outcome = Outcome()
    let began = StoreClock.system.monotonicNanoseconds()
    for set in sets {
      let name = set.exercise
      let id: Int64
      if let known = series[name] ?? outcome.series[name] {
        id = known
      } else {
        id = try transaction.seriesID(
          of: try transaction.exerciseID(name), hiddenBy: importID)
        outcome.series[name] = id
      }
      _ = try transaction.insertSet(set, in: id)
      outcome.storedCount += 1
      guard outcome.storedCount % StoreLimits.setsPerImportStep == 0 else { continue }
      Processor.yield()
      if transaction.singlesWait { break }
      // Other bulk commands wait longer, as a commit has a cost of its own.
      let isTurn = outcome.storedCount % StoreLimits.setsPerBulkStep == 0
      if isTurn, transaction.othersWait { break }
    }
    outcome.nanoseconds = StoreClock.system.monotonicNanoseconds() &- began
    try transaction.run(
      Self.countStored, .integer(importID), .integer(Int64(outcome.storedCount)))
    // When imports follow one another, replaced sets are removed as fast as new ones arrive.
    _ = try LiftExpirer.expire(
      transaction.snapshot.session, atMost: Int64(outcome.storedCount))
    return outcome
  }
}

/// Begins the end of an import: until it finishes, its principal's sets cannot change one by one.
package struct BeginImportEnd: Command {
  package static var storesContent: Bool { false }

  private let importID: Int64

  private static let end = Query(
    "UPDATE lift_import SET state = \(LiftImportState.ending.rawValue) WHERE id = ?1")

  package init(_ importID: Int64) { self.importID = importID }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.checkImport(importID, isEnding: false)
    try transaction.run(Self.end, .integer(importID))
  }
}

/// Removes sets from an import that are stored already.
package struct DropImportedLifts: Command {
  package static var storesContent: Bool { false }

  private let importID: Int64
  private let ids: [Int64]

  package static var isBulk: Bool { true }

  private static let delete = Query("DELETE FROM lift_set WHERE id = ?1")

  package init(_ ids: [Int64], of importID: Int64) {
    self.importID = importID
    self.ids = ids
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.checkImport(importID, isEnding: true)
    for id in ids { try transaction.run(Self.delete, .integer(id)) }
  }
}

/// Makes the sets of an import readable, all at once.
package struct FinishLiftImport: Command {
  package static var storesContent: Bool { false }

  private let importID: Int64
  private let contents: LiftImportContents

  /// The result of an import.
  package struct Outcome: Sendable, Equatable {
    package var added: Int64 = 0
    package var removed: Int64 = 0
  }

  private static let replaces = Query("SELECT replaces FROM lift_import WHERE id = ?1")
  private static let discard = Query(
    """
    INSERT INTO lift_garbage (series_id)
    SELECT id FROM lift_series WHERE principal_id = ?1 AND import_id = 0
    """)
  private static let forget = Query(
    "DELETE FROM lift_series WHERE principal_id = ?1 AND import_id = 0")
  private static let readable = Query(
    """
    SELECT r.id FROM lift_series s JOIN lift_series r ON r.exercise_id = s.exercise_id
    WHERE s.id = ?1 AND r.import_id = 0 ORDER BY r.id LIMIT 1
    """)
  private static let seriesCount = Query(
    "SELECT count(*) FROM lift_series WHERE principal_id = ?1 AND import_id = 0")
  private static let move = Query("UPDATE lift_set SET series_id = ?2 WHERE series_id = ?1")
  private static let delete = Query("DELETE FROM lift_series WHERE id = ?1")
  private static let show = Query("UPDATE lift_series SET import_id = 0 WHERE id = ?1")

  /// - Parameter contents: summarized after the last batch was stored and duplicates were removed.
  package init(_ importID: Int64, _ contents: LiftImportContents) {
    self.importID = importID
    self.contents = contents
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Outcome {
    let principal = transaction.caller.principal
    try transaction.checkImport(importID, isEnding: true)
    var outcome = Outcome()
    let replaces = try transaction.snapshot.first(Self.replaces, .integer(importID)) { row in
      row.bool(0)
    }
    if replaces ?? false {
      outcome.removed = try transaction.snapshot.liftSetCount(principal: principal)
      try transaction.run(Self.discard, .integer(principal))
      try transaction.run(Self.forget, .integer(principal))
      try transaction.countSets(adding: -outcome.removed)
    }
    outcome.added = contents.summaries.reduce(0) { $0 + $1.setCount }
    try transaction.countSets(adding: outcome.added)
    let isSmall = outcome.added <= Int64(StoreLimits.setsPerImportBatch)
    if !isSmall { try checkSeriesCount(transaction) }
    for summary in contents.summaries {
      try show(summary, joining: isSmall, transaction)
    }
    try transaction.forgetImport(importID)
    if outcome != Outcome() {
      try transaction.record(.updated, of: .strengthLog, id: principal, principal: principal)
    }
    return outcome
  }

  /// Throws if the account would have too many series: the import that replaces all of them, and
  /// the reads of a log, go through each.
  private func checkSeriesCount(_ transaction: borrowing Transaction) throws(StoreError) {
    let count = try transaction.snapshot.first(
      Self.seriesCount, .integer(transaction.caller.principal), map: { row in row.int64(0) })
    let added = contents.summaries.count { $0.setCount > 0 }
    guard (count ?? 0) + Int64(added) <= StoreLimits.liftSeriesPerPrincipal else {
      throw StoreError.reached(
        .liftSeriesPerPrincipal,
        """
        an account may have \(StoreLimits.liftSeriesPerPrincipal) series of sets, and a large \
        import adds one for each of its exercises; import the whole log with REPLACE, or at most \
        \(StoreLimits.setsPerImportBatch) sets at a time
        """, notProcessed: false)
    }
  }

  /// Few sets are moved to the series that is readable already; many keep their own series, which
  /// only changes its state.
  private func show(
    _ summary: LiftSeriesSummary, joining: Bool, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard summary.setCount > 0 else {
      try transaction.run(Self.delete, .integer(summary.series))
      return
    }
    let readable = try transaction.snapshot.first(
      Self.readable, .integer(summary.series), map: { row in row.int64(0) })
    guard joining, let readable else {
      try transaction.keep(summary)
      try transaction.run(Self.show, .integer(summary.series))
      return
    }
    let joined = try transaction.snapshot.storedSummary(of: readable)
      .joined(with: summary, transaction.snapshot)
    try transaction.run(Self.move, .integer(summary.series), .integer(readable))
    try transaction.run(Self.delete, .integer(summary.series))
    try transaction.keep(joined)
  }
}

/// Discards an import: its sets are never read. Discarding it again changes nothing.
package struct AbandonLiftImport: Command {
  package static var storesContent: Bool { false }

  private let importID: Int64

  package static var needsActiveCaller: Bool { false }

  package init(_ importID: Int64) { self.importID = importID }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.discardImport(importID)
  }
}

extension Transaction {
  private static let state = Query(
    "SELECT state FROM lift_import WHERE id = ?1 AND principal_id = ?2")
  private static let ending = Query(
    """
    SELECT id FROM lift_import
    WHERE principal_id = ?1 AND state = \(LiftImportState.ending.rawValue)
    """)
  private static let discard = Query(
    """
    INSERT INTO lift_garbage (series_id)
    SELECT id FROM lift_series WHERE principal_id = ?2 AND import_id = ?1
    """)
  // Import 0 hides nothing.
  private static let forgetSeries = Query(
    "DELETE FROM lift_series WHERE principal_id = ?2 AND import_id = ?1 AND import_id <> 0")
  private static let forget = Query("DELETE FROM lift_import WHERE id = ?1")
  private static let unused = Query(
    """
    DELETE FROM exercise WHERE principal_id = ?1
      AND NOT EXISTS (SELECT 1 FROM lift_series s WHERE s.exercise_id = exercise.id)
    """)

  /// Throws if an import is not the caller's, has finished, or has not reached this state.
  func checkImport(_ id: Int64, isEnding: Bool) throws(StoreError) {
    let state = try snapshot.first(
      Self.state, .integer(id), .integer(caller.principal),
      map: { row in LiftImportState(rawValue: row.int64(0)) })
    guard state == .some(isEnding ? .ending : .open) else {
      throw StoreError(.aborted, "the import was cancelled")
    }
  }

  /// Throws while an import of the caller compares its sets with the stored ones.
  func checkNoImportEnds() throws(StoreError) {
    guard try snapshot.first(Self.ending, .integer(caller.principal), map: { _ in true }) == nil
    else {
      throw StoreError(
        .unavailable, "an import of this account is being completed; try again",
        notProcessed: true)
    }
  }

  func forgetImport(_ id: Int64) throws(StoreError) {
    try run(Self.forget, .integer(id))
    try run(Self.unused, .integer(caller.principal))
  }

  fileprivate func discardImport(_ id: Int64) throws(StoreError) {
    guard id > 0 else { return }
    try run(Self.discard, .integer(id), .integer(caller.principal))
    try run(Self.forgetSeries, .integer(id), .integer(caller.principal))
    try forgetImport(id)
  }
}

/// The state of an import. The raw values are stored.
enum LiftImportState: Int64, Sendable {
  case open = 1
  /// Its principal's sets cannot change one by one until it has finished.
  case ending = 2
}
