import QuiverProtobuf
import QuiverRPC

/// Requests by their schemas: the object is field 1 where it is given whole, else `id`, `client_id`
/// and `revision` stand beside each other.
extension DynamicMessage {
  /// The whole object that a request of creating or updating carries.
  var carriedObject: DynamicMessage? {
    if case .message(let object) = self[1] { object } else { nil }
  }

  /// Names the revision on which a change is based; false where the request names none.
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
  /// What the local file holds does not decode.
  static func unreadable(_ what: String) -> SessionError {
    SessionError(.unusableFile, "the local file holds \(what) that this program cannot read")
  }
}

/// Decodes what the local file holds.
func decoded(_ schema: MessageSchema, _ bytes: [UInt8]) throws(SessionError) -> DynamicMessage {
  do throws(DecodeError) {
    return try DynamicMessage(schema, serializedBytes: bytes)
  } catch {
    throw .unreadable("a \(schema.name)")
  }
}
