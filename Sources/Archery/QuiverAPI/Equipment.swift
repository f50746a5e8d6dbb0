package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Equipment`: what an archer owns, by type, and how it is put together.
public enum Equipment {
  /// How much there is of each type, in one snapshot; costs the same however much that is.
  public static let getHub = UnaryMethod<GetHubRequest, GetHubResponse>(
    "quiver.v1.Equipment/GetHub", id: 4097)
  /// One principal's pieces of one type or of all, newest first (by id), archived ones on request.
  public static let listItems = UnaryMethod<ListItemsRequest, ListItemsResponse>(
    "quiver.v1.Equipment/ListItems", id: 4098)

  /// The hub, and again whenever it may have changed; the latest state counts.
  public static let watchHub = ServerStreamingMethod<WatchHubRequest, WatchHubResponse>(
    "quiver.v1.Equipment/WatchHub", id: 4099)
  /// What ``listItems`` lists, then what changes in it, coalesced by item.
  public static let watchItems = ServerStreamingMethod<WatchItemsRequest, WatchItemsResponse>(
    "quiver.v1.Equipment/WatchItems", id: 4100)
  /// What ``listBowSetups`` lists, then what changes in it, coalesced by setup.
  public static let watchBowSetups = ServerStreamingMethod<
    WatchBowSetupsRequest, WatchBowSetupsResponse
  >(
    "quiver.v1.Equipment/WatchBowSetups", id: 4101)

  public static let createRiser = UnaryMethod<CreateRiserRequest, Riser>(
    "quiver.v1.Equipment/CreateRiser", id: 4112, mutating: true)
  public static let getRiser = UnaryMethod<GetRiserRequest, Riser>(
    "quiver.v1.Equipment/GetRiser", id: 4113)
  public static let updateRiser = UnaryMethod<UpdateRiserRequest, Riser>(
    "quiver.v1.Equipment/UpdateRiser", id: 4114, mutating: true)
  public static let deleteRiser = UnaryMethod<DeleteRiserRequest, DeleteRiserResponse>(
    "quiver.v1.Equipment/DeleteRiser", id: 4115, mutating: true)
  public static let archiveRiser = UnaryMethod<ArchiveRiserRequest, Riser>(
    "quiver.v1.Equipment/ArchiveRiser", id: 4116, mutating: true)
  public static let restoreRiser = UnaryMethod<RestoreRiserRequest, Riser>(
    "quiver.v1.Equipment/RestoreRiser", id: 4117, mutating: true)

  public static let createLimbs = UnaryMethod<CreateLimbsRequest, Limbs>(
    "quiver.v1.Equipment/CreateLimbs", id: 4120, mutating: true)
  public static let getLimbs = UnaryMethod<GetLimbsRequest, Limbs>(
    "quiver.v1.Equipment/GetLimbs", id: 4121)
  public static let updateLimbs = UnaryMethod<UpdateLimbsRequest, Limbs>(
    "quiver.v1.Equipment/UpdateLimbs", id: 4122, mutating: true)
  public static let deleteLimbs = UnaryMethod<DeleteLimbsRequest, DeleteLimbsResponse>(
    "quiver.v1.Equipment/DeleteLimbs", id: 4123, mutating: true)
  public static let archiveLimbs = UnaryMethod<ArchiveLimbsRequest, Limbs>(
    "quiver.v1.Equipment/ArchiveLimbs", id: 4124, mutating: true)
  public static let restoreLimbs = UnaryMethod<RestoreLimbsRequest, Limbs>(
    "quiver.v1.Equipment/RestoreLimbs", id: 4125, mutating: true)

  public static let createSight = UnaryMethod<CreateSightRequest, Sight>(
    "quiver.v1.Equipment/CreateSight", id: 4128, mutating: true)
  public static let getSight = UnaryMethod<GetSightRequest, Sight>(
    "quiver.v1.Equipment/GetSight", id: 4129)
  public static let updateSight = UnaryMethod<UpdateSightRequest, Sight>(
    "quiver.v1.Equipment/UpdateSight", id: 4130, mutating: true)
  public static let deleteSight = UnaryMethod<DeleteSightRequest, DeleteSightResponse>(
    "quiver.v1.Equipment/DeleteSight", id: 4131, mutating: true)
  public static let archiveSight = UnaryMethod<ArchiveSightRequest, Sight>(
    "quiver.v1.Equipment/ArchiveSight", id: 4132, mutating: true)
  public static let restoreSight = UnaryMethod<RestoreSightRequest, Sight>(
    "quiver.v1.Equipment/RestoreSight", id: 4133, mutating: true)

  public static let createRest = UnaryMethod<CreateRestRequest, Rest>(
    "quiver.v1.Equipment/CreateRest", id: 4136, mutating: true)
  public static let getRest = UnaryMethod<GetRestRequest, Rest>(
    "quiver.v1.Equipment/GetRest", id: 4137)
  public static let updateRest = UnaryMethod<UpdateRestRequest, Rest>(
    "quiver.v1.Equipment/UpdateRest", id: 4138, mutating: true)
  public static let deleteRest = UnaryMethod<DeleteRestRequest, DeleteRestResponse>(
    "quiver.v1.Equipment/DeleteRest", id: 4139, mutating: true)
  public static let archiveRest = UnaryMethod<ArchiveRestRequest, Rest>(
    "quiver.v1.Equipment/ArchiveRest", id: 4140, mutating: true)
  public static let restoreRest = UnaryMethod<RestoreRestRequest, Rest>(
    "quiver.v1.Equipment/RestoreRest", id: 4141, mutating: true)

  public static let createPlunger = UnaryMethod<CreatePlungerRequest, Plunger>(
    "quiver.v1.Equipment/CreatePlunger", id: 4144, mutating: true)
  public static let getPlunger = UnaryMethod<GetPlungerRequest, Plunger>(
    "quiver.v1.Equipment/GetPlunger", id: 4145)
  public static let updatePlunger = UnaryMethod<UpdatePlungerRequest, Plunger>(
    "quiver.v1.Equipment/UpdatePlunger", id: 4146, mutating: true)
  public static let deletePlunger = UnaryMethod<DeletePlungerRequest, DeletePlungerResponse>(
    "quiver.v1.Equipment/DeletePlunger", id: 4147, mutating: true)
  public static let archivePlunger = UnaryMethod<ArchivePlungerRequest, Plunger>(
    "quiver.v1.Equipment/ArchivePlunger", id: 4148, mutating: true)
  public static let restorePlunger = UnaryMethod<RestorePlungerRequest, Plunger>(
    "quiver.v1.Equipment/RestorePlunger", id: 4149, mutating: true)

  public static let createBowString = UnaryMethod<CreateBowStringRequest, BowString>(
    "quiver.v1.Equipment/CreateBowString", id: 4152, mutating: true)
  public static let getBowString = UnaryMethod<GetBowStringRequest, BowString>(
    "quiver.v1.Equipment/GetBowString", id: 4153)
  public static let updateBowString = UnaryMethod<UpdateBowStringRequest, BowString>(
    "quiver.v1.Equipment/UpdateBowString", id: 4154, mutating: true)
  public static let deleteBowString = UnaryMethod<DeleteBowStringRequest, DeleteBowStringResponse>(
    "quiver.v1.Equipment/DeleteBowString", id: 4155, mutating: true)
  public static let archiveBowString = UnaryMethod<ArchiveBowStringRequest, BowString>(
    "quiver.v1.Equipment/ArchiveBowString", id: 4156, mutating: true)
  public static let restoreBowString = UnaryMethod<RestoreBowStringRequest, BowString>(
    "quiver.v1.Equipment/RestoreBowString", id: 4157, mutating: true)

  public static let createStabilizer = UnaryMethod<CreateStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/CreateStabilizer", id: 4160, mutating: true)
  public static let getStabilizer = UnaryMethod<GetStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/GetStabilizer", id: 4161)
  public static let updateStabilizer = UnaryMethod<UpdateStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/UpdateStabilizer", id: 4162, mutating: true)
  public static let deleteStabilizer = UnaryMethod<
    DeleteStabilizerRequest, DeleteStabilizerResponse
  >(
    "quiver.v1.Equipment/DeleteStabilizer", id: 4163, mutating: true)
  public static let archiveStabilizer = UnaryMethod<ArchiveStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/ArchiveStabilizer", id: 4164, mutating: true)
  public static let restoreStabilizer = UnaryMethod<RestoreStabilizerRequest, Stabilizer>(
    "quiver.v1.Equipment/RestoreStabilizer", id: 4165, mutating: true)

  public static let createWeight = UnaryMethod<CreateWeightRequest, Weight>(
    "quiver.v1.Equipment/CreateWeight", id: 4168, mutating: true)
  public static let getWeight = UnaryMethod<GetWeightRequest, Weight>(
    "quiver.v1.Equipment/GetWeight", id: 4169)
  public static let updateWeight = UnaryMethod<UpdateWeightRequest, Weight>(
    "quiver.v1.Equipment/UpdateWeight", id: 4170, mutating: true)
  public static let deleteWeight = UnaryMethod<DeleteWeightRequest, DeleteWeightResponse>(
    "quiver.v1.Equipment/DeleteWeight", id: 4171, mutating: true)
  public static let archiveWeight = UnaryMethod<ArchiveWeightRequest, Weight>(
    "quiver.v1.Equipment/ArchiveWeight", id: 4172, mutating: true)
  public static let restoreWeight = UnaryMethod<RestoreWeightRequest, Weight>(
    "quiver.v1.Equipment/RestoreWeight", id: 4173, mutating: true)

  public static let createArrow = UnaryMethod<CreateArrowRequest, Arrow>(
    "quiver.v1.Equipment/CreateArrow", id: 4176, mutating: true)
  public static let getArrow = UnaryMethod<GetArrowRequest, Arrow>(
    "quiver.v1.Equipment/GetArrow", id: 4177)
  public static let updateArrow = UnaryMethod<UpdateArrowRequest, Arrow>(
    "quiver.v1.Equipment/UpdateArrow", id: 4178, mutating: true)
  public static let deleteArrow = UnaryMethod<DeleteArrowRequest, DeleteArrowResponse>(
    "quiver.v1.Equipment/DeleteArrow", id: 4179, mutating: true)
  public static let archiveArrow = UnaryMethod<ArchiveArrowRequest, Arrow>(
    "quiver.v1.Equipment/ArchiveArrow", id: 4180, mutating: true)
  public static let restoreArrow = UnaryMethod<RestoreArrowRequest, Arrow>(
    "quiver.v1.Equipment/RestoreArrow", id: 4181, mutating: true)

  public static let createAccessory = UnaryMethod<CreateAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/CreateAccessory", id: 4184, mutating: true)
  public static let getAccessory = UnaryMethod<GetAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/GetAccessory", id: 4185)
  public static let updateAccessory = UnaryMethod<UpdateAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/UpdateAccessory", id: 4186, mutating: true)
  public static let deleteAccessory = UnaryMethod<DeleteAccessoryRequest, DeleteAccessoryResponse>(
    "quiver.v1.Equipment/DeleteAccessory", id: 4187, mutating: true)
  public static let archiveAccessory = UnaryMethod<ArchiveAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/ArchiveAccessory", id: 4188, mutating: true)
  public static let restoreAccessory = UnaryMethod<RestoreAccessoryRequest, Accessory>(
    "quiver.v1.Equipment/RestoreAccessory", id: 4189, mutating: true)

  public static let createSightMark = UnaryMethod<CreateSightMarkRequest, SightMark>(
    "quiver.v1.Equipment/CreateSightMark", id: 4208, mutating: true)
  /// All marks of one sight or one setup, nearest first, then by id.
  public static let listSightMarks = UnaryMethod<ListSightMarksRequest, ListSightMarksResponse>(
    "quiver.v1.Equipment/ListSightMarks", id: 4209)
  public static let updateSightMark = UnaryMethod<UpdateSightMarkRequest, SightMark>(
    "quiver.v1.Equipment/UpdateSightMark", id: 4210, mutating: true)
  public static let deleteSightMark = UnaryMethod<DeleteSightMarkRequest, DeleteSightMarkResponse>(
    "quiver.v1.Equipment/DeleteSightMark", id: 4211, mutating: true)

  public static let createBowSetup = UnaryMethod<CreateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/CreateBowSetup", id: 4224, mutating: true)
  /// As it is, or as one of its versions was.
  public static let getBowSetup = UnaryMethod<GetBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/GetBowSetup", id: 4225)
  /// By name, without regard to case, then by id; inactive ones on request.
  public static let listBowSetups = UnaryMethod<ListBowSetupsRequest, ListBowSetupsResponse>(
    "quiver.v1.Equipment/ListBowSetups", id: 4226)
  public static let updateBowSetup = UnaryMethod<UpdateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/UpdateBowSetup", id: 4227, mutating: true)
  /// Its versions and sight marks go with it; its pieces stay.
  public static let deleteBowSetup = UnaryMethod<DeleteBowSetupRequest, DeleteBowSetupResponse>(
    "quiver.v1.Equipment/DeleteBowSetup", id: 4228, mutating: true)
  /// Another setup with the same notes, components and sight marks; active, not the default.
  public static let copyBowSetup = UnaryMethod<CopyBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/CopyBowSetup", id: 4229, mutating: true)
  /// Makes it the default in place of the one that was.
  public static let setDefaultBowSetup = UnaryMethod<SetDefaultBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/SetDefaultBowSetup", id: 4230, mutating: true)
  public static let activateBowSetup = UnaryMethod<ActivateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/ActivateBowSetup", id: 4231, mutating: true)
  /// The default one is the default no longer.
  public static let deactivateBowSetup = UnaryMethod<DeactivateBowSetupRequest, BowSetup>(
    "quiver.v1.Equipment/DeactivateBowSetup", id: 4232, mutating: true)
  /// Of a single type it replaces the one that was there.
  public static let addBowSetupComponent = UnaryMethod<AddBowSetupComponentRequest, BowSetup>(
    "quiver.v1.Equipment/AddBowSetupComponent", id: 4233, mutating: true)
  public static let removeBowSetupComponent = UnaryMethod<RemoveBowSetupComponentRequest, BowSetup>(
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
