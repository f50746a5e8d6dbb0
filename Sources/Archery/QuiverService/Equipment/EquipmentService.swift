import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// Answers `quiver.v1.Equipment`.
struct EquipmentService {
  let calls: EquipmentCalls
  let watches: WatchAdmission

  var commands: CommandCalls { calls.commands }

  var routes: [Route] {
    [
      .readingOwn(Equipment.getHub, commands, getHub),
      .readingOwn(Equipment.listItems, commands, listItems),
      .streamResponding(Equipment.watchHub, watchHub),
      .streamResponding(Equipment.watchItems, watchItems),
      .streamResponding(Equipment.watchBowSetups, watchBowSetups),
    ] + Equipment.itemTypes.flatMap { itemRoutes($0) } + sightMarkRoutes + bowSetupRoutes
  }

  private func itemRoutes<Item: EquipmentItemMessage>(_: Item.Type) -> [Route] {
    let methods = Item.methods
    return [
      .responding(methods.create, calls.create), calls.getRoute(methods.get),
      .responding(methods.update, calls.update), .responding(methods.delete, calls.delete),
      .responding(methods.archive, calls.archive), .responding(methods.restore, calls.restore),
    ]
  }

  init(_ commands: CommandCalls, _ watches: WatchAdmission) {
    calls = EquipmentCalls(commands: commands)
    self.watches = watches
  }

  func getHub(_ request: GetHubRequest, _ call: CallContext) throws -> GetHubResponse {
    let caller = try call.storeCaller()
    let (counts, setups) = try commands.store.read { (snapshot) throws(StoreError) in
      (
        try snapshot.equipmentCounts(principal: caller.principal),
        try snapshot.bowSetupCount(principal: caller.principal)
      )
    }
    return GetHubResponse(counts, setups)
  }

  func listItems(
    _ request: ListItemsRequest, _ call: CallContext
  ) throws -> ListItemsResponse {
    let caller = try call.storeCaller()
    let filter = EquipmentFilter(
      type: try Self.type(request.type), includesArchived: request.includeArchived)
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: caller.principal, filter, pageSize: request.pageSize,
        pageToken: request.pageToken)
    }
    var response = ListItemsResponse()
    response.items = page.items.map(EquipmentItem.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  /// The type that a request names; nil: all of them.
  static func type(
    _ type: QuiverAPI.EquipmentType
  ) throws -> QuiverRules.EquipmentType? {
    guard type != .unspecified else { return nil }
    guard let known = QuiverRules.EquipmentType(rawValue: type.rawValue) else {
      throw RPCError.invalid("type", "must be one of the ten types, or unspecified for all of them")
    }
    return known
  }
}

extension GetHubResponse {
  /// The hub of counts of all ten types in their order.
  init(_ counts: [EquipmentCount], _ setups: BowSetupCount) {
    self.init()
    for group in QuiverRules.EquipmentGroup.allCases {
      var shown = HubGroup()
      shown.group = QuiverAPI.EquipmentGroup(rawValue: group.rawValue)
      shown.label = group.label
      shown.counts = counts.filter { EquipmentKind.of($0.type).group == group }.map(HubCount.init)
      shown.total = shown.counts.reduce(0) { $0 &+ $1.count }
      total &+= shown.total
      archivedTotal &+= shown.counts.reduce(0) { $0 &+ $1.archivedCount }
      groups.append(shown)
    }
    setupCount = UInt32(clamping: setups.active)
    inactiveSetupCount = UInt32(clamping: setups.inactive)
  }
}

extension HubCount {
  init(_ count: EquipmentCount) {
    self.init()
    let kind = EquipmentKind.of(count.type)
    type = QuiverAPI.EquipmentType(rawValue: count.type.rawValue)
    label = kind.label
    pluralLabel = kind.pluralLabel
    self.count = UInt32(clamping: count.active)
    archivedCount = UInt32(clamping: count.archived)
  }
}

extension EquipmentItem {
  init(_ record: EquipmentItemRecord) {
    self.init()
    id = record.id
    type = QuiverAPI.EquipmentType(rawValue: record.type.rawValue)
    displayBrand = record.displayBrand
    displayModel = record.displayModel
    archived = record.isArchived
    clientID = record.clientID
    revision = record.revision
  }
}
