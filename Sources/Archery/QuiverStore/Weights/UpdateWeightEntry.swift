import QuiverRules

/// Changes the fields that the mask names, if the revision is still current.
///
/// If nothing differs, nothing is written and the revision stays.
package struct UpdateWeightEntry: Command {
  private let draft: WeightEntryDraft
  private let reference: ObjectReference
  private let revision: UInt64
  private let mask: UpdateMask
  private let prefix: String

  /// The fields that a mask may name.
  package static let fields: Set<String> = [
    "thousandths", "unit", "day", "measured_at_ms", "note", "body_fat_percent",
  ]

  private static let update = Query(
    """
    UPDATE weight_entry SET revision = revision + 1, updated_at_ms = ?2, day = ?3,
      measured_at_ms = ?4, clock_ahead = ?5, thousandths = ?6, unit = ?7, has_note = ?8, note = ?9,
      body_fat = ?10
    WHERE id = ?1
    """)

  /// Validates the mask and the revision; `prefix` is the path of the entry in the request.
  package init(
    _ draft: WeightEntryDraft, of reference: ObjectReference, revision: UInt64, mask: [String],
    prefix: String = "weight_entry"
  ) throws(StoreError) {
    self.mask = try UpdateMask(
      mask, revision: revision, prefix: prefix, isField: Self.fields.contains)
    guard draft.day != nil || !mask.contains("day") else {
      throw .invalid(prefix + ".day", "must be given where the mask names it")
    }
    guard
      !mask.contains("measured_at_ms")
        || (draft.measuredAtMilliseconds != 0
          && WeightEntryDraft.instantRange.contains(draft.measuredAtMilliseconds))
    else {
      throw .invalid(prefix + ".measured_at_ms", "must be an instant of the years 1 to 9999")
    }
    self.draft = draft
    self.reference = reference
    self.revision = revision
    self.prefix = prefix
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> WeightEntryRecord {
    let principal = transaction.caller.principal
    let current = try transaction.snapshot.weightEntry(reference, principal: principal)
    try current.checkPresent()
    guard current.revision == revision else {
      throw .stale(revision, now: current.revision, .weightEntry(current))
    }
    let wanted = try wantedContent(current)
    let (instant, isAhead) = wantedInstant(current, now: transaction.nowMilliseconds)
    guard wanted != current.content || instant != current.measuredAtMilliseconds else {
      return current
    }
    try transaction.run(
      Self.update, .integer(current.id), .integer(transaction.nowMilliseconds),
      .integer(Int64(wanted.day)), .integer(instant), .integer(isAhead ? 1 : 0),
      .integer(wanted.thousandths), .integer(Int64(wanted.unit?.rawValue ?? 0)),
      .integer(wanted.hasNote ? 1 : 0), .text(wanted.note),
      wanted.bodyFatPercent.map(SQLValue.real) ?? .null)
    try transaction.record(.updated, of: .weightEntry, id: current.id, principal: principal)
    return try transaction.weightEntry(id: current.id)
  }

  private func wantedContent(
    _ current: WeightEntryRecord
  ) throws(StoreError) -> WeightEntryContent {
    var wanted = current.content
    if mask.contains("thousandths") { wanted.thousandths = draft.thousandths }
    if mask.contains("unit") { wanted.unit = draft.unit }
    if mask.contains("day"), let day = draft.day { wanted.day = day }
    if mask.contains("note") { wanted.note = draft.note }
    if mask.contains("body_fat_percent") { wanted.bodyFatPercent = draft.bodyFatPercent }
    return try validating { [wanted] () throws(RuleViolation) in
      try wanted.validated(prefix: prefix)
    }
  }

  private func wantedInstant(_ current: WeightEntryRecord, now: Int64) -> (Int64, Bool) {
    guard mask.contains("measured_at_ms") else {
      return (current.measuredAtMilliseconds, current.isClockAhead)
    }
    let isAhead = draft.measuredAtMilliseconds > now + WeightEntryDraft.aheadMilliseconds
    return (isAhead ? now : draft.measuredAtMilliseconds, isAhead)
  }
}

extension WeightEntryRecord {
  /// Throws `notFound` for a deleted entry.
  func checkPresent() throws(StoreError) {
    guard deletedAtMilliseconds == 0 else {
      throw StoreError(.notFound, "this weight entry was deleted; it can be restored")
    }
  }
}
