public import QuiverProtobuf
public import QuiverRPC

/// The service `quiver.v1.Equipment`: an archer's items of equipment, sight marks and bow setups.
///
/// All objects belong to the caller; an object of another principal is NOT_FOUND. An invalid value
/// is INVALID_ARGUMENT with the path of its field, and nothing is stored. A request names an object
/// by its id or by its client id, not both. Creating an object again with the same client id and
/// the same content returns the existing object; with other content it is ALREADY_EXISTS. An update
/// or deletion that names a revision other than the current one is ABORTED with the current object
/// as a detail.
public enum Equipment: RPCService {
  /// The methods of ``Equipment``.
  public struct Methods: Sendable {
    /// Returns the number of items of each type, in one snapshot. The cost does not depend on the
    /// number of items.
    public let getHub = UnaryMethod<GetHubRequest, GetHubResponse>(
      "quiver.v1.Equipment/GetHub", id: 4097)
    /// Lists the caller's items of one type or of all types, newest first (by id). Archived items
    /// are included on request.
    public let listItems = UnaryMethod<ListItemsRequest, ListItemsResponse>(
      "quiver.v1.Equipment/ListItems", id: 4098)

    /// Sends the hub, and sends it again whenever it may have changed. A slow reader receives only
    /// the latest state.
    public let watchHub = ServerStreamingMethod<WatchHubRequest, WatchHubResponse>(
      "quiver.v1.Equipment/WatchHub", id: 4099)
    /// Sends the items of ``listItems``, then their changes, coalesced by item.
    public let watchItems = ServerStreamingMethod<WatchItemsRequest, WatchItemsResponse>(
      "quiver.v1.Equipment/WatchItems", id: 4100)
    /// Sends the setups of ``listBowSetups``, then their changes, coalesced by setup.
    public let watchBowSetups = ServerStreamingMethod<
      WatchBowSetupsRequest, WatchBowSetupsResponse
    >(
      "quiver.v1.Equipment/WatchBowSetups", id: 4101)

    /// The six methods of risers.
    public let risers = EquipmentMethods<Riser>()
    /// The six methods of limbs.
    public let limbs = EquipmentMethods<Limbs>()
    /// The six methods of sights.
    public let sights = EquipmentMethods<Sight>()
    /// The six methods of arrow rests.
    public let rests = EquipmentMethods<Rest>()
    /// The six methods of plungers.
    public let plungers = EquipmentMethods<Plunger>()
    /// The six methods of bow strings.
    public let bowStrings = EquipmentMethods<BowString>()
    /// The six methods of stabilizers.
    public let stabilizers = EquipmentMethods<Stabilizer>()
    /// The six methods of weights.
    public let weights = EquipmentMethods<Weight>()
    /// The six methods of arrow sets.
    public let arrows = EquipmentMethods<Arrow>()
    /// The six methods of accessories.
    public let accessories = EquipmentMethods<Accessory>()

    /// Creates a mark of a sight or of a bow setup; at most 200 per owner.
    public let createSightMark = UnaryMethod<CreateSightMarkRequest, SightMark>(
      "quiver.v1.Equipment/CreateSightMark", id: 4208, mutating: true)
    /// Lists all marks of one sight or one setup, by distance, then by id.
    public let listSightMarks = UnaryMethod<ListSightMarksRequest, ListSightMarksResponse>(
      "quiver.v1.Equipment/ListSightMarks", id: 4209)
    /// Changes the fields of a mark that the mask names. A stale revision is ABORTED with the
    /// current mark as a detail.
    public let updateSightMark = UnaryMethod<UpdateSightMarkRequest, SightMark>(
      "quiver.v1.Equipment/UpdateSightMark", id: 4210, mutating: true)
    /// Deletes a mark.
    public let deleteSightMark = UnaryMethod<DeleteSightMarkRequest, DeleteSightMarkResponse>(
      "quiver.v1.Equipment/DeleteSightMark", id: 4211, mutating: true)

    /// Creates a setup with its first version; at most 500 setups per principal.
    public let createBowSetup = UnaryMethod<CreateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/CreateBowSetup", id: 4224, mutating: true)
    /// Returns a setup as it is now, or one of its versions.
    public let getBowSetup = UnaryMethod<GetBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/GetBowSetup", id: 4225)
    /// Lists setups by name, ignoring case, then by id. Inactive setups are included on request.
    public let listBowSetups = UnaryMethod<ListBowSetupsRequest, ListBowSetupsResponse>(
      "quiver.v1.Equipment/ListBowSetups", id: 4226)
    /// Changes the fields of a setup that the mask names. A change of components creates a version.
    /// A stale revision is ABORTED with the current setup as a detail.
    public let updateBowSetup = UnaryMethod<UpdateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/UpdateBowSetup", id: 4227, mutating: true)
    /// Deletes a setup with its versions and sight marks. Its items stay.
    public let deleteBowSetup = UnaryMethod<DeleteBowSetupRequest, DeleteBowSetupResponse>(
      "quiver.v1.Equipment/DeleteBowSetup", id: 4228, mutating: true)
    /// Creates a setup with the same notes, components and sight marks. It is active and not the
    /// default.
    public let copyBowSetup = UnaryMethod<CopyBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/CopyBowSetup", id: 4229, mutating: true)
    /// Makes a setup the default instead of the previous default.
    public let setDefaultBowSetup = UnaryMethod<SetDefaultBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/SetDefaultBowSetup", id: 4230, mutating: true)
    /// Activates a setup: lists include it again.
    public let activateBowSetup = UnaryMethod<ActivateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/ActivateBowSetup", id: 4231, mutating: true)
    /// Hides a setup from lists that do not include inactive setups. A default setup is then no
    /// longer the default.
    public let deactivateBowSetup = UnaryMethod<DeactivateBowSetupRequest, BowSetup>(
      "quiver.v1.Equipment/DeactivateBowSetup", id: 4232, mutating: true)
    /// Creates a version with one more item. An item of a type that occurs once replaces the
    /// previous one; an item that is already in the setup gets the new quantity.
    public let addBowSetupComponent = UnaryMethod<AddBowSetupComponentRequest, BowSetup>(
      "quiver.v1.Equipment/AddBowSetupComponent", id: 4233, mutating: true)
    /// Creates a version without one item.
    public let removeBowSetupComponent = UnaryMethod<RemoveBowSetupComponentRequest, BowSetup>(
      "quiver.v1.Equipment/RemoveBowSetupComponent", id: 4234, mutating: true)
  }

  /// The methods of the service.
  public static let methods = Methods()

  /// The messages of the ten types, in the order of their numbers.
  public static let itemTypes: [any EquipmentItemMessage.Type] = [
    Riser.self, Limbs.self, Sight.self, Rest.self, Plunger.self, BowString.self, Stabilizer.self,
    Weight.self, Arrow.self, Accessory.self,
  ]

  /// The details of errors: ``HeldBySetups``.
  public static var details: [any Message.Type] { [HeldBySetups.self] }
}
