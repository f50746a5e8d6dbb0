/// The part of an export that belongs to events as they are shot: the structure of the events that
/// the principal organises, roles, the entries of the principal, of its guests and of its events,
/// the matches of these entries, their second cards and confirmations, their decided ties, and the
/// notices and the pauses of the principal.
///
/// The place of a row is its event instead of a version, and its id.
extension Snapshot {
  private static let ownCategories = Query(joiningInOrder: ownRows("event_category"))
  private static let ownLines = Query(joiningInOrder: ownRows("event_session"))
  private static let ownStages = Query(
    joiningInOrder: ownRows("event_stage", "AND r.kind = \(eliminationKind)"))
  private static let roles = Query(
    """
    SELECT o.event_id, o.principal_id, p.display_name, o.role
    FROM event_official o JOIN tournament t ON t.id = o.event_id
    JOIN principal p ON p.id = o.principal_id
    WHERE (o.principal_id = ?1 OR t.principal_id = ?1) AND o.event_id >= ?2
      AND (o.event_id > ?2 OR o.principal_id > ?3)
      AND o.event_id IN (
        SELECT event_id FROM event_official WHERE principal_id = ?1
        UNION SELECT id FROM tournament WHERE principal_id = ?1)
    ORDER BY o.event_id, o.principal_id LIMIT ?4
    """)
  private static let ownEntries = Query(
    """
    SELECT p.id FROM participant p WHERE p.principal_id = ?1 AND p.id > ?2 AND (
      EXISTS (SELECT 1 FROM event_entry e WHERE e.id = p.id)
      OR EXISTS (SELECT 1 FROM event_round_place o WHERE o.participant_id = p.id))
    ORDER BY p.id LIMIT ?3
    """)
  /// Decisions about the principal, its guests and its entries, and its own.
  private static let ownTies = Query(
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
  private static let tie = Query(
    """
    SELECT category_id, participant_id, decision FROM event_tie
    WHERE event_id = ?1 AND decision_id = ?2 ORDER BY category_id, place
    """)
  private static let eventsWithMatches = Query(
    """
    SELECT DISTINCT p.session_id FROM participant p
    WHERE p.principal_id = ?1 AND p.session_id >= ?2
      AND EXISTS (SELECT 1 FROM event_match m WHERE m.event_id = p.session_id)
    ORDER BY p.session_id
    """)
  private static let ownMatches = Query(
    """
    SELECT m.id, m.stage_id FROM event_match m
    WHERE m.event_id = ?2 AND m.id > ?3 AND EXISTS (
      SELECT 1 FROM event_entrant e JOIN participant p ON p.id = e.participant_id
      WHERE e.stage_id = m.stage_id AND e.seed IN (m.first_seed, m.second_seed)
        AND p.principal_id = ?1
      UNION ALL
      SELECT 1 FROM event_team_member e JOIN participant p ON p.id = e.participant_id
      WHERE e.stage_id = m.stage_id AND e.seed IN (m.first_seed, m.second_seed)
        AND p.principal_id = ?1)
    ORDER BY m.id LIMIT ?4
    """)

  private static let ownCards = Query(
    joiningInOrder: """
      SELECT c.participant_id FROM participant p CROSS JOIN event_card c ON c.participant_id = p.id
      WHERE p.principal_id = ?1 AND p.id > ?2
      UNION SELECT k.participant_id FROM card_confirmation k
      WHERE k.principal_id = ?1 AND k.participant_id > ?2
      ORDER BY 1 LIMIT ?3
      """)

  private static func ownRows(_ table: String, _ condition: String = "") -> String {
    """
    SELECT t.id, r.id FROM tournament t CROSS JOIN \(table) r ON r.event_id = t.id \(condition)
    WHERE t.principal_id = ?1 AND t.id >= ?2 AND (t.id > ?2 OR r.id > ?3)
    ORDER BY t.id, r.id LIMIT ?4
    """
  }

  /// A section of this part of the export.
  func exportedStructure(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    switch place.section {
    case .categories: try exportedCategories(principal, after: place, limit: limit)
    case .lines: try exportedLines(principal, after: place, limit: limit)
    case .stages: try exportedStages(principal, after: place, limit: limit)
    case .roles: try exportedRoles(principal, after: place, limit: limit)
    case .entries: try exportedEntries(principal, after: place, limit: limit)
    case .matches: try exportedMatches(principal, after: place, limit: limit)
    case .cards: try exportedComparedCards(principal, after: place, limit: limit)
    case .leases: try exportedLeases(principal, after: place, limit: limit)
    case .ties: try exportedTies(principal, after: place, limit: limit)
    case .notices:
      try notices(ofAuthor: principal, after: place.id, limit: limit).map {
        ExportRow(place: ExportPlace(.notices, id: $0.id), item: .notice($0))
      }
    case .pauses:
      try pauses(ofPrincipal: principal, after: place.id, limit: limit).map {
        ExportRow(place: ExportPlace(.pauses, id: $0.id), item: .pause($0))
      }
    default: []
    }
  }

  private func exportedCategories(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for place in try places(Self.ownCategories, principal, after: place, limit: limit) {
      guard let record = try category(id: place.id) else { continue }
      rows.append(ExportRow(place: place, item: .eventCategory(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  private func exportedLines(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for place in try places(Self.ownLines, principal, after: place, limit: limit) {
      let record = try eventSession(id: place.id, of: place.version)
      rows.append(ExportRow(place: place, item: .eventSession(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  private func exportedStages(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for place in try places(Self.ownStages, principal, after: place, limit: limit) {
      rows.append(ExportRow(place: place, item: .stage(try stage(id: place.id))))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  /// The roles of the principal, and those of others in its events.
  private func exportedRoles(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    try all(
      Self.roles, .integer(principal), .integer(place.version), .integer(place.id),
      .integer(limit)
    ) { (row) throws(StoreError) in
      guard let role = EventRole(rawValue: row.int32(3)) else {
        throw StoreError(.dataLoss, "a stored role is none")
      }
      let (event, holder, name) = (row.int64(0), row.int64(1), row.text(2))
      let record = EventOfficialRecord(
        event: event, principal: holder, displayName: name.isEmpty ? "Archer \(holder)" : name,
        role: role)
      return ExportRow(
        place: ExportPlace(.roles, id: holder, version: event), item: .role(record))
    }
  }

  private func exportedEntries(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.ownEntries, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for id in ids {
      guard let record = try eventEntry(id: id) else { continue }
      rows.append(ExportRow(place: ExportPlace(.entries, id: id), item: .eventEntry(record)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  /// Each bracket is read once for a page.
  private func exportedMatches(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let events = try all(
      Self.eventsWithMatches, .integer(principal), .integer(place.version)
    ) { row in row.int64(0) }
    var brackets: [Int64: BracketRecord] = [:]
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for event in events where Int64(rows.count) < limit {
      let found = try all(
        Self.ownMatches, .integer(principal), .integer(event),
        .integer(event == place.version ? place.id : 0), .integer(limit - Int64(rows.count))
      ) { row in (id: row.int64(0), stage: row.int64(1)) }
      for (id, stage) in found {
        if brackets[stage] == nil { brackets[stage] = try bracket(stage: stage) }
        guard let bracket = brackets[stage],
          let match = bracket.matches.first(where: { $0.id == id })
        else { continue }
        rows.append(
          ExportRow(
            place: ExportPlace(.matches, id: id, version: event),
            item: .match(MatchInBracket(match: match, bracket: bracket.stageEntrants))))
        if byteCount.exceedsPage(with: rows) { return rows }
      }
    }
    return rows
  }

  private func exportedComparedCards(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let ids = try all(
      Self.ownCards, .integer(principal), .integer(place.id), .integer(limit)
    ) { row in row.int64(0) }
    var rows: [ExportRow] = []
    var byteCount = ExportByteCount()
    for id in ids {
      let card = try comparedCard(participant: id).exported(to: principal)
      rows.append(ExportRow(place: ExportPlace(.cards, id: id), item: .comparedCard(card)))
      if byteCount.exceedsPage(with: rows) { break }
    }
    return rows
  }

  /// The id of a place is made of the session, the target and the card.
  private func exportedLeases(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    let rows = try leases(ofPrincipal: principal, from: place.version).map { lease in
      let target = Int64(lease.target) * 4 + Int64(lease.card.rawValue)
      return ExportRow(
        place: ExportPlace(
          .leases, id: lease.session * 65_536 + target, version: lease.event),
        item: .lease(lease))
    }
    return Array(
      rows.filter { row in
        (row.place.version, row.place.id) > (place.version, place.id)
      }.prefix(Int(clamping: limit)))
  }

  private func exportedTies(
    _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportRow] {
    var rows: [ExportRow] = []
    for place in try places(Self.ownTies, principal, after: place, limit: limit) {
      var tie = ExportedTie(event: place.version)
      try session.forEach(Self.tie, [.integer(place.version), .integer(place.id)]) { row in
        tie.category = row.int64(0)
        tie.participants.append(row.int64(1))
        tie.decision = row.int32(2)
      }
      rows.append(ExportRow(place: place, item: .tie(tie)))
    }
    return rows
  }

  /// The places of a statement that selects an event and an id.
  private func places(
    _ query: Query, _ principal: Int64, after place: ExportPlace, limit: Int64
  ) throws(StoreError) -> [ExportPlace] {
    try all(
      query, .integer(principal), .integer(place.version), .integer(place.id), .integer(limit)
    ) { row in ExportPlace(place.section, id: row.int64(1), version: row.int64(0)) }
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
      ends: isOwn ? ends : [], summary: isOwn ? summary : nil,
      confirmations: confirmations.compactMap { found in
        let isConfirmer = found.principal == principal
        guard isOwn || isConfirmer else { return nil }
        let hasDrawn =
          switch found.role {
          case .archer: isArcher
          case .scorer: isConfirmer
          }
        return hasDrawn ? found : found.withoutSignature
      }, rule: rule)
  }
}

extension CardConfirmationRecord {
  /// The same without the drawing.
  package var withoutSignature: CardConfirmationRecord {
    CardConfirmationRecord(
      role: role, principal: principal, displayName: displayName, atMilliseconds: atMilliseconds,
      signature: nil)
  }
}
