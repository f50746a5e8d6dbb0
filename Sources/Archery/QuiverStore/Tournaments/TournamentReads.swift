import QuiverRules

/// Reads events. An event that is not public is not found by principals that do not belong to it.
extension Snapshot {
  private static let columns = """
    t.id, t.principal_id, t.revision, t.status, t.is_paused, t.is_public, t.join_code,
    t.max_participants, t.guests_per_user, t.guest_limit, t.participant_count, t.guest_count,
    t.late_count, t.tie_policy, t.tie_policy_day, t.started_at_ms, t.finalised_at_ms, t.name,
    t.lease_serial, t.pause_id, t.is_listed, t.is_joinable, t.public_names, t.junior_names,
    t.boards_end_day, t.correction_consent, t.scorers_type_papers
    """
  private static let byID = Query("SELECT \(columns) FROM tournament t WHERE t.id = ?1")
  private static let byCode = Query("SELECT \(columns) FROM tournament t WHERE t.join_code = ?1")
  private static let publicList = Query(
    """
    SELECT \(columns) FROM tournament t
    WHERE t.is_listed = 1 AND t.id < ?2 ORDER BY t.id DESC LIMIT ?3
    """)
  private static let partList = Query(
    """
    SELECT \(columns) FROM tournament t
    WHERE t.id < ?2 AND t.id IN (
      SELECT id FROM tournament WHERE principal_id = ?1
      UNION SELECT session_id FROM participant
        WHERE principal_id = ?1 AND kind <> \(ParticipantRecord.Kind.entry.rawValue)
      UNION SELECT tournament_id FROM tournament_scorer WHERE principal_id = ?1
      UNION SELECT event_id FROM event_official WHERE principal_id = ?1)
    ORDER BY t.id DESC LIMIT ?3
    """)
  private static let session = Query(
    "SELECT client_id, created_at_ms, format_id FROM shooting_session WHERE id = ?1")
  private static let ownParticipant = Query(
    """
    SELECT id FROM participant
    WHERE principal_id = ?2 AND session_id = ?1
      AND kind = \(ParticipantRecord.Kind.user.rawValue) LIMIT 1
    """)
  private static let scorers = Query(
    """
    SELECT s.principal_id, p.display_name, s.assigned_count
    FROM tournament_scorer s LEFT JOIN principal p ON p.id = s.principal_id
    WHERE s.tournament_id = ?1 ORDER BY s.principal_id
    """)

  /// An event by its id, without an access check; nil if there is none.
  package func tournamentHead(id: Int64) throws(StoreError) -> TournamentHead? {
    try first(Self.byID, .integer(id)) {
      (row) throws(StoreError) in try TournamentHead(row)
    }
  }

  /// An event by its code in any spelling; throws `notFound`.
  package func tournamentHead(joinCode: String) throws(StoreError) -> TournamentHead {
    let code = InviteCode.spelling(joinCode)
    let head = try code.flatMap { (code) throws(StoreError) in
      try first(Self.byCode, .text(code)) {
        (row) throws(StoreError) in try TournamentHead(row)
      }
    }
    guard let head else {
      throw StoreError(
        .notFound, "no event has this code", field: "join_code", notProcessed: true)
    }
    return head
  }

  /// An event that the principal may see; throws `notFound`. Nil, a spectator, sees it while it is
  /// public.
  ///
  /// A command asks with expired leases, so that a device that scored learns that it must join its
  /// target again.
  package func visibleTournament(
    id: Int64, principal: Int64?, withExpiredLeases: Bool = false, field: String = "tournament_id"
  ) throws(StoreError) -> TournamentHead {
    guard let head = try tournamentHead(id: id) else {
      throw StoreError(.notFound, "there is no such event", field: field)
    }
    if withExpiredLeases, let principal,
      try partEnd(in: head.id, organiser: head.organiser, principal: principal) != nil
    {
      return head
    }
    try checkSees(head, principal: principal, field: field)
    return head
  }

  /// Throws `notFound` unless the principal, nil for a spectator, may see the event. Every read of
  /// an event asks here, or ``TournamentHead/isOpen(to:)`` first.
  func checkSees(
    _ head: TournamentHead, principal: Int64?, field: String = "tournament_id"
  ) throws(StoreError) {
    if head.isOpen(to: principal, at: wallMilliseconds()) { return }
    if let principal,
      try hasPart(in: head.id, organiser: head.organiser, principal: principal)
    {
      return
    }
    throw StoreError(.notFound, "there is no such event", field: field)
  }

  /// An event with everything that the principal may see of it; throws `notFound`.
  package func tournament(
    id: Int64, principal: Int64, field: String = "id"
  ) throws(StoreError) -> TournamentRecord {
    try record(
      try visibleTournament(id: id, principal: principal, field: field), principal: principal)
  }

  /// The same where it is enough that the event is in the list of public ones.
  package func listedTournament(
    id: Int64, principal: Int64
  ) throws(StoreError) -> TournamentRecord {
    if let head = try tournamentHead(id: id), head.visibility.isListed {
      return try record(head, principal: principal)
    }
    return try tournament(id: id, principal: principal)
  }

  /// A page of events, newest first: those that the principal belongs to, or all public ones.
  package func tournaments(
    principal: Int64, publicOnly: Bool, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<TournamentRecord> {
    let token = PageToken(
      scope: [.text("tournaments"), .integer(principal), .integer(publicOnly ? 1 : 0)])
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? Int64.max
    let size = StoreLimits.pageSize(pageSize)
    let heads = try all(
      publicOnly ? Self.publicList : Self.partList, .integer(principal), .integer(before),
      .integer(size + 1)
    ) { (row) throws(StoreError) in try TournamentHead(row) }
    let page = token.page(heads, size: size, key: pageTokenKey) { $0.id }
    var records: [TournamentRecord] = []
    for head in page.items { records.append(try record(head, principal: principal)) }
    return Page(items: records, nextPageToken: page.nextPageToken)
  }

  /// The principal's own participant in an event; 0 if there is none.
  func ownParticipant(in session: Int64, principal: Int64) throws(StoreError) -> Int64 {
    try first(Self.ownParticipant, .integer(session), .integer(principal)) { row in
      row.int64(0)
    } ?? 0
  }

  /// A page of participants by id: all of them, or those that the principal is, added or scores. A
  /// scorer of the event scores all.
  package func participantPage(
    tournament: Int64, principal: Int64, mineOnly: Bool, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<ParticipantRecord> {
    let reader = try nameReader(
      of: try visibleTournament(id: tournament, principal: principal), principal: principal)
    let token = PageToken(
      scope: [
        .text("participants"), .integer(principal), .integer(tournament),
        .integer(mineOnly ? 1 : 0),
      ])
    let after = try token.position(in: pageToken, key: pageTokenKey) ?? 0
    let size = StoreLimits.pageSize(pageSize)
    var isWhole = !mineOnly
    if mineOnly { isWhole = try storedRole(of: principal, in: tournament) == .scorer }
    let rows =
      isWhole
      ? try participants(session: tournament, after: after, limit: size + 1)
      : try scoredParticipants(
        session: tournament, by: principal, after: after, limit: size + 1)
    return token.page(rows.map { $0.shown(to: reader) }, size: size, key: pageTokenKey) { $0.id }
  }

  /// Those who are the principal, whom it added, or whom it scores by assignment or by a lease.
  private func scoredParticipants(
    session: Int64, by principal: Int64, after: Int64, limit: Int64
  ) throws(StoreError) -> [ParticipantRecord] {
    var rows = try participants(
      session: session, ofPrincipal: principal, after: after, limit: limit)
    let known = Set(rows.map(\.id))
    for id in try leasedParticipants(of: principal, in: session)
    where id > after && !known.contains(id) {
      guard let record = try participant(id: id) else { continue }
      rows.append(record)
    }
    return Array(rows.sorted { $0.id < $1.id }.prefix(Int(clamping: limit)))
  }

  /// All scorers of an event that the principal may see, by principal.
  package func scorers(
    tournament: Int64, principal: Int64
  ) throws(StoreError) -> [ScorerRecord] {
    _ = try visibleTournament(id: tournament, principal: principal)
    return try all(Self.scorers, .integer(tournament)) { row in
      let name = row.text(1)
      return ScorerRecord(
        tournament: tournament, principal: row.int64(0),
        displayName: name.isEmpty ? "Archer \(row.int64(0))" : name,
        assignedCount: row.int64(2))
    }
  }

  func record(
    _ head: TournamentHead, principal: Int64
  ) throws(StoreError) -> TournamentRecord {
    let session = try first(Self.session, .integer(head.id)) { row in
      (clientID: row.bytes(0), createdAt: row.int64(1), format: row.int64(2))
    }
    guard let session else { throw StoreError(.dataLoss, "an event's session is not there") }
    return TournamentRecord(
      head: head, clientID: session.clientID, createdAtMilliseconds: session.createdAt,
      format: try format(id: session.format),
      organiserName: try self.principal(id: head.organiser).shownName,
      ownParticipant: try ownParticipant(in: head.id, principal: principal),
      isOrganiser: head.organiser == principal,
      pause: head.pause == 0 ? nil : try pause(id: head.pause))
  }

  /// The format of an event that must exist.
  func formatID(ofSession id: Int64) throws(StoreError) -> Int64 {
    let format = try first(Self.session, .integer(id)) { row in row.int64(2) }
    guard let format else { throw StoreError(.dataLoss, "an event's session is not there") }
    return format
  }
}

extension TournamentHead {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let status = TournamentStatus(rawValue: row.int32(3)),
      let policy = TiePolicy(rawValue: row.int32(13))
    else { throw StoreError(.dataLoss, "a stored event is none") }
    id = row.int64(0)
    organiser = row.int64(1)
    revision = row.uint64(2)
    self.status = status
    isPaused = row.bool(4)
    joinCode = row.text(6)
    maxParticipants = row.int64(7)
    guestsPerUser = row.int64(8)
    guestLimit = row.int64(9)
    participantCount = row.int64(10)
    guestCount = row.int64(11)
    lateCount = row.int64(12)
    tiePolicy = policy
    tiePolicyDay = row.int32(14)
    startedAtMilliseconds = row.optionalInt64(15)
    finalisedAtMilliseconds = row.optionalInt64(16)
    name = row.text(17)
    leaseSerial = row.int64(18)
    pause = row.int64(19)
    var visibility = EventVisibility()
    visibility.isWatchable = row.bool(5)
    visibility.isListed = row.bool(20)
    visibility.isJoinable = row.bool(21)
    visibility.names = PublicName(rawValue: row.int32(22))
    visibility.juniorNames = PublicName(rawValue: row.int32(23))
    visibility.lastBoardDay = row.int32(24)
    self.visibility = visibility
    consent = CorrectionConsent(rawValue: row.int32(25))
    scorersTypePapers = row.bool(26)
  }
}
