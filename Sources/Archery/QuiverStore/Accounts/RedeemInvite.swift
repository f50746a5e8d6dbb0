import QuiverRules

/// Creates a user and its token from the code of an invite.
///
/// It needs no caller: it runs as principal 0. The reply has a secret and is not stored.
package struct RedeemInvite: Command {
  package static var keepsReply: Bool { false }

  private let code: String
  private let displayName: String
  private let tokenLabel: String
  private let secret: String

  private static let take = Query("UPDATE invite SET uses_left = uses_left - 1 WHERE id = ?1")

  /// Validates the name, which may be empty, and draws the token's secret.
  package init(code: String, displayName: String, tokenLabel: String) throws(StoreError) {
    self.code = code
    self.displayName = try DisplayName.stored(
      displayName, mayBeEmpty: true, field: "display_name")
    self.tokenLabel = try validating { () throws(RuleViolation) in
      try TextLimits.checked(tokenLabel, length: TextLimits.nameLength, path: "token_label")
    }
    secret = try TokenSecret.make()
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> RedeemedInvite {
    guard let invite = try transaction.snapshot.invite(code: code) else {
      throw Self.unknownCode
    }
    try Self.check(invite, nowMilliseconds: transaction.nowMilliseconds)
    try transaction.run(Self.take, .integer(invite.id))
    try transaction.record(.updated, of: .invite, id: invite.id, principal: invite.createdBy)
    let principal = try transaction.makePrincipal(.user, name: displayName)
    let token = try CreateToken(
      principal: principal.id, label: tokenLabel, expiresAtMilliseconds: nil, secret: secret
    ).apply(in: transaction)
    // The topic is the created user.
    try transaction.audit(
      AuditEntry(
        action: "invite.redeem", kind: .invite, objectID: invite.id, topic: principal.id))
    return RedeemedInvite(principal: principal, token: token)
  }

  /// The error for a code that no invite has.
  package static var unknownCode: StoreError {
    StoreError(.notFound, "no invite has this code", field: "code", notProcessed: true)
  }

  private static func check(
    _ invite: InviteRecord, nowMilliseconds: Int64
  ) throws(StoreError) {
    let fault: String? =
      if invite.revokedAtMilliseconds != nil {
        "the invite was revoked; ask for another"
      } else if let end = invite.expiresAtMilliseconds, end <= nowMilliseconds {
        "the invite has expired; ask for another"
      } else if invite.usesLeft <= 0 {
        "the invite was used up; ask for another"
      } else {
        nil
      }
    if let fault {
      throw StoreError(.failedPrecondition, fault, field: "code", notProcessed: true)
    }
  }
}
