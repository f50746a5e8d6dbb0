import QuiverRules

/// Changes a principal's profile, if the revision is still current.
///
/// If nothing differs, nothing is written and the revision stays.
package struct UpdateProfile: Command {
  private let principal: Int64?
  private let revision: UInt64
  private let change: Change
  private let prefix: String

  /// The fields to change; nil leaves a field as it is.
  package struct Change: Sendable, Equatable {
    /// Empty removes the name.
    package var displayName: String?
    /// Empty removes the time zone.
    package var timeZone: String?
    package var units: Int32?
    /// 0 removes the bowstyle.
    package var bow: Int32?
    /// 0 removes the gender category.
    package var gender: Int32?
    /// 0 removes the age group.
    package var age: Int32?

    package init() {}
  }

  /// The bytes that an update counts for the write rate of its caller.
  static let byteCount: Int64 = 512

  private static let update = Query(
    """
    UPDATE principal SET display_name = ?2, time_zone = ?3, units = ?4, updated_at_ms = ?5,
      bowstyle = ?6, gender = ?7, age_group = ?8, revision = revision + 1
    WHERE id = ?1
    """)

  /// Validates the change; `principal` nil stands for the caller, `prefix` is the path of the
  /// fields.
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
    try Self.check(change.bow, BowDivision.self, prefix + ".bowstyle")
    try Self.check(change.gender, GenderDivision.self, prefix + ".gender")
    try Self.check(change.age, AgeDivision.self, prefix + ".age_group")
    self.change = change
  }

  /// Throws unless a number is 0 or that of a case.
  private static func check<Value: RawRepresentable>(
    _ number: Int32?, _ type: Value.Type, _ field: String
  ) throws(StoreError) where Value.RawValue == Int32 {
    guard let number, number != 0, type.init(rawValue: number) == nil else { return }
    throw .invalid(field, "must be one of the known values")
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> PrincipalRecord {
    let id = principal ?? transaction.caller.principal
    let current = try transaction.snapshot.principal(id: id)
    try current.checkPresent()
    guard current.revision == revision else {
      throw .stale(
        revision, now: current.revision,
        principal == nil ? .profile(current) : .principal(current))
    }
    var wanted = current
    if let name = change.displayName { wanted.displayName = name }
    if let timeZone = change.timeZone { wanted.timeZone = timeZone }
    if let units = change.units.flatMap(PrincipalRecord.Units.init) { wanted.units = units }
    if let bow = change.bow { wanted.bow = BowDivision(rawValue: bow) }
    if let gender = change.gender { wanted.gender = GenderDivision(rawValue: gender) }
    if let age = change.age { wanted.age = AgeDivision(rawValue: age) }
    guard wanted != current else { return current }
    wanted.revision += 1
    wanted.updatedAtMilliseconds = transaction.nowMilliseconds
    try transaction.run(
      Self.update, .integer(id), .text(wanted.displayName), .text(wanted.timeZone),
      .integer(Int64(wanted.units.rawValue)), .integer(transaction.nowMilliseconds),
      .integer(Int64(wanted.bow?.rawValue ?? 0)), .integer(Int64(wanted.gender?.rawValue ?? 0)),
      .integer(Int64(wanted.age?.rawValue ?? 0)))
    try transaction.record(.updated, of: .principal, id: id, principal: id)
    try transaction.audit(
      AuditEntry(action: "principal.update", kind: .principal, objectID: id))
    // A row of the audit, which stays, and the profile.
    try transaction.countWritten(Self.byteCount)
    return wanted
  }
}

/// Validates the form of an IANA time zone's name, not that the zone exists.
enum TimeZoneName {
  /// Whether the text is empty, or consists of parts between slashes: letters, digits, `_`, `+` and
  /// `-`, starting with a letter.
  static func isWellFormed(_ name: String) -> Bool {
    guard !name.isEmpty else { return true }
    let bytes = Array(name.utf8)
    guard bytes.count <= StoreLimits.timeZoneLength, let first = bytes.first, isLetter(first)
    else { return false }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { isLetter($0) || isOther($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }

  private static func isOther(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
