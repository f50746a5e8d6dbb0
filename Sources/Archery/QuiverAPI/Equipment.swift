package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Equipment`: what an archer owns, by type, and how it is put together.
public enum Equipment {
  /// How much there is of each type, in one snapshot; costs the same however much that is.
  public static let getHub = Method<GetHubRequest, GetHubResponse>(
    "quiver.v1.Equipment/GetHub", id: 4097)
  /// One principal's pieces of one type or of all, newest first (by id), archived ones on request.
  public static let listItems = Method<ListItemsRequest, ListItemsResponse>(
    "quiver.v1.Equipment/ListItems", id: 4098)

  /// The hub, and again whenever it may have changed; the latest state counts.
  public static let watchHub = Method<WatchHubRequest, WatchHubResponse>(
    "quiver.v1.Equipment/WatchHub", id: 4099, kind: .serverStreaming)
  /// What ``listItems`` lists, then what changes in it, coalesced by item.
  public static let watchItems = Method<WatchItemsRequest, WatchItemsResponse>(
    "quiver.v1.Equipment/WatchItems", id: 4100, kind: .serverStreaming)
  /// What ``listBowSetups`` lists, then what changes in it, coalesced by setup.
  public static let watchBowSetups = Method<WatchBowSetupsRequest, WatchBowSetupsResponse>(
    "quiver.v1.Equipment/WatchBowSetups", id: 4101, kind: .serverStreaming)

  public static let createRiser = Method<CreateRiserRequest, Riser>(
    "quiver.v1.Equipment/CreateRiser", id: 4112, mutating: true)
  public static let getRiser = Method<GetRiserRequest, Riser>(
    "quiver.v1.Equipment/GetRiser", id: 4113)
  public static let updateRiser = Method<UpdateRiserRequest, Riser>(
    "quiver.v1.Equipment/UpdateRiser", id: 4114, mutating: true)
  public static let deleteRiser = Method<DeleteRiserRequest, DeleteRiserResponse>(
    "quiver.v1.Equipment/DeleteRiser", id: 4115, mutating: true)
  public static let archiveRiser = Method<ArchiveRiserRequest, Riser>(
    "quiver.v1.Equipment/ArchiveRiser", id: 4116, mutating: true)
  public static let restoreRiser = Method<RestoreRiserRequest, Riser>(
    "quiver.v1.Equipment/RestoreRiser", id: 4117, mutating: true)

  public static let createLimbs = Method<CreateLimbsRequest, Limbs>(
    "quiver.v1.Equipment/CreateLimbs", id: 4120, mutating: true)
  public static let getLimbs = Method<GetLimbsRequest, Limbs>(
    "quiver.v1.Equipment/GetLimbs", id: 4121)
  public static let updateLimbs = Method<UpdateLimbsRequest, Limbs>(
    "quiver.v1.Equipment/UpdateLimbs", id: 4122, mutating: true)
  public static let deleteLimbs = Method<DeleteLimbsRequest, DeleteLimbsResponse>(
    "quiver.v1.Equipment/DeleteLimbs", id: 4123, mutating: true)
  public static let archiveLimbs = Method<ArchiveLimbsRequest, Limbs>(
    "quiver.v1.Equipment/ArchiveLimbs", id: 4124, mutating: true)
  public static let restoreLimbs = Method<RestoreLimbsRequest, Limbs>(
    "quiver.v1.Equipment/RestoreLimbs", id: 4125, mutating: true)

  public static let createSight = Method<CreateSightRequest, Sight>(
    "quiver.v1.Equipment/CreateSight", id: 4128, mutating: true)
  public static let getSight = Method<GetSightRequest, Sight>(
    "quiver.v1.Equipment/GetSight", id: 4129)
  public static let updateSight = Method<UpdateSightRequest, Sight>(
    "quiver.v1.Equipment/UpdateSight", id: 4130, mutating: true)
  public static let deleteSight = Method<DeleteSightRequest, DeleteSightResponse>(
    "quiver.v1.Equipment/DeleteSight", id: 4131, mutating: true)
  public static let archiveSight = Method<ArchiveSightRequest, Sight>(
    "quiver.v1.Equipment/ArchiveSight", id: 4132, mutating: true)
  public static let restoreSight = Method<RestoreSightRequest, Sight>(
    "quiver.v1.Equipment/RestoreSight", id: 4133, mutating: true)

  public static let createRest = Method<CreateRestRequest, Rest>(
    "quiver.v1.Equipment/CreateRest", id: 4136, mutating: true)
  public static let getRest = Method<GetRestRequest, Rest>(
    "quiver.v1.Equipment/GetRest", id: 4137)
  public static let updateRest = Method<UpdateRestRequest, Rest>(
    "quiver.v1.Equipment/UpdateRest", id: 4138, mutating: true)
  public static let deleteRest = Method<DeleteRestRequest, DeleteRestResponse>(
    "quiver.v1.Equipment/DeleteRest", id: 4139, mutating: true)
  public static let archiveRest = Method<ArchiveRestRequest, Rest>(
    "quiver.v1.Equipment/ArchiveRest", id: 4140, mutating: true)
  public static let restoreRest = Method<RestoreRestRequest, Rest>(
    "quiver.v1.Equipment/RestoreRest", id: 4141, mutating: true)

  public static let createPlunger = Method<CreatePlungerRequest, Plunger>(
    "quiver.v1.Equipment/CreatePlunger", id: 4144, mutating: true)
  public static let getPlunger = Method<GetPlungerRequest, Plunger>(
    "quiver.v1.Equipment/GetPlunger", id: 4145)
  public static let updatePlunger = Method<UpdatePlungerRequest, Plunger>(
    "quiver.v1.Equipment/UpdatePlunger", id: 4146, mutating: true)
  public static let deletePlunger = Method<DeletePlungerRequest, DeletePlungerResponse>(
    "quiver.v1.Equipment/DeletePlunger", id: 4147, mutating: true)
  public static let archivePlunger = Method<ArchivePlungerRequest, Plunger>(
    "quiver.v1.Equipment/ArchivePlunger", id: 4148, mutating: true)
  public static let restorePlunger = Method<RestorePlungerRequest, Plunger>(
    "quiver.v1.Equipment/RestorePlunger", id: 4149, mutating: true)

  public static let createBowString = Method<CreateBowStringRequest, BowString>(
    "quiver.v1.Equipment/CreateBowString", id: 4152, mutating: true)
  public static let getBowString = Method<GetBowStringRequest, BowString>(
    "quiver.v1.Equipment/GetBowString", id: 4153)
  public static let updateBowString = Method<UpdateBowStringRequest, BowString>(
    "quiver.v1.Equipment/UpdateBowString", id: 4154, mutating: true)
  public static let deleteBowString = Method<DeleteBowStringRequest, DeleteBowStringResponse>(
    "quiver.v1.Equipment/DeleteBowString", id: 4155, mutating: true)
  public static let archiveBowString = Method<ArchiveBowStringRequest, BowString>(
    "quiver.v1.Equipment/ArchiveBowString", id: 4156, mutating: true)
  public static let restoreBowString = Method<RestoreBowStringRequest, BowString>(
    "quiver.v1.Equipment/RestoreBowString", id: 4157, mutating: true)

  public static let createStabilizer = Method<CreateStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/CreateStabilizer", id: 4160, mutating: true)
  public static let getStabilizer = Method<GetStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/GetStabilizer", id: 4161)
  public static let updateStabilizer = Method<UpdateStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/UpdateStabilizer", id: 4162, mutating: true)
  public static let deleteStabilizer = Method<DeleteStabilizerRequest, DeleteStabilizerResponse>(
    "quiver.v1.Equipment/DeleteStabilizer", id: 4163, mutating: true)
  public static let archiveStabilizer = Method<ArchiveStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/ArchiveStabilizer", id: 4164, mutating: true)
  public static let restoreStabilizer = Method<RestoreStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/RestoreStabilizer", id: 4165, mutating: true)

  public static let createWeight = Method<CreateWeightRequest, Weight>(
    "quiver.v1.Equipment/CreateWeight", id: 4168, mutating: true)
  public static let getWeight = Method<GetWeightRequest, Weight>(
    "quiver.v1.Equipment/GetWeight", id: 4169)
  public static let updateWeight = Method<UpdateWeightRequest, Weight>(
    "quiver.v1.Equipment/UpdateWeight", id: 4170, mutating: true)
  public static let deleteWeight = Method<DeleteWeightRequest, DeleteWeightResponse>(
    "quiver.v1.Equipment/DeleteWeight", id: 4171, mutating: true)
  public static let archiveWeight = Method<ArchiveWeightRequest, Weight>(
    "quiver.v1.Equipment/ArchiveWeight", id: 4172, mutating: true)
  public static let restoreWeight = Method<RestoreWeightRequest, Weight>(
    "quiver.v1.Equipment/RestoreWeight", id: 4173, mutating: true)

  public static let createArrow = Method<CreateArrowRequest, Arrow>(
    "quiver.v1.Equipment/CreateArrow", id: 4176, mutating: true)
  public static let getArrow = Method<GetArrowRequest, Arrow>(
    "quiver.v1.Equipment/GetArrow", id: 4177)
  public static let updateArrow = Method<UpdateArrowRequest, Arrow>(
    "quiver.v1.Equipment/UpdateArrow", id: 4178, mutating: true)
  public static let deleteArrow = Method<DeleteArrowRequest, DeleteArrowResponse>(
    "quiver.v1.Equipment/DeleteArrow", id: 4179, mutating: true)
  public static let archiveArrow = Method<ArchiveArrowRequest, Arrow>(
    "quiver.v1.Equipment/ArchiveArrow", id: 4180, mutating: true)
  public static let restoreArrow = Method<RestoreArrowRequest, Arrow>(
    "quiver.v1.Equipment/RestoreArrow", id: 4181, mutating: true)

  public static let createAccessory = Method<CreateAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/CreateAccessory", id: 4184, mutating: true)
  public static let getAccessory = Method<GetAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/GetAccessory", id: 4185)
  public static let updateAccessory = Method<UpdateAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/UpdateAccessory", id: 4186, mutating: true)
  public static let deleteAccessory = Method<DeleteAccessoryRequest, DeleteAccessoryResponse>(
    "quiver.v1.Equipment/DeleteAccessory", id: 4187, mutating: true)
  public static let archiveAccessory = Method<ArchiveAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/ArchiveAccessory", id: 4188, mutating: true)
  public static let restoreAccessory = Method<RestoreAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/RestoreAccessory", id: 4189, mutating: true)

  public static let createSightMark = Method<CreateSightMarkRequest, SightMark>(
    "quiver.v1.Equipment/CreateSightMark", id: 4208, mutating: true)
  /// All marks of one sight or one setup, nearest first, then by id.
  public static let listSightMarks = Method<ListSightMarksRequest, ListSightMarksResponse>(
    "quiver.v1.Equipment/ListSightMarks", id: 4209)
  public static let updateSightMark = Method<UpdateSightMarkRequest, SightMark>(
    "quiver.v1.Equipment/UpdateSightMark", id: 4210, mutating: true)
  public static let deleteSightMark = Method<DeleteSightMarkRequest, DeleteSightMarkResponse>(
    "quiver.v1.Equipment/DeleteSightMark", id: 4211, mutating: true)

  public static let createBowSetup = Method<CreateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/CreateBowSetup", id: 4224, mutating: true)
  /// As it is, or as one of its versions was.
  public static let getBowSetup = Method<GetBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/GetBowSetup", id: 4225)
  /// By name, without regard to case, then by id; inactive ones on request.
  public static let listBowSetups = Method<ListBowSetupsRequest, ListBowSetupsResponse>(
    "quiver.v1.Equipment/ListBowSetups", id: 4226)
  public static let updateBowSetup = Method<UpdateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/UpdateBowSetup", id: 4227, mutating: true)
  /// Its versions and sight marks go with it; its pieces stay.
  public static let deleteBowSetup = Method<DeleteBowSetupRequest, DeleteBowSetupResponse>(
    "quiver.v1.Equipment/DeleteBowSetup", id: 4228, mutating: true)
  /// Another setup with the same notes, components and sight marks; active, not the default.
  public static let copyBowSetup = Method<CopyBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/CopyBowSetup", id: 4229, mutating: true)
  /// Makes it the default in place of the one that was.
  public static let setDefaultBowSetup = Method<SetDefaultBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/SetDefaultBowSetup", id: 4230, mutating: true)
  public static let activateBowSetup = Method<ActivateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/ActivateBowSetup", id: 4231, mutating: true)
  /// The default one is the default no longer.
  public static let deactivateBowSetup = Method<DeactivateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/DeactivateBowSetup", id: 4232, mutating: true)
  /// Of a single type it replaces the one that was there.
  public static let addBowSetupComponent = Method<AddBowSetupComponentRequest, BowSetup>(
    "quiver.v1.Equipment/AddBowSetupComponent", id: 4233, mutating: true)
  public static let removeBowSetupComponent = Method<RemoveBowSetupComponentRequest, BowSetup>(
    "quiver.v1.Equipment/RemoveBowSetupComponent", id: 4234, mutating: true)

  package static let methods: [MethodInfo] = [
    getHub.info, listItems.info, watchHub.info, watchItems.info, watchBowSetups.info,
    createRiser.info, getRiser.info, updateRiser.info, deleteRiser.info, archiveRiser.info,
    restoreRiser.info,
    createLimbs.info, getLimbs.info, updateLimbs.info, deleteLimbs.info, archiveLimbs.info,
    restoreLimbs.info,
    createSight.info, getSight.info, updateSight.info, deleteSight.info, archiveSight.info,
    restoreSight.info,
    createRest.info, getRest.info, updateRest.info, deleteRest.info, archiveRest.info,
    restoreRest.info,
    createPlunger.info, getPlunger.info, updatePlunger.info, deletePlunger.info,
    archivePlunger.info, restorePlunger.info,
    createBowString.info, getBowString.info, updateBowString.info, deleteBowString.info,
    archiveBowString.info, restoreBowString.info,
    createStabilizer.info, getStabilizer.info, updateStabilizer.info, deleteStabilizer.info,
    archiveStabilizer.info, restoreStabilizer.info,
    createWeight.info, getWeight.info, updateWeight.info, deleteWeight.info, archiveWeight.info,
    restoreWeight.info,
    createArrow.info, getArrow.info, updateArrow.info, deleteArrow.info, archiveArrow.info,
    restoreArrow.info,
    createAccessory.info, getAccessory.info, updateAccessory.info, deleteAccessory.info,
    archiveAccessory.info, restoreAccessory.info,
    createSightMark.info, listSightMarks.info, updateSightMark.info, deleteSightMark.info,
    createBowSetup.info, getBowSetup.info, listBowSetups.info, updateBowSetup.info,
    deleteBowSetup.info, copyBowSetup.info, setDefaultBowSetup.info, activateBowSetup.info,
    deactivateBowSetup.info, addBowSetupComponent.info, removeBowSetupComponent.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Equipment", number: 16, methods.map(\.schema))
}
