package import QuiverRules

/// Selects the items of a list.
package struct EquipmentFilter: Sendable, Hashable {
  /// Nil for all types.
  package var type: EquipmentType?

  package var includesArchived: Bool

  package init(type: EquipmentType? = nil, includesArchived: Bool = false) {
    self.type = type
    self.includesArchived = includesArchived
  }
}

extension Snapshot {
  private static let ofAllTypes = Query(
    list("e.principal_id = ?1 AND e.id < ?2 AND e.archived <= ?3", limit: "?4"))
  private static let ofOneType = Query(
    list("e.principal_id = ?1 AND e.type = ?5 AND e.id < ?2 AND e.archived <= ?3", limit: "?4"))

  private static func list(_ condition: String, limit: String) -> String {
    """
    SELECT e.id, e.type, e.display_brand, e.display_model, e.archived, e.client_id,
      e.revision
    FROM equipment e WHERE \(condition) AND e.deleted_at_ms IS NULL
    ORDER BY e.id DESC LIMIT \(limit)
    """
  }

  private static let ofOneID = Query(list("e.principal_id = ?1 AND e.id = ?2", limit: "1"))

  /// An item as an entry of a list, archived or not; nil if there is none.
  package func equipmentItem(
    _ id: Int64, principal: Int64
  ) throws(StoreError) -> EquipmentItemRecord? {
    try first(
      Self.ofOneID, .integer(principal), .integer(id), map: EquipmentItemRecord.init(row:))
  }

  /// A page of the principal's items, newest first by id; stable under inserts.
  ///
  /// `pageSize` 0 stands for 50; values above 500 are reduced to 500. The token of another list is
  /// `invalidArgument`.
  package func equipmentItems(
    principal: Int64, _ filter: EquipmentFilter, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<EquipmentItemRecord> {
    let token = PageToken(
      scope: [
        .text("equipment"), .integer(principal), .integer(Int64(filter.type?.rawValue ?? 0)),
        .integer(filter.includesArchived ? 1 : 0),
      ])
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? .max
    let size = StoreLimits.pageSize(pageSize)
    let archived: Int64 = filter.includesArchived ? 1 : 0
    let rows: [EquipmentItemRecord]
    if let type = filter.type {
      rows = try all(
        Self.ofOneType, .integer(principal), .integer(before), .integer(archived),
        .integer(size + 1), .integer(Int64(type.rawValue)), map: EquipmentItemRecord.init(row:))
    } else {
      rows = try all(
        Self.ofAllTypes, .integer(principal), .integer(before), .integer(archived),
        .integer(size + 1), map: EquipmentItemRecord.init(row:))
    }
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }
}

extension EquipmentItemRecord {
  init(row: Row) throws(StoreError) {
    guard let type = EquipmentType(rawValue: row.int32(1)) else {
      throw StoreError(.dataLoss, "an item of equipment has an unknown type")
    }
    self.init(
      id: row.int64(0), type: type, displayBrand: row.text(2), displayModel: row.text(3),
      isArchived: row.bool(4), clientID: row.bytes(5),
      revision: UInt64(clamping: row.int64(6)))
  }
}
