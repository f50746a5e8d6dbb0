import QuiverRules

/// Which card of a target a device scores; the raw values are stored.
package enum LeasedCard: Int32, Sendable, CaseIterable {
  case first = 1
  case second = 2
}

/// The lease of a scoring device on a target.
package struct TargetLeaseRecord: Sendable, Equatable {
  package let event: Int64
  /// 0: the target of matches.
  package let session: Int64
  package let target: UInt32
  package let card: LeasedCard
  package let principal: Int64
  package let displayName: String
  package let device: String
  package let joinedAtMilliseconds: Int64
  package let expiresAtMilliseconds: Int64
  /// 0: it was not taken over.
  package let takenOverAtMilliseconds: Int64
  /// The name of whom it was taken over from.
  package let takenOverFrom: String
  /// Its holder is a device with a secret of its own: all its windows are one.
  let isOfDevice: Bool

  func isHeld(by principal: Int64, _ device: String) -> Bool {
    self.principal == principal && (isOfDevice || self.device == device)
  }

  /// Whether it ended with its device. A caller with a token renews a lease that has expired.
  func hasEnded(at now: Int64) -> Bool { isOfDevice && expiresAtMilliseconds <= now }
}

/// A lease with the archers on its target.
package struct JoinedTarget: Sendable, Equatable {
  /// Nil: it is one of the choices.
  package let lease: TargetLeaseRecord?
  /// In the order of the letters; none on a target of matches.
  package let entries: [EventEntryRecord]
  /// What is open at the target of a plate, if that is more than one.
  package let choices: [TargetChoiceRecord]

  init(lease: TargetLeaseRecord, entries: [EventEntryRecord]) {
    self.lease = lease
    self.entries = entries
    choices = []
  }

  init(choices: [TargetChoiceRecord]) {
    lease = nil
    entries = []
    self.choices = choices
  }
}

/// Reads leases.
extension Snapshot {
  private static let columns = """
    l.event_id, l.session_id, l.target, l.card, l.principal_id, coalesce(p.display_name, ''),
    l.device, l.joined_at_ms, l.expires_at_ms, l.taken_over_at_ms, l.taken_over_from,
    coalesce(p.kind, 0),
    CASE l.taken_over_from WHEN 0 THEN ''
      ELSE coalesce((SELECT q.display_name FROM principal q WHERE q.id = l.taken_over_from), '')
    END
    """
  private static let tables = "event_lease l LEFT JOIN principal p ON p.id = l.principal_id"
  private static let lease = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE l.event_id = ?1 AND l.session_id = ?2 AND l.target = ?3 AND l.card = ?4
    """)
  private static let leases = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE l.event_id = ?1 ORDER BY l.session_id, l.target, l.card
    """)
  private static let leasesOfPrincipal = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE l.principal_id = ?1 AND l.event_id >= ?2
    ORDER BY l.event_id, l.session_id, l.target, l.card
    """)
  private static let places = Query(
    """
    SELECT session_id, target FROM event_entry WHERE id = ?1 AND target > 0
    UNION ALL SELECT session_id, target FROM event_round_place
    WHERE participant_id = ?1 AND target > 0
    """)
  private static let leasedParticipants = Query(
    """
    SELECT e.id FROM event_lease l
    JOIN event_entry e ON e.session_id = l.session_id AND e.target = l.target AND e.target > 0
    WHERE l.principal_id = ?1 AND l.event_id = ?2 AND l.card = 1 AND l.expires_at_ms > ?3
      AND l.session_id > 0
    UNION
    SELECT p.participant_id FROM event_lease l
    JOIN event_round_place p ON p.session_id = l.session_id AND p.target = l.target
      AND p.target > 0
    WHERE l.principal_id = ?1 AND l.event_id = ?2 AND l.card = 1 AND l.expires_at_ms > ?3
      AND l.session_id > 0
    """)
  private static let held = Query(
    "SELECT max(expires_at_ms) FROM event_lease WHERE principal_id = ?1 AND event_id = ?2")
  private static let serial = Query("SELECT lease_serial FROM tournament WHERE id = ?1")

  /// The serial of the codes of an event; 0 or below: it demands no leases.
  func leaseSerial(event: Int64) throws(StoreError) -> Int64 {
    try first(Self.serial, .integer(event)) { row in row.int64(0) } ?? 0
  }

  /// When the last lease of a principal in an event expires or has expired; nil: it has none.
  func leaseEnd(of principal: Int64, in event: Int64) throws(StoreError) -> Int64? {
    try first(Self.held, .integer(principal), .integer(event)) { row in row.optionalInt64(0) }
      ?? nil
  }

  /// The participants of an event whom a principal scores by leases on first cards that have not
  /// expired; none in an event that has no codes.
  package func leasedParticipants(
    of principal: Int64, in event: Int64
  ) throws(StoreError) -> Set<Int64> {
    guard try leaseSerial(event: event) != 0 else { return [] }
    let found = try all(
      Self.leasedParticipants, .integer(principal), .integer(event), .integer(wallMilliseconds())
    ) { row in row.int64(0) }
    return Set(found)
  }

  /// The lease on a card of a target, also one that has expired; nil if there is none.
  func lease(
    event: Int64, session: Int64, target: UInt32, card: LeasedCard
  ) throws(StoreError) -> TargetLeaseRecord? {
    try first(
      Self.lease, .integer(event), .integer(session), .integer(Int64(target)),
      .integer(Int64(card.rawValue))
    ) { (row) throws(StoreError) in try TargetLeaseRecord(row) }
  }

  /// The leases of an event in the order of its targets, without an access check.
  func leases(event: Int64) throws(StoreError) -> [TargetLeaseRecord] {
    try all(Self.leases, .integer(event)) { (row) throws(StoreError) in
      try TargetLeaseRecord(row)
    }
  }

  /// The leases of an event, whether it demands them, and the revision of that, for a principal who
  /// is one of its officials; throws `permissionDenied`.
  package func leases(
    event: Int64, principal: Int64
  ) throws(StoreError) -> (leases: [TargetLeaseRecord], isDemanded: Bool, revision: UInt64) {
    let head = try visibleTournament(id: event, principal: principal)
    guard try role(of: principal, in: head) != nil else {
      throw StoreError(
        .permissionDenied, "only an official of the event may", field: "tournament_id")
    }
    let serial = try leaseSerial(event: event)
    return (try leases(event: event), serial > 0, DemandLeases.revision(ofSerial: serial))
  }

  /// The leases of a principal from an event on.
  func leases(
    ofPrincipal principal: Int64, from event: Int64
  ) throws(StoreError) -> [TargetLeaseRecord] {
    try all(Self.leasesOfPrincipal, .integer(principal), .integer(event)) {
      (row) throws(StoreError) in try TargetLeaseRecord(row)
    }
  }

  /// The session and the target of a participant in the round of an end; nil if it has no place.
  func leasedPlace(
    of place: ScoringPlace, end: Int
  ) throws(StoreError) -> (session: Int64, target: UInt32)? {
    let participant = place.participant.id
    // Only a format of several passes can have several rounds.
    let round =
      place.format.passes.count > 1 ? try round(ofParticipant: participant, end: end) : 1
    let found = try self.place(ofParticipant: participant, inRound: round)
    return found.place.map { (found.session, UInt32(clamping: $0.target)) }
  }

  /// The lease on the target of a participant in the round of an end, also one that has expired;
  /// nil if there is none, or the participant has no place there, or the event has no codes.
  func lease(
    at place: ScoringPlace, end: Int, card: LeasedCard
  ) throws(StoreError) -> TargetLeaseRecord? {
    guard place.event?.hasLeases == true, let found = try leasedPlace(of: place, end: end)
    else { return nil }
    return try lease(
      event: place.participant.sessionID, session: found.session, target: found.target, card: card)
  }

  /// The leases on the targets of a participant in all rounds, in an event that has codes.
  func leases(
    at place: ScoringPlace, card: LeasedCard
  ) throws(StoreError) -> [TargetLeaseRecord] {
    guard place.event?.hasLeases == true else { return [] }
    let places = try all(Self.places, .integer(place.participant.id)) { row in
      (session: row.int64(0), target: UInt32(clamping: row.int64(1)))
    }
    var found: [TargetLeaseRecord] = []
    for (session, target) in places {
      let lease = try lease(
        event: place.participant.sessionID, session: session, target: target, card: card)
      if let lease { found.append(lease) }
    }
    return found
  }

  /// The entries that have places on a target, by letter.
  func entries(session: Int64, target: UInt32) throws(StoreError) -> [EventEntryRecord] {
    guard session > 0 else { return [] }
    var entries: [EventEntryRecord] = []
    for id in try participants(session: session, target: target) {
      if let entry = try eventEntry(id: id)?.shown(in: session) { entries.append(entry) }
    }
    return entries
  }
}

extension TargetLeaseRecord {
  fileprivate init(_ row: Row) throws(StoreError) {
    guard let card = LeasedCard(rawValue: row.int32(3)) else {
      throw StoreError(.dataLoss, "a stored lease is none")
    }
    event = row.int64(0)
    session = row.int64(1)
    target = UInt32(clamping: row.int64(2))
    self.card = card
    principal = row.int64(4)
    let name = row.text(5)
    displayName = name.isEmpty ? "Archer \(principal)" : name
    device = row.text(6)
    joinedAtMilliseconds = row.int64(7)
    expiresAtMilliseconds = row.int64(8)
    takenOverAtMilliseconds = row.int64(9)
    let (former, formerName) = (row.int64(10), row.text(12))
    takenOverFrom = former != 0 && formerName.isEmpty ? "Archer \(former)" : formerName
    isOfDevice = row.int32(11) == PrincipalRecord.Kind.device.rawValue
  }
}

/// Checks which device scores, in events that demand leases.
extension Transaction {
  /// Throws unless the caller's device holds the lease on the target of a participant in the round
  /// of an end. Whoever has no place there is scored as in other events: by who may score without a
  /// lease, since leases on other targets, or of other rounds, permit nothing.
  func checkLease(
    at place: ScoringPlace, end: Int, card: LeasedCard, device: String, field: String
  ) throws(StoreError) {
    guard place.event?.demandsLeases == true,
      let found = try snapshot.leasedPlace(of: place, end: end)
    else { return }
    try checkLease(
      event: place.participant.sessionID, session: found.session, target: found.target, card,
      device, field: field)
  }

  /// Throws unless the caller's device holds the lease: with the marker `NOT_YET` if it can join
  /// the target.
  func checkLease(
    event: Int64, session: Int64, target: UInt32, _ card: LeasedCard, _ device: String,
    field: String
  ) throws(StoreError) {
    let lease = try snapshot.lease(event: event, session: session, target: target, card: card)
    guard let lease, lease.expiresAtMilliseconds > nowMilliseconds else {
      throw StoreError(
        .failedPrecondition,
        "no device has joined target \(target), or its lease has expired; join it first",
        field: field, marker: .notYet)
    }
    guard lease.isHeld(by: caller.principal, device) else {
      throw StoreError(
        .failedPrecondition, "target \(target) is scored by another device", field: field)
    }
  }
}
