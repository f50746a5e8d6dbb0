/// The ten types of equipment, numbered as in `quiver.v1.EquipmentType` and in the hub's order.
public enum ItemType: Int32, CaseIterable, Sendable, Hashable {
  case riser = 1
  case limbs = 2
  case sight = 3
  case rest = 4
  case plunger = 5
  case bowString = 6
  case stabilizer = 7
  case weight = 8
  case arrow = 9
  case accessory = 10
}

/// The three groups under which the hub shows the types.
public enum ItemGroup: Int32, CaseIterable, Sendable, Hashable {
  case bowComponents = 1
  case stringAndStabilization = 2
  case arrowsAndAccessories = 3

  /// The group's title.
  public var label: String {
    switch self {
    case .bowComponents: "Bow components"
    case .stringAndStabilization: "String & stabilization"
    case .arrowsAndAccessories: "Arrows & accessories"
    }
  }
}
