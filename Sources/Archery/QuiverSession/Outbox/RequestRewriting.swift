import QuiverProtobuf
import QuiverRPC

/// Edits requests by their schemas: field 1 is a whole object; otherwise there are the fields `id`,
/// `client_id` and `revision`.
extension DynamicMessage {
  /// The whole object in a request that creates or updates.
  var carriedObject: DynamicMessage? {
    if case .message(let object) = self[1] { object } else { nil }
  }

  /// The fields that a request to update changes: those that it names, or all that users edit.
  func changedFields(of kind: CachedKind) -> [String] {
    schema.field(named: "update_mask") == nil ? kind.editable : texts("update_mask")
  }

  /// Names an object by the server's id, or by its client_id until that is known; an object without
  /// ids stays as it is.
  mutating func address(_ object: LocalObject) {
    guard !object.kind.isSingle else { return }
    set("id", .int64(object.serverID))
    set("client_id", .bytes(object.serverID == 0 ? object.clientID : []))
  }

  /// Sets the revision that a change is based on; returns false if the request has none.
  mutating func setBaseRevision(_ revision: UInt64) -> Bool {
    if schema.field(named: "revision") != nil {
      set("revision", .uint64(revision))
      return true
    }
    guard var object = carriedObject, object.schema.field(named: "revision") != nil else {
      return false
    }
    object.set("revision", .uint64(revision))
    self[1] = .message(object)
    return true
  }
}

extension SessionError {
  /// The error for data in the local file that does not decode.
  static func unreadable(_ what: String) -> SessionError {
    SessionError(.unusableFile, "the local file contains \(what) that this program cannot read")
  }
}

/// Decodes data of the local file.
func decoded(_ schema: MessageSchema, _ bytes: [UInt8]) throws(SessionError) -> DynamicMessage {
  do throws(DecodeError) {
    return try DynamicMessage(schema, serializedBytes: bytes)
  } catch {
    throw .unreadable("a \(schema.name)")
  }
}
