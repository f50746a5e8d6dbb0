import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

extension CachedKind {
  /// Every kind: the ten types of equipment, bow setups, weight entries.
  static let all: [CachedKind] = [
    piece(
      .riser, Equipment.createRiser, Equipment.getRiser, Equipment.updateRiser,
      Equipment.deleteRiser, Equipment.archiveRiser, Equipment.restoreRiser),
    piece(
      .limbs, Equipment.createLimbs, Equipment.getLimbs, Equipment.updateLimbs,
      Equipment.deleteLimbs, Equipment.archiveLimbs, Equipment.restoreLimbs),
    piece(
      .sight, Equipment.createSight, Equipment.getSight, Equipment.updateSight,
      Equipment.deleteSight, Equipment.archiveSight, Equipment.restoreSight),
    piece(
      .rest, Equipment.createRest, Equipment.getRest, Equipment.updateRest,
      Equipment.deleteRest, Equipment.archiveRest, Equipment.restoreRest),
    piece(
      .plunger, Equipment.createPlunger, Equipment.getPlunger, Equipment.updatePlunger,
      Equipment.deletePlunger, Equipment.archivePlunger, Equipment.restorePlunger),
    piece(
      .bowString, Equipment.createBowString, Equipment.getBowString, Equipment.updateBowString,
      Equipment.deleteBowString, Equipment.archiveBowString, Equipment.restoreBowString),
    piece(
      .stabilizer, Equipment.createStabilizer, Equipment.getStabilizer,
      Equipment.updateStabilizer, Equipment.deleteStabilizer, Equipment.archiveStabilizer,
      Equipment.restoreStabilizer),
    piece(
      .weight, Equipment.createWeight, Equipment.getWeight, Equipment.updateWeight,
      Equipment.deleteWeight, Equipment.archiveWeight, Equipment.restoreWeight),
    piece(
      .arrow, Equipment.createArrow, Equipment.getArrow, Equipment.updateArrow,
      Equipment.deleteArrow, Equipment.archiveArrow, Equipment.restoreArrow),
    piece(
      .accessory, Equipment.createAccessory, Equipment.getAccessory, Equipment.updateAccessory,
      Equipment.deleteAccessory, Equipment.archiveAccessory, Equipment.restoreAccessory),
    setup, weightEntry,
  ]

  private static let weightEntry = CachedKind(
    number: weightEntryNumber, label: "Weight entry", schema: WeightEntry.schema.core,
    calls: [
      .create: QuiverAPI.Logbook.createWeightEntry.info,
      .update: QuiverAPI.Logbook.updateWeightEntry.info,
      .delete: QuiverAPI.Logbook.deleteWeightEntry.info,
    ],
    get: QuiverAPI.Logbook.getWeightEntry.info,
    editable: ["thousandths", "unit", "day", "measured_at_ms", "note", "body_fat_percent"],
    rules: nil)

  private static let setup = CachedKind(
    number: setupNumber, label: "Bow setup", schema: BowSetup.schema.core,
    calls: [
      .create: Equipment.createBowSetup.info, .update: Equipment.updateBowSetup.info,
      .delete: Equipment.deleteBowSetup.info, .putAway: Equipment.deactivateBowSetup.info,
      .bringBack: Equipment.activateBowSetup.info,
      .makeDefault: Equipment.setDefaultBowSetup.info, .copy: Equipment.copyBowSetup.info,
    ],
    get: Equipment.getBowSetup.info,
    editable: ["name", "notes", "is_active", "is_default", "components"], rules: nil)

  private static func piece<Piece: EquipmentPiece>(
    _ type: QuiverRules.EquipmentType, _ create: Method<CreatePieceRequest<Piece>, Piece>,
    _ get: Method<GetPieceRequest<Piece>, Piece>,
    _ update: Method<UpdatePieceRequest<Piece>, Piece>,
    _ delete: Method<DeletePieceRequest<Piece>, DeletePieceResponse<Piece>>,
    _ archive: Method<ArchivePieceRequest<Piece>, Piece>,
    _ restore: Method<RestorePieceRequest<Piece>, Piece>
  ) -> CachedKind {
    let rules = EquipmentKind.of(type)
    return CachedKind(
      number: Int64(type.rawValue), label: rules.label, schema: Piece.schema.core,
      calls: [
        .create: create.info, .update: update.info, .delete: delete.info,
        .putAway: archive.info, .bringBack: restore.info,
      ],
      get: get.info, editable: rules.fields.map(\.name) + ["archived"], rules: rules)
  }
}
