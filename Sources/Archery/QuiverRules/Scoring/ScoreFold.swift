/// The slots of one participant, folded from operations in any order.
///
/// Where each slot has one record and its corrections and retractions form a chain by the
/// operations that they name, every order, repetition and split results in the same slots. An
/// operation waits until the operation that it names has arrived.
public struct ScoreFold<ID: Hashable & Sendable>: Sendable {
  /// The state of each slot that was ever filled.
  public private(set) var slots: [ArrowSlot: SlotState<ID>] = [:]

  /// Operations that have arrived, with the one that each represents: itself, or the record that it
  /// repeated.
  private var known: [ID: ID] = [:]

  /// Operations that wait, by the one that they name.
  private var waiting: [ID: [ScoreOperation<ID>]] = [:]

  public init() {}

  /// Applies an operation, and those that have waited for it.
  ///
  /// `notYet` means that it waits here; a repeated operation is `same`.
  @discardableResult
  public mutating func apply(_ operation: ScoreOperation<ID>) -> SlotVerdict {
    guard known[operation.id] == nil else { return .same }
    let verdict = put(operation)
    if verdict == .notYet, let replaced = operation.action.replaced {
      if waiting[replaced]?.contains(operation) != true {
        waiting[replaced, default: []].append(operation)
      }
      return verdict
    }
    release(operation.id)
    return verdict
  }

  /// How many operations wait for what they name.
  public var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

  /// The tally of the slots, in a format; slots outside it do not count, nor those in passes that
  /// are left out.
  public func tally(in format: RoundDefinition, without passes: PassSet = []) -> ScoreTally {
    var tally = ScoreTally()
    var filled: [Int: Int] = [:]
    for (slot, state) in slots {
      guard let score = state.score, let end = format.end(slot.endIndex),
        (0..<end.arrowCount).contains(slot.arrowIndex), !passes.contains(pass: end.passIndex)
      else { continue }
      tally.add(score, on: end.pass.face)
      filled[slot.endIndex, default: 0] += 1
    }
    tally.endsCompleted = filled.count { format.end($0.key)?.arrowCount == $0.value }
    return tally
  }

  private mutating func put(_ operation: ScoreOperation<ID>) -> SlotVerdict {
    let state = slots[operation.slot]
    let target = operation.action.replaced.flatMap { known[$0] }
    let verdict = SlotVerdict.decide(
      operation.action, on: state, replacedIsKnown: target != nil,
      replacesHead: target != nil && target == state?.head)
    switch verdict {
    case .stored:
      known[operation.id] = operation.id
      slots[operation.slot] = SlotState(score: operation.action.score, head: operation.id)
    case .same: known[operation.id] = state?.head ?? operation.id
    case .notYet, .conflict: break
    }
    return verdict
  }

  private mutating func release(_ id: ID) {
    var arrived = [id]
    while let next = arrived.popLast() {
      for operation in waiting.removeValue(forKey: next) ?? [] {
        if put(operation) == .stored { arrived.append(operation.id) }
      }
    }
  }
}
