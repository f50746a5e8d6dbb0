package import QuiverRules

/// Reading equipment. Everything is of one principal; what is another's is not found.
extension Snapshot {
  private static let counts = Query(
    "SELECT type, active, archived FROM equipment_count WHERE principal_id = ?1 ORDER BY type")

  /// One item of that type; throws `notFound`.
  package func equipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> EquipmentRecord {
    let id = try objectID(reference, kind: .equipment, principal: principal)
    guard let id, let record = try equipment(type, id: id, principal: principal) else {
      throw .noEquipment(type)
    }
    return record
  }

  /// One item of that type; nil if the principal has none of that id.
  func equipment(
    _ type: EquipmentType, id: Int64, principal: Int64
  ) throws(StoreError) -> EquipmentRecord? {
    let queries = EquipmentQueries.of(type)
    return try first(queries.select, .integer(id), .integer(principal)) { row in
      queries.record(row)
    }
  }

  /// How many items of each type the principal has, in the hub's order; its cost does not depend
  /// on how many they are.
  package func equipmentCounts(principal: Int64) throws(StoreError) -> [EquipmentCount] {
    var counts = EquipmentType.allCases.map { EquipmentCount(type: $0, active: 0, archived: 0) }
    let rows = try all(Self.counts, .integer(principal)) { row in
      (type: row.int32(0), active: row.int64(1), archived: row.int64(2))
    }
    for row in rows {
      guard let type = EquipmentType(rawValue: row.type) else { continue }
      counts[Int(type.rawValue) - 1] = EquipmentCount(
        type: type, active: row.active, archived: row.archived)
    }
    return counts
  }
}

/// An item of equipment with its owner.
struct OwnedEquipment: Sendable {
  let principal: Int64
  let record: EquipmentRecord

  /// The item, if it is of that type and the principal's; throws `notFound` otherwise.
  func record(_ type: EquipmentType, principal: Int64) throws(StoreError) -> EquipmentRecord {
    guard self.principal == principal, record.content.type == type else {
      throw .noEquipment(type)
    }
    return record
  }
}

/// The items of equipment that were read lately.
struct EquipmentCache: CommitObserver {
  let items = ObjectCache<OwnedEquipment>(capacity: StoreLimits.cachedEquipment)

  func didCommit(_ effects: CommitEffects) {
    for change in effects.changes where change.kind == .equipment { items.remove(change.id) }
  }
}

extension Store {
  /// One item of that type, as it is after the latest acknowledged command, if it is in memory;
  /// throws `notFound` if it is another principal's or of another type.
  package func cachedEquipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> EquipmentRecord? {
    guard case .id(let id) = reference,
      case .found(let owned) = features.equipmentCache.items.find(id)
    else { return nil }
    return try owned.record(type, principal: principal)
  }

  /// One item of that type, as it is after the latest acknowledged command; throws `notFound`.
  ///
  /// This is the fastest way to read one item, because it comes from memory if it was read lately.
  /// To read several items of one state, use `read`.
  package func equipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> EquipmentRecord {
    guard case .id(let id) = reference else {
      return try read { (snapshot) throws(StoreError) in
        try snapshot.equipment(type, reference, principal: principal)
      }
    }
    let cache = features.equipmentCache.items
    switch cache.find(id) {
    case .found(let owned):
      return try owned.record(type, principal: principal)
    case .missing(let version):
      let record = try read { (snapshot) throws(StoreError) in
        try snapshot.equipment(type, reference, principal: principal)
      }
      cache.insert(
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
