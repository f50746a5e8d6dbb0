import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

extension CachedKind {
  /// Every kind: the ten types of equipment, bow setups, weight entries.
  static let all: [CachedKind] = [
    item(
      .riser, Equipment.createRiser, Equipment.getRiser, Equipment.updateRiser,
      Equipment.deleteRiser, Equipment.archiveRiser, Equipment.restoreRiser),
    item(
      .limbs, Equipment.createLimbs, Equipment.getLimbs, Equipment.updateLimbs,
      Equipment.deleteLimbs, Equipment.archiveLimbs, Equipment.restoreLimbs),
    item(
      .sight, Equipment.createSight, Equipment.getSight, Equipment.updateSight,
      Equipment.deleteSight, Equipment.archiveSight, Equipment.restoreSight),
    item(
      .rest, Equipment.createRest, Equipment.getRest, Equipment.updateRest,
      Equipment.deleteRest, Equipment.archiveRest, Equipment.restoreRest),
    item(
      .plunger, Equipment.createPlunger, Equipment.getPlunger, Equipment.updatePlunger,
      Equipment.deletePlunger, Equipment.archivePlunger, Equipment.restorePlunger),
    item(
      .bowString, Equipment.createBowString, Equipment.getBowString, Equipment.updateBowString,
      Equipment.deleteBowString, Equipment.archiveBowString, Equipment.restoreBowString),
    item(
      .stabilizer, Equipment.createStabilizer, Equipment.getStabilizer,
      Equipment.updateStabilizer, Equipment.deleteStabilizer, Equipment.archiveStabilizer,
      Equipment.restoreStabilizer),
    item(
      .weight, Equipment.createWeight, Equipment.getWeight, Equipment.updateWeight,
      Equipment.deleteWeight, Equipment.archiveWeight, Equipment.restoreWeight),
    item(
      .arrow, Equipment.createArrow, Equipment.getArrow, Equipment.updateArrow,
      Equipment.deleteArrow, Equipment.archiveArrow, Equipment.restoreArrow),
    item(
      .accessory, Equipment.createAccessory, Equipment.getAccessory, Equipment.updateAccessory,
      Equipment.deleteAccessory, Equipment.archiveAccessory, Equipment.restoreAccessory),
    setup, weightEntry,
  ]

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

  private static func item<Item: EquipmentPiece>(
    _ type: QuiverRules.EquipmentType, _ create: UnaryMethod<CreatePieceRequest<Item>, Item>,
    _ get: UnaryMethod<GetPieceRequest<Item>, Item>,
    _ update: UnaryMethod<UpdatePieceRequest<Item>, Item>,
    _ delete: UnaryMethod<DeletePieceRequest<Item>, DeletePieceResponse<Item>>,
    _ archive: UnaryMethod<ArchivePieceRequest<Item>, Item>,
    _ restore: UnaryMethod<RestorePieceRequest<Item>, Item>
  ) -> CachedKind {
    let rules = EquipmentKind.of(type)
    return CachedKind(
      number: Int64(type.rawValue), label: rules.label, schema: Item.schema.core,
      calls: [
        .create: create.info, .update: update.info, .delete: delete.info,
        .archive: archive.info, .restore: restore.info,
      ],
      get: get.info, editable: rules.fields.map(\.name) + ["archived"], rules: rules)
  }
}
