import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverSQLite

/// An event of the local file: everything that a scoring screen shows, from one snapshot.
struct ScoringView {
  var event: LocalEvent
  let rounds: EventRounds
  private(set) var participants: [LocalParticipant]
  /// The scorecards of the participants that this user may score.
  var cards: [Int64: ScoreCard]
  /// The arrow diameter of the setup of the owner's round; nil if it is not known.
  let setupDiameterMillimetres: Double?

  /// The round of a participant; nil if this version does not know it.
  func format(of key: Int64) -> QuiverRules.RoundFormat? {
    participants.first { $0.key == key }.flatMap { rounds.format(of: $0) }
  }

  /// Whether a participant is active in the event.
  func isActive(_ participant: LocalParticipant) -> Bool {
    participant.message.status != .withdrawn && participant.message.status != .disqualified
  }

  /// The tally of a participant's arrows on this device; that of the server where a part of the
  /// card is typed from a paper.
  func tally(_ participant: LocalParticipant) -> ScoreTally {
    if let score = participant.message.score, score.typed { return ScoreTally(score) }
    return cards[participant.key]?.tally ?? participant.message.score.map { ScoreTally($0) }
      ?? ScoreTally()
  }
}

/// Some participants of an event and the scorer's position, after a change.
struct ScoringUpdate: Sendable {
  let participants: [LocalParticipant]
  let cards: [Int64: ScoreCard]
  let cursor: (participant: Int64, end: Int)
  let rows: (waiting: Int, needsAttention: [OutboxEntry])
}

extension ScoringView {
  /// Replaces the participants and the position with those of the update.
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
    of keys: Set<Int64>, in eventKey: Int64, _ rounds: EventRounds
  ) throws(SessionError) -> ScoringUpdate {
    var participants: [LocalParticipant] = []
    var cards: [Int64: ScoreCard] = [:]
    for key in keys {
      guard let participant = try participant(key), participant.eventKey == eventKey else {
        continue
      }
      participants.append(participant)
      guard participant.mayScore, let format = rounds.format(of: participant) else { continue }
      cards[key] = try card(of: key, format)
    }
    let event = try event(eventKey)
    return ScoringUpdate(
      participants: participants, cards: cards,
      cursor: (event?.cursorParticipant ?? 0, event?.cursorEnd ?? 0),
      rows: try outboxEntries(ofEvent: eventKey))
  }

  /// Reads an event with its participants and the scorecards on this device.
  func scoringView(_ key: Int64) throws(SessionError) -> ScoringView {
    guard let event = try event(key) else {
      throw SessionError(.notFound, "this event is no longer on this device")
    }
    guard let rounds = try rounds(of: event) else {
      throw SessionError(
        .notPossible, "this program does not know the round of this event; update the program")
    }
    let participants = try participants(of: key)
    var cards: [Int64: ScoreCard] = [:]
    for participant in participants where participant.mayScore {
      guard let format = rounds.format(of: participant) else { continue }
      cards[participant.key] = try card(of: participant.key, format)
    }
    return ScoringView(
      event: event, rounds: rounds, participants: participants, cards: cards,
      setupDiameterMillimetres: try setupDiameter(of: event))
  }

  private static let starting = SQLText(
    "SELECT request FROM outbox WHERE event_key = ?1 AND action = ?2 ORDER BY sequence LIMIT 1")

  /// The setup of the owner's round; before the server has the round, the one of the pending
  /// request.
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

  /// The arrow diameter of the setup of the owner's round; nil if it is not known.
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
