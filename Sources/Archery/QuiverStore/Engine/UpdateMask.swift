/// The fields that an update changes, by their names in the request.
struct UpdateMask {
  let names: Set<String>

  /// Validates the mask and the revision of an update; `prefix` is the path of the object in the
  /// request, and `isField` accepts the valid names.
  init(
    _ names: [String], revision: UInt64, prefix: String, isField: (String) -> Bool
  ) throws(StoreError) {
    guard revision > 0 else {
      throw .invalid(prefix + ".revision", "must be the revision that was read, from 1")
    }
    guard !names.isEmpty else { throw .invalid("update_mask", "must name the fields to change") }
    guard names.allSatisfy(isField) else {
      throw .invalid("update_mask", "names a field that is not there or cannot be changed")
    }
    self.names = Set(names)
  }

  func contains(_ name: String) -> Bool { names.contains(name) }
}
