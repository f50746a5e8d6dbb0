package import QuiverRules

/// A piece of equipment with what decides who may see it.
struct OwnedEquipment: Sendable {
  let principal: Int64
  let record: EquipmentRecord
}

extension Store {
  /// One piece of that type, as it is after the latest acknowledged command; throws `notFound`.
  ///
  /// The fastest way to one piece: from memory where it was read lately. Several pieces of one
  /// state come from `read`.
  package func equipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> EquipmentRecord {
    guard case .id(let id) = reference else {
      return try read { (snapshot) throws(StoreError) in
        try snapshot.equipment(type, reference, principal: principal)
      }
    }
    switch equipmentCache.find(id) {
    case .found(let owned):
      guard owned.principal == principal, owned.record.content.type == type else {
        throw .noEquipment(type)
      }
      return owned.record
    case .missing(let version):
      let record = try read { (snapshot) throws(StoreError) in
        try snapshot.equipment(type, reference, principal: principal)
      }
      equipmentCache.insert(
        OwnedEquipment(principal: principal, record: record), id: id, version: version)
      return record
    }
  }
}

extension StoreError {
  static func noEquipment(_ type: EquipmentType) -> StoreError {
    StoreError(.notFound, "there is no such \(EquipmentKind.of(type).label.lowercased())")
  }
}
