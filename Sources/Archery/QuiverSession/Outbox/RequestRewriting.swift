import QuiverProtobuf
import QuiverRPC

/// Edits requests by their schemas: field 1 is a whole object; otherwise there are the fields `id`,
/// `client_id` and `revision`.
extension DynamicMessage {
  /// The whole object in a request that creates or updates.
  var carriedObject: DynamicMessage? {
    if case .message(let object) = self[1] { object } else { nil }
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
    SessionError(.unusableFile, "the local file holds \(what) that this program cannot read")
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
