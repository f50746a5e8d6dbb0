/// The ten types of equipment, numbered as in `quiver.v1.EquipmentType` and in the hub's order.
public enum ItemType: Int32, CaseIterable, Sendable, Hashable {
  /// The handle of a bow.
  case riser = 1
  /// A pair of limbs.
  case limbs = 2
  /// A sight.
  case sight = 3
  /// An arrow rest.
  case rest = 4
  /// A plunger.
  case plunger = 5
  /// A bow string.
  case bowString = 6
  /// A stabilizer.
  case stabilizer = 7
  /// A weight.
  case weight = 8
  /// A set of arrows.
  case arrow = 9
  /// An accessory.
  case accessory = 10
}

/// The three groups under which the hub shows the types.
public enum ItemGroup: Int32, CaseIterable, Sendable, Hashable {
  /// Riser, limbs, sight, rest and plunger.
  case bowComponents = 1
  /// Bow string, stabilizer and weight.
  case stringAndStabilization = 2
  /// Arrows and accessories.
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
