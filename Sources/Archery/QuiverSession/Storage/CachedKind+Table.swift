import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

extension CachedKind {
  /// All kinds: the ten types of equipment, bow setups, sight marks, the logbook's, the profile.
  static let all: [CachedKind] =
    Equipment.itemTypes.map { item($0) }
    + [setup, weightEntry, liftSet, sightMark, weightPlan, profile]

  private static let weightEntry = CachedKind(
    number: weightEntryNumber, label: "Weight entry", schema: WeightEntry.schema.core,
    calls: [
      .create: Logbook.createWeightEntry.info,
      .update: Logbook.updateWeightEntry.info,
      .delete: Logbook.deleteWeightEntry.info,
      .restore: Logbook.restoreWeightEntry.info,
    ],
    get: Logbook.getWeightEntry.info,
    editable: ["thousandths", "unit", "day", "measured_at_ms", "note", "body_fat_percent"],
    rules: nil)

  private static let liftSet = CachedKind(
    number: liftSetNumber, label: "Strength set", schema: QuiverAPI.LiftSet.schema.core,
    calls: [
      .create: Logbook.createSet.info, .update: Logbook.updateSet.info,
      .delete: Logbook.deleteSet.info,
    ],
    get: Logbook.getSet.info,
    editable: ["day", "exercise", "sets", "repetitions", "weight", "unit"], rules: nil)

  private static let sightMark = CachedKind(
    number: sightMarkNumber, label: "Sight mark", schema: SightMark.schema.core,
    calls: [
      .create: Equipment.createSightMark.info, .update: Equipment.updateSightMark.info,
      .delete: Equipment.deleteSightMark.info,
    ],
    get: nil, editable: ["distance", "unit", "mark_value", "notes"], rules: nil)

  private static let weightPlan = CachedKind(
    number: weightPlanNumber, label: "Weight plan", schema: WeightPlan.schema.core,
    calls: [.update: Logbook.setWeightPlan.info, .delete: Logbook.deleteWeightPlan.info],
    get: nil,
    editable: [
      "unit", "start_thousandths", "goal_thousandths", "step_thousandths", "start_day",
    ], rules: nil)

  private static let profile = CachedKind(
    number: profileNumber, label: "Profile", schema: Profile.schema.core,
    calls: [.update: Account.updateProfile.info], get: nil,
    editable: ["display_name", "time_zone", "units", "bowstyle", "gender", "age_group"],
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
