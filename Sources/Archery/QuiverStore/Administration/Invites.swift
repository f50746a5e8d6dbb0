import QuiverCrypto
import QuiverRules

/// Creates an invite and returns its code once.
package struct CreateInvite: Command {
  package static var keepsReply: Bool { false }

  private let label: String
  private let uses: Int64
  private let expiresAtMilliseconds: Int64?
  private let code: String

  private static let insert = Query(
    """
    INSERT INTO invite (sha256, label, uses, uses_left, created_by, created_at_ms, expires_at_ms)
    VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6)
    """, key: "id")

  /// Draws the code before the command is queued, so that the writer does not wait for entropy.
  package init(
    label: String, uses: Int64, expiresAtMilliseconds: Int64? = nil
  ) throws(StoreError) {
    let label = try validating { () throws(RuleViolation) in
      try TextLimits.checked(label, length: TextLimits.nameLength, path: "label")
    }
    guard uses >= 1, uses <= StoreLimits.inviteUses else {
      throw .invalid("uses", "must be 1 to \(StoreLimits.inviteUses)")
    }
    self.label = label
    self.uses = uses
    self.expiresAtMilliseconds = expiresAtMilliseconds
    code = try InviteCode.make()
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> CodedInvite {
    let now = transaction.nowMilliseconds
    if let expiresAtMilliseconds, expiresAtMilliseconds <= now {
      throw .invalid("expires_at_ms", "must be in the future")
    }
    guard let hash = InviteCode.hash(code) else {
      throw StoreError(.internalError, "an invite's code has no hash", notProcessed: true)
    }
    let owner = transaction.caller.principal
    let id = try transaction.insert(
      Self.insert, .blob(hash), .text(label), .integer(uses), .integer(owner), .integer(now),
      .optional(expiresAtMilliseconds))
    try transaction.record(.created, of: .invite, id: id, principal: owner)
    try transaction.audit(AuditEntry(action: "invite.create", kind: .invite, objectID: id))
    let record = InviteRecord(
      id: id, label: label, uses: uses, usesLeft: uses, createdBy: owner,
      createdAtMilliseconds: now, expiresAtMilliseconds: expiresAtMilliseconds)
    return CodedInvite(record: record, code: code)
  }
}

/// Revokes an invite; revoking it again returns it unchanged.
package struct RevokeInvite: Command {
  package static var storesContent: Bool { false }

  private let id: Int64

  private static let revoke = Query("UPDATE invite SET revoked_at_ms = ?2 WHERE id = ?1")

  package init(id: Int64) { self.id = id }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> InviteRecord {
    var invite = try transaction.snapshot.invite(id: id)
    guard invite.revokedAtMilliseconds == nil else { return invite }
    invite.revokedAtMilliseconds = transaction.nowMilliseconds
    try transaction.run(Self.revoke, .integer(id), .integer(transaction.nowMilliseconds))
    try transaction.record(.updated, of: .invite, id: id, principal: invite.createdBy)
    try transaction.audit(AuditEntry(action: "invite.revoke", kind: .invite, objectID: id))
    return invite
  }
}

extension Snapshot {
  private static let columns = """
    SELECT id, label, uses, uses_left, created_by, created_at_ms, expires_at_ms, revoked_at_ms,
      sha256
    FROM invite
    """
  private static let byID = Query(columns + " WHERE id = ?1")
  private static let byHash = Query(columns + " WHERE sha256 = ?1")
  private static let pageOfInvites = Query(
    columns + " WHERE id < ?1 ORDER BY id DESC LIMIT ?2")

  /// The invite with this id; throws `notFound`.
  package func invite(id: Int64) throws(StoreError) -> InviteRecord {
    guard let record = try first(Self.byID, .integer(id), map: InviteRecord.init(row:)) else {
      throw StoreError(.notFound, "there is no invite \(id)")
    }
    return record
  }

  /// The invite with this code in any state; nil if there is none.
  package func invite(code: String) throws(StoreError) -> InviteRecord? {
    guard let hash = InviteCode.hash(code) else { return nil }
    let found = try first(Self.byHash, .blob(hash)) { row in
      (record: InviteRecord(row: row), hash: row.bytes(8))
    }
    guard let found, ConstantTime.isEqual(found.hash, hash) else { return nil }
    return found.record
  }

  /// A page of invites by id, newest first, including ended ones.
  package func invites(
    pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<InviteRecord> {
    let token = PageToken(scope: [.text("invites")])
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? .max
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(Self.pageOfInvites, .integer(before), .integer(size + 1)) { row in
      InviteRecord(row: row)
    }
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }
}

extension InviteRecord {
  init(row: Row) {
    self.init(
      id: row.int64(0), label: row.text(1), uses: row.int64(2), usesLeft: row.int64(3),
      createdBy: row.int64(4), createdAtMilliseconds: row.int64(5),
      expiresAtMilliseconds: row.optionalInt64(6), revokedAtMilliseconds: row.optionalInt64(7))
  }
}
