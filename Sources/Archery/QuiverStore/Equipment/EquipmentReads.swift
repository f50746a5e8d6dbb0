package import QuiverRules

/// Reading equipment. Everything is of one principal; what is another's is not found.
extension Snapshot {
  private static let counts = Query(
    "SELECT type, active, archived FROM equipment_count WHERE principal_id = ?1 ORDER BY type")

  /// One piece of that type; throws `notFound`.
  package func equipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> EquipmentRecord {
    let id = try objectID(reference, kind: .equipment, principal: principal)
    guard let id, let record = try equipment(type, id: id, principal: principal) else {
      throw .noEquipment(type)
    }
    return record
  }

  /// One piece of that type; nil where the principal has none of that id.
  func equipment(
    _ type: EquipmentType, id: Int64, principal: Int64
  ) throws(StoreError) -> EquipmentRecord? {
    let queries = EquipmentQueries.of(type)
    return try first(queries.select, .integer(id), .integer(principal)) { row in
      queries.record(row)
    }
  }

  /// How many pieces of each type the principal has, in the hub's order; its cost does not depend
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
