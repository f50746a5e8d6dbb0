import QuiverRules

/// Reads second cards and confirmations.
extension Snapshot {
  private static let summaryColumns = """
    c.participant_id, c.event_id, c.revision, c.operation_count, c.end_count, c.ends, c.agreed,
    c.disputed, c.ruled, c.confirmations, c.paper_total, c.paper_hits, c.paper_golds,
    c.paper_x, c.deduction, c.deducted_hits, c.deducted_golds, c.deducted_x, c.decided_at_ms
    """
  private static let summary = Query(
    "SELECT \(summaryColumns) FROM event_card c WHERE c.participant_id = ?1")
  private static let summaries = Query(
    "SELECT \(summaryColumns) FROM event_card c WHERE c.event_id = ?1")
  private static let endColumns = """
    e.end_index, e.arrows, e.state, e.operation_id, o.client_id, e.ruled_by,
    coalesce(p.display_name, ''), e.ruled_at_ms, e.reason, \(CorrectionWitness.columns)
    """
  private static let endTables = """
    event_card_end e LEFT JOIN card_operation o ON o.id = e.operation_id
    LEFT JOIN principal p ON p.id = e.ruled_by
    """
  private static let end = Query(
    """
    SELECT \(endColumns) FROM \(endTables) WHERE e.participant_id = ?1 AND e.end_index = ?2
    """)
  private static let ends = Query(
    """
    SELECT \(endColumns) FROM \(endTables) WHERE e.participant_id = ?1 ORDER BY e.end_index
    """)
  private static let confirmations = Query(
    """
    SELECT c.role, c.principal_id, coalesce(p.display_name, ''), c.confirmed_at_ms, c.signature,
      0 AS part
    FROM card_confirmation c LEFT JOIN principal p ON p.id = c.principal_id
    WHERE c.participant_id = ?1
    UNION ALL
    SELECT c.role, c.principal_id, coalesce(p.display_name, ''), c.confirmed_at_ms, c.signature,
      c.distance
    FROM distance_confirmation c LEFT JOIN principal p ON p.id = c.principal_id
    WHERE c.participant_id = ?1 ORDER BY 6, 1
    """)
  /// Operations that wait for the organiser, or that it rejected: they change no card.
  private static let notApplied = Query(
    """
    SELECT count(*) FROM scoring_operation
    WHERE participant_id = ?1 AND state <> \(OperationRecord.State.applied.rawValue)
    """)
  /// Counts the typed totals of a participant, and those of them that were ended.
  private static let typedRevision = Query(
    """
    SELECT count(*) + count(CASE WHEN ended_at_ms > 0 THEN 1 END) FROM typed_total
    WHERE participant_id = ?1
    """)
  private static let disputes = Query(
    """
    SELECT e.participant_id, e.end_index, r.id, e.arrows
    FROM event_card_end e JOIN round r ON r.participant_id = e.participant_id
    WHERE e.event_id = ?1 AND e.state = \(CardEndState.disputed.rawValue)
      AND (e.participant_id, e.end_index) > (?2, ?3)
    ORDER BY e.participant_id, e.end_index LIMIT ?4
    """)

  /// How far a card is checked; nil if there is neither a second card nor a confirmation.
  func cardSummary(participant id: Int64) throws(StoreError) -> CardSummary? {
    try first(Self.summary, .integer(id)) { row in CardSummary(row) }
  }

  /// The same for the participants of an event that have one.
  func cardSummaries(event: Int64) throws(StoreError) -> [Int64: CardSummary] {
    let found = try all(Self.summaries, .integer(event)) { row in CardSummary(row) }
    return Dictionary(found.map { ($0.participant, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// An end of a second card; nil if it does not have it.
  func cardEnd(participant id: Int64, index: Int) throws(StoreError) -> CardEndRecord? {
    try first(Self.end, .integer(id), .integer(Int64(index))) {
      (row) throws(StoreError) in try CardEndRecord(row)
    }
  }

  /// The ends of a second card by their index.
  func cardEnds(participant id: Int64) throws(StoreError) -> [CardEndRecord] {
    try all(Self.ends, .integer(id)) { (row) throws(StoreError) in try CardEndRecord(row) }
  }

  /// The arrows that an end of the first card has.
  func firstCard(round: Int64, end: Int) throws(StoreError) -> [ScoredArrowRecord] {
    try arrows(round: round, end: end).filter { !$0.isRetracted }
  }

  /// Both cards of a participant of an event, without an access check; throws `notFound`.
  func comparedCard(participant id: Int64) throws(StoreError) -> ComparedCardRecord {
    guard let place = try scoringPlace(participant: id), place.isTournament,
      let head = try tournamentHead(id: place.participant.sessionID)
    else { throw Self.noEventParticipant() }
    let confirmed = try all(Self.confirmations, .integer(id)) { (row) throws(StoreError) in
      try CardConfirmationRecord(row)
    }
    let summary = try cardSummary(participant: id)
    let typed = try first(Self.typedRevision, .integer(id)) { row in row.int64(0) } ?? 0
    let waiting = try first(Self.notApplied, .integer(id)) { row in row.int64(0) } ?? 0
    let arrows = try arrows(round: place.round)
    return ComparedCardRecord(
      participant: place.participant,
      revision: place.operationCount - waiting + (summary?.revision ?? 0) + typed,
      arrows: arrows, ends: try cardEnds(participant: id),
      summary: summary, confirmations: confirmed,
      rule: DoubleScoringRule.of(day: head.tiePolicyDay).name, parts: try cardParts(of: place),
      consent: head.consent, owed: try owedArrows(at: place, among: arrows))
  }

  /// The same for a principal who may see the event, and whether it sees signatures: an organiser,
  /// a judge, and the archer itself do.
  package func comparedCard(
    participant id: Int64, principal: Int64
  ) throws(StoreError) -> (card: ComparedCardRecord, showsSignatures: Bool) {
    guard let place = try scoringPlace(participant: id), place.isTournament,
      try sees(place, principal: principal)
    else { throw Self.noEventParticipant() }
    let own = place.participant.kind != .entry && place.participant.principal == principal
    let isJudge = try isJudge(principal, at: place)
    let reader = try nameReader(event: place.participant.sessionID, principal: principal)
    return (try comparedCard(participant: id).shown(to: reader), own || isJudge)
  }

  static func noEventParticipant(field: String = "participant_id") -> StoreError {
    StoreError(.notFound, "there is no such participant of an event", field: field)
  }

  /// The role of a principal in the event of a participant; nil if it has none.
  func role(of principal: Int64, at place: ScoringPlace) throws(StoreError) -> EventRole? {
    if place.owner == principal { return .organiser }
    return try storedRole(of: principal, in: place.participant.sessionID)
  }

  /// Whether the principal rules over the cards of the event.
  func isJudge(_ principal: Int64, at place: ScoringPlace) throws(StoreError) -> Bool {
    guard place.isTournament else { return false }
    switch try role(of: principal, at: place) {
    case .organiser, .judge: return true
    case .scorer, .results, .checkIn, nil: return false
    }
  }

  /// A page of the ends in dispute of an event that the principal may see.
  package func disputes(
    event: Int64, principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<CardDisputeRecord> {
    let reader = try nameReader(
      of: try visibleTournament(id: event, principal: principal), principal: principal)
    let token = PageToken(
      scope: [.text("card disputes"), .integer(principal), .integer(event)])
    let after = try token.textPlace(in: pageToken, key: pageTokenKey)
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      Self.disputes, .integer(event), .integer(after?.id ?? 0),
      .integer(Int64(after?.text ?? "") ?? -1), .integer(size + 1)
    ) { row in
      (
        participant: row.int64(0), index: Int(clamping: row.int64(1)), round: row.int64(2),
        arrows: row.bytes(3)
      )
    }
    var disputes: [CardDisputeRecord] = []
    for row in rows {
      guard let entry = try eventEntry(id: row.participant) else { continue }
      disputes.append(
        CardDisputeRecord(
          entry: entry.shown(to: reader), index: row.index,
          first: try firstCard(round: row.round, end: row.index).map(\.score),
          second: CardBytes.arrows(of: row.arrows)))
    }
    return token.page(disputes, size: size, key: pageTokenKey) { dispute in
      PageToken.place("\(dispute.index)", id: dispute.entry.participant)
    }
  }
}

extension CardSummary {
  /// Reads the columns of `Snapshot.summaryColumns`.
  fileprivate init(_ row: Row) {
    participant = row.int64(0)
    event = row.int64(1)
    revision = row.int64(2)
    operationCount = row.int64(3)
    endCount = Int(clamping: row.int64(4))
    ends = Int(clamping: row.int64(5))
    agreed = Int(clamping: row.int64(6))
    disputed = Int(clamping: row.int64(7))
    ruled = Int(clamping: row.int64(8))
    confirmations = CardRole.roles(of: row.int64(9))
    paper = TypedScore(row, from: 10)
    deduction = SumDeduction(row, from: 14)
    decidedAtMilliseconds = row.int64(18)
  }
}

extension CardEndRecord {
  /// Reads the columns of `Snapshot.endColumns`.
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let state = CardEndState(rawValue: row.int32(2)) else {
      throw StoreError(.dataLoss, "a stored end of a second card is none")
    }
    index = Int(clamping: row.int64(0))
    arrows = CardBytes.arrows(of: row.bytes(1))
    self.state = state
    operationID = row.int64(3)
    operationClientID = row.bytes(4)
    ruledBy = row.int64(5)
    let name = row.text(6)
    ruledByName = name.isEmpty && ruledBy > 0 ? "Archer \(ruledBy)" : name
    ruledAtMilliseconds = row.int64(7)
    reason = row.text(8)
    witness = CorrectionWitness(row, from: 9)
  }
}

extension CardConfirmationRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let role = CardRole(rawValue: row.int32(0)) else {
      throw StoreError(.dataLoss, "a stored confirmation is none")
    }
    self.role = role
    principal = row.int64(1)
    let name = row.text(2)
    displayName = name.isEmpty ? "Archer \(principal)" : name
    atMilliseconds = row.int64(3)
    signature = row.isNull(4) ? nil : row.bytes(4)
    part = Int(clamping: row.int64(5))
  }
}
