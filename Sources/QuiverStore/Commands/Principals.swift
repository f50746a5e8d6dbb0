import QuiverRules

/// Makes a principal.
package struct CreatePrincipal: Command {
  private let kind: PrincipalRecord.Kind
  private let displayName: String

  private static let insert = Query(
    "INSERT INTO principal (kind, display_name, created_at_ms) VALUES (?1, ?2, ?3)")

  package init(kind: PrincipalRecord.Kind, displayName: String) {
    self.kind = kind
    self.displayName = displayName
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> PrincipalRecord {
    let name = displayName.trimmingWhitespace
    let length = name.unicodeScalars.count
    guard length >= 1, length <= TextLimits.displayNameLength else {
      throw .invalid(
        "display_name", "must have 1 to \(TextLimits.displayNameLength) characters")
    }
    let now = transaction.nowMilliseconds
    let id = try transaction.insert(
      Self.insert, .integer(Int64(kind.rawValue)), .text(name), .integer(now))
    try transaction.record(.created, of: .principal, id: id, principal: id)
    try transaction.audit(
      AuditEntry(action: "principal.create", kind: .principal, objectID: id))
    return PrincipalRecord(id: id, kind: kind, displayName: name, createdAtMilliseconds: now)
  }
}

extension Snapshot {
  private static let byID = Query(
    "SELECT id, kind, display_name, created_at_ms FROM principal WHERE id = ?1")
  private static let pageOfPrincipals = Query(
    """
    SELECT id, kind, display_name, created_at_ms FROM principal
    WHERE id > ?1 ORDER BY id LIMIT ?2
    """)
  private static let administrator = Query(
    """
    SELECT id, kind, display_name, created_at_ms FROM principal
    WHERE kind = 3 ORDER BY id LIMIT 1
    """)

  /// The principal of that id; throws `notFound`.
  package func principal(id: Int64) throws(StoreError) -> PrincipalRecord {
    guard let record = try first(Self.byID, .integer(id), map: PrincipalRecord.init(row:)) else {
      throw StoreError(.notFound, "there is no principal \(id)")
    }
    return record
  }

  /// The first administrator; nil in a database that has none yet.
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
  /// The principal whose four columns begin at the first column.
  init(row: Row) throws(StoreError) {
    try self.init(row: row, from: 0)
  }

  /// The principal whose four columns begin at that one.
  init(row: Row, from column: Int32) throws(StoreError) {
    guard let kind = Kind(rawValue: row.int32(column + 1)) else {
      throw StoreError(.dataLoss, "a principal has an unknown kind")
    }
    self.init(
      id: row.int64(column), kind: kind, displayName: row.text(column + 2),
      createdAtMilliseconds: row.int64(column + 3))
  }
}
