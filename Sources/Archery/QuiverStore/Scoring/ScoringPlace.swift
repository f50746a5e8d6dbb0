import QuiverRules

/// One participant with everything that decides whether and how an operation on it counts.
struct ScoringPlace {
  var participant: ParticipantRecord
  let round: Int64
  var roundStatus: RoundStatus

  /// The earliest time of an arrow of the round, as the clients reported it; nil before the first.
  var firstShotMilliseconds: Int64?

  /// The number of stored operations on the participant.
  var operationCount: Int64
  let setup: (id: Int64, version: Int64)?
  let formatID: Int64
  let location: RoundLocation
  private(set) var format: RoundFormat
  let isTournament: Bool

  /// The principal that created the session; the organiser of a tournament.
  let owner: Int64
  let event: Event?

  /// What changes besides the arrow if one changes.
  var cardState: CardState

  /// The state of the event.
  struct Event {
    let status: TournamentStatus
    let isPaused: Bool
    let visibility: EventVisibility

    /// Whether only the device that holds the lease on a target scores it.
    let demandsLeases: Bool

    /// Whether it has codes, so that devices can hold leases.
    let hasLeases: Bool

    /// Who must agree to corrections of full ends; nil: nobody.
    let consent: CorrectionConsent?
  }
}

/// The status of an event; the raw values are those of `quiver.v1.TournamentStatus` and are stored.
package enum TournamentStatus: Int32, Sendable {
  case open = 1
  case inProgress = 2
  case completed = 3
  case cancelled = 4
}

extension Snapshot {
  private static let place = Query(
    """
    SELECT \(participantColumns), r.id, r.status, r.setup_id, r.setup_version, r.format_id,
      s.is_tournament, s.principal_id, f.location, t.status, t.is_paused, t.is_public,
      r.first_shot_ms, p.operation_count, p.card_state, t.lease_serial,
      t.boards_end_day, t.correction_consent
    FROM participant p
    JOIN round r ON r.participant_id = p.id
    JOIN shooting_session s ON s.id = p.session_id
    JOIN round_format f ON f.id = r.format_id
    LEFT JOIN tournament t ON t.id = p.session_id AND s.is_tournament = 1
    WHERE p.id = ?1
    """)
  private static let scorer = Query(
    "SELECT 1 FROM tournament_scorer WHERE tournament_id = ?1 AND principal_id = ?2")
  private static let ownParticipant = Query(
    """
    SELECT 1 FROM participant
    WHERE principal_id = ?2 AND session_id = ?1
      AND kind <> \(ParticipantRecord.Kind.entry.rawValue) LIMIT 1
    """)
  private static let arrowDiameter = Query(
    """
    SELECT a.diameter_mm FROM bow_setup_component c
    JOIN equipment e ON e.id = c.equipment_id AND e.type = \(EquipmentType.arrow.rawValue)
    JOIN arrow a ON a.id = e.id
    WHERE c.setup_id = ?1 AND c.version = ?2 AND a.diameter_mm IS NOT NULL LIMIT 1
    """)

  /// The place of operations on the participant; nil if there is no such participant.
  func scoringPlace(participant id: Int64) throws(StoreError) -> ScoringPlace? {
    let found = try first(Self.place, .integer(id)) {
      (row) throws(StoreError) in try ScoringPlace(row)
    }
    guard var place = found else { return nil }
    place.setPasses(try passes(ofFormat: place.formatID))
    return place
  }

  /// Whether the principal may see it: its own, in a public event, or in an event that it belongs
  /// to.
  ///
  /// A command asks with expired leases, so that a device that scored learns that it must join its
  /// target again.
  func sees(
    _ place: ScoringPlace, principal: Int64, withExpiredLeases: Bool = false
  ) throws(StoreError) -> Bool {
    guard let event = place.event else { return place.owner == principal }
    let participant = place.participant
    if event.visibility.isWatchable(at: wallMilliseconds())
      || participant.kind != .entry && participant.principal == principal
    {
      return true
    }
    let end = try partEnd(
      in: place.participant.sessionID, organiser: place.owner, principal: principal)
    return end.map { withExpiredLeases || $0 > wallMilliseconds() } ?? false
  }

  /// Whether the principal organises the event, takes part, added a guest, is a scorer or an
  /// official, or holds a lease that has not expired.
  func hasPart(
    in session: Int64, organiser: Int64, principal: Int64
  ) throws(StoreError) -> Bool {
    let end = try partEnd(in: session, organiser: organiser, principal: principal)
    return end.map { $0 > wallMilliseconds() } ?? false
  }

  /// Until when the principal belongs to an event, in milliseconds since 1970-01-01: where it only
  /// holds leases, until the last of them expires. Nil: it does not belong to it.
  func partEnd(
    in session: Int64, organiser: Int64, principal: Int64
  ) throws(StoreError) -> Int64? {
    if organiser == principal { return .max }
    if try first(Self.ownParticipant, .integer(session), .integer(principal), map: { _ in 1 })
      != nil
    {
      return .max
    }
    if try isScorer(principal, of: session) { return .max }
    if try storedRole(of: principal, in: session) != nil { return .max }
    return try leaseEnd(of: principal, in: session)
  }

  /// Whether the organiser appointed the principal as a scorer.
  func isScorer(_ principal: Int64, of session: Int64) throws(StoreError) -> Bool {
    try first(Self.scorer, .integer(session), .integer(principal), map: { _ in 1 }) != nil
  }

  /// Whether the principal may score the participant: who owns its round, the archer, a scorer to
  /// whom it is assigned, and the scorers of the event.
  func mayScore(_ place: ScoringPlace, principal: Int64) throws(StoreError) -> Bool {
    let participant = place.participant
    if place.owner == principal { return true }
    guard place.isTournament else { return false }
    if participant.kind != .entry, participant.principal == principal { return true }
    guard principal != 0 else { return false }
    if participant.scorer == principal, try isScorer(principal, of: participant.sessionID) {
      return true
    }
    return try storedRole(of: principal, in: participant.sessionID) == .scorer
  }

  /// The diameter of the participant's arrows in millimetres.
  func arrowDiameterMillimetres(at place: ScoringPlace) throws(StoreError) -> Double {
    let standard = place.location.arrowDiameterMillimetres
    guard let setup = place.setup else { return standard }
    let stored = try first(
      Self.arrowDiameter, .integer(setup.id), .integer(setup.version)
    ) { row in row.double(0) }
    return stored ?? standard
  }
}

extension ScoringPlace {
  /// Whether the sums of the pass of an end are typed from a paper.
  func isTyped(_ end: RoundFormat.End) -> Bool {
    participant.typedPasses.contains(pass: end.passIndex)
  }

  fileprivate init(_ row: Row) throws(StoreError) {
    let first = Snapshot.participantColumnCount
    guard let roundStatus = RoundStatus(rawValue: row.int32(first + 1)),
      let location = RoundLocation(rawValue: row.int32(first + 7))
    else { throw StoreError(.dataLoss, "a stored round is none") }
    participant = try ParticipantRecord(row)
    round = row.int64(first)
    self.roundStatus = roundStatus
    firstShotMilliseconds = row.optionalInt64(first + 11)
    operationCount = row.int64(first + 12)
    cardState = CardState(rawValue: row.int64(first + 13)) ?? .none
    setup =
      row.isNull(first + 2)
      ? nil : (id: row.int64(first + 2), version: row.int64(first + 3))
    formatID = row.int64(first + 4)
    isTournament = row.bool(first + 5)
    owner = row.int64(first + 6)
    self.location = location
    format = RoundFormat(name: "", location: location, passes: [])
    event = TournamentStatus(rawValue: row.int32(first + 8)).map { status in
      var visibility = EventVisibility()
      visibility.isWatchable = row.bool(first + 10)
      visibility.lastBoardDay = row.int32(first + 15)
      return Event(
        status: status, isPaused: row.bool(first + 9), visibility: visibility,
        demandsLeases: row.int64(first + 14) > 0, hasLeases: row.int64(first + 14) != 0,
        consent: CorrectionConsent(rawValue: row.int32(first + 16)))
    }
  }

  fileprivate mutating func setPasses(_ passes: [RoundPass]) { format.passes = passes }
}
