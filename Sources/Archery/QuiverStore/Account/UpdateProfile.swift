import QuiverRules

/// Changes what a principal says of itself, in the revision that was read.
///
/// Where nothing is different, nothing is written and the revision stays.
package struct UpdateProfile: Command {
  private let principal: Int64?
  private let revision: UInt64
  private let change: Change
  private let prefix: String

  /// The fields that are to be changed; nil is as it was.
  package struct Change: Sendable, Equatable {
    /// Empty is no name.
    package var displayName: String?
    /// Empty is none.
    package var timeZone: String?
    package var units: Int32?

    package init() {}
  }

  private static let update = Query(
    """
    UPDATE principal SET display_name = ?2, time_zone = ?3, units = ?4, updated_at_ms = ?5,
      revision = revision + 1
    WHERE id = ?1
    """)

  /// Checks the change; `principal` is nil for the caller itself, `prefix` the path of the fields.
  package init(
    of principal: Int64? = nil, revision: UInt64, _ change: Change, prefix: String = "profile"
  ) throws(StoreError) {
    self.principal = principal
    self.revision = revision
    self.prefix = prefix
    guard revision > 0 else {
      throw .invalid(prefix + ".revision", "must be the revision that was read, from 1")
    }
    var change = change
    if let name = change.displayName {
      change.displayName = try DisplayName.stored(
        name, mayBeEmpty: true, field: prefix + ".display_name")
    }
    if let timeZone = change.timeZone, !TimeZoneName.isWellFormed(timeZone) {
      throw .invalid(
        prefix + ".time_zone", "must be an IANA name, as in Europe/Zurich, or empty")
    }
    if let units = change.units, PrincipalRecord.Units(rawValue: units) == nil {
      throw .invalid(prefix + ".units", "must be metric, imperial or unspecified")
    }
    self.change = change
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> PrincipalRecord {
    let id = principal ?? transaction.caller.principal
    let current = try transaction.snapshot.principal(id: id)
    try current.checkPresent()
    guard current.revision == revision else {
      throw StoreError(
        .aborted, "it was changed since revision \(revision); it is at \(current.revision)",
        current: current)
    }
    var wanted = current
    if let name = change.displayName { wanted.displayName = name }
    if let timeZone = change.timeZone { wanted.timeZone = timeZone }
    if let units = change.units.flatMap(PrincipalRecord.Units.init) { wanted.units = units }
    guard wanted != current else { return current }
    wanted.revision += 1
    wanted.updatedAtMilliseconds = transaction.nowMilliseconds
    try transaction.run(
      Self.update, .integer(id), .text(wanted.displayName), .text(wanted.timeZone),
      .integer(Int64(wanted.units.rawValue)), .integer(transaction.nowMilliseconds))
    try transaction.record(.updated, of: .principal, id: id, principal: id)
    try transaction.audit(
      AuditEntry(action: "principal.update", kind: .principal, objectID: id))
    return wanted
  }
}
