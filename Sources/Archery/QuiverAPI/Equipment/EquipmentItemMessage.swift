public import QuiverProtobuf

/// An item of equipment of any type: the fields that all ten types have in common.
///
/// The server sets ``id``, both times, ``revision``, both display texts and ``setupUseCount``.
public protocol EquipmentItemMessage: Message {
  /// The id of the item, assigned by the server.
  var id: Int64 { get set }
  /// The UUIDv7 (16 bytes) that the client made for the item; empty if none. It is unique per
  /// principal, cannot be changed, and can be used wherever the id can.
  var clientID: [UInt8] { get set }
  /// The manufacturer or brand; at most 200 characters. Required if the type has no other required
  /// text.
  var brand: String { get set }
  /// The model; at most 200 characters. Required if the type has no other required text.
  var model: String { get set }
  /// Free text of the owner; at most 4,000 characters.
  var notes: String { get set }
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
  var createdAtMilliseconds: Int64 { get set }
  /// The time of the last change, in milliseconds since 1970-01-01 UTC.
  var updatedAtMilliseconds: Int64 { get set }
  /// Whether the item is archived. Lists omit archived items unless the request includes them.
  var archived: Bool { get set }
  /// The revision of the item, from 1; each change increments it. An update names the revision that
  /// it read.
  var revision: UInt64 { get set }
  /// The first text that lists show for the item, computed by the server: ``brand``, or another
  /// field where the type says so.
  var displayBrand: String { get set }
  /// The second text that lists show for the item, computed by the server: ``model``, or another
  /// field where the type says so.
  var displayModel: String { get set }
  /// The number of bow setups whose latest version contains the item.
  var setupUseCount: UInt32 { get set }

  /// The type's number, method ids and request schemas.
  static var declaration: EquipmentTypeDeclaration<Self> { get }
}

extension EquipmentItemMessage {
  /// The type in lists and filters.
  public static var equipmentType: EquipmentType { declaration.type }
  /// The six methods of the type.
  public static var methods: EquipmentMethods<Self> { EquipmentMethods() }
}

/// A type of equipment: its number, the id of its first method, and the schemas of its requests.
///
/// A class, so that a call that needs one schema does not copy all of them.
public final class EquipmentTypeDeclaration<Item: EquipmentItemMessage>: Sendable {
  let type: EquipmentType
  let firstMethodID: UInt32
  let create: Schema<CreateItemRequest<Item>>
  let get: Schema<GetItemRequest<Item>>
  let update: Schema<UpdateItemRequest<Item>>
  let delete: Schema<DeleteItemRequest<Item>>
  let deleteResponse: Schema<DeleteItemResponse<Item>>
  let archive: Schema<ArchiveItemRequest<Item>>
  let restore: Schema<RestoreItemRequest<Item>>

  /// The name in the names of methods and messages, as in `BowString`.
  static var name: Substring { Item.schema.core.name.split(separator: ".").last ?? "" }

  /// - Parameters:
  ///   - type: its number in lists.
  ///   - field: the proto field of a request that contains an item, as in `bow_string`.
  ///   - firstMethodID: the id of the method that creates an item; the other five follow.
  init(_ type: EquipmentType, field: String, firstMethodID: UInt32) {
    self.type = type
    self.firstMethodID = firstMethodID
    let name = Self.name
    create = Schema("quiver.v1.Create\(name)Request", .message(1, field, \.item))
    get = Schema(
      "quiver.v1.Get\(name)Request", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
    update = Schema(
      "quiver.v1.Update\(name)Request", .message(1, field, \.item),
      .strings(2, "update_mask", \.updateMask))
    delete = Schema(
      "quiver.v1.Delete\(name)Request", .int64(1, "id", \.id),
      .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision),
      .bool(4, "detach", \.detach))
    deleteResponse = Schema("quiver.v1.Delete\(name)Response")
    archive = Schema(
      "quiver.v1.Archive\(name)Request", .int64(1, "id", \.id),
      .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
    restore = Schema(
      "quiver.v1.Restore\(name)Request", .int64(1, "id", \.id),
      .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
  }
}
