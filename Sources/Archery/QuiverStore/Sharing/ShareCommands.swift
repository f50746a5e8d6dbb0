/// Lets another principal read parts of the caller's data until a day.
///
/// A share with the same reader gets the new parts and the new day.
package struct ShareData: Command {
  package static var endsPermissions: Bool { true }

  private let reader: Reader
  private let terms: ShareTerms

  /// Who may read.
  package enum Reader: Sendable {
    /// Who shows this code (``Snapshot/introductionCode(of:nowMilliseconds:)``).
    case code(String)
    /// The reader of a share that exists.
    case share(Int64)
  }

  package init(_ reader: Reader, _ terms: ShareTerms) {
    self.reader = reader
    self.terms = terms
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ShareRecord {
    let owner = transaction.caller.principal
    try terms.check(nowMilliseconds: transaction.nowMilliseconds)
    switch reader {
    case .code(let code):
      let principal = try transaction.snapshot.appointed(
        .code(code), by: owner, nowMilliseconds: transaction.nowMilliseconds)
      return try transaction.share(
        of: owner, with: principal, terms, action: "share.grant", ownField: "principal_code")
    case .share(let id):
      guard let share = try transaction.snapshot.share(id: id), share.owner == owner else {
        throw EndShare.unknown
      }
      let principal = try transaction.snapshot.principal(id: share.reader)
      return try transaction.share(
        of: owner, with: principal, terms, action: "share.grant", ownField: "share_id")
    }
  }
}

/// Makes an invitation to read parts of the caller's data, whose code is shown once.
package struct CreateShareInvite: Command {
  package static var keepsReply: Bool { false }

  private let terms: ShareTerms
  private let code: String

  private static let insert = Query(
    """
    INSERT INTO share_invite (owner_id, sha256, scopes, until_day, ends_at_ms, created_at_ms,
      expires_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """, key: "id")
  private static let removeEnded = Query(
    "DELETE FROM share_invite WHERE owner_id = ?1 AND expires_at_ms <= ?2")

  /// Draws the code before the command is queued, so that the writer does not wait for entropy.
  package init(_ terms: ShareTerms) throws(StoreError) {
    self.terms = terms
    code = try InviteCode.make()
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> CodedShareInvite {
    let owner = transaction.caller.principal
    let now = transaction.nowMilliseconds
    try terms.check(nowMilliseconds: now)
    try transaction.checkShares(transaction.snapshot.principal(id: owner))
    guard let hash = InviteCode.hash(code) else {
      throw StoreError(.internalError, "an invitation's code has no hash", notProcessed: true)
    }
    try transaction.run(Self.removeEnded, .integer(owner), .integer(now))
    let count = try transaction.snapshot.shareInviteCount(of: owner, now: now)
    guard count < StoreLimits.shareInvitesPerOwner else {
      throw StoreError.reached(
        .shareInvitesPerOwner,
        "\(StoreLimits.shareInvitesPerOwner) invitations wait; end one first", notProcessed: false)
    }
    let expires = min(now + StoreLimits.shareInviteMilliseconds, terms.endsAtMilliseconds)
    let id = try transaction.insert(
      Self.insert, .integer(owner), .blob(hash), .integer(terms.parts.rawValue),
      .integer(Int64(terms.untilDay)), .integer(terms.endsAtMilliseconds), .integer(now),
      .integer(expires))
    try transaction.record(.created, of: .shareInvite, id: id, principal: owner)
    try transaction.audit(
      AuditEntry(
        action: "share.invite", kind: .shareInvite, objectID: id, after: terms.auditedText))
    let record = ShareInviteRecord(
      id: id, owner: owner, parts: terms.parts, untilDay: terms.untilDay,
      endsAtMilliseconds: terms.endsAtMilliseconds, createdAtMilliseconds: now,
      expiresAtMilliseconds: expires)
    return CodedShareInvite(record: record, code: code)
  }
}

/// Accepts an invitation: from now on the caller may read what it names. The code ends.
package struct AcceptShareInvite: Command {
  package static var endsPermissions: Bool { true }

  private let code: String

  private static let delete = Query("DELETE FROM share_invite WHERE id = ?1")

  package init(code: String) { self.code = code }

  /// The error for a code that no invitation has.
  package static var unknownCode: StoreError {
    StoreError(
      .notFound, "no invitation has this code; it was used, ended, or never made", field: "code",
      notProcessed: true)
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ShareRecord {
    guard let invite = try transaction.snapshot.shareInvite(code: code) else {
      throw Self.unknownCode
    }
    let reader = transaction.caller.principal
    guard invite.owner != reader else {
      throw .invalid("code", "is of your own invitation; another principal accepts it")
    }
    guard invite.expiresAtMilliseconds > transaction.nowMilliseconds else {
      throw StoreError(
        .failedPrecondition, "the invitation has ended; ask for another", field: "code",
        notProcessed: true)
    }
    let owner = try transaction.snapshot.principal(id: invite.owner)
    guard owner.isActive else { throw Self.unknownCode }
    let terms = try ShareTerms(
      parts: invite.parts, untilDay: invite.untilDay,
      endsAtMilliseconds: invite.endsAtMilliseconds)
    let share = try transaction.share(
      of: owner.id, with: transaction.snapshot.principal(id: reader), terms,
      action: "share.accept", ownField: "code")
    try transaction.run(Self.delete, .integer(invite.id))
    try transaction.record(.deleted, of: .shareInvite, id: invite.id, principal: owner.id)
    return share
  }
}

/// Ends an invitation that nobody has accepted.
package struct EndShareInvite: Command {
  package static var storesContent: Bool { false }

  private let id: Int64

  private static let delete = Query("DELETE FROM share_invite WHERE id = ?1")

  package init(id: Int64) { self.id = id }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ShareInviteRecord
  {
    guard let invite = try transaction.snapshot.shareInvite(id: id),
      invite.owner == transaction.caller.principal
    else { throw StoreError(.notFound, "there is no such invitation", field: "invite_id") }
    try transaction.run(Self.delete, .integer(id))
    try transaction.record(.deleted, of: .shareInvite, id: id, principal: invite.owner)
    try transaction.audit(
      AuditEntry(action: "share.invite-end", kind: .shareInvite, objectID: id))
    return invite
  }
}

/// Ends a share, by either side, from the next call on; open streams that rest on it end.
package struct EndShare: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  private let id: Int64

  private static let delete = Query("DELETE FROM acting_grant WHERE id = ?1")

  static var unknown: StoreError {
    StoreError(.notFound, "there is no such share", field: "share_id")
  }

  package init(id: Int64) { self.id = id }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> ShareRecord {
    let caller = transaction.caller.principal
    guard let share = try transaction.snapshot.share(id: id),
      share.owner == caller || share.reader == caller
    else { throw Self.unknown }
    try transaction.run(Self.delete, .integer(id))
    try transaction.record(.deleted, of: .actingGrant, id: id, principal: share.owner)
    try transaction.audit(
      AuditEntry(
        action: "share.end", kind: .actingGrant, objectID: id,
        topic: caller == share.owner ? share.reader : share.owner))
    return share
  }
}

/// Stores that the reader of a share has read, at most once in
/// ``StoreLimits/shareTouchMilliseconds``.
package struct TouchShare: Command {
  package static var storesContent: Bool { false }

  private let id: Int64

  private static let touch = Query(
    "UPDATE acting_grant SET last_read_at_ms = ?2 WHERE id = ?1 AND last_read_at_ms <= ?3")

  package init(id: Int64) { self.id = id }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let now = transaction.nowMilliseconds
    try transaction.run(
      Self.touch, .integer(id), .integer(now), .integer(now - StoreLimits.shareTouchMilliseconds))
  }
}

extension Transaction {
  private static let insertShare = Query(
    """
    INSERT INTO acting_grant (service_id, user_id, granted_by, granted_at_ms, scopes, until_day,
      ends_at_ms)
    VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6)
    """, key: "id")
  private static let changeShare = Query(
    "UPDATE acting_grant SET scopes = ?2, until_day = ?3, ends_at_ms = ?4 WHERE id = ?1")
  private static let removeEndedShares = Query(
    """
    DELETE FROM acting_grant
    WHERE user_id = ?1 AND ends_at_ms <= ?2 AND scopes & \(ActingScopes.read.rawValue) = 0
    """)

  /// Throws for a principal that has nothing to share: users and administrators have.
  fileprivate func checkShares(_ owner: PrincipalRecord) throws(StoreError) {
    guard owner.kind == .user || owner.kind == .administrator else {
      throw StoreError(
        .failedPrecondition, "only a user shares what it has", notProcessed: true)
    }
  }

  /// Stores a share, or its new terms. `ownField` is the field that names the reader.
  fileprivate func share(
    of owner: Int64, with reader: PrincipalRecord, _ terms: ShareTerms, action: String,
    ownField: String
  ) throws(StoreError) -> ShareRecord {
    try checkShares(snapshot.principal(id: owner))
    guard reader.id != owner else {
      throw .invalid(ownField, "is your own; you read your own data without a share")
    }
    guard reader.kind == .user || reader.kind == .administrator else {
      throw StoreError(
        .failedPrecondition,
        "is of a \(reader.kind), for which an administrator grants acting (Admin/GrantActing)",
        field: ownField)
    }
    try reader.checkPresent()
    try run(Self.removeEndedShares, .integer(owner), .integer(nowMilliseconds))
    var entry = AuditEntry(action: action, kind: .actingGrant, objectID: 0)
    entry.topic = caller.principal == owner ? reader.id : owner
    entry.after = terms.auditedText
    if var share = try snapshot.share(owner: owner, reader: reader.id) {
      let before = try ShareTerms(
        parts: share.parts, untilDay: share.untilDay, endsAtMilliseconds: share.endsAtMilliseconds)
      guard before != terms else { return share }
      try run(
        Self.changeShare, .integer(share.id), .integer(terms.parts.rawValue),
        .integer(Int64(terms.untilDay)), .integer(terms.endsAtMilliseconds))
      try record(.updated, of: .actingGrant, id: share.id, principal: owner)
      entry.objectID = share.id
      entry.before = before.auditedText
      try audit(entry)
      share.parts = terms.parts
      share.untilDay = terms.untilDay
      share.endsAtMilliseconds = terms.endsAtMilliseconds
      return share
    }
    try checkShareCounts(owner: owner, reader: reader.id)
    let id = try insert(
      Self.insertShare, .integer(reader.id), .integer(owner), .integer(nowMilliseconds),
      .integer(terms.parts.rawValue), .integer(Int64(terms.untilDay)),
      .integer(terms.endsAtMilliseconds))
    try record(.created, of: .actingGrant, id: id, principal: owner)
    entry.objectID = id
    try audit(entry)
    guard let share = try snapshot.share(id: id) else {
      throw StoreError(.internalError, "a share was not stored", notProcessed: true)
    }
    return share
  }

  private func checkShareCounts(owner: Int64, reader: Int64) throws(StoreError) {
    let now = nowMilliseconds
    guard try snapshot.givenShareCount(of: owner, now: now) < StoreLimits.sharesPerOwner else {
      throw StoreError.reached(
        .sharesPerOwner,
        "you share with \(StoreLimits.sharesPerOwner) principals; end a share first",
        notProcessed: false)
    }
    guard try snapshot.receivedShareCount(of: reader, now: now) < StoreLimits.sharesPerReader
    else {
      throw StoreError.reached(
        .sharesPerReader,
        "\(StoreLimits.sharesPerReader) users share with the reader; it ends a share first",
        notProcessed: false)
    }
  }
}

extension ShareTerms {
  /// The parts as their number, and the day, for the audit.
  fileprivate var auditedText: [UInt8] { Array("\(parts.rawValue) \(untilDay)".utf8) }
}
