import QuiverCrypto
import QuiverRules
import Synchronization

/// Creates a token for a principal and returns its text once.
///
/// The reply is not stored under an idempotency key, since that would store the secret.
package struct CreateToken: Command {
  package static var keepsReply: Bool { false }

  private let principal: Int64
  private let label: String
  private let scopes: TokenScopes
  private let expiresAtMilliseconds: Int64?
  private let secret: String

  private static let insert = Query(
    """
    INSERT INTO token (principal_id, label, sha256, created_at_ms, expires_at_ms, scopes)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """, key: "id")

  /// Draws the secret before the command is queued, so that the writer does not wait for entropy.
  ///
  /// `scopes` defaults to all that the principal's kind allows; every token includes `read`.
  package init(
    principal: Int64, label: String, scopes: TokenScopes = [],
    expiresAtMilliseconds: Int64? = nil
  ) throws(StoreError) {
    self.init(
      principal: principal, label: label, scopes: scopes,
      expiresAtMilliseconds: expiresAtMilliseconds, secret: try TokenSecret.make())
  }

  init(
    principal: Int64, label: String, scopes: TokenScopes = [], expiresAtMilliseconds: Int64?,
    secret: String
  ) {
    self.principal = principal
    self.label = label
    self.scopes = scopes
    self.expiresAtMilliseconds = expiresAtMilliseconds
    self.secret = secret
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> NewToken {
    let label = try validating { () throws(RuleViolation) in
      try TextLimits.checked(self.label, length: TextLimits.nameLength, path: "label")
    }
    let now = transaction.nowMilliseconds
    if let expiresAtMilliseconds, expiresAtMilliseconds <= now {
      throw .invalid("expires_at_ms", "must lie ahead")
    }
    let owner = try transaction.snapshot.principal(id: principal)
    try owner.checkPresent()
    guard owner.kind != .device else {
      throw .invalid("principal_id", "is a device, whose token is its own secret")
    }
    let allowed = TokenScopes.all(of: owner.kind)
    guard allowed.isSuperset(of: scopes) else {
      throw .invalid("scopes", "must be among those that the principal's kind allows")
    }
    let scopes = scopes.isEmpty ? allowed : scopes.union(.read)
    try transaction.checkTokenCount(principal: principal)
    let id = try transaction.insert(
      Self.insert, .integer(principal), .text(label), .blob(SHA256.hash(Array(secret.utf8))),
      .integer(now), .optional(expiresAtMilliseconds), .integer(scopes.rawValue))
    try transaction.record(.created, of: .token, id: id, principal: principal)
    try transaction.audit(AuditEntry(action: "token.create", kind: .token, objectID: id))
    let record = TokenRecord(
      id: id, principal: owner, label: label, scopes: scopes, createdAtMilliseconds: now,
      expiresAtMilliseconds: expiresAtMilliseconds, revokedAtMilliseconds: nil)
    return NewToken(record: record, secret: secret)
  }
}

/// Revokes a token; its connections are notified after the commit.
///
/// Revoking it again returns it unchanged.
package struct RevokeToken: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  private let id: Int64

  private static let revoke = Query("UPDATE token SET revoked_at_ms = ?2 WHERE id = ?1")

  package init(id: Int64) {
    self.id = id
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> TokenRecord {
    var token = try transaction.snapshot.token(id: id)
    guard token.revokedAtMilliseconds == nil else { return token }
    let now = transaction.nowMilliseconds
    try transaction.run(Self.revoke, .integer(id), .integer(now))
    try transaction.record(.updated, of: .token, id: id, principal: token.principal.id)
    try transaction.audit(AuditEntry(action: "token.revoke", kind: .token, objectID: id))
    transaction.effects.note(.deleted, of: .token, id: id)
    token.revokedAtMilliseconds = now
    return token
  }
}

extension Transaction {
  private static let deleteEnded = Query(
    """
    DELETE FROM token WHERE principal_id = ?1
      AND min(coalesce(revoked_at_ms, expires_at_ms), coalesce(expires_at_ms, revoked_at_ms)) < ?2
    """)
  private static let count = Query("SELECT count(*) FROM token WHERE principal_id = ?1")

  /// Removes the principal's old expired tokens, and throws above the limit of tokens.
  func checkTokenCount(principal: Int64) throws(StoreError) {
    let oldest = nowMilliseconds - StoreLimits.endedTokenKeepMilliseconds
    try run(Self.deleteEnded, .integer(principal), .integer(oldest))
    let count = try snapshot.first(Self.count, .integer(principal)) { row in row.int64(0) } ?? 0
    guard count < StoreLimits.tokensPerPrincipal else {
      throw StoreError.reached(
        .tokensPerPrincipal,
        "tokens: a principal has at most \(StoreLimits.tokensPerPrincipal), and those that ended"
          + " count for 90 days")
    }
  }
}

extension Snapshot {
  private static let columns = """
    SELECT t.id, t.label, t.created_at_ms, t.expires_at_ms, t.revoked_at_ms,
      t.scopes, t.sha256, \(PrincipalRecord.columns)
    FROM token t JOIN principal p ON p.id = t.principal_id
    """
  private static let byID = Query(columns + " WHERE t.id = ?1")
  private static let byHash = Query(columns + " WHERE t.sha256 = ?1")
  private static let pageOfAll = Query(
    columns + " WHERE t.id < ?1 ORDER BY t.id DESC LIMIT ?2")
  private static let pageOfPrincipal = Query(
    columns + " WHERE t.principal_id = ?3 AND t.id < ?1 ORDER BY t.id DESC LIMIT ?2")

  /// The token with this id, revoked or not; throws `notFound`.
  package func token(id: Int64) throws(StoreError) -> TokenRecord {
    guard let record = try first(Self.byID, .integer(id), map: TokenRecord.init(row:)) else {
      throw StoreError(.notFound, "there is no token \(id)")
    }
    return record
  }

  /// A page of tokens by id, newest first, of one principal, or of all if it is 0.
  package func tokens(
    principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<TokenRecord> {
    let token = PageToken(scope: [.text("tokens"), .integer(principal)])
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? .max
    let size = StoreLimits.pageSize(pageSize)
    let rows =
      principal == 0
      ? try all(
        Self.pageOfAll, .integer(before), .integer(size + 1), map: TokenRecord.init(row:))
      : try all(
        Self.pageOfPrincipal, .integer(before), .integer(size + 1), .integer(principal),
        map: TokenRecord.init(row:))
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }

  /// The token with this text if it is neither expired nor revoked.
  func validToken(_ text: [UInt8], nowMilliseconds: Int64) throws(StoreError) -> TokenRecord? {
    guard let hash = TokenSecret.hash(text) else { return nil }
    let found = try first(Self.byHash, .blob(hash)) { (row) throws(StoreError) in
      (record: try TokenRecord(row: row), hash: row.bytes(6))
    }
    guard let found, ConstantTime.isEqual(found.hash, hash),
      found.record.revokedAtMilliseconds == nil, found.record.principal.isActive,
      found.record.expiresAtMilliseconds.map({ $0 > nowMilliseconds }) ?? true
    else { return nil }
    return found.record
  }
}

extension Store {
  /// The number of commits that ended or narrowed permissions since the start; counted before they
  /// are acknowledged.
  package var endedPermissionCount: UInt64 {
    features.permissions.endCount.value.load(ordering: .sequentiallyConsistent)
  }

  /// The token with this text and its principal; nil if it is unknown, expired or revoked.
  package func authenticate(_ token: [UInt8]) throws(StoreError) -> TokenRecord? {
    try read { (snapshot) throws(StoreError) in
      try snapshot.validToken(token, nowMilliseconds: time.nowMilliseconds)
    }
  }
}

extension TokenRecord {
  init(row: Row) throws(StoreError) {
    let principal = try PrincipalRecord(row: row, from: 7)
    let scopes = TokenScopes(rawValue: row.int64(5))
    self.init(
      id: row.int64(0), principal: principal, label: row.text(1),
      scopes: scopes.intersection(.all(of: principal.kind)),
      createdAtMilliseconds: row.int64(2), expiresAtMilliseconds: row.optionalInt64(3),
      revokedAtMilliseconds: row.optionalInt64(4))
  }
}
