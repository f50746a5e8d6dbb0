package import QuiverRules

/// Changes the fields that the mask names, if the revision is still current.
///
/// If nothing differs, nothing is written and the revision stays.
package struct UpdateSightMark: Command {
  private let content: SightMarkContent
  private let reference: ObjectReference
  private let revision: UInt64
  private let mask: UpdateMask
  private let prefix: String

  /// The fields that a mask may name.
  package static let fields: Set<String> = ["distance", "unit", "mark_value", "notes"]

  private static let update = Query(
    """
    UPDATE sight_mark SET revision = revision + 1, updated_at_ms = ?2, distance = ?3, unit = ?4,
      mark_value = ?5, notes = ?6
    WHERE id = ?1
    """)

  /// Validates the mask and the revision; `prefix` is the path of the mark in the request.
  package init(
    _ content: SightMarkContent, of reference: ObjectReference, revision: UInt64,
    mask: [String], prefix: String = "sight_mark"
  ) throws(StoreError) {
    self.mask = try UpdateMask(
      mask, revision: revision, prefix: prefix, isField: Self.fields.contains)
    self.content = content
    self.reference = reference
    self.revision = revision
    self.prefix = prefix
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> SightMarkRecord {
    let principal = transaction.caller.principal
    let current = try transaction.snapshot.sightMark(reference, principal: principal)
    guard current.revision == revision else {
      throw .stale(revision, now: current.revision, .sightMark(current))
    }
    var named = current.content
    if mask.contains("distance") { named.distance = content.distance }
    if mask.contains("unit") { named.unit = content.unit }
    if mask.contains("mark_value") { named.markValue = content.markValue }
    if mask.contains("notes") { named.notes = content.notes }
    let wanted = try validating { [named] () throws(RuleViolation) in
      try named.validated(prefix: prefix)
    }
    guard wanted != current.content else { return current }
    try transaction.run(
      Self.update, .integer(current.id), .integer(transaction.nowMilliseconds),
      .real(wanted.distance), .integer(Int64(wanted.unit?.rawValue ?? 0)),
      .real(wanted.markValue), .text(wanted.notes))
    try transaction.record(.updated, of: .sightMark, id: current.id, principal: principal)
    return try transaction.sightMark(id: current.id)
  }
}

/// Deletes a mark; revision 0 matches any revision.
package struct DeleteSightMark: Command {
  package static var storesContent: Bool { false }

  private let reference: ObjectReference
  private let revision: UInt64

  private static let delete = Query("DELETE FROM sight_mark WHERE id = ?1")

  package init(_ reference: ObjectReference, revision: UInt64 = 0) {
    self.reference = reference
    self.revision = revision
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let principal = transaction.caller.principal
    let current = try transaction.snapshot.sightMark(reference, principal: principal)
    try transaction.check(revision, of: current.revision, .sightMark(current))
    try transaction.run(Self.delete, .integer(current.id))
    try transaction.record(.deleted, of: .sightMark, id: current.id, principal: principal)
  }
}
