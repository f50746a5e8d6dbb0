package import QuiverRules

/// A stored bow setup in one of its versions.
package struct BowSetupRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client chose; empty if it chose none.
  package let clientID: [UInt8]

  /// Starts at 1; each change adds 1.
  package let revision: UInt64

  package let name: String
  package let notes: String
  package let isActive: Bool
  package let isDefault: Bool
  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64
  package let latestVersion: Int64

  /// The version of `components`, from 1.
  package let version: Int64

  package let versionMadeAtMilliseconds: Int64

  /// In the hub's order of types.
  package let components: [SetupComponentRecord]
}

/// An item in a version of a setup.
package struct SetupComponentRecord: Sendable, Equatable {
  package let part: SetupPart

  /// The item's client_id; empty if it has none.
  package let clientID: [UInt8]

  package let displayBrand: String
  package let displayModel: String

  /// The item was deleted; only old versions have it.
  package let isDeleted: Bool
}

/// A setup as an entry of the list.
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

/// A setup whose latest version has an item.
package struct HoldingSetup: Sendable, Equatable {
  package let id: Int64
  package let name: String
}

/// The number of a principal's setups.
package struct BowSetupCount: Sendable, Equatable {
  package let active: Int64
  package let inactive: Int64
}
