import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// Stores a scorer's ends with their outbox rows, in the caller's transaction.
///
/// A refusal throws and stores nothing.
struct MatchEdits {
  let transaction: LocalTransaction
  let limits: SessionLimits
  let nowMilliseconds: Int64
  /// The name of this device, which leases name.
  let device: String

  /// Records an entry at an empty place; does nothing if the place has these arrows.
  func record(_ entry: MatchEntry, side number: Int, of id: Int64) throws(SessionError) {
    let (view, side) = try scored(number, of: id)
    let place = MatchView.Place(entry, of: side)
    if let present = view.entry(at: place) {
      guard present != entry else { return }
      throw SessionError(.notPossible, "\(place.name) has other arrows; correct them")
    }
    try check(entry, side, view, view.cards)
    try keep(entry, at: place, of: view, replacing: nil, reason: "")
  }

  /// Replaces what is at a place, with a reason of 1 to 200 characters, and who agreed to it.
  func correct(
    _ entry: MatchEntry, side number: Int, of id: Int64, reason: String,
    witness: CorrectionWitness?
  ) throws(SessionError) {
    let (view, side) = try scored(number, of: id)
    let place = MatchView.Place(entry, of: side)
    let head = try head(at: place, view)
    let reason = try Self.checked(reason)
    guard view.entry(at: place) != entry else { return }
    var cards = view.cards
    if place.isShootOff { cards[side.rawValue].set(nil, shootOff: place.index) }
    try check(entry, side, view, cards)
    try keep(entry, at: place, of: view, replacing: head, reason: reason, witness: witness)
  }

  /// Confirms a card of a match that is decided, as it is shown at the server's revision
  /// `revision` with the ends that wait; does nothing if it is confirmed.
  func confirm(side number: Int, of id: Int64, shown revision: UInt64) throws(SessionError) {
    guard let match = try transaction.match(id) else {
      throw SessionError(.notFound, "this match is not here")
    }
    guard match.message.revision == revision else {
      throw SessionError(.notPossible, "it has changed since it was shown; read it again")
    }
    guard match.rows.allSatisfy({ !$0.row.needsAttention }) else {
      throw SessionError(.notPossible, "changes of it need a decision; retry or discard them")
    }
    let (view, side) = try scored(number, of: id)
    guard !view.isConfirmed(side) else { return }
    guard view.score?.isDecided == true else {
      throw SessionError(.notPossible, "it is not decided")
    }
    for former in match.confirmations where former.side == side.number {
      try transaction.delete(former.row)
    }
    var request = ConfirmMatchCardRequest()
    (request.matchID, request.side) = (id, side.number)
    var row = OutboxRow(
      objectKey: OutboxRow.objectKey(ofMatch: id), action: .matchConfirmation,
      method: Elimination.confirmMatchCard.info, request: request.serializedBytes(),
      draft: view.cardContent.serializedBytes(), idempotencyKey: [], baseRevision: 0,
      createdAtMilliseconds: nowMilliseconds)
    try transaction.keep(&row, limits: limits)
  }

  /// Empties a place, with a reason of 1 to 200 characters, and who agreed to it.
  func remove(
    _ place: MatchView.Place, side number: Int, of id: Int64, reason: String,
    witness: CorrectionWitness?
  ) throws(SessionError) {
    let (view, _) = try scored(number, of: id)
    let head = try head(at: place, view)
    try keep(
      nil, at: place, of: view, replacing: head, reason: try Self.checked(reason), witness: witness)
  }

  /// The match, if this user may score the side and it is open.
  private func scored(
    _ number: Int, of id: Int64
  ) throws(SessionError) -> (view: MatchView, side: MatchSide) {
    guard let side = UInt32(exactly: number).flatMap(MatchSide.init(number:)) else {
      throw SessionError(.invalid, "must be 1 or 2", field: "side")
    }
    guard let match = try transaction.match(id) else {
      throw SessionError(.notFound, "this match is not here")
    }
    let view = MatchView(match)
    let sides = view.message.sides
    guard sides.count == 2, sides.allSatisfy({ $0.seed > 0 }) else {
      throw SessionError(.notPossible, "its archers are not known yet")
    }
    guard sides[side.rawValue].mayScore else {
      throw SessionError(
        .notPossible, "\(sides[side.rawValue].displayName) is scored by somebody else")
    }
    guard !sides.contains(where: \.forfeited) else {
      throw SessionError(.notPossible, "a side forfeited it; a judge may reopen it")
    }
    guard !sides.allSatisfy(\.confirmed) else {
      throw SessionError(.notPossible, "both cards are confirmed; a judge may reopen it")
    }
    return (view, side)
  }

  private func check(
    _ entry: MatchEntry, _ side: MatchSide, _ view: MatchView, _ cards: [MatchCard]
  ) throws(SessionError) {
    guard let rules = view.rules else {
      throw SessionError(.notPossible, "load it first; its rules are not known here")
    }
    do throws(RuleViolation) {
      try entry.checkValues(rules)
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    do throws(RuleViolation) {
      try entry.checkState(rules, cards, side: side)
    } catch {
      throw SessionError(.notPossible, error.message, field: error.field)
    }
  }

  private func head(
    at place: MatchView.Place, _ view: MatchView
  ) throws(SessionError) -> [UInt8] {
    guard let head = view.heads[place] else {
      throw SessionError(.notPossible, "\(place.name) has no arrows")
    }
    return head
  }

  private func keep(
    _ entry: MatchEntry?, at place: MatchView.Place, of view: MatchView,
    replacing head: [UInt8]?, reason: String, witness: CorrectionWitness? = nil
  ) throws(SessionError) {
    let id = view.message.id
    // What was confirmed on this device is not any more; the server takes back what it has.
    for confirmation in view.waitingConfirmations where confirmation.row.state != .sent {
      try transaction.delete(confirmation.row)
    }
    var operation = MatchOperation()
    // Another archer may be on this side when it is sent.
    operation.participantID = view.message.sides[place.side.rawValue].participantID
    operation.clientID = ClientIDMaker.shared.make(at: nowMilliseconds)
    operation.matchID = id
    operation.side = place.side.number
    operation.entry = MatchCardEntry(entry, at: place)
    operation.replacesClientID = head ?? []
    operation.reason = reason
    operation.name(witness)
    operation.scoredAtMilliseconds = nowMilliseconds
    operation.device = device
    var row = OutboxRow(
      objectKey: OutboxRow.objectKey(ofMatch: id), action: .matchEnd,
      method: Elimination.applyMatchOperations.info, request: operation.serializedBytes(),
      draft: nil, idempotencyKey: [], baseRevision: 0, createdAtMilliseconds: nowMilliseconds)
    try transaction.keep(&row, limits: limits)
  }

  private static func checked(_ reason: String) throws(SessionError) -> String {
    do throws(RuleViolation) {
      let text = try TextLimits.checked(reason, length: TextLimits.nameLength, path: "reason")
      guard !text.isEmpty else {
        throw RuleViolation(field: "reason", message: "must say why")
      }
      return text
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
  }
}

extension MatchView.Place {
  init(_ entry: MatchEntry, of side: MatchSide) {
    switch entry {
    case .end(let index, _): self.init(side: side, isShootOff: false, index: index)
    case .shootOff(let index, _): self.init(side: side, isShootOff: true, index: index)
    }
  }

  /// As in `end 2`, counted from 1.
  var name: String { isShootOff ? "shoot-off \(index + 1)" : "end \(index + 1)" }
}

extension MatchCardEntry {
  /// The message of an entry; without one, that of an empty place.
  init(_ entry: MatchEntry?, at place: MatchView.Place) {
    self.init()
    shootOff = place.isShootOff
    index = UInt32(clamping: place.index)
    switch entry {
    case nil: break
    case .end(_, let arrows)?: self.arrows = arrows.map(MatchArrow.init)
    case .shootOff(_, let shot)?:
      arrows = shot.arrows.map(MatchArrow.init)
      distances = shot.distances.map { UInt32(clamping: $0) }
      isCloser = shot.isMarkedCloser
    }
  }
}

extension MatchArrow {
  init(_ score: ArrowScore) {
    self.init()
    value = UInt32(clamping: score.value)
    isX = score.isX
  }
}
