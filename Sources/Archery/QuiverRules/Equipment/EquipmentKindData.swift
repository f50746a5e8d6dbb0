/// The ten types as data. Ranges are wide: they refuse slips of the unit, not unusual gear.
extension EquipmentKind {
  static func make(_ type: ItemType) -> EquipmentKind {
    switch type {
    case .riser: riser
    case .limbs: limbs
    case .sight: sight
    case .rest: rest
    case .plunger: plunger
    case .bowString: bowString
    case .stabilizer: stabilizer
    case .weight: weight
    case .arrow: arrow
    case .accessory: accessory
    }
  }

  private static let lengthInches = EquipmentField(
    "length_in", .real(0...100, excludesLowerBound: true))
  private static let material = EquipmentField("material", .name)

  private static let riser = EquipmentKind(
    .riser, .bowComponents, "riser", label: "Riser", plural: "Risers",
    [
      lengthInches, material, EquipmentField("weight_g", .real(0...100_000)),
      EquipmentField("grip_type", .name),
    ])

  private static let limbs = EquipmentKind(
    .limbs, .bowComponents, "limbs", label: "Limbs", plural: "Limbs",
    [
      EquipmentField("poundage_lb", .real(0...200, excludesLowerBound: true)),
      EquipmentField("limb_length", .enumeration(["Short", "Medium", "Long"])),
      lengthInches, material,
      EquipmentField("tiller_mm", .real(-100...100)),
      EquipmentField("installed_on", .day),
    ])

  private static let sight = EquipmentKind(
    .sight, .bowComponents, "sight", label: "Sight", plural: "Sights",
    [
      EquipmentField("type", .name), material,
      EquipmentField("adjustments", .text(maximumLength: TextLimits.notesLength)),
    ])

  private static let rest = EquipmentKind(
    .rest, .bowComponents, "rest", label: "Rest", plural: "Rests",
    [
      EquipmentField(
        "type", .enumeration(["Magnetic", "Flipper", "Blade", "Drop-away", "Other"])),
      EquipmentField("vertical_position_mm", .real(-200...200)),
      EquipmentField("horizontal_position_mm", .real(-200...200)),
    ])

  private static let plunger = EquipmentKind(
    .plunger, .bowComponents, "plunger", label: "Plunger", plural: "Plungers",
    [
      EquipmentField("tension", .name),
      EquipmentField("adjustment", .enumeration(["Micro", "Click"])),
      EquipmentField("position_mm", .real(-200...200)),
    ])

  private static let bowString = EquipmentKind(
    .bowString, .stringAndStabilization, "bow_string", label: "String", plural: "Strings",
    display: ("maker", "string_type"),
    [
      EquipmentField("maker", .name, isRequired: true),
      EquipmentField("string_type", .name, isRequired: true),
      material, EquipmentField("strand_count", .integer(1...200)),
      EquipmentField("serving_material", .name), lengthInches,
      EquipmentField("twists", .integer(0...1_000)),
      EquipmentField("installed_on", .day),
    ])

  private static let stabilizer = EquipmentKind(
    .stabilizer, .stringAndStabilization, "stabilizer", label: "Stabilizer",
    plural: "Stabilizers",
    [
      lengthInches, EquipmentField("weight_g", .real(0...100_000)),
      EquipmentField("straightness", .integer(1...10), defaultValue: .integer(5)),
      EquipmentField("position", .enumeration(["Long", "Side", "Extender", "V-bar"])),
    ])

  private static let weight = EquipmentKind(
    .weight, .stringAndStabilization, "weight", label: "Weight", plural: "Weights",
    display: ("location", "name"),
    [
      EquipmentField("location", .name, isRequired: true),
      EquipmentField("name", .name, isRequired: true),
      EquipmentField("ounces", .real(0...1_000)),
    ])

  private static let arrow = EquipmentKind(
    .arrow, .arrowsAndAccessories, "arrow", label: "Arrow Set", plural: "Arrows",
    [
      EquipmentField("spine", .integer(1...5_000)), lengthInches,
      EquipmentField("weight_gr", .real(0...10_000)),
      EquipmentField("diameter_mm", .real(0...50, excludesLowerBound: true)),
      EquipmentField("quantity", .integer(1...10_000), defaultValue: .integer(1)),
      EquipmentField("identifier", .name),
      EquipmentField("point_brand", .name), EquipmentField("point_name", .name),
      EquipmentField("point_weight_gr", .real(0...10_000)),
      EquipmentField("nock_brand", .name), EquipmentField("nock_name", .name),
      EquipmentField("nock_size", .name), EquipmentField("nock_weight_gr", .real(0...10_000)),
      EquipmentField("vanes", .name),
    ])

  private static let accessory = EquipmentKind(
    .accessory, .arrowsAndAccessories, "accessory", label: "Accessory", plural: "Accessories",
    display: ("name", "type"),
    [
      EquipmentField("name", .name, isRequired: true),
      EquipmentField(
        "type",
        .enumeration(["Tab", "Chest guard", "Quiver", "Release", "Clicker", "Other"]),
        isRequired: true),
      EquipmentField("purpose", .name), EquipmentField("size", .name),
      EquipmentField("thickness", .name), material, EquipmentField("travel", .name),
    ])
}
