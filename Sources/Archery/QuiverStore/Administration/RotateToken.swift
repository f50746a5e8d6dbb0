import QuiverCrypto

/// A token that replaces another, and the replaced one with the time at which it expires.
package struct RotatedToken: Sendable, Equatable {
  package let new: NewToken
  package let old: TokenRecord
}

/// Replaces the token that the caller showed with a new one of the same label, scopes and expiry.
///
/// The old token stays valid for the overlap, but not beyond its own expiry. A caller whose reply
/// was lost can rotate again with the old token during the overlap.
package struct RotateToken: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  package static var keepsReply: Bool { false }

  private let overlapMilliseconds: Int64
  private let secret: String

  private static let insert = Query(
    """
    INSERT INTO token (principal_id, label, sha256, created_at_ms, expires_at_ms, scopes)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """, key: "id")
  private static let replace = Query(
    "UPDATE token SET expires_at_ms = ?2, replaced_by = ?3 WHERE id = ?1")

  /// Throws `invalidArgument` for an overlap below 0 or above
  /// `StoreLimits.tokenOverlapMilliseconds`.
  package init(overlapMilliseconds: Int64) throws(StoreError) {
    guard (0...StoreLimits.tokenOverlapMilliseconds).contains(overlapMilliseconds) else {
      throw .invalid(
        "overlap_ms", "must be from 0 to \(StoreLimits.tokenOverlapMilliseconds)")
    }
    self.overlapMilliseconds = overlapMilliseconds
    secret = try TokenSecret.make()
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> RotatedToken {
    let now = transaction.nowMilliseconds
    let caller = transaction.caller
    guard caller.tokenID != 0, caller.actor == caller.principal else {
      throw StoreError(
        .failedPrecondition, "only a caller with a token of its own can rotate it",
        notProcessed: true)
    }
    var old = try transaction.snapshot.token(id: caller.tokenID)
    guard old.principal.id == caller.principal, old.revokedAtMilliseconds == nil,
      old.expiresAtMilliseconds.map({ $0 > now }) ?? true
    else {
      throw StoreError(.permissionDenied, "the token was revoked or has expired")
    }
    // The expiry of a token that was replaced before is the end of its overlap, not its own.
    let replaced = try transaction.snapshot.replacedTokenExpiry(id: old.id)
    let expiry = replaced.isReplaced ? replaced.inherited : old.expiresAtMilliseconds
    try transaction.checkTokenCount(principal: old.principal.id)
    let id = try transaction.insert(
      Self.insert, .integer(old.principal.id), .text(old.label),
      .blob(SHA256.hash(Array(secret.utf8))), .integer(now), .optional(expiry),
      .integer(old.scopes.rawValue))
    let end = min(old.expiresAtMilliseconds ?? .max, now + overlapMilliseconds)
    try transaction.run(Self.replace, .integer(old.id), .integer(end), .integer(id))
    old.expiresAtMilliseconds = end
    try transaction.record(.created, of: .token, id: id, principal: old.principal.id)
    try transaction.record(.updated, of: .token, id: old.id, principal: old.principal.id)
    if end <= now { transaction.effects.note(.deleted, of: .token, id: old.id) }
    try transaction.audit(
      AuditEntry(
        action: "token.rotate", kind: .token, objectID: old.id, after: Array("\(id)".utf8)))
    let record = TokenRecord(
      id: id, principal: old.principal, label: old.label, scopes: old.scopes,
      createdAtMilliseconds: now, expiresAtMilliseconds: expiry, revokedAtMilliseconds: nil)
    return RotatedToken(new: NewToken(record: record, secret: secret), old: old)
  }
}

extension Snapshot {
  private static let successor = Query(
    """
    SELECT t.replaced_by IS NOT NULL, s.expires_at_ms
    FROM token t LEFT JOIN token s ON s.id = t.replaced_by WHERE t.id = ?1
    """)

  /// Whether a token was replaced, and the expiry that its successor inherited.
  fileprivate func replacedTokenExpiry(
    id: Int64
  ) throws(StoreError) -> (isReplaced: Bool, inherited: Int64?) {
    try first(Self.successor, .integer(id)) { row in
      (isReplaced: row.bool(0), inherited: row.optionalInt64(1))
    } ?? (false, nil)
  }
}
