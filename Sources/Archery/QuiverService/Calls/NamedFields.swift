import QuiverProtobuf
import QuiverRPC

/// Validates the field names of an update.
enum NamedFields {
  /// Throws INVALID_ARGUMENT with the position of the first field that cannot be changed.
  static func check<M: Message>(
    _ mask: [String], changeable: Set<String>, of _: M.Type, called name: String
  ) throws {
    guard !mask.isEmpty else {
      throw RPCError.invalid("update_mask", "must name the fields to change")
    }
    for (place, path) in mask.enumerated() where !changeable.contains(path) {
      throw RPCError.invalid(
        "update_mask[\(place)]",
        M.schema.core.field(named: path) == nil
          ? "is no field of \(name)" : "is a field that this call does not change")
    }
  }
}
