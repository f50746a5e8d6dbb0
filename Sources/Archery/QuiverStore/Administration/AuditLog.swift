/// A row of the audit as administrators see it.
package struct AuditRecord: Sendable, Equatable {
  package let sequence: Int64
  package let atMilliseconds: Int64
  /// The principal that called: a service where it acted for another principal.
  package let actor: Int64
  /// The principal for whom it was done; 0: the server itself.
  package let principal: Int64
  package let tokenID: Int64
  package let entry: AuditEntry
}

/// Which rows of the audit are listed; a property that is nil or empty selects all.
package struct AuditFilter: Sendable, Equatable {
  package var fromMilliseconds: Int64?
  /// Rows before this time.
  package var untilMilliseconds: Int64?
  /// Rows whose actor or principal this is.
  package var principal: Int64 = 0
  package var kind: ObjectKind?
  package var objectID: Int64 = 0
  /// An action, for example `token.revoke`, or the start of several with their point, `token.`.
  package var action = ""

  package init() {}

  fileprivate var scope: [SQLValue] {
    [
      .text("audit"), .integer(fromMilliseconds ?? -1), .integer(untilMilliseconds ?? -1),
      .integer(principal), .integer(kind?.rawValue ?? -1), .integer(objectID), .text(action),
    ]
  }
}

extension Snapshot {
  /// The columns of `AuditRecord.init(row:)`.
  static let auditColumns = """
    sequence, at_ms, actor_id, principal_id, token_id, action, kind, object_id, topic, before,
    after, device, reason
    """
  // The inner query bounds what a page reads, however few rows match.
  private static let auditPage = Query(
    """
    SELECT \(auditColumns) FROM audit
    WHERE sequence < ?1 AND sequence >= ?2 AND at_ms >= ?3 AND at_ms < ?4
      AND (?5 = 0 OR actor_id = ?5 OR principal_id = ?5)
      AND (?6 < 0 OR kind = ?6) AND (?7 = 0 OR object_id = ?7)
      AND (?8 = '' OR action = ?8 OR (?8 LIKE '%.' AND substr(action, 1, length(?8)) = ?8))
    ORDER BY sequence DESC LIMIT ?9
    """)
  private static let newestAudit = Query("SELECT max(sequence) FROM audit")

  /// A page of the audit, newest first.
  ///
  /// It reads at most `StoreLimits.searchedAuditRows` rows: a page can have fewer rows than its
  /// size, or none, although another page follows.
  package func audit(
    _ filter: AuditFilter, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<AuditRecord> {
    let token = PageToken(scope: filter.scope)
    let newest = try first(Self.newestAudit) { row in row.int64(0) } ?? 0
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? newest + 1
    let lowest = max(1, before - StoreLimits.searchedAuditRows)
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      Self.auditPage, .integer(before), .integer(lowest),
      .integer(filter.fromMilliseconds ?? .min), .integer(filter.untilMilliseconds ?? .max),
      .integer(filter.principal), .integer(filter.kind?.rawValue ?? -1),
      .integer(filter.objectID), .text(filter.action), .integer(size + 1),
      map: { row in AuditRecord(row: row) })
    let page = token.page(rows, size: size, key: pageTokenKey) { $0.sequence }
    guard page.nextPageToken.isEmpty, lowest > 1 else { return page }
    return Page(
      items: page.items, nextPageToken: token.text(position: lowest, key: pageTokenKey))
  }
}

extension AuditRecord {
  init(row: Row) {
    var entry = AuditEntry(
      action: row.text(5), kind: ObjectKind(rawValue: row.int64(6)), objectID: row.int64(7))
    entry.topic = row.int64(8)
    entry.before = row.bytes(9)
    entry.after = row.bytes(10)
    entry.device = row.text(11)
    entry.reason = row.text(12)
    self.init(
      sequence: row.int64(0), atMilliseconds: row.int64(1), actor: row.int64(2),
      principal: row.int64(3), tokenID: row.int64(4), entry: entry)
  }
}
