import QuiverAPI
import QuiverProtobuf
public import QuiverRules

/// One arrow on a card.
public struct CardArrow: Sendable, Equatable {
  /// The slot of the arrow.
  public let slot: ArrowSlot
  /// The current value, including changes that wait; nil: the slot was emptied.
  public internal(set) var score: ArrowScore?
  /// The horizontal position in radii of the nominal face, positive to the right; nil: unknown.
  public internal(set) var x: Double?
  /// The vertical position in radii of the nominal face, positive upwards; nil: unknown.
  public internal(set) var y: Double?
  /// Whether the server found that the value differs from that of the position, or that the clock
  /// was ahead.
  public internal(set) var isFlagged = false
  /// The number of the arrow's shaft, from 1; nil: not known.
  public internal(set) var shaft: Int?
  /// Whether the server has the value that is shown.
  public internal(set) var mark = SyncMark.synced
  /// The score of an entry that needs attention: refused, in conflict, or late; nil if there is
  /// none.
  public internal(set) var heldScore: ArrowScore?
  var head: OperationName?

  init(slot: ArrowSlot) { self.slot = slot }
}

/// A participant's arrows on this device: those of the server, then the changes that wait, in
/// order.
public struct ScoreCard: Sendable, Equatable {
  /// The format of the round.
  public let format: RoundDefinition
  /// The arrows by slot; slots in which nothing was ever entered are missing.
  public private(set) var arrows: [ArrowSlot: CardArrow] = [:]
  /// The sums of the arrows.
  public private(set) var tally = ScoreTally()
  private var filled: [Int: Int] = [:]

  init(format: RoundDefinition) { self.format = format }

  /// One end with its sums.
  public struct End: Sendable, Equatable {
    /// The index of the end, from 0, through all passes.
    public let index: Int
    /// One arrow for each slot; nil if nothing was ever entered.
    public let arrows: [CardArrow?]
    /// The sum of the end.
    public let total: Int
    /// The sum of the end and all ends before it.
    public let runningTotal: Int
    /// Whether every slot of the end is filled.
    public let isComplete: Bool
  }

  /// All ends of the format.
  public var ends: [End] {
    var running = 0
    return (0..<format.endCount).map { index in
      let count = format.end(index)?.arrowCount ?? 0
      let shown = (0..<count).map { arrows[ArrowSlot(endIndex: index, arrowIndex: $0)] }
      let total = shown.reduce(0) { $0 + ($1?.score?.value ?? 0) }
      running += total
      return End(
        index: index, arrows: shown, total: total, runningTotal: running,
        isComplete: shown.allSatisfy { $0?.score != nil })
    }
  }

  /// Whether every slot of the format is filled.
  public var isComplete: Bool { tally.endsCompleted == format.endCount }

  /// The first open slot in shooting order; nil if there is none.
  public var firstOpen: ArrowSlot? {
    for index in 0..<format.endCount {
      if let open = firstOpen(inEnd: index) { return open }
    }
    return nil
  }

  /// The first open slot of an end; nil if it is full or does not exist.
  public func firstOpen(inEnd index: Int) -> ArrowSlot? {
    filled[index] ?? 0 < format.end(index)?.arrowCount ?? 0 ? openSlots(inEnd: index).first : nil
  }

  /// The open slots of an end, in order.
  func openSlots(inEnd index: Int) -> [ArrowSlot] {
    (0..<(format.end(index)?.arrowCount ?? 0)).map {
      ArrowSlot(endIndex: index, arrowIndex: $0)
    }.filter { arrows[$0]?.score == nil }
  }

  mutating func take(_ slot: LocalSlot) {
    var arrow = CardArrow(slot: slot.slot)
    arrow.x = slot.x
    arrow.y = slot.y
    arrow.isFlagged = slot.isFlagged
    arrow.shaft = slot.shaft
    arrow.head = slot.head
    put(slot.score, into: &arrow)
  }

  /// Applies an operation of the outbox; one that needs attention leaves the slot as it is.
  mutating func apply(_ operation: ScoringOperation, state: OutboxRow.State) {
    let slot = ArrowSlot(
      endIndex: Int(operation.endIndex), arrowIndex: Int(operation.arrowIndex))
    var arrow = arrows[slot] ?? CardArrow(slot: slot)
    arrow.mark = max(arrow.mark, SyncMark(rawValue: max(1, state.rawValue)) ?? .waiting)
    let score = operation.score
    guard state == .waiting || state == .sent else {
      arrow.heldScore = score
      arrows[slot] = arrow
      return
    }
    arrow.x = operation.x
    arrow.y = operation.y
    arrow.isFlagged = false
    // A correction without a number leaves that of the arrow.
    if operation.shaft != 0 { arrow.shaft = Int(operation.shaft) }
    if operation.kind == .retract { arrow.shaft = nil }
    arrow.head = OperationName(id: 0, clientID: operation.clientID)
    put(score, into: &arrow)
  }

  private mutating func put(_ score: ArrowScore?, into arrow: inout CardArrow) {
    guard let end = format.end(arrow.slot.endIndex),
      (0..<end.arrowCount).contains(arrow.slot.arrowIndex)
    else { return }
    count(arrows[arrow.slot]?.score, in: end, at: arrow.slot.endIndex, isAdded: false)
    arrow.score = score
    count(score, in: end, at: arrow.slot.endIndex, isAdded: true)
    arrows[arrow.slot] = arrow
  }

  private mutating func count(
    _ score: ArrowScore?, in end: RoundDefinition.End, at index: Int, isAdded: Bool
  ) {
    guard let score else { return }
    let before = filled[index] ?? 0
    if isAdded {
      tally.add(score, on: end.pass.face)
      if before + 1 == end.arrowCount { tally.endsCompleted += 1 }
      filled[index] = before + 1
    } else {
      tally.remove(score, on: end.pass.face)
      if before == end.arrowCount { tally.endsCompleted -= 1 }
      filled[index] = before - 1
    }
  }
}

extension SyncMark: Comparable {
  public static func < (left: SyncMark, right: SyncMark) -> Bool { left.rawValue < right.rawValue }
}

extension ScoringOperation {
  /// The score that it leaves in its slot; nil for a retraction.
  var score: ArrowScore? {
    guard kind != .retract, let value else { return nil }
    return ArrowScore(value: Int(value), isX: isX)
  }

  var slot: ArrowSlot { ArrowSlot(endIndex: Int(endIndex), arrowIndex: Int(arrowIndex)) }
}

extension LocalTransaction {
  /// A participant's scorecard with pending changes.
  func card(
    of participant: Int64, _ format: RoundDefinition
  ) throws(SessionError) -> ScoreCard {
    var card = ScoreCard(format: format)
    for slot in try slots(of: participant) { card.take(slot) }
    for row in try outboxRows(ofParticipant: participant) where row.action == .score {
      card.apply(try row.operation(), state: row.state)
    }
    return card
  }
}

extension OutboxRow {
  /// The operation of a scoring row.
  func operation() throws(SessionError) -> ScoringOperation {
    do {
      return try ScoringOperation(serializedBytes: request)
    } catch {
      throw .unreadable("an operation of scoring")
    }
  }
}
