/// One item of equipment in a bow setup, and how many of it.
public struct SetupPart: Sendable, Hashable {
  /// The id of the item.
  public let equipmentID: Int64
  /// The type of the item.
  public let type: ItemType
  /// The number of these items, 1 to 1,000.
  public let quantity: UInt32

  /// Creates a value; each parameter is the property of its name.
  public init(equipmentID: Int64, type: ItemType, quantity: UInt32 = 1) {
    self.equipmentID = equipmentID
    self.type = type
    self.quantity = quantity
  }
}

extension ItemType {
  /// Whether a bow setup may contain several items of it; of the other types it contains at most
  /// one.
  public var isMultiple: Bool {
    switch self {
    case .stabilizer, .weight, .accessory: true
    case .riser, .limbs, .sight, .rest, .plunger, .bowString, .arrow: false
    }
  }
}
