import QuiverAPI
import QuiverProtobuf
import QuiverRules
import QuiverSQLite

/// A target that this device has joined for the second card: the lease with who shoots there, as
/// the server last sent it.
struct LocalTarget: Sendable {
  let code: String
  let lease: TargetLease
  let fetchedAt: Int64
}

/// A second card of the local file: as the server last sent it, and the changes that wait.
struct LocalCard: Sendable {
  let participant: Int64
  var message: ComparedCard
  /// Nil: a format that this version does not know.
  let format: QuiverRules.RoundFormat?
  /// The outbox rows that record ends of the second card, in sending order.
  let rows: [CardRow]
  /// The outbox rows that confirm the card.
  var confirmations: [Confirmation] = []
  /// The first card as it is on this device, with changes that wait; nil if none wait: then it is
  /// as the server has it.
  var first: ScoreCard?
  /// Whether a change of the first card needs attention.
  var firstNeedsAttention = false
  /// The rounds of the card, at least one.
  var rounds: [QualificationRound] = []

  /// A row with its operation.
  struct CardRow: Sendable {
    let row: OutboxRow
    let operation: CardOperation
  }

  /// A row that confirms the card.
  struct Confirmation: Sendable {
    let row: OutboxRow
    let request: ConfirmScoreCardRequest
  }
}

extension OutboxRow {
  /// The object key of the rows of a second card: below those of matches.
  static func objectKey(ofCard participant: Int64) -> Int64 { .min + participant }

  /// The participant of a row that records an end of its second card, or confirms its card; nil for
  /// other rows.
  var cardParticipant: Int64? {
    action == .cardEnd || action == .cardConfirmation ? objectKey - .min : nil
  }

  /// The request of a row that confirms a card; without a revision before it was sent.
  func cardConfirmation() throws(SessionError) -> ConfirmScoreCardRequest {
    do throws(DecodeError) {
      return try ConfirmScoreCardRequest(serializedBytes: request)
    } catch {
      throw SessionError(.unusableFile, "a stored change cannot be read: \(error)")
    }
  }

  /// The operation of a row that records an end of a second card.
  func cardOperation() throws(SessionError) -> CardOperation {
    do throws(DecodeError) {
      return try CardOperation(serializedBytes: request)
    } catch {
      throw SessionError(.unusableFile, "a stored change cannot be read: \(error)")
    }
  }
}

extension LocalTransaction {
  private static let selectTarget = SQLText(
    "SELECT message, fetched_at_ms FROM target_lease WHERE code = ?1")
  private static let putTarget = SQLText(
    """
    INSERT INTO target_lease(code, message, fetched_at_ms) VALUES (?1, ?2, ?3)
    ON CONFLICT(code) DO UPDATE SET message = ?2, fetched_at_ms = ?3
    """)
  /// Above a number, those that were joined longest ago.
  private static let removeOldTargets = SQLText(
    """
    DELETE FROM target_lease WHERE code IN (
      SELECT code FROM target_lease ORDER BY fetched_at_ms DESC, code LIMIT -1 OFFSET ?1)
    """)
  private static let selectCard = SQLText(
    "SELECT card, format FROM second_card WHERE participant_id = ?1")
  private static let cardFetched = SQLText(
    "SELECT fetched_at_ms FROM second_card WHERE participant_id = ?1")
  private static let putCard = SQLText(
    """
    INSERT INTO second_card(participant_id, card, format, fetched_at_ms) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT(participant_id) DO UPDATE SET card = ?2, format = ?3, fetched_at_ms = ?4
    """)
  private static let changeCard = SQLText(
    "UPDATE second_card SET card = ?2 WHERE participant_id = ?1")
  /// Those without waiting changes, above a number, that the server sent longest ago.
  private static let removeOldCards = SQLText(
    """
    DELETE FROM second_card WHERE participant_id IN (
      SELECT participant_id FROM second_card c
      WHERE NOT EXISTS (SELECT 1 FROM outbox o
        WHERE o.action IN (15, 16) AND o.object_key = ?2 + c.participant_id)
      ORDER BY fetched_at_ms DESC, participant_id LIMIT -1 OFFSET ?1)
    """)

  /// The target of a code; nil if this device never joined it.
  func target(_ code: String) throws(SessionError) -> LocalTarget? {
    let found = try first(Self.selectTarget, .text(code)) { row in
      (bytes: row.bytes(0), fetchedAt: row.int64(1))
    }
    guard let found, let lease = try? TargetLease(serializedBytes: found.bytes) else { return nil }
    return LocalTarget(code: code, lease: lease, fetchedAt: found.fetchedAt)
  }

  /// Stores the lease on a target.
  func take(
    _ lease: TargetLease, code: String, fetchedAt: Int64, limits: SessionLimits
  ) throws(SessionError) {
    try run(
      Self.putTarget, .text(code), .blob(lease.serializedBytes()), .integer(fetchedAt))
    try run(Self.removeOldTargets, .integer(limits.maxTargets))
    note(.target(code))
  }

  /// A second card with its waiting changes; nil if this device never had it.
  func card(ofParticipant id: Int64) throws(SessionError) -> LocalCard? {
    let found = try first(Self.selectCard, .integer(id)) { row in
      (card: row.bytes(0), format: row.bytes(1))
    }
    guard let found, let message = try? ComparedCard(serializedBytes: found.card),
      let format = try? QuiverAPI.RoundFormat(serializedBytes: found.format)
    else { return nil }
    var rows: [LocalCard.CardRow] = []
    var confirmations: [LocalCard.Confirmation] = []
    for row in try outboxRows(of: OutboxRow.objectKey(ofCard: id)) {
      if row.action == .cardEnd {
        rows.append(LocalCard.CardRow(row: row, operation: try row.cardOperation()))
      } else {
        confirmations.append(
          LocalCard.Confirmation(row: row, request: try row.cardConfirmation()))
      }
    }
    var card = LocalCard(
      participant: id, message: message, format: QuiverRules.RoundFormat(format), rows: rows)
    card.confirmations = confirmations
    try addFirstCard(to: &card)
    return card
  }

  /// When the server last sent both cards of a participant; nil if it never did.
  func cardFetchedAt(ofParticipant id: Int64) throws(SessionError) -> Int64? {
    try first(Self.cardFetched, .integer(id)) { $0.int64(0) }
  }

  /// The outbox rows of a participant that record ends of its second card, in sending order.
  func cardEndRows(of key: Int64) throws(SessionError) -> [OutboxRow] {
    try outboxRows(of: key).filter { $0.action == .cardEnd }
  }

  /// Adds what this device has of the first card and of its rounds.
  private func addFirstCard(to card: inout LocalCard) throws(SessionError) {
    let tournament = card.message.tournamentID
    guard let format = card.format else { return }
    card.rounds = EventRounds(format, try eventPlan(tournament)?.0).rounds(of: card.participant)
    guard let event = try event(serverID: tournament),
      let participant = try participant(serverID: card.participant, of: event.key)
    else { return }
    let rows = try outboxRows(ofParticipant: participant.key).filter { $0.action == .score }
    guard !rows.isEmpty else { return }
    card.first = try self.card(of: participant.key, format)
    card.firstNeedsAttention = rows.contains(where: \.needsAttention)
  }

  /// Takes confirmations of the card, and of the distance of an end, back that were not sent,
  /// because the end changes. The server takes back what it has.
  func withdrawCardConfirmations(
    of participant: Int64, changing end: Int
  ) throws(SessionError) {
    let rows = try outboxRows(of: OutboxRow.objectKey(ofCard: participant))
      .filter { $0.action == .cardConfirmation && $0.state != .sent }
    guard !rows.isEmpty, let card = try card(ofParticipant: participant) else { return }
    let view = CardView(card)
    for row in rows where view.isEnd(end, ofPart: Int(try row.cardConfirmation().part)) {
      try delete(row)
    }
  }

  /// Stores the server's card, unless a newer one is here.
  func take(
    _ card: ComparedCard, _ format: QuiverAPI.RoundFormat, fetchedAt: Int64, limits: SessionLimits
  ) throws(SessionError) {
    let known = try self.card(ofParticipant: card.participantID)?.message
    if let known, known.revision > card.revision { return }
    try run(
      Self.putCard, .integer(card.participantID), .blob(card.serializedBytes()),
      .blob(format.serializedBytes()), .integer(fetchedAt))
    if known == nil {
      try run(Self.removeOldCards, .integer(limits.maxSecondCards), .integer(.min))
    }
    note(.secondCard(card.participantID))
  }

  /// Stores what the server has at an end of a second card.
  func take(
    _ end: ComparedEnd, ofParticipant id: Int64
  ) throws(SessionError) {
    guard var card = try card(ofParticipant: id)?.message else { return }
    let former = card.ends.firstIndex { $0.endIndex == end.endIndex }
    if let former {
      let first = card.ends[former].first
      card.ends[former] = end
      card.ends[former].first = first
    } else {
      card.ends.append(end)
    }
    try run(Self.changeCard, .integer(id), .blob(card.serializedBytes()))
    note(.secondCard(id))
  }

  /// Stores the server's card, as a reply to a change has it, if the card is here.
  func takeChanged(_ card: ComparedCard) throws(SessionError) {
    guard let known = try self.card(ofParticipant: card.participantID)?.message,
      known.revision <= card.revision
    else { return }
    try run(Self.changeCard, .integer(card.participantID), .blob(card.serializedBytes()))
    note(.secondCard(card.participantID))
  }

  /// What a row that confirms a card does, for display, as in `Robin, confirmed by the archer`.
  func shownCardConfirmation(_ row: OutboxRow) throws(SessionError) -> String {
    let request = try row.cardConfirmation()
    let known = try card(ofParticipant: request.participantID)?.message.displayName ?? ""
    let name = known.isEmpty ? "participant \(request.participantID)" : known
    return "\(name), confirmed by the \(request.role == .archer ? "archer" : "scorer")"
  }

  /// What a row of a second card does, for display, as in `Robin, end 2: X 10 9`.
  func shownCardEnd(_ row: OutboxRow) throws(SessionError) -> String {
    let operation = try row.cardOperation()
    let known = try card(ofParticipant: operation.participantID)?.message.displayName ?? ""
    let name = known.isEmpty ? "participant \(operation.participantID)" : known
    let arrows = operation.arrows.map { "\(ArrowScore($0))" }
    return "\(name), end \(operation.endIndex + 1): "
      + (arrows.isEmpty ? "none" : arrows.joined(separator: " "))
  }
}

extension ArrowScore {
  init(_ arrow: MatchArrow) { self.init(value: Int(arrow.value), isX: arrow.isX) }
}
