package import QuiverRules

/// Writes matches, and keeps the bracket in step with them.
extension Transaction {
  private static let insertMatch = Query(
    """
    INSERT INTO event_match (event_id, stage_id, round_size, place_index, revision, first_seed,
      second_seed, is_bye, forfeits, confirmations)
    VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, 0, 0)
    """)
  private static let setSeeds = Query(
    """
    UPDATE event_match SET revision = revision + 1, first_seed = ?2, second_seed = ?3, is_bye = ?4
    WHERE id = ?1
    """)
  private static let setState = Query(
    """
    UPDATE event_match SET revision = revision + 1, forfeits = ?2, confirmations = ?3
    WHERE id = ?1
    """)
  private static let putEntry = Query(
    """
    INSERT INTO match_card (match_id, side, is_shoot_off, place_index, event_id, arrows, distances,
      is_closer, operation_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (match_id, side, is_shoot_off, place_index) DO UPDATE SET arrows = ?6,
      distances = ?7, is_closer = ?8, operation_id = ?9
    """)
  private static let removeEntry = Query(
    """
    DELETE FROM match_card
    WHERE match_id = ?1 AND side = ?2 AND is_shoot_off = ?3 AND place_index = ?4
    """)
  private static let removeCards = Query("DELETE FROM match_card WHERE match_id = ?1")

  /// Adds all matches of a new stage.
  func insertMatches(of stage: EliminationStageRecord) throws(StoreError) {
    guard stage.groupCount == 0 else { return try insertGroupMatches(of: stage) }
    let bracket = try snapshot.folded(stage, [])
    for place in EliminationBracket.places(
      size: stage.size, hasBronzeMatch: stage.hasBronzeMatch, exempt: stage.exempt)
    {
      let seeds = bracket.seeds[place] ?? [nil, nil]
      try run(
        Self.insertMatch, .integer(stage.event), .integer(stage.id),
        .integer(Int64(place.roundSize)), .integer(Int64(place.index)),
        .integer(Int64(seeds[0] ?? 0)), .integer(Int64(seeds[1] ?? 0)),
        .integer(bracket.byes.contains(place) ? 1 : 0))
    }
  }

  private func insertGroupMatches(of stage: EliminationStageRecord) throws(StoreError) {
    for (group, seeds) in stage.groups.enumerated() {
      for (index, pair) in RoundRobin.rounds(of: seeds.count).joined().enumerated() {
        try run(
          Self.insertMatch, .integer(stage.event), .integer(stage.id), .integer(Int64(group + 1)),
          .integer(Int64(index)), .integer(Int64(seeds[pair.first])),
          .integer(Int64(seeds[pair.second])), .integer(0))
      }
    }
  }

  /// Moves the winners and losers of confirmed matches to their next matches.
  ///
  /// A match whose sides change is emptied; the callers refuse that, or have the later matches
  /// voided.
  func advance(stage id: Int64, _ head: TournamentHead) throws(StoreError) {
    let record = try snapshot.bracket(stage: id)
    guard record.stage.groupCount == 0 else { return }
    var matches = record.matches
    // A revoked result changes matches round by round.
    for _ in 0..<StoreLimits.bracketRounds {
      let bracket = try snapshot.folded(record.stage, matches)
      let stale = matches.filter { match in
        bracket.seeds[match.place] ?? [nil, nil] != match.seeds
          || bracket.byes.contains(match.place) != match.isBye
      }
      guard !stale.isEmpty else { return }
      for match in stale {
        let seeds = bracket.seeds[match.place] ?? [nil, nil]
        try run(
          Self.setSeeds, .integer(match.id), .integer(Int64(seeds[0] ?? 0)),
          .integer(Int64(seeds[1] ?? 0)), .integer(bracket.byes.contains(match.place) ? 1 : 0))
        try run(Self.setState, .integer(match.id), .integer(0), .integer(0))
        try run(Self.removeCards, .integer(match.id))
        try recordMatch(match.id, head)
      }
      matches = try snapshot.bracket(stage: id).matches
    }
    throw StoreError(.internalError, "a bracket was not stable")
  }

  /// Stores the forfeits and confirmations of a match, and advances the bracket if both cards are
  /// confirmed, or no longer.
  func setState(
    of match: MatchRecord, forfeits: Set<MatchSide>, confirmations: Set<MatchSide>,
    _ head: TournamentHead, _ action: String, reason: String = ""
  ) throws(StoreError) {
    try run(
      Self.setState, .integer(match.id), .integer(MatchSide.bits(of: forfeits)),
      .integer(MatchSide.bits(of: confirmations)))
    try recordMatch(match.id, head)
    try auditMatch(match, action, reason: reason)
    if match.isConfirmed != (confirmations.count == 2) {
      try advance(stage: match.stage, head)
    }
  }

  /// Stores or removes an entry of a card; what was confirmed is not any more.
  func put(
    _ entry: MatchEntry?, at place: MatchRecord.CardPlace, of match: MatchRecord,
    operation: Int64, _ head: TournamentHead
  ) throws(StoreError) {
    let key: [SQLValue] = [
      .integer(match.id), .integer(Int64(place.side.rawValue)),
      .integer(place.isShootOff ? 1 : 0), .integer(Int64(place.index)),
    ]
    switch entry {
    case nil: try run(Self.removeEntry, values: key)
    case .end(_, let arrows)?:
      try run(
        Self.putEntry,
        values: key + [
          .integer(match.event), .blob(CardBytes.arrows(arrows)), .blob([]), .integer(0),
          .integer(operation),
        ])
    case .shootOff(_, let shot)?:
      try run(
        Self.putEntry,
        values: key + [
          .integer(match.event), .blob(CardBytes.arrows(shot.arrows)),
          .blob(CardBytes.distances(shot.distances)), .integer(shot.isMarkedCloser ? 1 : 0),
          .integer(operation),
        ])
    }
    try run(
      Self.setState, .integer(match.id), .integer(MatchSide.bits(of: match.forfeits)),
      .integer(0))
    try recordMatch(match.id, head)
  }

  /// Empties a match: its cards, forfeits and confirmations.
  func void(_ match: MatchRecord, _ head: TournamentHead, reason: String) throws(StoreError) {
    try run(Self.removeCards, .integer(match.id))
    try run(Self.setState, .integer(match.id), .integer(0), .integer(0))
    try recordMatch(match.id, head)
    try auditMatch(match, "match.void", reason: reason)
  }

  func recordMatch(_ id: Int64, _ head: TournamentHead) throws(StoreError) {
    try record(.updated, of: .eventMatch, id: id, principal: head.organiser, topic: head.id)
  }

  /// Audits a change of a match.
  func auditMatch(
    _ match: MatchRecord, _ action: String, before: String = "", after: String = "",
    reason: String = ""
  ) throws(StoreError) {
    try audit(
      AuditEntry(
        action: action, kind: .eventMatch, objectID: match.id, topic: match.event,
        before: Array(before.utf8), after: Array(after.utf8), reason: reason))
  }

  /// A match of an event that may be shot, with the entrants of its sides and its event; throws
  /// `notFound` for who may not see it.
  func openCards(
    _ id: Int64, field: String = "match_id"
  ) throws(StoreError) -> (match: MatchRecord, bracket: StageEntrants, head: TournamentHead) {
    let match: MatchRecord
    let bracket: StageEntrants
    if try snapshot.hasScored(match: id, principal: caller.principal) {
      // Who has scored it under a lease that is gone delivers what it recorded.
      match = try snapshot.match(id: id)
      bracket = try snapshot.entrants(of: match)
    } else {
      let found = try snapshot.match(
        id: id, principal: caller.principal, withExpiredLeases: true)
      (match, bracket) = (found.match, found.bracket)
    }
    let head = try self.head(match.event)
    try checkNotCancelled(head, field: field)
    return (match, bracket, head)
  }

  /// The same with the whole bracket.
  func openMatch(
    _ id: Int64, field: String = "match_id"
  ) throws(StoreError) -> (match: MatchRecord, bracket: BracketRecord, head: TournamentHead) {
    let (match, _, head) = try openCards(id, field: field)
    return (match, try snapshot.bracket(stage: match.stage), head)
  }

  /// Throws unless the caller rules over matches.
  func checkRules(_ head: TournamentHead, field: String = "match_id") throws(StoreError) {
    let role = try snapshot.role(of: caller.principal, in: head)
    guard role == .organiser || role == .judge else {
      throw StoreError(
        .permissionDenied, "only an organiser, or a judge, of the event may", field: field)
    }
  }
}

extension Snapshot {
  /// Whether a principal may score a side of a match: who may score its card, and who holds a lease
  /// on its target that ends after a time. Operations under an expired lease are answered with
  /// NOT_YET, and not refused.
  package func mayScore(
    _ side: MatchSide, of match: MatchRecord, _ entrant: EntrantRecord?, principal: Int64,
    leasedAfter now: Int64 = .min
  ) throws(StoreError) -> Bool {
    if try mayScore(entrant, in: match.event, principal: principal) { return true }
    let target = match.targets[side.rawValue]
    guard target > 0, principal != 0, try leaseSerial(event: match.event) != 0 else { return false }
    let lease = try lease(event: match.event, session: 0, target: target, card: .first)
    guard let lease else { return false }
    return lease.principal == principal && lease.expiresAtMilliseconds > now
  }

  /// Whether a principal may score a card: officials, the archer or a member of the team itself,
  /// and their assigned scorers.
  package func mayScore(
    _ entrant: EntrantRecord?, in event: Int64, principal: Int64
  ) throws(StoreError) -> Bool {
    guard let head = try tournamentHead(id: event) else { return false }
    switch try role(of: principal, in: head) {
    case .organiser, .judge, .scorer: return true
    case .results, .checkIn, nil: break
    }
    guard let entrant, principal != 0 else { return false }
    let members = entrant.members
    if entrant.kind != .entry, entrant.principal == principal { return true }
    if members.contains(where: { $0.kind != .entry && $0.principal == principal }) { return true }
    guard entrant.scorer == principal || members.contains(where: { $0.scorer == principal }) else {
      return false
    }
    return try isScorer(principal, of: event)
  }
}
