import QuiverRPC
import QuiverRules

/// The fields that an update names, checked one by one.
enum UpdateMask {
  /// The fields besides those of a kind that may be changed.
  private static let changeable: Set<String> = ["archived"]

  /// Throws INVALID_ARGUMENT with the place of the first path that cannot be changed.
  ///
  /// `fields` are the names of all fields of the message.
  static func check(
    _ mask: [String], of kind: EquipmentKind, fields: Set<String>
  ) throws(RPCError) {
    guard !mask.isEmpty else {
      throw .invalid("update_mask", "must name the fields to change")
    }
    for (place, path) in mask.enumerated() {
      if changeable.contains(path) || kind.index(of: path) != nil { continue }
      throw .invalid(
        "update_mask[\(place)]",
        fields.contains(path)
          ? "is a field that the server sets" : "is no field of \(kind.name)")
    }
  }
}
