/// A setup for comparisons.
package struct ComparedSetupRecord: Sendable, Equatable {
  package let id: Int64

  /// Empty if it has none.
  package let clientID: [UInt8]

  /// 0 for all versions together.
  package let version: Int64

  /// Never empty.
  package let displayName: String

  package var scope: ComparisonScope { .setup(id, version: version) }

  /// Whether both have common rounds.
  package func overlaps(_ other: ComparedSetupRecord) -> Bool {
    id == other.id && (version == 0 || other.version == 0 || version == other.version)
  }
}

/// The rounds to compare.
package enum ComparisonScope: Sendable, Equatable {
  /// The rounds of a setup; version 0 is all versions.
  case setup(Int64, version: Int64)
  /// The rounds of every setup version with the item.
  case item(Int64)
}
