import QuiverProtobuf
import QuiverRPC

/// The files of `Protos` that ``Equipment`` is made of, in the order in which they import each
/// other.
enum EquipmentFiles {
  static let all: [ProtoFile] = [
    ProtoFile(path: typePath, enums: [EquipmentType.schema]),
    ProtoFile(path: "quiver/v1/watch.proto", messages: [WatchSpan.schema.core]),
    Riser.requests.file(),
    Limbs.requests.file(LimbLength.schema),
    Sight.requests.file(),
    Rest.requests.file(RestType.schema),
    Plunger.requests.file(PlungerAdjustment.schema),
    BowString.requests.file(),
    Stabilizer.requests.file(StabilizerPosition.schema),
    Weight.requests.file(),
    Arrow.requests.file(),
    Accessory.requests.file(AccessoryType.schema),
    ProtoFile(
      path: "quiver/v1/sight_mark.proto",
      messages: [
        SightMark.schema.core, CreateSightMarkRequest.schema.core,
        ListSightMarksRequest.schema.core, ListSightMarksResponse.schema.core,
        UpdateSightMarkRequest.schema.core, DeleteSightMarkRequest.schema.core,
        DeleteSightMarkResponse.schema.core,
      ],
      enums: [DistanceUnit.schema]),
    ProtoFile(
      path: "quiver/v1/bow_setup.proto", dependencies: [typePath],
      messages: [
        BowSetup.schema.core, SetupComponent.schema.core, CreateBowSetupRequest.schema.core,
        GetBowSetupRequest.schema.core, ListBowSetupsRequest.schema.core,
        ListBowSetupsResponse.schema.core, BowSetupItem.schema.core,
        UpdateBowSetupRequest.schema.core, DeleteBowSetupRequest.schema.core,
        DeleteBowSetupResponse.schema.core, CopyBowSetupRequest.schema.core,
        SetDefaultBowSetupRequest.schema.core, ActivateBowSetupRequest.schema.core,
        DeactivateBowSetupRequest.schema.core, AddBowSetupComponentRequest.schema.core,
        RemoveBowSetupComponentRequest.schema.core, HeldBySetups.schema.core,
        HoldingSetup.schema.core,
      ]),
    ProtoFile(
      path: "quiver/v1/equipment.proto", dependencies: imports,
      messages: [
        GetHubRequest.schema.core, GetHubResponse.schema.core, HubGroup.schema.core,
        HubCount.schema.core, ListItemsRequest.schema.core, ListItemsResponse.schema.core,
        EquipmentItem.schema.core, WatchHubRequest.schema.core, WatchHubResponse.schema.core,
        WatchItemsRequest.schema.core, WatchItemsResponse.schema.core,
        WatchBowSetupsRequest.schema.core, WatchBowSetupsResponse.schema.core,
      ],
      enums: [EquipmentGroup.schema], services: [Equipment.schema]),
  ]

  private static let typePath = "quiver/v1/equipment_type.proto"
  private static let imports = [
    "accessory", "arrow", "bow_setup", "bow_string", "equipment_type", "limbs", "plunger", "rest",
    "riser", "sight", "sight_mark", "stabilizer", "watch", "weight", "wire",
  ].map { "quiver/v1/\($0).proto" }
}
