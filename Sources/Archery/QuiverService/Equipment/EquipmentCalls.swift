import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

/// The calls that all types of equipment share, for the message of each.
struct EquipmentCalls: Sendable {
  let commands: CommandCalls

  /// The changeable field besides those of the type.
  private static let archivedField = "archived"

  func create<Item: EquipmentItemMessage>(
    _ request: CreateItemRequest<Item>, _ call: CallContext, _ responder: Responder<Item>
  ) throws {
    let caller = try commands.commandCaller(call)
    let item = try Self.given(request.item)
    let command = try CreateEquipment(item.content, clientID: item.clientID)
    commands.submit(command, by: caller, call, responder) { Item($0) }
  }

  /// The route of a point read: from memory if the item was read recently.
  func getRoute<Item: EquipmentItemMessage>(
    _ method: UnaryMethod<GetItemRequest<Item>, Item>
  ) -> Route {
    .synchronous(method) { request, call in
      let caller = try call.storeCaller()
      let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
      return try commands.store.encodedEquipment(
        Item.ruleType, reference, principal: caller.principal
      ) { Item($0).serializedBytes() }
    } otherwise: { request, call, responder in
      commands.read(call, responder) { try get(request, call) }
    }
  }

  private func get<Item: EquipmentItemMessage>(
    _ request: GetItemRequest<Item>, _ call: CallContext
  ) throws -> Item {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    return Item(
      try commands.store.equipment(
        Item.ruleType, reference, principal: caller.principal))
  }

  func update<Item: EquipmentItemMessage>(
    _ request: UpdateItemRequest<Item>, _ call: CallContext, _ responder: Responder<Item>
  ) throws {
    let caller = try commands.commandCaller(call)
    let item = try Self.given(request.item)
    let kind = Item.kind
    try NamedFields.check(
      request.updateMask, changeable: Set(kind.fields.map(\.name) + [Self.archivedField]),
      of: Item.self, called: kind.name)
    let reference = try ObjectReference.read(
      id: item.id, clientID: item.clientID, prefix: kind.name + ".")
    let command = try UpdateEquipment(
      item.content, isArchived: item.archived, of: reference, revision: item.revision,
      mask: request.updateMask)
    commands.submit(
      command, by: caller, call, responder
    ) { Item($0) }
  }

  func delete<Item: EquipmentItemMessage>(
    _ request: DeleteItemRequest<Item>, _ call: CallContext,
    _ responder: Responder<DeleteItemResponse<Item>>
  ) throws {
    let caller = try commands.commandCaller(call)
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    let command = DeleteEquipment(
      Item.ruleType, reference, revision: request.revision, detaches: request.detach)
    commands.submit(
      command, by: caller, call, responder
    ) { _ in DeleteItemResponse() }
  }

  func archive<Item: EquipmentItemMessage>(
    _ request: ArchiveItemRequest<Item>, _ call: CallContext, _ responder: Responder<Item>
  ) throws {
    try setArchived(
      true, id: request.id, request.clientID, revision: request.revision, call, responder)
  }

  func restore<Item: EquipmentItemMessage>(
    _ request: RestoreItemRequest<Item>, _ call: CallContext, _ responder: Responder<Item>
  ) throws {
    try setArchived(
      false, id: request.id, request.clientID, revision: request.revision, call, responder)
  }

  private func setArchived<Item: EquipmentItemMessage>(
    _ isArchived: Bool, id: Int64, _ clientID: [UInt8], revision: UInt64, _ call: CallContext,
    _ responder: Responder<Item>
  ) throws {
    let caller = try commands.commandCaller(call)
    let reference = try ObjectReference.given(id: id, clientID: clientID)
    let command = ArchiveEquipment(
      Item.ruleType, reference, revision: revision, isArchived: isArchived)
    commands.submit(
      command, by: caller, call, responder
    ) { Item($0) }
  }

  private static func given<Item: EquipmentItemMessage>(
    _ item: Item?
  ) throws -> Item {
    guard let item else { throw RPCError.invalid(Item.kind.name, "must be given") }
    return item
  }
}
