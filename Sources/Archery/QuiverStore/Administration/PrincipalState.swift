/// Refuses a principal's tokens from now on, or accepts them again.
///
/// Connections of a disabled principal are notified after the commit. A principal that has the
/// state already is returned unchanged.
package struct SetPrincipalDisabled: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  private let id: Int64
  private let isDisabled: Bool

  private static let update = Query(
    "UPDATE principal SET disabled_at_ms = ?2, updated_at_ms = ?3 WHERE id = ?1")

  package init(id: Int64, isDisabled: Bool) {
    self.id = id
    self.isDisabled = isDisabled
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> PrincipalRecord {
    var principal = try transaction.snapshot.principal(id: id)
    try principal.checkPresent()
    guard (principal.disabledAtMilliseconds != nil) != isDisabled else { return principal }
    if isDisabled { try transaction.checkNotLastAdministrator(principal) }
    principal.disabledAtMilliseconds = isDisabled ? transaction.nowMilliseconds : nil
    principal.updatedAtMilliseconds = transaction.nowMilliseconds
    try transaction.run(
      Self.update, .integer(id), .optional(principal.disabledAtMilliseconds),
      .integer(transaction.nowMilliseconds))
    try transaction.record(.updated, of: .principal, id: id, principal: id)
    try transaction.audit(
      AuditEntry(
        action: isDisabled ? "principal.disable" : "principal.enable", kind: .principal,
        objectID: id))
    if isDisabled {
      transaction.effects.note(.deleted, of: .principal, id: id)
      for token in try transaction.snapshot.liveTokens(of: id) {
        transaction.effects.note(.deleted, of: .token, id: token)
      }
      for binding in try transaction.snapshot.certificateBindingIDs(of: id) {
        transaction.effects.note(.deleted, of: .certificateBinding, id: binding)
      }
    }
    return principal
  }
}

extension PrincipalRecord {
  /// Throws for a principal whose account was deleted.
  func checkPresent() throws(StoreError) {
    guard deletedAtMilliseconds == nil else {
      throw StoreError(
        .failedPrecondition, "the account of principal \(id) was deleted; make another principal")
    }
  }
}

extension Snapshot {
  private static let tokensOfPrincipal = Query(
    "SELECT id FROM token WHERE principal_id = ?1 AND revoked_at_ms IS NULL ORDER BY id")

  /// The ids of the principal's tokens that were not revoked.
  func liveTokens(of principal: Int64) throws(StoreError) -> [Int64] {
    try all(Self.tokensOfPrincipal, .integer(principal)) { row in row.int64(0) }
  }
}

extension Transaction {
  private static let otherAdministrator = Query(
    """
    SELECT 1 FROM principal p JOIN token t ON t.principal_id = p.id
    WHERE p.kind = \(PrincipalRecord.Kind.administrator.rawValue) AND p.id <> ?1
      AND p.disabled_at_ms IS NULL AND p.deleted_at_ms IS NULL AND t.revoked_at_ms IS NULL
      AND (t.expires_at_ms IS NULL OR t.expires_at_ms > ?2)
      AND t.scopes & \(TokenScopes.admin.rawValue) <> 0
    LIMIT 1
    """)

  /// Throws before the last administrator is disabled or deleted. An administrator without a valid
  /// token does not count as another one.
  func checkNotLastAdministrator(_ principal: PrincipalRecord) throws(StoreError) {
    guard principal.kind == .administrator, principal.isActive,
      try snapshot.first(
        Self.otherAdministrator, .integer(principal.id), .integer(nowMilliseconds),
        map: { _ in true }) == nil
    else { return }
    throw StoreError(
      .failedPrecondition,
      "no other administrator has a valid token; make or enable another one with a token first")
  }
}
