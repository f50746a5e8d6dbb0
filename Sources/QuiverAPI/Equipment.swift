package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Equipment`: what an archer owns, by type.
public enum Equipment {
  /// One principal's pieces of one type or of all, newest first (by id), archived ones on request.
  public static let listItems = Method<ListItemsRequest, ListItemsResponse>(
    "quiver.v1.Equipment/ListItems", id: 4098)

  public static let createRiser = Method<CreateRiserRequest, Riser>(
    "quiver.v1.Equipment/CreateRiser", id: 4112, mutating: true)
  public static let getRiser = Method<GetRiserRequest, Riser>(
    "quiver.v1.Equipment/GetRiser", id: 4113)
  public static let updateRiser = Method<UpdateRiserRequest, Riser>(
    "quiver.v1.Equipment/UpdateRiser", id: 4114, mutating: true)
  public static let deleteRiser = Method<DeleteRiserRequest, DeleteRiserResponse>(
    "quiver.v1.Equipment/DeleteRiser", id: 4115, mutating: true)

  package static let methods = [
    listItems.info, createRiser.info, getRiser.info, updateRiser.info, deleteRiser.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Equipment", number: 16, methods.map(\.schema))
}

/// What answers ``Equipment``.
public protocol EquipmentHandlers: Sendable {
  func listItems(
    _ request: ListItemsRequest, _ call: CallContext
  ) throws(RPCError) -> ListItemsResponse

  func createRiser(
    _ request: CreateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>)
  func getRiser(_ request: GetRiserRequest, _ call: CallContext) throws(RPCError) -> Riser
  func updateRiser(
    _ request: UpdateRiserRequest, _ call: CallContext, _ responder: Responder<Riser>)
  func deleteRiser(
    _ request: DeleteRiserRequest, _ call: CallContext,
    _ responder: Responder<DeleteRiserResponse>)
}

extension EquipmentHandlers {
  @inlinable
  public var routes: [Route] {
    [
      .synchronous(Equipment.listItems, listItems),
      .responding(Equipment.createRiser, createRiser),
      .synchronous(Equipment.getRiser, getRiser),
      .responding(Equipment.updateRiser, updateRiser),
      .responding(Equipment.deleteRiser, deleteRiser),
    ]
  }
}
