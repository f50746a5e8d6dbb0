/// Allows a service to act for a user; an existing grant is returned unchanged.
package struct GrantActing: Command {
  package static var endsPermissions: Bool { true }

  private let service: Int64
  private let user: Int64
  private let scopes: ActingScopes

  private static let insert = Query(
    """
    INSERT INTO acting_grant (service_id, user_id, granted_by, granted_at_ms, scopes)
    VALUES (?1, ?2, ?3, ?4, ?5)
    """, key: "id")
  private static let change = Query("UPDATE acting_grant SET scopes = ?2 WHERE id = ?1")

  /// Without `scopes` the grant has all but `account`; `read` is part of each.
  package init(service: Int64, user: Int64, scopes: ActingScopes = []) {
    self.service = service
    self.user = user
    self.scopes = scopes.isEmpty ? .standard : scopes.union(.read)
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ActingGrantRecord {
    try Self.check(transaction.snapshot.principal(id: service), is: .service, "service_id")
    try Self.check(transaction.snapshot.principal(id: user), is: .user, "user_id")
    if var grant = try transaction.snapshot.actingGrant(service: service, user: user) {
      guard grant.scopes != scopes else { return grant }
      try transaction.run(Self.change, .integer(grant.id), .integer(scopes.rawValue))
      try transaction.record(.updated, of: .actingGrant, id: grant.id, principal: user)
      try transaction.audit(audit(before: grant.scopes))
      grant.scopes = scopes
      return grant
    }
    let count = try transaction.snapshot.actingGrantCount(service: service)
    guard count < StoreLimits.actingGrantsPerService else {
      throw StoreError.reached(
        .actingGrantsPerService,
        "a service acts for at most \(StoreLimits.actingGrantsPerService) users",
        field: "service_id", notProcessed: false)
    }
    let by = transaction.caller.principal
    let id = try transaction.insert(
      Self.insert, .integer(service), .integer(user), .integer(by),
      .integer(transaction.nowMilliseconds), .integer(scopes.rawValue))
    try transaction.record(.created, of: .actingGrant, id: id, principal: user)
    try transaction.audit(audit(before: []))
    return ActingGrantRecord(
      id: id, service: service, user: user, grantedBy: by,
      grantedAtMilliseconds: transaction.nowMilliseconds, scopes: scopes)
  }

  private func audit(before: ActingScopes) -> AuditEntry {
    AuditEntry(
      action: "acting.grant", kind: .principal, objectID: user, topic: service,
      before: before.isEmpty ? [] : Array("\(before.rawValue)".utf8),
      after: Array("\(scopes.rawValue)".utf8))
  }

  private static func check(
    _ principal: PrincipalRecord, is kind: PrincipalRecord.Kind, _ field: String
  ) throws(StoreError) {
    guard principal.kind == kind else {
      throw .invalid(field, "must be the id of a \(kind == .user ? "user" : "service")")
    }
    try principal.checkPresent()
  }
}

/// Revokes a grant of ``GrantActing``, from the next call on.
package struct RevokeActing: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  private let service: Int64
  private let user: Int64

  private static let delete = Query("DELETE FROM acting_grant WHERE id = ?1")

  package init(service: Int64, user: Int64) {
    self.service = service
    self.user = user
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ActingGrantRecord {
    guard let grant = try transaction.snapshot.actingGrant(service: service, user: user) else {
      throw StoreError(.notFound, "the service \(service) may not act for the user \(user)")
    }
    try transaction.run(Self.delete, .integer(grant.id))
    try transaction.record(.deleted, of: .actingGrant, id: grant.id, principal: user)
    try transaction.audit(
      AuditEntry(action: "acting.revoke", kind: .principal, objectID: user, topic: service))
    return grant
  }
}

extension Snapshot {
  private static let columns = """
    SELECT id, service_id, user_id, granted_by, granted_at_ms, scopes FROM acting_grant
    """
  // What users let others read stands in the same table, without this scope.
  private static let isOfService = "scopes & \(ActingScopes.read.rawValue) <> 0"
  private static let one = Query(
    columns + " WHERE service_id = ?1 AND user_id = ?2 AND " + isOfService)
  private static let page = Query(
    columns + " WHERE id > ?1 AND \(isOfService) ORDER BY id LIMIT ?2")
  private static let pageOfService = Query(
    columns + " WHERE service_id = ?3 AND id > ?1 AND \(isOfService) ORDER BY id LIMIT ?2")
  private static let count = Query("SELECT count(*) FROM acting_grant WHERE service_id = ?1")
  private static let actingUser = Query(
    """
    SELECT \(PrincipalRecord.columns)
    FROM acting_grant g JOIN principal p ON p.id = g.user_id
    WHERE g.service_id = ?1 AND g.user_id = ?2 AND g.scopes & ?3 = ?3
      AND g.scopes & \(ActingScopes.read.rawValue) <> 0
    """)

  /// The grant of a service for a user; nil if there is none.
  func actingGrant(service: Int64, user: Int64) throws(StoreError) -> ActingGrantRecord? {
    try first(
      Self.one, .integer(service), .integer(user), map: ActingGrantRecord.init(row:))
  }

  func actingGrantCount(service: Int64) throws(StoreError) -> Int64 {
    try first(Self.count, .integer(service)) { row in row.int64(0) } ?? 0
  }

  /// A page of grants in the order of their creation, of one service, or of all if it is 0.
  package func actingGrants(
    service: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<ActingGrantRecord> {
    let token = PageToken(scope: [.text("acting-grants"), .integer(service)])
    let after = try token.position(in: pageToken, key: pageTokenKey) ?? 0
    let size = StoreLimits.pageSize(pageSize)
    let rows =
      service == 0
      ? try all(
        Self.page, .integer(after), .integer(size + 1), map: ActingGrantRecord.init(row:))
      : try all(
        Self.pageOfService, .integer(after), .integer(size + 1), .integer(service),
        map: ActingGrantRecord.init(row:))
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }

  /// The user for whom the service may act; nil if it may not, or the user does not exist any more.
  func actingUser(
    service: Int64, user: Int64, scopes: ActingScopes
  ) throws(StoreError) -> PrincipalRecord? {
    let found = try first(
      Self.actingUser, .integer(service), .integer(user), .integer(scopes.rawValue),
      map: PrincipalRecord.init(row:))
    return found.flatMap { $0.isActive ? $0 : nil }
  }
}

extension Store {
  /// The user for whom the service may act now; nil if it may not.
  package func actingUser(
    service: Int64, user: Int64, scopes: ActingScopes
  ) throws(StoreError) -> PrincipalRecord? {
    try read { (snapshot) throws(StoreError) in
      try snapshot.actingUser(service: service, user: user, scopes: scopes)
    }
  }
}

extension Transaction {
  private static let actor = Query(
    """
    SELECT 1 FROM acting_grant g JOIN principal s ON s.id = g.service_id
    WHERE g.service_id = ?1 AND g.user_id = ?2 AND g.scopes & ?3 = ?3
      AND g.scopes & \(ActingScopes.read.rawValue) <> 0
      AND s.disabled_at_ms IS NULL AND s.deleted_at_ms IS NULL
    """)

  /// Refuses a service whose grant was revoked after its call was authorized.
  func checkActorIsGranted() throws(StoreError) {
    guard caller.actor != caller.principal else { return }
    let isGranted = try snapshot.first(
      Self.actor, .integer(caller.actor), .integer(caller.principal),
      .integer(caller.actingScopes.rawValue)
    ) { _ in true }
    guard isGranted != nil else {
      throw StoreError(
        .permissionDenied, "quiver-user: this caller may not act for that user",
        notProcessed: true)
    }
  }
}

extension ActingGrantRecord {
  init(row: Row) {
    self.init(
      id: row.int64(0), service: row.int64(1), user: row.int64(2), grantedBy: row.int64(3),
      grantedAtMilliseconds: row.int64(4), scopes: ActingScopes(rawValue: row.int64(5)))
  }
}

/// A grant of an administrator that allows a service to act for a user. What a user lets another
/// read (``ShareRecord``) is a grant in the same table.
package struct ActingGrantRecord: Sendable, Equatable {
  package let id: Int64
  package let service: Int64
  package let user: Int64

  /// The principal that granted it.
  package let grantedBy: Int64

  package let grantedAtMilliseconds: Int64

  /// What the service may call for the user.
  package internal(set) var scopes: ActingScopes
}

/// What a service may call for a user; the raw value is stored.
package struct ActingScopes: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Calls that change nothing, except the export of all data; part of every grant.
  package static let read = ActingScopes(rawValue: 1)
  /// Changes of equipment and bow setups.
  package static let equipment = ActingScopes(rawValue: 2)
  /// Changes of rounds and tournaments.
  package static let scoring = ActingScopes(rawValue: 4)
  /// Changes of body weight and strength training.
  package static let logbook = ActingScopes(rawValue: 8)
  /// Changes of the profile, the export of all data, and the deletion of the account.
  package static let account = ActingScopes(rawValue: 16)

  package static let all: ActingScopes = [.read, .equipment, .scoring, .logbook, .account]
  /// All but `account`: of grants that name no scopes, and of those from before there were scopes.
  package static let standard: ActingScopes = [.read, .equipment, .scoring, .logbook]
}
