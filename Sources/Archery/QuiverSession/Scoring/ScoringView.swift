import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverSQLite

/// An event as the local file has it, all that a scorer's screen shows, in one state.
struct ScoringView {
  var event: LocalEvent
  let format: QuiverRules.RoundFormat
  private(set) var participants: [LocalParticipant]
  /// Of those that this user may score.
  var cards: [Int64: ScoreCard]
  /// Of the arrows in the setup of the owner's round; nil where that is not known.
  let setupDiameterMillimetres: Double?

  /// Whether somebody is in the event, and not out of it.
  func isActive(_ participant: LocalParticipant) -> Bool {
    participant.message.status != .withdrawn && participant.message.status != .disqualified
  }

  /// What a participant's arrows add up to, as far as this device knows.
  func tally(_ participant: LocalParticipant) -> ScoreTally {
    cards[participant.key]?.tally ?? participant.message.score.map { ScoreTally($0) }
      ?? ScoreTally()
  }
}

/// Some participants of an event, and where its scorer is, as a change has left them.
struct ScoringUpdate: Sendable {
  let participants: [LocalParticipant]
  let cards: [Int64: ScoreCard]
  let cursor: (participant: Int64, end: Int)
  let rows: (waiting: Int, needsAttention: [OutboxEntry])
}

extension ScoringView {
  /// Replaces what the update names.
  mutating func take(_ update: ScoringUpdate) {
    let changed = Dictionary(uniqueKeysWithValues: update.participants.map { ($0.key, $0) })
    for place in participants.indices {
      if let participant = changed[participants[place].key] { participants[place] = participant }
    }
    cards.merge(update.cards) { _, new in new }
    event.cursorParticipant = update.cursor.participant
    event.cursorEnd = update.cursor.end
  }
}

extension LocalTransaction {
  /// Reads some participants of an event.
  func scoringUpdate(
    of keys: Set<Int64>, in eventKey: Int64, _ format: QuiverRules.RoundFormat
  ) throws(SessionError) -> ScoringUpdate {
    var participants: [LocalParticipant] = []
    var cards: [Int64: ScoreCard] = [:]
    for key in keys {
      guard let participant = try participant(key), participant.eventKey == eventKey else {
        continue
      }
      participants.append(participant)
      if participant.mayScore { cards[key] = try card(of: key, format) }
    }
    let event = try event(eventKey)
    return ScoringUpdate(
      participants: participants, cards: cards,
      cursor: (event?.cursorParticipant ?? 0, event?.cursorEnd ?? 0),
      rows: try outboxEntries(ofEvent: eventKey))
  }

  /// An event with its participants and the cards that this device keeps.
  func scoringView(_ key: Int64) throws(SessionError) -> ScoringView {
    guard let event = try event(key) else {
      throw SessionError(.notFound, "this event is not here any more")
    }
    guard let format = event.format else {
      throw SessionError(
        .notPossible, "this program does not know all that this event is shot by; update it")
    }
    let participants = try participants(of: key)
    var cards: [Int64: ScoreCard] = [:]
    for participant in participants where participant.mayScore {
      cards[participant.key] = try card(of: participant.key, format)
    }
    return ScoringView(
      event: event, format: format, participants: participants, cards: cards,
      setupDiameterMillimetres: try setupDiameter(of: event))
  }

  private static let starting = SQLText(
    "SELECT request FROM outbox WHERE event_key = ?1 AND action = ?2 ORDER BY sequence LIMIT 1")

  /// The setup of the owner's round; while the server does not know the round, as the request has
  /// it that waits.
  private func setup(of event: LocalEvent) throws(SessionError) -> LocalObject? {
    guard case .rounds(let session) = event.content,
      let kind = CachedKind.numbered(CachedKind.setupNumber)
    else { return nil }
    if let id = session.rounds.first(where: { !$0.guest })?.setupID, id != 0 {
      return try object(kind, serverID: id, clientID: [])
    }
    let starting = try first(
      Self.starting, .integer(event.key), .integer(OutboxAction.startRounds.rawValue)
    ) { try? CreateSessionRequest(serializedBytes: $0.bytes(0)) }
    guard let clientID = starting??.setupClientID, !clientID.isEmpty else { return nil }
    return try object(clientID: clientID)
  }

  /// The diameter of the arrows in the setup of the owner's round; nil where that is not known.
  private func setupDiameter(of event: LocalEvent) throws(SessionError) -> Double? {
    guard let arrowKind = CachedKind.of(EquipmentType.arrow),
      let bytes = try setup(of: event)?.localMessage,
      let setup = try? BowSetup(serializedBytes: bytes),
      let component = setup.components.first(where: { $0.type == .arrow })
    else { return nil }
    let item = try object(
      arrowKind, serverID: component.equipmentID, clientID: component.equipmentClientID)
    let arrow = item?.localMessage.flatMap { try? Arrow(serializedBytes: $0) }
    return arrow?.diameterMillimetres
  }
}
