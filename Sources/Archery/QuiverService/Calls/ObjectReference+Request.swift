import QuiverRPC
import QuiverStore

extension ObjectReference {
  /// The object that a request names, by one of its ids.
  ///
  /// `prefix` is the prefix of the fields, for example `riser.` or `components[0].equipment_`.
  static func given(
    id: Int64, clientID: [UInt8], prefix: String = ""
  ) throws -> ObjectReference {
    guard id >= 0 else { throw RPCError.invalid(prefix + "id", "must be above 0") }
    guard id == 0 || clientID.isEmpty else {
      throw RPCError.invalid(
        prefix + "client_id", "must not be given beside the id; name one of them")
    }
    guard clientID.isEmpty || clientID.count == StoreLimits.keyByteCount else {
      throw RPCError.invalid(prefix + "client_id", "must be a UUIDv7 of 16 bytes")
    }
    return try ObjectReference(id: id, clientID: clientID, field: prefix + "id")
  }

  /// The same for an object that may have both ids after a read: the server's id counts.
  static func read(
    id: Int64, clientID: [UInt8], prefix: String
  ) throws -> ObjectReference {
    try given(id: id, clientID: id == 0 ? clientID : [], prefix: prefix)
  }
}
