package import QuiverRules

/// Adds the entries of a file, all of them or none, without those that are stored already.
///
/// The k-th of identical entries of a day equals the k-th stored one. Their time is noon UTC of
/// their day, one millisecond apart.
package struct ImportWeightEntries: Command {
  private let entries: [WeightEntryContent]

  /// The result of an import.
  package struct Outcome: Sendable, Equatable {
    package var added: Int64 = 0
    package var unchanged: Int64 = 0
  }

  private static let stored = Query(
    """
    SELECT day, thousandths, unit, note, body_fat FROM weight_entry
    WHERE principal_id = ?1 AND deleted_at_ms IS NULL AND day = ?2
    """)

  /// The rules have validated the entries.
  package init(_ entries: [WeightEntryContent]) { self.entries = entries }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Outcome {
    var outcome = Outcome()
    let principal = transaction.caller.principal
    var known: [Key: Int] = [:]
    // Only the days in the file, not those between them: the log may be long.
    for day in Set(entries.map(\.day)) {
      let stored = try transaction.snapshot.all(
        Self.stored, .integer(principal), .integer(Int64(day)), map: { row in Key(row) })
      for key in stored { known[key, default: 0] += 1 }
    }
    var ordinals: [Int32: Int64] = [:]
    for entry in entries {
      let key = Key(entry)
      ordinals[entry.day, default: 0] += 1
      if let count = known[key], count > 0 {
        known[key] = count - 1
        outcome.unchanged += 1
        continue
      }
      let noon = Int64(entry.day) * 86_400_000 + 43_200_000
      let id = try transaction.insertWeightEntry(
        entry, measuredAtMilliseconds: noon + (ordinals[entry.day] ?? 0))
      try transaction.record(.created, of: .weightEntry, id: id, principal: principal)
      outcome.added += 1
    }
    if outcome.added > 0 { try transaction.countWeightEntries(adding: outcome.added) }
    return outcome
  }

  /// What makes two entries identical.
  private struct Key: Hashable {
    var day: Int32
    var thousandths: Int64
    var unit: Int32
    /// As bytes, since Swift compares strings by canonical equivalence.
    var note: [UInt8]
    var bodyFat: Double?

    init(_ content: WeightEntryContent) {
      day = content.day
      thousandths = content.thousandths
      unit = content.unit?.rawValue ?? 0
      note = Array(content.note.utf8)
      bodyFat = content.bodyFatPercent
    }

    init(_ row: Row) {
      day = row.int32(0)
      thousandths = row.int64(1)
      unit = row.int32(2)
      note = Array(row.text(3).utf8)
      bodyFat = row.isNull(4) ? nil : row.double(4)
    }
  }
}
