package import QuiverRules

/// A user, a service or an administrator.
package struct PrincipalRecord: Sendable, Equatable {
  package let id: Int64
  package let kind: Kind

  /// The name that it chose; empty if it chose none.
  package internal(set) var displayName: String

  package let createdAtMilliseconds: Int64

  /// Starts at 1; each change of name, time zone or units adds 1.
  package internal(set) var revision: UInt64 = 1

  package internal(set) var updatedAtMilliseconds: Int64

  /// An IANA name; empty if none was chosen.
  package internal(set) var timeZone = ""

  package internal(set) var units = Units.unspecified

  /// When it was disabled; nil if its tokens are accepted.
  package internal(set) var disabledAtMilliseconds: Int64?

  /// When its account was deleted; nil if it exists.
  package internal(set) var deletedAtMilliseconds: Int64?

  /// Its category in competitions; each nil if it was not chosen.
  package internal(set) var bow: BowDivision?
  package internal(set) var gender: GenderDivision?
  package internal(set) var age: AgeDivision?

  /// The kind of a principal; the raw values are those of `quiver.v1.PrincipalKind` and are stored.
  package enum Kind: Int32, Sendable, CaseIterable {
    case user = 1
    case service = 2
    case administrator = 3
    /// A scoring device of one event, which has no profile.
    case device = 4
  }

  /// The display units of lengths and weights; the raw values are those of `quiver.v1.Units` and
  /// are stored.
  package enum Units: Int32, Sendable, CaseIterable {
    case unspecified = 0
    case metric = 1
    case imperial = 2
  }

  /// Its name, or "Archer" and its id if it has none.
  package var shownName: String { Self.shownName(displayName, id: id) }

  /// A name, or "Archer" and the id for an empty one.
  static func shownName(_ name: String, id: Int64) -> String {
    name.isEmpty ? "Archer \(id)" : name
  }

  /// Whether its tokens are accepted.
  package var isActive: Bool { disabledAtMilliseconds == nil && deletedAtMilliseconds == nil }
}

/// Validates a principal's name.
enum DisplayName {
  /// The name in its stored form, without white space at its ends.
  ///
  /// Throws `invalidArgument` if it is blank or too long, or contains U+0000; an empty one stands
  /// for no name.
  static func stored(
    _ name: String, mayBeEmpty: Bool, field: String
  ) throws(StoreError) -> String {
    if mayBeEmpty, name.isEmpty { return name }
    let trimmed = name.trimmingWhitespace
    let length = trimmed.unicodeScalars.count
    guard length >= 1, length <= TextLimits.displayNameLength else {
      throw .invalid(
        field, "must have 1 to \(TextLimits.displayNameLength) characters")
    }
    guard !trimmed.hasZeroCharacter else {
      throw .invalid(field, TextLimits.zeroCharacterComplaint)
    }
    return trimmed
  }
}
