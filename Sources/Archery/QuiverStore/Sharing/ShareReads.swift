import QuiverCrypto

/// Reads what users let others read.
extension Snapshot {
  private static let columns = """
    SELECT g.id, g.user_id, o.display_name, g.service_id, r.display_name, g.scopes, g.until_day,
      g.ends_at_ms, g.granted_at_ms, g.last_read_at_ms
    FROM acting_grant g JOIN principal o ON o.id = g.user_id JOIN principal r ON r.id = g.service_id
    """
  private static let isShare = "g.scopes & \(ActingScopes.read.rawValue) = 0"
  private static let oneShare = Query(columns + " WHERE g.id = ?1 AND " + isShare)
  private static let shareOf = Query(
    columns + " WHERE g.user_id = ?1 AND g.service_id = ?2 AND " + isShare)
  // An account that is being erased has its rows still.
  private static let pageOfShares = Query(
    columns + """
       WHERE g.id IN (
        SELECT id FROM acting_grant WHERE user_id = ?1 AND ?2 <> \(ShareSide.received.rawValue)
        UNION
        SELECT id FROM acting_grant WHERE service_id = ?1 AND ?2 <> \(ShareSide.given.rawValue))
        AND g.id > ?3 AND g.ends_at_ms > ?4 AND \(isShare)
        AND o.deleted_at_ms IS NULL AND r.deleted_at_ms IS NULL
      ORDER BY g.id LIMIT ?5
      """)
  private static let givenCount = Query(
    "SELECT count(*) FROM acting_grant g WHERE g.user_id = ?1 AND g.ends_at_ms > ?2 AND " + isShare)
  private static let receivedCount = Query(
    """
    SELECT count(*) FROM acting_grant g
    WHERE g.service_id = ?1 AND g.ends_at_ms > ?2 AND \(isShare)
    """)
  private static let reader = Query(
    """
    SELECT \(PrincipalRecord.columns), g.ends_at_ms, g.id, g.last_read_at_ms
    FROM acting_grant g JOIN principal p ON p.id = g.user_id
    WHERE g.service_id = ?1 AND g.user_id = ?2 AND g.scopes & ?3 <> 0 AND g.ends_at_ms > ?4
      AND \(isShare)
    """)

  private static let inviteColumns = """
    SELECT id, owner_id, scopes, until_day, ends_at_ms, created_at_ms, expires_at_ms, sha256
    FROM share_invite
    """
  private static let oneInvite = Query(inviteColumns + " WHERE id = ?1")
  private static let inviteByHash = Query(inviteColumns + " WHERE sha256 = ?1")
  private static let pageOfShareInvites = Query(
    inviteColumns + """
       WHERE owner_id = ?1 AND id > ?2 AND expires_at_ms > ?3 ORDER BY id LIMIT ?4
      """)
  private static let inviteCount = Query(
    "SELECT count(*) FROM share_invite WHERE owner_id = ?1 AND expires_at_ms > ?2")

  /// A share, also one that has ended; nil if there is none.
  func share(id: Int64) throws(StoreError) -> ShareRecord? {
    try first(Self.oneShare, .integer(id), map: ShareRecord.init(row:))
  }

  func share(owner: Int64, reader: Int64) throws(StoreError) -> ShareRecord? {
    try first(Self.shareOf, .integer(owner), .integer(reader), map: ShareRecord.init(row:))
  }

  /// A page of the shares in force that a principal gives or receives, in the order of creation.
  package func shares(
    of principal: Int64, side: ShareSide, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<ShareRecord> {
    let token = PageToken(
      scope: [.text("shares"), .integer(principal), .integer(side.rawValue)])
    let after = try token.position(in: pageToken, key: pageTokenKey) ?? 0
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      Self.pageOfShares, .integer(principal), .integer(side.rawValue), .integer(after),
      .integer(wallMilliseconds()), .integer(size + 1), map: ShareRecord.init(row:))
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }

  func givenShareCount(of owner: Int64, now: Int64) throws(StoreError) -> Int64 {
    try first(Self.givenCount, .integer(owner), .integer(now)) { row in row.int64(0) } ?? 0
  }

  func receivedShareCount(of reader: Int64, now: Int64) throws(StoreError) -> Int64 {
    try first(Self.receivedCount, .integer(reader), .integer(now)) { row in row.int64(0) } ?? 0
  }

  /// The user of whom a principal may read one of these parts now, with the share; nil if it may
  /// not, or the user does not exist any more.
  func sharingUser(
    reader: Int64, user: Int64, anyOf parts: ActingScopes
  ) throws(StoreError) -> SharingUser? {
    let now = wallMilliseconds()
    let found = try first(
      Self.reader, .integer(reader), .integer(user), .integer(parts.rawValue),
      .integer(now)
    ) { (row) throws(StoreError) in
      let next = PrincipalRecord.columnCount
      return SharingUser(
        user: try PrincipalRecord(row: row), endsAtMilliseconds: row.int64(next),
        share: row.int64(next + 1),
        isStale: row.int64(next + 2) <= now - StoreLimits.shareTouchMilliseconds)
    }
    return found.flatMap { $0.user.isActive ? $0 : nil }
  }

  /// The parts that a caller may read of a user now, and whether a share gives them; all for the
  /// user itself and for a service that an administrator lets act for it.
  ///
  /// Throws `permissionDenied` if what it had has ended.
  package func readableParts(
    of user: Int64, by actor: Int64
  ) throws(StoreError) -> (parts: ActingScopes, isShare: Bool) {
    guard actor != user else { return (.parts, false) }
    if let share = try share(owner: user, reader: actor),
      share.endsAtMilliseconds > wallMilliseconds()
    {
      return (share.parts, true)
    }
    guard let grant = try actingGrant(service: actor, user: user), grant.scopes.contains(.read)
    else {
      throw StoreError(
        .permissionDenied, "quiver-user: this caller may not act for that user",
        notProcessed: true)
    }
    return (.parts, false)
  }

  /// Whether a caller reads the data of a user by a share.
  package func isShare(of user: Int64, readBy actor: Int64) throws(StoreError) -> Bool {
    try readableParts(of: user, by: actor).isShare
  }

  func shareInvite(id: Int64) throws(StoreError) -> ShareInviteRecord? {
    try first(Self.oneInvite, .integer(id), map: ShareInviteRecord.init(row:))
  }

  /// The invitation with this code; nil if there is none.
  package func shareInvite(code: String) throws(StoreError) -> ShareInviteRecord? {
    guard let hash = InviteCode.hash(code) else { return nil }
    let found = try first(Self.inviteByHash, .blob(hash)) { row in
      (record: ShareInviteRecord(row: row), hash: row.bytes(7))
    }
    guard let found, ConstantTime.isEqual(found.hash, hash) else { return nil }
    return found.record
  }

  /// A page of the invitations of a user that wait, in the order of creation.
  package func shareInvites(
    of owner: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<ShareInviteRecord> {
    let token = PageToken(scope: [.text("share-invites"), .integer(owner)])
    let after = try token.position(in: pageToken, key: pageTokenKey) ?? 0
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      Self.pageOfShareInvites, .integer(owner), .integer(after), .integer(wallMilliseconds()),
      .integer(size + 1), map: ShareInviteRecord.init(row:))
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }

  func shareInviteCount(of owner: Int64, now: Int64) throws(StoreError) -> Int64 {
    try first(Self.inviteCount, .integer(owner), .integer(now)) { row in row.int64(0) } ?? 0
  }
}

/// A user who shares something with a principal.
package struct SharingUser: Sendable {
  package let user: PrincipalRecord
  /// When the share ends.
  package let endsAtMilliseconds: Int64
  /// The id of the share.
  package let share: Int64
  /// Whether the time of the last read is to be stored (``TouchShare``).
  package let isStale: Bool
}

extension Store {
  /// The user of whom a principal may read one of these parts now; nil if it may not.
  package func sharingUser(
    reader: Int64, user: Int64, anyOf parts: ActingScopes
  ) throws(StoreError) -> SharingUser? {
    try read { (snapshot) throws(StoreError) in
      try snapshot.sharingUser(reader: reader, user: user, anyOf: parts)
    }
  }
}

extension ShareRecord {
  init(row: Row) {
    self.init(
      id: row.int64(0), owner: row.int64(1),
      ownerName: PrincipalRecord.shownName(row.text(2), id: row.int64(1)), reader: row.int64(3),
      readerName: PrincipalRecord.shownName(row.text(4), id: row.int64(3)),
      parts: ActingScopes(rawValue: row.int64(5)), untilDay: Int32(clamping: row.int64(6)),
      endsAtMilliseconds: row.int64(7), createdAtMilliseconds: row.int64(8),
      lastReadAtMilliseconds: row.int64(9))
  }
}

extension ShareInviteRecord {
  init(row: Row) {
    self.init(
      id: row.int64(0), owner: row.int64(1), parts: ActingScopes(rawValue: row.int64(2)),
      untilDay: Int32(clamping: row.int64(3)), endsAtMilliseconds: row.int64(4),
      createdAtMilliseconds: row.int64(5), expiresAtMilliseconds: row.int64(6))
  }
}

extension SessionRecord {
  /// The session as a reader of a share sees it: without guests, and without archers whom the owner
  /// entered.
  package var withOwnRounds: SessionRecord {
    SessionRecord(
      id: id, clientID: clientID, isTournament: isTournament, notes: notes,
      conditions: conditions, createdAtMilliseconds: createdAtMilliseconds, format: format,
      rounds: rounds.filter { $0.participant.kind == .user })
  }
}

extension ScorecardRecord {
  /// Throws `notFound` for the card of another archer than the principal.
  package func checkIsOwn(of principal: Int64) throws(StoreError) {
    guard round.participant.kind == .user, round.participant.principal == principal else {
      throw Snapshot.unknownParticipant
    }
  }
}
