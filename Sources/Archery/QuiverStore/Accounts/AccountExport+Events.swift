/// Events as they are shot: the structure of the events that the principal organises, roles, the
/// entries of the principal, of its guests and of its events, the matches of these entries, their
/// second cards and confirmations, their decided ties, and the leases, notices and pauses of the
/// principal.
///
/// The place of a row has its event instead of a version, except where an id is enough.
extension ExportSection {
  private static func ofOrganiser(_ table: String, _ condition: String = "") -> Query {
    Query(
      joiningInOrder: """
        SELECT t.id, r.id FROM tournament t CROSS JOIN \(table) r ON r.event_id = t.id \(condition)
        WHERE t.principal_id = ?1 AND t.id >= ?2 AND (t.id > ?2 OR r.id > ?3)
        ORDER BY t.id, r.id LIMIT ?4
        """)
  }

  static let categories = ExportSection(27, ofOrganiser("event_category")) {
    (snapshot, _, place) throws(StoreError) in
    try snapshot.category(id: place.id).map { .eventCategory($0) }
  }

  static let lines = ExportSection(28, ofOrganiser("event_session")) {
    (snapshot, _, place) throws(StoreError) in
    .eventSession(try snapshot.eventSession(id: place.id, of: place.version))
  }

  static let stages = ExportSection(
    29, ofOrganiser("event_stage", "AND r.kind = \(Snapshot.eliminationKind)")
  ) { (snapshot, _, place) throws(StoreError) in
    .stage(try snapshot.stage(id: place.id))
  }

  /// The roles of the principal, and those of others in its events.
  static let roles = ExportSection(
    30,
    Query(
      """
      SELECT o.event_id, o.principal_id FROM event_official o JOIN tournament t ON t.id = o.event_id
      WHERE (o.principal_id = ?1 OR t.principal_id = ?1) AND o.event_id >= ?2
        AND (o.event_id > ?2 OR o.principal_id > ?3)
        AND o.event_id IN (
          SELECT event_id FROM event_official WHERE principal_id = ?1
          UNION SELECT id FROM tournament WHERE principal_id = ?1)
      ORDER BY o.event_id, o.principal_id LIMIT ?4
      """)
  ) { (snapshot, _, place) throws(StoreError) in
    guard let role = try snapshot.storedRole(of: place.id, in: place.version) else { return nil }
    let holder = try snapshot.principal(id: place.id)
    return .role(
      EventOfficialRecord(
        event: place.version, principal: place.id, displayName: holder.shownName, role: role,
        device: nil))
  }

  static let entries = ExportSection(
    31, of: "participant",
    where: """
      AND (EXISTS (SELECT 1 FROM event_entry e WHERE e.id = participant.id)
        OR EXISTS (
          SELECT 1 FROM event_round_place o WHERE o.participant_id = participant.id))
      """
  ) { (snapshot, _, place) throws(StoreError) in
    try snapshot.eventEntry(id: place.id).map { .eventEntry($0) }
  }

  private static let eventsWithMatches = Query(
    """
    SELECT DISTINCT p.session_id FROM participant p
    WHERE p.principal_id = ?1 AND p.session_id >= ?2
      AND EXISTS (SELECT 1 FROM event_match m WHERE m.event_id = p.session_id)
    ORDER BY p.session_id
    """)
  private static let matchesOfEvent = Query(
    """
    SELECT m.id, m.stage_id FROM event_match m
    WHERE m.event_id = ?2 AND m.id > ?3 AND EXISTS (\(entrants(of: "m")))
    ORDER BY m.id LIMIT ?4
    """)

  /// The participants of a principal, `?1`, in a match: as archers, and in teams.
  static func entrants(of match: String) -> String {
    ["event_entrant", "event_team_member"].map { table in
      """
      SELECT 1 FROM \(table) e JOIN participant p ON p.id = e.participant_id
      WHERE e.stage_id = \(match).stage_id
        AND e.seed IN (\(match).first_seed, \(match).second_seed) AND p.principal_id = ?1
      """
    }.joined(separator: "\nUNION ALL ")
  }

  /// Each bracket is read once for a page.
  static let matches = ExportSection(number: 32) {
    (snapshot, principal, after, limit) throws(StoreError) in
    let events = try snapshot.all(
      eventsWithMatches, .integer(principal), .integer(after.version)
    ) { row in row.int64(0) }
    var brackets: [Int64: BracketRecord] = [:]
    var rows = ExportRows()
    for event in events {
      let left = limit - Int64(rows.items.count)
      guard left > 0 else { break }
      let found = try snapshot.all(
        matchesOfEvent, .integer(principal), .integer(event),
        .integer(event == after.version ? after.id : 0), .integer(left)
      ) { row in (id: row.int64(0), stage: row.int64(1)) }
      for (id, stage) in found {
        if brackets[stage] == nil { brackets[stage] = try snapshot.bracket(stage: stage) }
        guard let bracket = brackets[stage],
          let match = bracket.matches.first(where: { $0.id == id })
        else { continue }
        rows.append(
          .match(MatchInBracket(match: match, bracket: bracket.stageEntrants)),
          at: ExportPlace(32, id: id, version: event))
        if rows.exceedPage { return rows }
      }
    }
    return rows
  }

  static let cards = ExportSection(
    33,
    ids: Query(
      joiningInOrder: """
        SELECT c.participant_id FROM participant p
        CROSS JOIN event_card c ON c.participant_id = p.id
        WHERE p.principal_id = ?1 AND p.id > ?2
        UNION SELECT k.participant_id FROM card_confirmation k
        WHERE k.principal_id = ?1 AND k.participant_id > ?2
        UNION SELECT k.participant_id FROM distance_confirmation k
        WHERE k.principal_id = ?1 AND k.participant_id > ?2
        UNION SELECT o.participant_id FROM participant p
        CROSS JOIN card_operation o ON o.witness_id = p.id AND o.witness_id > 0
        WHERE p.principal_id = ?1 AND o.participant_id > ?2
        UNION SELECT o.participant_id FROM card_operation o
        WHERE o.judge_id = ?1 AND o.judge_id > 0 AND o.participant_id > ?2
        ORDER BY 1 LIMIT ?3
        """)
  ) { (snapshot, principal, place) throws(StoreError) in
    .comparedCard(try snapshot.comparedCard(participant: place.id).exported(to: principal))
  }

  /// The id of a place is made of the session, the target and the card.
  static let leases = ExportSection(number: 34) {
    (snapshot, principal, after, limit) throws(StoreError) in
    var rows = ExportRows()
    for lease in try snapshot.leases(ofPrincipal: principal, from: after.version) {
      let target = Int64(lease.target) * 4 + Int64(lease.card.rawValue)
      let place = ExportPlace(34, id: lease.session * 65_536 + target, version: lease.event)
      guard (place.version, place.id) > (after.version, after.id) else { continue }
      guard Int64(rows.items.count) < limit else { break }
      rows.append(.lease(lease), at: place)
    }
    return rows
  }

  static let devices = ExportSection(42, ofOrganiser("event_device")) {
    (snapshot, _, place) throws(StoreError) in
    try snapshot.device(principal: place.id).map { .device($0) }
  }

  /// The calls that the principal raised, and those of its events.
  static let targetCalls = ExportSection(
    43,
    ids: Query(
      """
      SELECT c.id FROM target_call c
      WHERE c.id > ?2 AND (c.raised_by = ?1 OR c.resolved_by = ?1
        OR c.event_id IN (SELECT id FROM tournament WHERE principal_id = ?1))
      ORDER BY c.id LIMIT ?3
      """)
  ) { (snapshot, _, place) throws(StoreError) in
    try snapshot.targetCall(id: place.id).map { .targetCall($0) }
  }

  private static let tie = Query(
    """
    SELECT category_id, participant_id, decision, arrows, distances FROM event_tie
    WHERE event_id = ?1 AND decision_id = ?2 ORDER BY category_id, place
    """)

  /// Decisions about the principal, its guests and its entries, and its own.
  static let ties = ExportSection(
    35,
    Query(
      """
      SELECT DISTINCT t.event_id, t.decision_id FROM event_tie t
      WHERE t.event_id IN (
          SELECT session_id FROM participant WHERE principal_id = ?1
          UNION SELECT event_id FROM event_official WHERE principal_id = ?1
          UNION SELECT id FROM tournament WHERE principal_id = ?1)
        AND t.event_id >= ?2 AND (t.event_id > ?2 OR t.decision_id > ?3)
        AND (t.decided_by = ?1 OR EXISTS (
          SELECT 1 FROM participant p WHERE p.id = t.participant_id AND p.principal_id = ?1))
      ORDER BY t.event_id, t.decision_id LIMIT ?4
      """)
  ) { (snapshot, _, place) throws(StoreError) in
    var decided = ExportedTie(event: place.version)
    try snapshot.session.forEach(tie, [.integer(place.version), .integer(place.id)]) { row in
      decided.category = row.int64(0)
      decided.participants.append(row.int64(1))
      decided.decision = row.int32(2)
      if !row.isNull(3) {
        decided.shots.append(TieShots(arrows: row.bytes(3), distances: row.bytes(4)))
      }
    }
    return .tie(decided)
  }

  static let notices = ExportSection(number: 36) {
    (snapshot, principal, after, limit) throws(StoreError) in
    var rows = ExportRows()
    for notice in try snapshot.notices(ofAuthor: principal, after: after.id, limit: limit) {
      rows.append(.notice(notice), at: ExportPlace(36, id: notice.id))
    }
    return rows
  }

  /// Those that the principal typed, and those of its card, its guests and its entries.
  static let typedTotals = ExportSection(
    44,
    ids: Query(
      """
      SELECT y.id FROM typed_total y WHERE y.typed_by = ?1 AND y.id > ?2
      UNION SELECT y.id FROM participant p JOIN typed_total y ON y.participant_id = p.id
      WHERE p.principal_id = ?1 AND y.id > ?2 ORDER BY 1 LIMIT ?3
      """)
  ) { (snapshot, _, place) throws(StoreError) in
    try snapshot.typedTotal(id: place.id).map { .typedTotal($0) }
  }

  static let pauses = ExportSection(37, of: "event_pause", by: "started_by") {
    (snapshot, _, place) throws(StoreError) in
    .pause(try snapshot.pause(id: place.id))
  }
}

extension ComparedCardRecord {
  /// What belongs to a principal: its card, or what it confirmed. A drawing belongs to who drew it:
  /// on the device of a scorer that is the archer.
  fileprivate func exported(to principal: Int64) -> ComparedCardRecord {
    let isOwn = participant.principal == principal
    let isArcher = isOwn && participant.kind == .user
    return ComparedCardRecord(
      participant: participant, revision: revision, arrows: isOwn ? arrows : [],
      ends: isOwn ? ends : ends.filter { $0.witness?.principal == principal },
      summary: isOwn ? summary : nil,
      confirmations: confirmations.compactMap { found in
        let isConfirmer = found.principal == principal
        guard isOwn || isConfirmer else { return nil }
        let hasDrawn =
          switch found.role {
          case .archer: isArcher
          case .scorer: isConfirmer
          }
        return hasDrawn ? found : found.withoutSignature
      }, rule: rule, owed: isOwn ? owed : [])
  }
}

extension CardConfirmationRecord {
  /// The same without the drawing.
  package var withoutSignature: CardConfirmationRecord {
    CardConfirmationRecord(
      role: role, principal: principal, displayName: displayName, atMilliseconds: atMilliseconds,
      signature: nil, part: part)
  }
}
