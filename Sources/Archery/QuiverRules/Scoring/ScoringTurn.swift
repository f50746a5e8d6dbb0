/// The next slot of a scorer after an arrow or an end.
public struct ScoringTurn: Sendable, Hashable {
  /// The kind of the step.
  public let kind: Kind

  /// 0 if the scorer is done.
  public let participant: Int64
  /// The next slot.
  public let slot: ArrowSlot

  /// Numbered as in `quiver.v1.NextKind`.
  public enum Kind: Int32, Sendable {
    /// The same participant's end is still open.
    case arrow = 1
    /// The next participant, whose current end is open.
    case participant = 2
    /// The next end.
    case end = 3
    /// No participant has an open slot.
    case done = 4
  }

  /// One whom the scorer scores, with the first slot that is open; nil if there is none.
  public struct Candidate: Sendable, Hashable {
    /// The id of the participant.
    public let participant: Int64
    /// The first open slot; nil: every slot is filled.
    public let open: ArrowSlot?
    /// The place in the order of the scorer, for example of the target; equal ones go by id.
    public let order: Int64

    /// Creates a value; each parameter is the property of its name.
    public init(participant: Int64, open: ArrowSlot?, order: Int64 = 0) {
      self.participant = participant
      self.open = open
      self.order = order
    }
  }

  /// The turn after `participant` was scored in end `endIndex`.
  ///
  /// `openInEnd` is the first slot of that end that is still open. Of the candidates, those decide
  /// whose first open end is the earliest: the next by order and id after `participant`, which has
  /// the place `order`, then from the first.
  public static func after(
    _ participant: Int64, order: Int64 = 0, endIndex: Int, openInEnd: ArrowSlot?,
    among candidates: [Candidate]
  ) -> ScoringTurn {
    if let openInEnd { return ScoringTurn(kind: .arrow, participant: participant, slot: openInEnd) }
    let open = candidates.compactMap { candidate in
      candidate.open.map { (key: (candidate.order, candidate.participant), slot: $0) }
    }
    guard let end = open.map(\.slot.endIndex).min() else {
      return ScoringTurn(
        kind: .done, participant: 0, slot: ArrowSlot(endIndex: 0, arrowIndex: 0))
    }
    let due = open.filter { $0.slot.endIndex == end }.sorted { $0.key < $1.key }
    let isNextEnd = end > endIndex
    let next = isNextEnd ? due.first : due.first { $0.key > (order, participant) } ?? due.first
    return ScoringTurn(
      kind: isNextEnd ? .end : .participant, participant: next?.key.1 ?? 0,
      slot: next?.slot ?? ArrowSlot(endIndex: end, arrowIndex: 0))
  }
}
