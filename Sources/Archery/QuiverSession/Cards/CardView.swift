import QuiverAPI
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
  /// The client_ids of the operations whose arrows are in the ends.
  private(set) var heads: [Int: [UInt8]] = [:]
  /// The ends that the server does not have yet.
  private(set) var waiting: Set<Int> = []

  init(_ card: LocalCard) {
    message = card.message
    format = card.format
    for end in message.ends {
      set(end.second, at: Int(end.endIndex), by: end.operationClientID)
    }
    for row in card.rows where !row.row.needsAttention {
      let end = Int(row.operation.endIndex)
      set(row.operation.arrows, at: end, by: row.operation.clientID)
      waiting.insert(end)
    }
  }

  /// How an end compares with the first card, as the server last said; nil: it did not.
  func state(of end: Int) -> CardEndState? {
    guard !waiting.contains(end) else { return nil }
    let state = message.ends.first { Int($0.endIndex) == end }?.state
    return state == .unspecified ? nil : state
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
