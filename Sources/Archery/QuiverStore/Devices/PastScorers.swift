import QuiverRules

/// Who has scored participants and matches under leases that it has no more. What such a device
/// still sends is stored where nothing is, and waits for an official where something else is.
extension Snapshot {
  private static let pastScorer = Query(
    """
    SELECT 1 FROM event_past_scorer
    WHERE principal_id = ?1 AND is_match = ?2 AND object_id = ?3 AND card = ?4
    """)

  func hasScored(
    participant: Int64, _ card: LeasedCard, principal: Int64
  ) throws(StoreError) -> Bool {
    try hasScored(0, participant, card, principal)
  }

  func hasScored(match: Int64, principal: Int64) throws(StoreError) -> Bool {
    try hasScored(1, match, .first, principal)
  }

  /// Whether a principal has scored somebody who shoots on a target.
  func hasScored(
    event: Int64, session: Int64, target: UInt32, _ card: LeasedCard, principal: Int64
  ) throws(StoreError) -> Bool {
    let objects = try objects(event: event, session: session, target: target)
    for object in objects
    where try hasScored(session > 0 ? 0 : 1, object, card, principal) {
      return true
    }
    return false
  }

  /// The participants on a target of a session, or the matches on one of matches.
  fileprivate func objects(
    event: Int64, session: Int64, target: UInt32
  ) throws(StoreError) -> [Int64] {
    session > 0
      ? try participants(session: session, target: target)
      : try matches(event: event, target: target)
  }

  private func hasScored(
    _ isMatch: Int64, _ object: Int64, _ card: LeasedCard, _ principal: Int64
  ) throws(StoreError) -> Bool {
    try first(
      Self.pastScorer, .integer(principal), .integer(isMatch), .integer(object),
      .integer(Int64(card.rawValue)), map: { _ in true }) ?? false
  }

  private static let matchesOnTarget = Query(
    """
    SELECT id FROM event_match
    WHERE event_id = ?1 AND (first_target = ?2 OR second_target = ?2) ORDER BY id
    """)

  /// The matches that are placed on a target, in the order in which they were made.
  func matches(event: Int64, target: UInt32) throws(StoreError) -> [Int64] {
    try all(Self.matchesOnTarget, .integer(event), .integer(Int64(target))) { row in row.int64(0) }
  }
}

extension Transaction {
  private static let keep = Query(
    """
    INSERT INTO event_past_scorer
      (principal_id, is_match, object_id, card, event_id, ended_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (principal_id, is_match, object_id, card) DO UPDATE SET ended_at_ms = ?6
    """)
  private static let leasesOfTarget = Query(
    """
    SELECT card, principal_id FROM event_lease
    WHERE event_id = ?1 AND session_id = ?2 AND target = ?3
    """)

  /// Notes whom the holder of a lease has scored, before it loses the lease.
  func keepPastScorer(_ lease: TargetLeaseRecord) throws(StoreError) {
    let objects = try snapshot.objects(
      event: lease.event, session: lease.session, target: lease.target)
    for object in objects {
      try keep(
        lease.principal, isMatch: lease.session == 0, object, Int64(lease.card.rawValue),
        lease.event)
    }
  }

  /// Notes who has scored a participant in a round, before it leaves its target there: what devices
  /// have recorded follows the archer.
  func keepPastScorers(
    ofParticipant id: Int64, inRound round: Int, event: Int64
  ) throws(StoreError) {
    guard try snapshot.leaseSerial(event: event) != 0 else { return }
    let before = try snapshot.place(ofParticipant: id, inRound: round)
    try keepPastScorers(
      ofObject: id, isMatch: false, event: event, session: before.session,
      target: Int64(before.place?.target ?? 0))
  }

  /// The same of a match.
  func keepPastScorers(ofMatch match: MatchRecord) throws(StoreError) {
    guard try snapshot.leaseSerial(event: match.event) != 0 else { return }
    for target in Set(match.targets) {
      try keepPastScorers(
        ofObject: match.id, isMatch: true, event: match.event, session: 0, target: Int64(target))
    }
  }

  private func keepPastScorers(
    ofObject id: Int64, isMatch: Bool, event: Int64, session: Int64, target: Int64
  ) throws(StoreError) {
    guard target > 0 else { return }
    let holders = try snapshot.all(
      Self.leasesOfTarget, .integer(event), .integer(session), .integer(target)
    ) { row in (card: row.int64(0), principal: row.int64(1)) }
    for holder in holders { try keep(holder.principal, isMatch: isMatch, id, holder.card, event) }
  }

  private func keep(
    _ principal: Int64, isMatch: Bool, _ object: Int64, _ card: Int64, _ event: Int64
  ) throws(StoreError) {
    try run(
      Self.keep, .integer(principal), .integer(isMatch ? 1 : 0), .integer(object), .integer(card),
      .integer(event), .integer(nowMilliseconds))
  }
}
