package import QuiverRules

/// One bow setup in one of its versions, as it is stored.
package struct BowSetupRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client made; empty where it made none.
  package let clientID: [UInt8]

  /// From 1; each change of it is one more.
  package let revision: UInt64

  package let name: String
  package let notes: String
  package let isActive: Bool
  package let isDefault: Bool
  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64
  package let latestVersion: Int64

  /// The version that `components` are of, from 1.
  package let version: Int64

  package let versionMadeAtMilliseconds: Int64

  /// In the hub's order of types.
  package let components: [SetupComponentRecord]
}

/// One item that a version of a setup holds.
package struct SetupComponentRecord: Sendable, Equatable {
  package let part: SetupPart

  /// Of the item; empty where its client made none.
  package let clientID: [UInt8]

  package let displayBrand: String
  package let displayModel: String

  /// The item is gone, and is there for old versions alone.
  package let isDeleted: Bool
}

/// What lists show of a setup.
package struct BowSetupItemRecord: Sendable, Equatable {
  package let id: Int64
  package let clientID: [UInt8]
  package let name: String
  package let isActive: Bool
  package let isDefault: Bool
  package let version: Int64
  package let componentCount: Int64
  package let revision: UInt64
  package let updatedAtMilliseconds: Int64
}

/// One setup whose latest version holds an item.
package struct HoldingSetup: Sendable, Equatable {
  package let id: Int64
  package let name: String
}

/// How many setups a principal has.
package struct BowSetupCount: Sendable, Equatable {
  package let active: Int64
  package let inactive: Int64
}
