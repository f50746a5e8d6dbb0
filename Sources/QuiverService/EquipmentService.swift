import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

/// Answers `quiver.v1.Equipment`.
struct EquipmentService: EquipmentHandlers {
  private let calls: EquipmentCalls

  init(_ commands: CommandCalls) { calls = EquipmentCalls(commands: commands) }

  func listItems(
    _ request: ListItemsRequest, _ call: CallContext
  ) throws(RPCError) -> ListItemsResponse {
    let caller = try call.storeCaller()
    let type = QuiverRules.EquipmentType(rawValue: request.type.rawValue)
    guard type != nil || request.type == .unspecified else {
      throw .invalid("type", "must be one of the ten types, or unspecified for all of them")
    }
    let filter = EquipmentFilter(type: type, includesArchived: request.includeArchived)
    let page = try answering { () throws(StoreError) in
      try calls.commands.store.read { (snapshot) throws(StoreError) in
        try snapshot.equipmentItems(
          principal: caller.principal, filter, pageSize: request.pageSize,
          pageToken: request.pageToken)
      }
    }
    var response = ListItemsResponse()
    response.items = page.items.map(EquipmentItem.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func createRiser(
    _ request: CreateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>
  ) {
    calls.create(request.riser, call, responder)
  }

  func getRiser(_ request: GetRiserRequest, _ call: CallContext) throws(RPCError) -> Riser {
    try calls.get(id: request.id, clientID: request.clientID, call)
  }

  func updateRiser(
    _ request: UpdateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>
  ) {
    calls.update(request.riser, mask: request.updateMask, call, responder)
  }

  func deleteRiser(
    _ request: DeleteRiserRequest, _ call: CallContext,
    _ responder: Responder<DeleteRiserResponse>
  ) {
    calls.delete(
      Riser.self, id: request.id, clientID: request.clientID, revision: request.revision, call,
      responder)
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
  }
}
