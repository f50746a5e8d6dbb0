/// A setup as comparisons know it.
package struct ComparedSetupRecord: Sendable, Equatable {
  package let id: Int64

  /// Empty if its client made none.
  package let clientID: [UInt8]

  /// 0: all versions together.
  package let version: Int64

  /// Never empty.
  package let displayName: String

  package var scope: ComparisonScope { .setup(id, version: version) }

  /// Whether both have rounds in common.
  package func overlaps(_ other: ComparedSetupRecord) -> Bool {
    id == other.id && (version == 0 || other.version == 0 || version == other.version)
  }
}

/// Whose rounds are looked at.
package enum ComparisonScope: Sendable, Equatable {
  /// Of a setup; version 0 is all of them.
  case setup(Int64, version: Int64)
  /// Of every setup version that held the item.
  case item(Int64)
}
