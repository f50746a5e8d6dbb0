import QuiverRules

/// Creates a principal.
package struct CreatePrincipal: Command {
  private let kind: PrincipalRecord.Kind
  private let displayName: String

  package init(kind: PrincipalRecord.Kind, displayName: String) {
    self.kind = kind
    self.displayName = displayName
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> PrincipalRecord {
    let name = try DisplayName.stored(displayName, mayBeEmpty: true, field: "display_name")
    return try transaction.makePrincipal(kind, name: name)
  }
}

extension Transaction {
  private static let insertPrincipal = Query(
    """
    INSERT INTO principal (kind, display_name, created_at_ms, updated_at_ms)
    VALUES (?1, ?2, ?3, ?3)
    """, key: "id")

  /// Stores a principal with a validated name.
  func makePrincipal(
    _ kind: PrincipalRecord.Kind, name: String
  ) throws(StoreError) -> PrincipalRecord {
    let id = try insert(
      Self.insertPrincipal, .integer(Int64(kind.rawValue)), .text(name), .integer(nowMilliseconds))
    try record(.created, of: .principal, id: id, principal: id)
    try audit(AuditEntry(action: "principal.create", kind: .principal, objectID: id))
    return PrincipalRecord(
      id: id, kind: kind, displayName: name, createdAtMilliseconds: nowMilliseconds,
      updatedAtMilliseconds: nowMilliseconds)
  }
}

extension Snapshot {
  private static let byID = Query(
    "SELECT \(PrincipalRecord.columns) FROM principal p WHERE p.id = ?1")
  private static let pageOfPrincipals = Query(
    "SELECT \(PrincipalRecord.columns) FROM principal p WHERE p.id > ?1 ORDER BY p.id LIMIT ?2")
  private static let administrator = Query(
    """
    SELECT \(PrincipalRecord.columns) FROM principal p
    WHERE p.kind = \(PrincipalRecord.Kind.administrator.rawValue)
      AND p.disabled_at_ms IS NULL AND p.deleted_at_ms IS NULL
    ORDER BY p.id LIMIT 1
    """)

  /// The principal of that id; throws `notFound`.
  package func principal(id: Int64) throws(StoreError) -> PrincipalRecord {
    guard let record = try first(Self.byID, .integer(id), map: PrincipalRecord.init(row:)) else {
      throw StoreError(.notFound, "there is no principal \(id)")
    }
    return record
  }

  /// The first active administrator; nil if there is none.
  func firstAdministrator() throws(StoreError) -> PrincipalRecord? {
    try first(Self.administrator, map: PrincipalRecord.init(row:))
  }

  /// A page of all principals by id, lowest first.
  package func principals(
    pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<PrincipalRecord> {
    let token = PageToken(scope: [.text("principals")])
    let after = try token.position(in: pageToken, key: pageTokenKey) ?? 0
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      Self.pageOfPrincipals, .integer(after), .integer(size + 1), map: PrincipalRecord.init(row:))
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }
}

extension PrincipalRecord {
  /// The columns of `init(row:from:)`, for a table with the alias `p`.
  static let columns = """
    p.id, p.kind, p.display_name, p.created_at_ms, p.revision, p.updated_at_ms, p.time_zone,
      p.units, p.disabled_at_ms, p.deleted_at_ms, p.bowstyle, p.gender, p.age_group
    """
  static let columnCount: Int32 = 13

  /// The principal whose columns start at column 0.
  init(row: Row) throws(StoreError) {
    try self.init(row: row, from: 0)
  }

  /// The principal whose columns start at the given column.
  init(row: Row, from column: Int32) throws(StoreError) {
    guard let kind = Kind(rawValue: row.int32(column + 1)) else {
      throw StoreError(.dataLoss, "a principal has an unknown kind")
    }
    self.init(
      id: row.int64(column), kind: kind, displayName: row.text(column + 2),
      createdAtMilliseconds: row.int64(column + 3), revision: row.uint64(column + 4),
      updatedAtMilliseconds: row.int64(column + 5), timeZone: row.text(column + 6),
      units: Units(rawValue: row.int32(column + 7)) ?? .unspecified,
      disabledAtMilliseconds: row.optionalInt64(column + 8),
      deletedAtMilliseconds: row.optionalInt64(column + 9),
      bow: BowDivision(rawValue: row.int32(column + 10)),
      gender: GenderDivision(rawValue: row.int32(column + 11)),
      age: AgeDivision(rawValue: row.int32(column + 12)))
  }
}
