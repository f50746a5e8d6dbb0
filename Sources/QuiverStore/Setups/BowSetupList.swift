extension Snapshot {
  private static let list = Query(
    """
    SELECT s.id, s.client_id, s.name, s.is_active, s.is_default, s.version,
      (SELECT count(*) FROM bow_setup_component c
       WHERE c.setup_id = s.id AND c.version = s.version),
      s.revision, s.updated_at_ms, s.sort_name
    FROM bow_setup s
    WHERE s.principal_id = ?1 AND (s.sort_name, s.id) > (?2, ?3) AND s.is_active >= ?4
    ORDER BY s.sort_name, s.id LIMIT ?5
    """)

  /// A page of the principal's setups by name, without regard to case, then by id; stable under
  /// inserts.
  ///
  /// `pageSize` 0 is 50, and above 500 it is 500. A token of another list is `invalidArgument`.
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
    ) { row in
      let item = BowSetupItemRecord(
        id: row.int64(0), clientID: row.bytes(1), name: row.text(2), isActive: row.bool(3),
        isDefault: row.bool(4), version: row.int64(5), componentCount: row.int64(6),
        revision: row.uint64(7), updatedAtMilliseconds: row.int64(8))
      return (item: item, sortName: row.text(9))
    }
    let page = token.page(rows, size: size, key: pageTokenKey) { row in
      PageToken.place(row.sortName, id: row.item.id)
    }
    return Page(items: page.items.map(\.item), nextPageToken: page.nextPageToken)
  }
}
