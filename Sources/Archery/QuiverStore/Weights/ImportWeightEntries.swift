import QuiverRules

/// The result of an import of weight entries.
package struct WeightImportOutcome: Sendable, Equatable {
  package var added: Int64 = 0
  /// Entries that were stored already.
  package var unchanged: Int64 = 0

  init(_ comparison: WeightComparison) {
    added = Int64(comparison.missing.count)
    unchanged = comparison.unchangedCount
  }
}

/// Adds what a short comparison found missing, all of it or none.
///
/// Throws `aborted` if the log has changed since the comparison.
package struct ImportWeightEntries: Command {
  private let comparison: WeightComparison

  /// An import without new entries stores nothing.
  package var isRefusedAtQuota: Bool { !comparison.missing.isEmpty }

  /// - Parameter comparison: a short one; longer ones begin with ``StageWeightEntries``.
  package init(_ comparison: WeightComparison) {
    precondition(comparison.isShort, "A long comparison takes several commands.")
    self.comparison = comparison
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> WeightImportOutcome {
    try transaction.check(comparison)
    let outcome = WeightImportOutcome(comparison)
    if outcome.added > 0 { try transaction.countWeightEntries(adding: outcome.added) }
    for entry in comparison.missing { try transaction.insertImported(entry) }
    return outcome
  }
}

/// Stores a part of an import's missing entries, hidden from readers.
///
/// The first one begins the import. Each is bounded in rows and bytes, and ends earlier if other
/// commands wait.
package struct StageWeightEntries: Command {
  package static var isBulk: Bool { true }

  private let entries: ArraySlice<WeightComparison.Missing>
  private let importID: Int64?

  package struct Outcome: Sendable, Equatable {
    package let importID: Int64
    /// The number of entries that were stored, from the first one on.
    package let storedCount: Int
  }

  private static let begin = Query(
    "INSERT INTO weight_import (principal_id, server_id) VALUES (?1, ?2)", key: "id")
  private static let insert = Query(
    """
    INSERT INTO weight_import_entry (import_id, principal_id, day, measured_at_ms, thousandths,
      unit, note, body_fat)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """)

  /// - Parameters:
  ///   - entries: what is not stored yet.
  ///   - importID: the id that the first of these commands returned; nil for the first.
  package init(_ entries: ArraySlice<WeightComparison.Missing>, of importID: Int64?) {
    self.entries = entries
    self.importID = importID
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Outcome {
    let principal = transaction.caller.principal
    let id: Int64
    if let importID {
      try transaction.checkUndecided(importID)
      id = importID
    } else {
      id = try transaction.insert(
        Self.begin, .integer(principal), .integer(transaction.snapshot.session.server))
    }
    var slice = WeightSlice()
    for entry in entries {
      let content = entry.content
      try transaction.run(
        Self.insert, .integer(id), .integer(principal), .integer(Int64(content.day)),
        .integer(entry.measuredAtMilliseconds), .integer(content.thousandths),
        .integer(Int64(content.unit?.rawValue ?? 0)), .text(content.note),
        content.bodyFatPercent.map(SQLValue.real) ?? .null)
      if slice.isFull(after: entry, in: transaction) { break }
    }
    return Outcome(importID: id, storedCount: slice.count)
  }
}

/// Decides that an import takes place, once all of its entries are staged.
///
/// From this commit on the import is complete after any failure: what ``EndWeightImport`` has not
/// moved is moved when the store is opened again. Throws `aborted` if the log has changed since the
/// comparison.
package struct DecideWeightImport: Command {
  package static var storesContent: Bool { false }

  private let importID: Int64
  private let comparison: WeightComparison

  private static let decide = Query(
    "UPDATE weight_import SET decided_at_ms = ?2 WHERE id = ?1")

  package init(_ importID: Int64, _ comparison: WeightComparison) {
    self.importID = importID
    self.comparison = comparison
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> WeightImportOutcome {
    try transaction.checkUndecided(importID)
    try transaction.check(comparison)
    let outcome = WeightImportOutcome(comparison)
    try transaction.checkWeightEntryCount(adding: outcome.added)
    try transaction.run(
      Self.decide, .integer(importID), .integer(transaction.nowMilliseconds))
    return outcome
  }
}

/// Ends an import a slice at a time: moves staged entries into the log if it was decided, and
/// removes them if not. Returns whether all is done.
///
/// It runs also after its caller was disabled, since the import was decided before.
package struct EndWeightImport: Command {
  package static var isBulk: Bool { true }
  package static var storesContent: Bool { false }
  package static var needsActiveCaller: Bool { false }

  private let importID: Int64

  package init(_ importID: Int64) { self.importID = importID }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Bool {
    guard let isDecided = try transaction.isDecided(importID) else { return true }
    return isDecided
      ? try transaction.moveStagedWeights(importID) : try transaction.dropStagedWeights(importID)
  }
}

/// Counts what one command of an import has done.
struct WeightSlice {
  private(set) var count = 0
  private var byteCount = 0

  /// Counts an entry; returns whether the command must end.
  mutating func isFull(
    after entry: WeightComparison.Missing, in transaction: borrowing Transaction
  ) -> Bool {
    count += 1
    byteCount += entry.byteCount
    if count >= StoreLimits.weightsPerImportBatch { return true }
    if byteCount >= StoreLimits.importBatchByteCount { return true }
    return count % StoreLimits.weightsPerImportStep == 0 && transaction.othersWait
  }
}

extension Transaction {
  private static let state = Query(
    "SELECT decided_at_ms FROM weight_import WHERE id = ?1 AND principal_id = ?2")
  private static let staged = Query(
    """
    SELECT id, day, measured_at_ms, thousandths, unit, note, body_fat FROM weight_import_entry
    WHERE import_id = ?1 ORDER BY id LIMIT 1
    """)
  private static let unstage = Query("DELETE FROM weight_import_entry WHERE id = ?1")
  private static let drop = Query(
    """
    DELETE FROM weight_import_entry WHERE id IN (
      SELECT id FROM weight_import_entry WHERE import_id = ?1
      LIMIT \(StoreLimits.weightsPerImportStep))
    """)
  private static let end = Query("DELETE FROM weight_import WHERE id = ?1")

  /// Whether an import of the caller was decided; nil if there is no such import.
  fileprivate func isDecided(_ id: Int64) throws(StoreError) -> Bool? {
    try snapshot.first(Self.state, .integer(id), .integer(caller.principal)) { row in
      !row.isNull(0)
    }
  }

  fileprivate func checkUndecided(_ id: Int64) throws(StoreError) {
    guard try isDecided(id) == false else {
      throw StoreError(.aborted, "the import has ended", notProcessed: true)
    }
  }

  fileprivate func insertImported(_ entry: WeightComparison.Missing) throws(StoreError) {
    let id = try insertWeightEntry(
      entry.content, measuredAtMilliseconds: entry.measuredAtMilliseconds)
    try record(.created, of: .weightEntry, id: id, principal: caller.principal)
  }

  /// Moves a slice of the staged entries into the log; returns whether none is left.
  func moveStagedWeights(_ importID: Int64) throws(StoreError) -> Bool {
    var slice = WeightSlice()
    var isDone = false
    while true {
      let next = try snapshot.first(Self.staged, .integer(importID)) {
        (row) throws(StoreError) in
        (id: row.int64(0), entry: try WeightComparison.Missing(row))
      }
      guard let next else {
        isDone = true
        break
      }
      try insertImported(next.entry)
      try run(Self.unstage, .integer(next.id))
      if slice.isFull(after: next.entry, in: self) { break }
    }
    try addToWeightEntryCount(Int64(slice.count))
    if isDone { try run(Self.end, .integer(importID)) }
    return isDone
  }

  /// Removes a slice of the staged entries; returns whether none is left.
  func dropStagedWeights(_ importID: Int64) throws(StoreError) -> Bool {
    if try runCounting(Self.drop, .integer(importID)) > 0 { return false }
    try run(Self.end, .integer(importID))
    return true
  }
}

extension WeightComparison.Missing {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let unit = WeightUnit(rawValue: row.int32(4)) else {
      throw StoreError(.dataLoss, "an imported weight entry has an unknown unit")
    }
    self.init(
      content: WeightEntryContent(
        day: row.int32(1), thousandths: row.int64(3), unit: unit, note: row.text(5),
        bodyFatPercent: row.isNull(6) ? nil : row.double(6)),
      measuredAtMilliseconds: row.int64(2))
  }
}
