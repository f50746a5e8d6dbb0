public import QuiverRPC

/// The six methods that every type of equipment has.
public struct EquipmentMethods<Item: EquipmentItemMessage>: Sendable {
  public let create: UnaryMethod<CreateItemRequest<Item>, Item>
  public let get: UnaryMethod<GetItemRequest<Item>, Item>
  public let update: UnaryMethod<UpdateItemRequest<Item>, Item>
  public let delete: UnaryMethod<DeleteItemRequest<Item>, DeleteItemResponse<Item>>
  public let archive: UnaryMethod<ArchiveItemRequest<Item>, Item>
  public let restore: UnaryMethod<RestoreItemRequest<Item>, Item>

  init() {
    let name = "\(EquipmentTypeDeclaration<Item>.name)"
    let id = Item.declaration.firstMethodID
    create = UnaryMethod("quiver.v1.Equipment/Create" + name, id: id, mutating: true)
    get = UnaryMethod("quiver.v1.Equipment/Get" + name, id: id + 1)
    update = UnaryMethod("quiver.v1.Equipment/Update" + name, id: id + 2, mutating: true)
    delete = UnaryMethod("quiver.v1.Equipment/Delete" + name, id: id + 3, mutating: true)
    archive = UnaryMethod("quiver.v1.Equipment/Archive" + name, id: id + 4, mutating: true)
    restore = UnaryMethod("quiver.v1.Equipment/Restore" + name, id: id + 5, mutating: true)
  }
}
