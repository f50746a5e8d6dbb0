import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

extension CachedKind {
  /// All kinds: the ten types of equipment, bow setups, weight entries.
  static let all: [CachedKind] =
    Equipment.itemTypes.map { item($0) } + [setup, weightEntry]

  private static let weightEntry = CachedKind(
    number: weightEntryNumber, label: "Weight entry", schema: WeightEntry.schema.core,
    calls: [
      .create: Logbook.createWeightEntry.info,
      .update: Logbook.updateWeightEntry.info,
      .delete: Logbook.deleteWeightEntry.info,
    ],
    get: Logbook.getWeightEntry.info,
    editable: ["thousandths", "unit", "day", "measured_at_ms", "note", "body_fat_percent"],
    rules: nil)

  private static let setup = CachedKind(
    number: setupNumber, label: "Bow setup", schema: BowSetup.schema.core,
    calls: [
      .create: Equipment.createBowSetup.info, .update: Equipment.updateBowSetup.info,
      .delete: Equipment.deleteBowSetup.info, .archive: Equipment.deactivateBowSetup.info,
      .restore: Equipment.activateBowSetup.info,
      .makeDefault: Equipment.setDefaultBowSetup.info, .copy: Equipment.copyBowSetup.info,
    ],
    get: Equipment.getBowSetup.info,
    editable: ["name", "notes", "is_active", "is_default", "components"], rules: nil)

  private static func item<Item: EquipmentItemMessage>(_: Item.Type) -> CachedKind {
    guard let type = QuiverRules.EquipmentType(rawValue: Item.equipmentType.rawValue) else {
      preconditionFailure("the rules have no type \(Item.equipmentType.rawValue)")
    }
    let rules = EquipmentKind.of(type)
    let methods = Item.methods
    return CachedKind(
      number: Int64(type.rawValue), label: rules.label, schema: Item.schema.core,
      calls: [
        .create: methods.create.info, .update: methods.update.info, .delete: methods.delete.info,
        .archive: methods.archive.info, .restore: methods.restore.info,
      ],
      get: methods.get.info, editable: rules.fields.map(\.name) + ["archived"], rules: rules)
  }
}
