import QuiverAPI
import QuiverProtobuf
public import QuiverRules

/// One arrow on a card.
public struct CardArrow: Sendable, Equatable {
  public let slot: ArrowSlot
  /// What stands there with what waits; nil where the slot was emptied.
  public internal(set) var score: ArrowScore?
  /// In radii of the nominal face, +x right and +y up; nil without a position.
  public internal(set) var x: Double?
  public internal(set) var y: Double?
  /// The server says that the value is not the geometry's, or that the clock was ahead.
  public internal(set) var isFlagged = false
  public internal(set) var mark = SyncMark.synced
  /// What was entered here and is held: refused, in conflict, or late; nil where nothing is.
  public internal(set) var heldScore: ArrowScore?
  var head: OperationName?

  init(slot: ArrowSlot) { self.slot = slot }
}

/// A participant's arrows as this device sees them: what the server said, with what waits in the
/// outbox applied in order.
public struct ScoreCard: Sendable, Equatable {
  public let format: RoundDefinition
  /// Slots that were ever touched.
  public private(set) var arrows: [ArrowSlot: CardArrow] = [:]
  public private(set) var tally = ScoreTally()
  private var filled: [Int: Int] = [:]

  init(format: RoundDefinition) { self.format = format }

  /// One end with its sums.
  public struct End: Sendable, Equatable {
    /// From 0.
    public let index: Int
    /// One for each slot; nil where nothing was ever entered.
    public let arrows: [CardArrow?]
    public let total: Int
    /// With all ends before it.
    public let runningTotal: Int
    public let isComplete: Bool
  }

  /// Every end of the format.
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

  public var isComplete: Bool { tally.endsCompleted == format.endCount }

  /// The first slot that is open, in the order of shooting; nil where there is none.
  public var firstOpen: ArrowSlot? {
    for index in 0..<format.endCount {
      if let open = firstOpen(inEnd: index) { return open }
    }
    return nil
  }

  /// The first open slot of an end; nil where it is full or there is no such end.
  public func firstOpen(inEnd index: Int) -> ArrowSlot? {
    filled[index] ?? 0 < format.end(index)?.arrowCount ?? 0 ? openSlots(inEnd: index).first : nil
  }

  /// The open slots of an end, in their order.
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
    arrow.head = slot.head
    put(slot.score, into: &arrow)
  }

  /// Applies an operation of the outbox; one that is held leaves what stands there.
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
  /// What it leaves in its slot; nil of a retraction.
  var score: ArrowScore? {
    guard kind != .retract, let value else { return nil }
    return ArrowScore(value: Int(value), isX: isX)
  }

  var slot: ArrowSlot { ArrowSlot(endIndex: Int(endIndex), arrowIndex: Int(arrowIndex)) }
}

extension LocalTransaction {
  /// A participant's card, what waits included.
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
  /// The operation of a row of scoring.
  func operation() throws(SessionError) -> ScoringOperation {
    do {
      return try ScoringOperation(serializedBytes: request)
    } catch {
      throw .unreadable("an operation of scoring")
    }
  }
}
