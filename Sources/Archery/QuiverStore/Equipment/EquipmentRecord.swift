package import QuiverRules

/// One item of equipment as it is stored.
package struct EquipmentRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client chose; empty if it chose none.
  package let clientID: [UInt8]

  /// Starts at 1; each change adds 1.
  package let revision: UInt64

  package let isArchived: Bool
  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64

  /// How many bow setups hold it.
  package let setupUseCount: UInt32

  package let content: EquipmentContent
}

/// What lists show of an item of equipment.
package struct EquipmentItemRecord: Sendable, Equatable {
  package let id: Int64
  package let type: EquipmentType
  package let displayBrand: String
  package let displayModel: String
  package let isArchived: Bool
  package let clientID: [UInt8]
  package let revision: UInt64
}

/// How many items of one type a principal has.
package struct EquipmentCount: Sendable, Equatable {
  package let type: EquipmentType
  package let active: Int64
  package let archived: Int64
}
