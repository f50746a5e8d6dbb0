import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverSQLite

extension LocalTransaction {
  private static let resume = SQLText(
    """
    UPDATE outbox SET is_deferred = 0 WHERE sequence IN (
      SELECT sequence FROM outbox WHERE is_deferred = 1 ORDER BY attempts, sequence LIMIT ?1)
    """)
  private static let resumeEvent = SQLText(
    "UPDATE outbox SET is_deferred = 0 WHERE event_key = ?1 AND is_deferred = 1")

  /// Makes operations pending again that the server answered with NOT_YET, those with the fewest
  /// attempts first.
  func resumeDeferred(limit: Int64) throws(SessionError) {
    try run(Self.resume, .integer(limit))
  }

  /// Makes all such operations of one event pending again.
  func resumeDeferred(ofEvent key: Int64) throws(SessionError) {
    try run(Self.resumeEvent, .integer(key))
  }

  /// The rows that change the conditions of an event, in order.
  func conditionRows(of event: Int64) throws(SessionError) -> [OutboxRow] {
    try outboxRows(ofEvent: event).filter { $0.action == .setConditions }
  }

  /// Stores a session of rounds without a tournament, with its participants; returns its key.
  @discardableResult
  func take(
    _ session: ShootingSession, fetchedAt: Int64?, limits: SessionLimits
  ) throws(SessionError) -> Int64 {
    var known = try event(serverID: session.id)
    if known == nil, !session.clientID.isEmpty { known = try event(clientID: session.clientID) }
    var session = session
    // Conditions that wait are shown until the server has replied to them.
    if let known, try !conditionRows(of: known.key).isEmpty {
      session.conditions = known.conditions
    }
    var event = LocalEvent(content: .rounds(session), isOnServer: true)
    event.clientID = session.clientID
    event.inherit(known, serverID: session.id, fetchedAt: fetchedAt)
    try save(&event, limits: limits)
    try take(session.rounds.map { Participant($0) }, of: event.key, isComplete: false)
    return event.key
  }

  /// Stores a tournament with its participants; returns its key.
  @discardableResult
  func take(
    _ tournament: TournamentEvent, _ participants: [Participant], fetchedAt: Int64,
    limits: SessionLimits
  ) throws(SessionError) -> Int64 {
    var event = LocalEvent(content: .tournament(tournament), isOnServer: true)
    let known = try self.event(serverID: tournament.id)
    event.inherit(known, serverID: tournament.id, fetchedAt: fetchedAt)
    try save(&event, limits: limits)
    try take(participants, of: event.key, isComplete: true)
    try resumeDeferred(ofEvent: event.key)
    return event.key
  }

  /// What a row of an event does, for display.
  func shownScoring(_ row: OutboxRow) throws(SessionError) -> (kind: String, title: String) {
    let event = try row.eventKey.flatMap { (key) throws(SessionError) in try self.event(key) }
    let participant = try row.participantKey.flatMap { (key) throws(SessionError) in
      try self.participant(key)
    }
    let name = participant?.message.displayName ?? ""
    switch row.action {
    case .startRounds: return ("Session", event?.title ?? "")
    case .setConditions: return ("Conditions", event?.title ?? "")
    case .addGuest: return ("Guest", name)
    case .addEntries:
      let request = try? AddEntriesRequest(serializedBytes: row.request)
      let names = request?.entries.map(\.name) ?? []
      return ("Entries", names.count == 1 ? names[0] : "\(names.count) entries")
    default:
      let operation = try row.operation()
      let place = "end \(operation.endIndex + 1), arrow \(operation.arrowIndex + 1)"
      let value = operation.score?.description ?? "none"
      return ("Arrow", "\(name), \(place): \(value)")
    }
  }
}

extension LocalEvent {
  /// Copies the fields that only this device has.
  mutating func inherit(
    _ known: LocalEvent?, serverID: Int64, fetchedAt: Int64?
  ) {
    key = known?.key ?? 0
    self.serverID = serverID
    self.fetchedAt = fetchedAt ?? known?.fetchedAt
    cursorParticipant = known?.cursorParticipant ?? 0
    cursorEnd = known?.cursorEnd ?? 0
  }
}

extension Participant {
  /// The participant of a round without a tournament, which its owner scores.
  init(_ round: Round) {
    self.init()
    id = round.participantID
    clientID = round.participantClientID
    kind = round.guest ? .guest : .user
    displayName = round.displayName
    status = round.status == .cancelled ? .withdrawn : .active
    score = round.score
    mayScore = true
  }
}
