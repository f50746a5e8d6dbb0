import QuiverRules

/// Someone or something that can be called by: a user, a service, an administrator.
package struct PrincipalRecord: Sendable, Equatable {
  package let id: Int64
  package let kind: Kind

  /// As it calls itself; empty where it does not.
  package internal(set) var displayName: String

  package let createdAtMilliseconds: Int64

  /// From 1; each change of name, time zone or units is one more.
  package internal(set) var revision: UInt64 = 1

  package internal(set) var updatedAtMilliseconds: Int64

  /// An IANA name; empty where none was chosen.
  package internal(set) var timeZone = ""

  package internal(set) var units = Units.unspecified

  /// Since when its tokens are refused; nil where they are not.
  package internal(set) var disabledAtMilliseconds: Int64?

  /// Since when it is gone, all but its id; nil where it is not.
  package internal(set) var deletedAtMilliseconds: Int64?

  /// What a principal is; the raw values are those of `quiver.v1.PrincipalKind`, and stored.
  package enum Kind: Int32, Sendable, CaseIterable {
    case user = 1
    case service = 2
    case administrator = 3
  }

  /// What lengths and weights are shown in; the raw values are those of `quiver.v1.Units`, and
  /// stored.
  package enum Units: Int32, Sendable, CaseIterable {
    case unspecified = 0
    case metric = 1
    case imperial = 2
  }

  /// Its name, or "Archer" and its id where it has none.
  package var shownName: String { displayName.isEmpty ? "Archer \(id)" : displayName }

  /// Whether its tokens are good.
  package var isActive: Bool { disabledAtMilliseconds == nil && deletedAtMilliseconds == nil }
}

/// The rule of a principal's name.
enum DisplayName {
  /// The name as it is stored, without white space at its ends.
  ///
  /// Throws `invalidArgument` for one that is blank or too long; an empty one may be no name.
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
    return trimmed
  }
}
