import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// A second card with the changes of this device applied.
///
/// Changes that the server refused, or that conflict, are not applied: the card shows what the
/// server has.
struct CardView: Sendable {
  let message: ComparedCard
  let format: QuiverRules.RoundFormat?
  /// The arrows by end.
  private(set) var ends: [Int: [ArrowScore]] = [:]
  /// The arrows of the first card by end.
  private(set) var firstEnds: [Int: [ArrowScore]] = [:]
  /// Confirmations that were not sent, or whose reply is missing.
  let waitingConfirmations: [ConfirmScoreCardRequest]
  /// Whether changes of the first card wait on this device.
  let firstIsWaiting: Bool
  /// The client_ids of the operations whose arrows are in the ends.
  private(set) var heads: [Int: [UInt8]] = [:]
  /// The ends that the server does not have yet.
  private(set) var waiting: Set<Int> = []
  /// The ends of the first card with changes that wait on this device.
  private(set) var firstWaiting: Set<Int> = []

  init(_ card: LocalCard) {
    message = card.message
    format = card.format
    waitingConfirmations = card.confirmations.filter { !$0.row.needsAttention }.map(\.request)
    firstIsWaiting = card.first != nil
    for end in message.ends {
      set(end.second, at: Int(end.endIndex), by: end.operationClientID)
      if !end.first.isEmpty { firstEnds[Int(end.endIndex)] = end.first.map { ArrowScore($0) } }
    }
    if let first = card.first {
      firstEnds = [:]
      for arrow in first.arrows.values {
        if let score = arrow.score { firstEnds[arrow.slot.endIndex, default: []].append(score) }
        if arrow.mark != .synced { firstWaiting.insert(arrow.slot.endIndex) }
      }
    }
    for row in card.rows where !row.row.needsAttention {
      let end = Int(row.operation.endIndex)
      set(row.operation.arrows, at: end, by: row.operation.clientID)
      waiting.insert(end)
    }
  }

  /// How an end compares with the first card, as the server last said; nil: it did not.
  func state(of end: Int) -> CardEndState? {
    guard !waiting.contains(end), !firstIsWaiting else { return nil }
    let state = message.ends.first { Int($0.endIndex) == end }?.state
    return state == .unspecified ? nil : state
  }

  /// Whether an end is one of a part: the number of a distance, from 1, or 0 for the whole card.
  func isEnd(_ index: Int, ofPart part: Int) -> Bool {
    part == 0 || format?.end(index)?.passIndex == part - 1
  }

  /// Who confirmed a part in a role, at the server or on this device; nil: nobody. A change that
  /// waits takes the confirmations back that the server has.
  func confirmation(by role: CardRole, part: Int = 0) -> CardConfirmation? {
    if let own = waitingConfirmations.first(where: { $0.role == role && Int($0.part) == part }) {
      var waiting = CardConfirmation()
      (waiting.role, waiting.signed) = (role, !own.signature.isEmpty)
      return waiting
    }
    guard part > 0 else {
      guard waiting.isEmpty, !firstIsWaiting else { return nil }
      return message.confirmations.first { $0.role == role }
    }
    guard !waiting.union(firstWaiting).contains(where: { isEnd($0, ofPart: part) }) else {
      return nil
    }
    return message.partConfirmations.first { $0.role == role && Int($0.part) == part }
  }

  /// What both cards have of a part, whatever the order of the arrows in an end: what a
  /// confirmation confirms.
  func content(ofPart part: Int) -> ComparedCard {
    var content = ComparedCard()
    content.participantID = message.participantID
    for index in Set(firstEnds.keys).union(ends.keys).sorted() where isEnd(index, ofPart: part) {
      var end = ComparedEnd()
      end.endIndex = UInt32(clamping: index)
      end.first = Self.ordered(firstEnds[index] ?? [])
      end.second = Self.ordered(ends[index] ?? [])
      content.ends.append(end)
    }
    return content
  }

  private static func ordered(_ arrows: [ArrowScore]) -> [MatchArrow] {
    arrows.sorted { ($0.value, $0.isX ? 1 : 0) > ($1.value, $1.isX ? 1 : 0) }.map { score in
      .with { ($0.value, $0.isX) = (UInt32(clamping: score.value), score.isX) }
    }
  }

  /// Whether archer and scorer have confirmed.
  var isConfirmed: Bool {
    message.summary?.archerConfirmed == true && message.summary?.scorerConfirmed == true
  }

  private mutating func set(_ arrows: [MatchArrow], at end: Int, by operation: [UInt8]) {
    ends[end] = arrows.isEmpty ? nil : arrows.map { ArrowScore($0) }
    heads[end] = arrows.isEmpty ? nil : operation
  }
}
