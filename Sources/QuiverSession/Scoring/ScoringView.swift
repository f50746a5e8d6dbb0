import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// An event as the local file has it, all that a scorer's screen shows, in one state.
struct ScoringView {
  var event: LocalEvent
  let format: QuiverRules.RoundFormat
  let participants: [LocalParticipant]
  /// Of those that this user may score.
  var cards: [Int64: ScoreCard]
  let arrowDiameterMillimetres: Double

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

extension LocalTransaction {
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
    let diameter = try setupDiameter(of: event) ?? format.location.arrowDiameterMillimetres
    return ScoringView(
      event: event, format: format, participants: participants, cards: cards,
      arrowDiameterMillimetres: diameter)
  }

  /// The diameter of the arrows in the setup of the owner's round; nil where that is not known.
  private func setupDiameter(of event: LocalEvent) throws(SessionError) -> Double? {
    guard case .rounds(let session) = event.content,
      let round = session.rounds.first(where: { !$0.guest }), round.setupID != 0,
      let setupKind = CachedKind.numbered(CachedKind.setupNumber),
      let arrowKind = CachedKind.of(EquipmentType.arrow),
      let bytes = try object(setupKind, serverID: round.setupID, clientID: [])?.localMessage,
      let setup = try? BowSetup(serializedBytes: bytes),
      let component = setup.components.first(where: { $0.type == .arrow })
    else { return nil }
    let piece = try object(
      arrowKind, serverID: component.equipmentID, clientID: component.equipmentClientID)
    let arrow = piece?.localMessage.flatMap { try? Arrow(serializedBytes: $0) }
    return arrow?.diameterMillimetres
  }
}
