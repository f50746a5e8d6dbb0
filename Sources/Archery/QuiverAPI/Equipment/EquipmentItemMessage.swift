public import QuiverProtobuf

/// An item of equipment of any type: the fields that all ten types have in common.
///
/// The server sets ``id``, both times, ``revision``, both display texts and ``setupUseCount``.
public protocol EquipmentItemMessage: Message {
  /// From the server.
  var id: Int64 { get set }
  /// A UUIDv7, made by the client; optional; never changed.
  var clientID: [UInt8] { get set }
  /// At most 200 characters; required where the type shows nothing else.
  var brand: String { get set }
  /// At most 200 characters; required where the type shows nothing else.
  var model: String { get set }
  /// At most 4,000 characters.
  var notes: String { get set }
  /// Since 1970-01-01 UTC.
  var createdAtMilliseconds: Int64 { get set }
  /// Since 1970-01-01 UTC.
  var updatedAtMilliseconds: Int64 { get set }
  var archived: Bool { get set }
  /// From 1; an update names the revision that it read.
  var revision: UInt64 { get set }
  var displayBrand: String { get set }
  var displayModel: String { get set }
  /// The number of setups whose latest version contains the item.
  var setupUseCount: UInt32 { get set }

  /// What distinguishes the type's methods from those of the other types.
  static var declaration: EquipmentTypeDeclaration<Self> { get }
}

extension EquipmentItemMessage {
  /// The type in lists and filters.
  public static var equipmentType: EquipmentType { declaration.type }
  /// The methods of the type.
  public static var methods: EquipmentMethods<Self> { EquipmentMethods() }
}

/// A type of equipment: its number, the id of its first method, and the schemas of its requests.
public struct EquipmentTypeDeclaration<Item: EquipmentItemMessage>: Sendable {
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
