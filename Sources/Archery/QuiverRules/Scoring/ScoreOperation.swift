/// One step of scoring, named so that a repeated one is one.
public struct ScoreOperation<ID: Hashable & Sendable>: Sendable, Equatable {
  /// The name of the operation.
  public let id: ID
  /// The slot that the operation changes.
  public let slot: ArrowSlot
  /// The effect on the slot.
  public let action: Action

  /// What it does to its slot.
  public enum Action: Sendable, Equatable {
    /// Fills the slot.
    case record(ArrowScore)
    /// Puts another value in place of what the named operation left.
    case correct(ArrowScore, replacing: ID)
    /// Empties the slot of what the named operation left.
    case retract(replacing: ID)

    /// The operation that must have come before; nil of a record.
    public var replaced: ID? {
      switch self {
      case .record: nil
      case .correct(_, let id), .retract(let id): id
      }
    }

    /// The content of the slot afterwards; nil if it is empty.
    public var score: ArrowScore? {
      switch self {
      case .record(let score), .correct(let score, _): score
      case .retract: nil
      }
    }
  }

  /// Creates a value; each parameter is the property of its name.
  public init(id: ID, slot: ArrowSlot, action: Action) {
    self.id = id
    self.slot = slot
    self.action = action
  }
}

/// What stands in a slot that an operation has touched.
public struct SlotState<ID: Hashable & Sendable>: Sendable, Equatable {
  /// Nil if it was emptied.
  public let score: ArrowScore?

  /// The operation that the next one has to name.
  public let head: ID

  /// Creates a value; each parameter is the property of its name.
  public init(score: ArrowScore?, head: ID) {
    self.score = score
    self.head = head
  }
}

/// What becomes of an operation.
public enum SlotVerdict: Sendable, Equatable {
  /// It changes its slot.
  case stored
  /// The slot has that value already, by another record.
  case same
  /// What it replaces has not come.
  case notYet
  /// Something else stands there.
  case conflict

  /// Decides whether an operation changes its slot.
  ///
  /// `replacedIsKnown` states whether the operation that it names has arrived, and `replacesHead`
  /// whether that one, or the one that it repeated, is the slot's head.
  public static func decide<ID>(
    _ action: ScoreOperation<ID>.Action, on state: SlotState<ID>?, replacedIsKnown: Bool,
    replacesHead: Bool
  ) -> SlotVerdict {
    switch action {
    case .record(let score):
      guard let standing = state?.score else { return .stored }
      return standing == score ? .same : .conflict
    case .correct, .retract:
      guard replacedIsKnown else { return .notYet }
      return replacesHead ? .stored : .conflict
    }
  }
}
