public import QuiverProtobuf

/// One piece of equipment of any type: the fields that all ten have in common.
///
/// The server sets ``id``, both times, ``revision``, both display texts and ``setupUseCount``.
public protocol EquipmentPiece: Message {
  /// From the server.
  var id: Int64 { get set }
  /// A UUIDv7, made by the client; optional; stays as it was made.
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
  /// From 1; an update names the one that it read.
  var revision: UInt64 { get set }
  var displayBrand: String { get set }
  var displayModel: String { get set }
  /// Setups whose latest version holds it.
  var setupUseCount: UInt32 { get set }

  /// The messages of the type's calls.
  static var requests: PieceRequests<Self> { get }
}

/// The schemas of the messages by which pieces of one type are made, read and changed.
public struct PieceRequests<Piece: EquipmentPiece>: Sendable {
  let create: Schema<CreatePieceRequest<Piece>>
  let get: Schema<GetPieceRequest<Piece>>
  let update: Schema<UpdatePieceRequest<Piece>>
  let delete: Schema<DeletePieceRequest<Piece>>
  let deleteResponse: Schema<DeletePieceResponse<Piece>>
  let archive: Schema<ArchivePieceRequest<Piece>>
  let restore: Schema<RestorePieceRequest<Piece>>
  private let path: String

  /// - Parameter field: the proto field that holds a piece, as in `bow_string`; its file has the
  ///   same name.
  init(_ field: String) {
    path = "quiver/v1/\(field).proto"
    let type = Piece.schema.core.name.split(separator: ".").last ?? ""
    create = Schema("quiver.v1.Create\(type)Request", .message(1, field, \.piece))
    get = Schema(
      "quiver.v1.Get\(type)Request", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
    update = Schema(
      "quiver.v1.Update\(type)Request", .message(1, field, \.piece),
      .strings(2, "update_mask", \.updateMask))
    delete = Schema(
      "quiver.v1.Delete\(type)Request", .int64(1, "id", \.id),
      .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision),
      .bool(4, "detach", \.detach))
    deleteResponse = Schema("quiver.v1.Delete\(type)Response")
    archive = Schema(
      "quiver.v1.Archive\(type)Request", .int64(1, "id", \.id),
      .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
    restore = Schema(
      "quiver.v1.Restore\(type)Request", .int64(1, "id", \.id),
      .bytes(2, "client_id", \.clientID), .uint64(3, "revision", \.revision))
  }

  /// The type's file of `Protos`, with the enums of its own that it declares.
  func file(_ enums: EnumSchema...) -> ProtoFile {
    ProtoFile(
      path: path,
      messages: [
        Piece.schema.core, create.core, get.core, update.core, delete.core, deleteResponse.core,
        archive.core, restore.core,
      ],
      enums: enums)
  }
}
