package import QuiverRules

/// A stored item of equipment.
package struct EquipmentRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client chose; empty if it chose none.
  package let clientID: [UInt8]

  /// Starts at 1; each change adds 1.
  package let revision: UInt64

  package let isArchived: Bool
  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64

  /// The number of bow setups that have it.
  package let setupUseCount: UInt32

  package let content: EquipmentContent

  /// The bytes of its texts as UTF-8.
  var textByteCount: Int {
    content.values.reduce(0) { sum, value in
      guard case .text(let text) = value else { return sum }
      return sum + text.utf8.count
    }
  }
}

/// An item of equipment as an entry of a list.
package struct EquipmentItemRecord: Sendable, Equatable {
  package let id: Int64
  package let type: EquipmentType
  package let displayBrand: String
  package let displayModel: String
  package let isArchived: Bool
  package let clientID: [UInt8]
  package let revision: UInt64
}

/// The number of a principal's items of one type.
package struct EquipmentCount: Sendable, Equatable {
  package let type: EquipmentType
  package let active: Int64
  package let archived: Int64
}
