public import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Equipment`: what an archer owns, by type, and how it is put together.
public enum Equipment: RPCService {
  public struct Methods: Sendable {
    /// How much there is of each type, in one snapshot; costs the same however much that is.
    public let getHub = UnaryMethod<GetHubRequest, GetHubResponse>(
      "quiver.v1.Equipment/GetHub", id: 4097)
    /// One principal's items of one type or of all, newest first (by id), archived ones on request.
    public let listItems = UnaryMethod<ListItemsRequest, ListItemsResponse>(
      "quiver.v1.Equipment/ListItems", id: 4098)

    /// The hub, and again whenever it may have changed; the latest state counts.
    public let watchHub = ServerStreamingMethod<WatchHubRequest, WatchHubResponse>(
      "quiver.v1.Equipment/WatchHub", id: 4099)
    /// What ``listItems`` lists, then what changes in it, coalesced by item.
    public let watchItems = ServerStreamingMethod<WatchItemsRequest, WatchItemsResponse>(
      "quiver.v1.Equipment/WatchItems", id: 4100)
    /// What ``listBowSetups`` lists, then what changes in it, coalesced by setup.
    public let watchBowSetups = ServerStreamingMethod<
      WatchBowSetupsRequest, WatchBowSetupsResponse
    >(
      "quiver.v1.Equipment/WatchBowSetups", id: 4101)

    public let risers = EquipmentMethods<Riser>()
    public let limbs = EquipmentMethods<Limbs>()
    public let sights = EquipmentMethods<Sight>()
    public let rests = EquipmentMethods<Rest>()
    public let plungers = EquipmentMethods<Plunger>()
    public let bowStrings = EquipmentMethods<BowString>()
    public let stabilizers = EquipmentMethods<Stabilizer>()
    public let weights = EquipmentMethods<Weight>()
    public let arrows = EquipmentMethods<Arrow>()
    public let accessories = EquipmentMethods<Accessory>()

    public let createSightMark = UnaryMethod<CreateSightMarkRequest, SightMark>(
      "quiver.v1.Equipment/CreateSightMark", id: 4208, mutating: true)
    /// All marks of one sight or one setup, nearest first, then by id.
    public let listSightMarks = UnaryMethod<ListSightMarksRequest, ListSightMarksResponse>(
      "quiver.v1.Equipment/ListSightMarks", id: 4209)
    public let updateSightMark = UnaryMethod<UpdateSightMarkRequest, SightMark>(
      "quiver.v1.Equipment/UpdateSightMark", id: 4210, mutating: true)
    public let deleteSightMark = UnaryMethod<DeleteSightMarkRequest, DeleteSightMarkResponse>(
      "quiver.v1.Equipment/DeleteSightMark", id: 4211, mutating: true)

    public let createBowSetup = UnaryMethod<CreateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/CreateBowSetup", id: 4224, mutating: true)
    /// As it is, or as one of its versions was.
    public let getBowSetup = UnaryMethod<GetBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/GetBowSetup", id: 4225)
    /// By name, without regard to case, then by id; inactive ones on request.
    public let listBowSetups = UnaryMethod<ListBowSetupsRequest, ListBowSetupsResponse>(
      "quiver.v1.Equipment/ListBowSetups", id: 4226)
    public let updateBowSetup = UnaryMethod<UpdateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/UpdateBowSetup", id: 4227, mutating: true)
    /// Its versions and sight marks go with it; its items stay.
    public let deleteBowSetup = UnaryMethod<DeleteBowSetupRequest, DeleteBowSetupResponse>(
      "quiver.v1.Equipment/DeleteBowSetup", id: 4228, mutating: true)
    /// Another setup with the same notes, components and sight marks; active, not the default.
    public let copyBowSetup = UnaryMethod<CopyBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/CopyBowSetup", id: 4229, mutating: true)
    /// Makes it the default in place of the one that was.
    public let setDefaultBowSetup = UnaryMethod<SetDefaultBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/SetDefaultBowSetup", id: 4230, mutating: true)
    public let activateBowSetup = UnaryMethod<ActivateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/ActivateBowSetup", id: 4231, mutating: true)
    /// The default one is the default no longer.
    public let deactivateBowSetup = UnaryMethod<DeactivateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/DeactivateBowSetup", id: 4232, mutating: true)
    /// Of a single type it replaces the one that was there.
    public let addBowSetupComponent = UnaryMethod<AddBowSetupComponentRequest, BowSetup>(
      "quiver.v1.Equipment/AddBowSetupComponent", id: 4233, mutating: true)
    public let removeBowSetupComponent = UnaryMethod<RemoveBowSetupComponentRequest, BowSetup>(
      "quiver.v1.Equipment/RemoveBowSetupComponent", id: 4234, mutating: true)
  }

  public static let methods = Methods()

  /// The messages of the ten types, in the order of their numbers.
  public static let itemTypes: [any EquipmentItemMessage.Type] = [
    Riser.self, Limbs.self, Sight.self, Rest.self, Plunger.self, BowString.self, Stabilizer.self,
    Weight.self, Arrow.self, Accessory.self,
  ]

  public static var details: [any Message.Type] { [HeldBySetups.self] }
}
