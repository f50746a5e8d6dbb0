import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// Stores the ends of second cards with their outbox rows, in the caller's transaction.
///
/// A refusal throws and stores nothing.
struct CardEdits {
  let transaction: LocalTransaction
  let limits: SessionLimits
  let nowMilliseconds: Int64
  /// The name of this device, which leases name.
  let device: String

  /// Records an end; does nothing if the card has these arrows.
  func record(
    _ arrows: [ArrowScore], end: Int, of participant: Int64
  ) throws(SessionError) {
    let view = try open(participant, end)
    if let present = view.ends[end] {
      guard present != arrows else { return }
      throw SessionError(.notPossible, "end \(end + 1) has other arrows; correct them")
    }
    try Self.check(arrows, end, view)
    try keep(arrows, end: end, of: participant, replacing: nil, reason: "")
  }

  /// Replaces the arrows of an end, with a reason of 1 to 200 characters.
  func correct(
    _ arrows: [ArrowScore], end: Int, of participant: Int64, reason: String,
    witness: CorrectionWitness?
  ) throws(SessionError) {
    let view = try open(participant, end)
    let head = try Self.head(of: end, view)
    let reason = try Self.checked(reason)
    guard view.ends[end] != arrows else { return }
    try Self.check(arrows, end, view)
    try keep(
      arrows, end: end, of: participant, replacing: head, reason: reason, witness: witness)
  }

  /// Empties an end, with a reason of 1 to 200 characters.
  func remove(
    end: Int, of participant: Int64, reason: String, witness: CorrectionWitness?
  ) throws(SessionError) {
    let view = try open(participant, end)
    let head = try Self.head(of: end, view)
    try keep(
      [], end: end, of: participant, replacing: head, reason: try Self.checked(reason),
      witness: witness)
  }

  /// Confirms a card that has all arrows, as it is shown at the server's revision `revision` with
  /// the changes that wait; does nothing if it is confirmed in that role. `part` is the number of a
  /// distance, from 1, or 0 for the whole card.
  func confirm(
    _ role: CardRole, of participant: Int64, part: Int, signature: [UInt8],
    shown revision: UInt64
  ) throws(SessionError) {
    guard signature.count <= Self.signatureByteCount else {
      throw SessionError(
        .invalid, "must be at most \(Self.signatureByteCount) bytes", field: "signature")
    }
    guard let card = try transaction.card(ofParticipant: participant) else {
      throw SessionError(.notFound, "this card is not here; load it first")
    }
    guard card.message.revision == revision else {
      throw SessionError(.notPossible, "it has changed since it was shown; read it again")
    }
    let needsAttention =
      card.firstNeedsAttention || card.rows.contains { $0.row.needsAttention }
    guard !needsAttention else {
      throw SessionError(.notPossible, "changes of it need a decision; retry or discard them")
    }
    let view = CardView(card)
    guard view.confirmation(by: role, part: part) == nil else { return }
    try Self.checkComplete(view, part)
    for former in card.confirmations
    where former.request.role == role && Int(former.request.part) == part {
      try transaction.delete(former.row)
    }
    var request = ConfirmScoreCardRequest()
    (request.participantID, request.role, request.signature) = (participant, role, signature)
    request.part = UInt32(clamping: part)
    var row = OutboxRow(
      objectKey: OutboxRow.objectKey(ofCard: participant), action: .cardConfirmation,
      method: Events.confirmScoreCard.info, request: request.serializedBytes(),
      draft: view.content(ofPart: part).serializedBytes(), idempotencyKey: [], baseRevision: 0,
      createdAtMilliseconds: nowMilliseconds)
    try transaction.keep(&row, limits: limits)
  }

  /// The largest drawing of a signature.
  static let signatureByteCount = 16_384

  private static func checkComplete(_ view: CardView, _ part: Int) throws(SessionError) {
    guard let format = view.format else {
      throw SessionError(.notPossible, "this version does not know the round; update it")
    }
    guard (0...format.passes.count).contains(part) else {
      throw SessionError(
        .invalid, "must be the number of a distance, from 1 to \(format.passes.count), or 0",
        field: "part")
    }
    let indices = (0..<format.endCount).filter { view.isEnd($0, ofPart: part) }
    let hasSecond = indices.contains { view.ends[$0] != nil }
    for index in indices {
      let count = format.end(index)?.arrowCount ?? 0
      guard view.firstEnds[index]?.count == count else {
        throw SessionError(.notPossible, "end \(index + 1) does not have all arrows")
      }
      guard !hasSecond || view.ends[index] != nil else {
        throw SessionError(.notPossible, "the second card does not have end \(index + 1)")
      }
    }
  }

  /// The card, if its end may change.
  private func open(_ participant: Int64, _ end: Int) throws(SessionError) -> CardView {
    guard let card = try transaction.card(ofParticipant: participant) else {
      throw SessionError(.notFound, "this card is not here; join its target first")
    }
    let view = CardView(card)
    guard !view.isConfirmed else {
      throw SessionError(
        .notPossible, "archer and scorer have confirmed the card; a judge may reopen it")
    }
    guard view.state(of: end) != .ruled else {
      throw SessionError(.notPossible, "a judge has ruled on end \(end + 1)")
    }
    return view
  }

  private static func check(
    _ arrows: [ArrowScore], _ index: Int, _ view: CardView
  ) throws(SessionError) {
    guard let format = view.format else {
      throw SessionError(.notPossible, "this version does not know the round; update it")
    }
    guard index >= 0, let end = format.end(index) else {
      throw SessionError(.invalid, "must be below \(format.endCount)", field: "end_index")
    }
    guard arrows.count == end.arrowCount else {
      throw SessionError(.invalid, "must be all \(end.arrowCount) of the end", field: "arrows")
    }
    for (place, arrow) in arrows.enumerated() {
      do throws(RuleViolation) {
        _ = try arrow.validated(on: end.pass.face, path: "arrows[\(place)].")
      } catch {
        throw SessionError(.invalid, error.message, field: error.field)
      }
    }
  }

  private static func head(of end: Int, _ view: CardView) throws(SessionError) -> [UInt8] {
    guard let head = view.heads[end] else {
      throw SessionError(.notPossible, "end \(end + 1) has no arrows")
    }
    return head
  }

  private static func checked(_ reason: String) throws(SessionError) -> String {
    do throws(RuleViolation) {
      let text = try TextLimits.checked(reason, length: TextLimits.nameLength, path: "reason")
      guard !text.isEmpty else { throw RuleViolation(field: "reason", message: "must say why") }
      return text
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
  }

  private func keep(
    _ arrows: [ArrowScore], end: Int, of participant: Int64, replacing head: [UInt8]?,
    reason: String, witness: CorrectionWitness? = nil
  ) throws(SessionError) {
    try transaction.withdrawCardConfirmations(of: participant, changing: end)
    var operation = CardOperation()
    operation.clientID = ClientIDMaker.shared.make(at: nowMilliseconds)
    operation.participantID = participant
    operation.endIndex = UInt32(clamping: end)
    operation.arrows = arrows.map { MatchArrow($0) }
    operation.replacesClientID = head ?? []
    operation.reason = reason
    operation.name(witness)
    operation.scoredAtMilliseconds = nowMilliseconds
    operation.device = device
    var row = OutboxRow(
      objectKey: OutboxRow.objectKey(ofCard: participant), action: .cardEnd,
      method: Events.applyCardOperations.info, request: operation.serializedBytes(), draft: nil,
      idempotencyKey: [], baseRevision: 0, createdAtMilliseconds: nowMilliseconds)
    try transaction.keep(&row, limits: limits)
  }
}
