public import QuiverRPC

/// The six methods that every type of equipment has.
public struct EquipmentMethods<Item: EquipmentItemMessage>: Sendable {
  /// Creates an item. A client id that was used before for the same content returns the existing
  /// item.
  public let create: UnaryMethod<CreateItemRequest<Item>, Item>
  /// Returns an item by its id or by its client id.
  public let get: UnaryMethod<GetItemRequest<Item>, Item>
  /// Changes the fields of an item that the mask names. A stale revision is ABORTED with the
  /// current item as a detail.
  public let update: UnaryMethod<UpdateItemRequest<Item>, Item>
  /// Deletes an item. An item in a bow setup is FAILED_PRECONDITION with ``HeldBySetups`` as a
  /// detail, unless the request detaches it.
  public let delete: UnaryMethod<DeleteItemRequest<Item>, DeleteItemResponse<Item>>
  /// Archives an item: lists omit it unless a request includes archived items. Setups keep it.
  public let archive: UnaryMethod<ArchiveItemRequest<Item>, Item>
  /// Restores an archived item to lists.
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
