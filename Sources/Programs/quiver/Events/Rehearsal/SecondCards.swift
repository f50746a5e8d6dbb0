import QuiverAPI
import QuiverRules

/// The second card of an archer: what its device writes, and what becomes of the difference.
struct SecondCard: Sendable {
  /// The index of the archer in the plan.
  let archer: Int
  let participant: Int64
  /// As the second device writes them.
  private(set) var ends: [[RehearsalPlan.Arrow]]
  let outcome: Outcome
  /// The end on which the cards differ.
  let end: Int
  /// The arrow of that end.
  let arrow: Int

  /// What becomes of a card.
  enum Outcome: Int, Sendable, CaseIterable {
    /// Both cards have the same arrows, and are confirmed.
    case agrees
    /// The second device misread an arrow; a judge rules for the first card.
    case ruledForFirst
    /// The first device misread an arrow; a judge rules for the second card.
    case ruledForSecond
    /// Both are confirmed although the second card is higher: the first one counts.
    case firstIsLower
    /// Both are confirmed although the second card is lower; a judge reopens the card, and rules.
    case isReopened
  }

  /// The card of an archer who shoots all ends. A difference that its arrows do not allow is none.
  init(
    _ archer: Int, _ participant: Int64, _ ends: [[RehearsalPlan.Arrow]], _ wanted: Outcome
  ) {
    (self.archer, self.participant, self.ends) = (archer, participant, ends)
    let value: (RehearsalPlan.Arrow) -> RehearsalPlan.Arrow?
    switch wanted {
    case .agrees, .ruledForSecond: value = { $0 }
    case .ruledForFirst: value = { PlainPhone.other(than: $0) }
    case .firstIsLower: value = { $0.value < 10 ? RehearsalPlan.Arrow(value: 10) : nil }
    case .isReopened: value = { $0.value > 0 ? RehearsalPlan.Arrow(value: 0) : nil }
    }
    for end in ends.indices.reversed() {
      for arrow in ends[end].indices {
        guard let other = value(ends[end][arrow]) else { continue }
        self.ends[end][arrow] = other
        (outcome, self.end, self.arrow) = (wanted, end, arrow)
        return
      }
    }
    (outcome, end, arrow) = (.agrees, 0, 0)
  }

  /// The slot that the first device records with another value; nil: none.
  var wrongSlot: ArrowSlot? {
    outcome == .ruledForSecond ? ArrowSlot(endIndex: end, arrowIndex: arrow) : nil
  }
}

/// Compares two cards, written anew for the rehearsal.
enum PlainCards {
  /// Whether two ends have the same arrows in some order.
  static func agree(
    _ first: [RehearsalPlan.Arrow], _ second: [RehearsalPlan.Arrow]
  ) -> Bool { sorted(first) == sorted(second) }

  /// From the highest to the lowest.
  static func sorted(_ end: [RehearsalPlan.Arrow]) -> [RehearsalPlan.Arrow] {
    end.sorted { ($0.value, $0.isX ? 1 : 0) > ($1.value, $1.isX ? 1 : 0) }
  }

  static func total(_ ends: some Sequence<[RehearsalPlan.Arrow]>) -> Int {
    ends.reduce(0) { $1.reduce($0) { $0 + $1.value } }
  }
}

extension RehearsalLog {
  /// The second cards that follow from the operations that were stored, by participant and end.
  var secondCards: [Int64: [Int: [RehearsalPlan.Arrow]]] {
    var cards: [Int64: [Int: [RehearsalPlan.Arrow]]] = [:]
    for sent in cardOperations where !sent.isWithoutEffect {
      let operation = sent.operation
      cards[operation.participantID, default: [:]][Int(operation.endIndex)] =
        operation.arrows.map { RehearsalPlan.Arrow(value: Int($0.value), isX: $0.isX) }
    }
    return cards
  }
}
