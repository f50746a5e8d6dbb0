extension Snapshot {
  private static let list = Query(
    select(
      "s.principal_id = ?1 AND (s.sort_name, s.id) > (?2, ?3) AND s.is_active >= ?4", "LIMIT ?5"))
  private static let ofOneID = Query(select("s.principal_id = ?1 AND s.id = ?2", ""))

  private static func select(_ condition: String, _ limit: String) -> String {
    """
    SELECT s.id, s.client_id, s.name, s.is_active, s.is_default, s.version,
      (SELECT count(*) FROM bow_setup_component c
       WHERE c.setup_id = s.id AND c.version = s.version),
      s.revision, s.updated_at_ms, s.sort_name
    FROM bow_setup s
    WHERE \(condition) ORDER BY s.sort_name, s.id \(limit)
    """
  }

  /// A setup as an entry of the list, active or not; nil if there is none.
  package func bowSetupItem(
    _ id: Int64, principal: Int64
  ) throws(StoreError) -> BowSetupItemRecord? {
    try first(Self.ofOneID, .integer(principal), .integer(id)) { row in
      BowSetupItemRecord(row: row)
    }
  }

  /// A page of the principal's setups by name, case-insensitively, then by id; stable under
  /// inserts.
  ///
  /// `pageSize` 0 stands for 50; values above 500 are reduced to 500. The token of another list is
  /// `invalidArgument`.
  package func bowSetups(
    principal: Int64, includesInactive: Bool = false, pageSize: UInt32 = 0, pageToken: String = ""
  ) throws(StoreError) -> Page<BowSetupItemRecord> {
    let token = PageToken(
      scope: [.text("bow setups"), .integer(principal), .integer(includesInactive ? 1 : 0)])
    let after = try token.textPlace(in: pageToken, key: pageTokenKey) ?? ("", 0)
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      Self.list, .integer(principal), .text(after.text), .integer(after.id),
      .integer(includesInactive ? 0 : 1), .integer(size + 1)
    ) { row in (item: BowSetupItemRecord(row: row), sortName: row.text(9)) }
    let page = token.page(rows, size: size, key: pageTokenKey) { row in
      PageToken.place(row.sortName, id: row.item.id)
    }
    return Page(items: page.items.map(\.item), nextPageToken: page.nextPageToken)
  }
}

extension BowSetupItemRecord {
  fileprivate init(row: Row) {
    self.init(
      id: row.int64(0), clientID: row.bytes(1), name: row.text(2), isActive: row.bool(3),
      isDefault: row.bool(4), version: row.int64(5), componentCount: row.int64(6),
      revision: row.uint64(7), updatedAtMilliseconds: row.int64(8))
  }
}
