public import QuiverProtobuf

/// Asks to record one arrow.
public struct RecordArrowRequest: Message {
  public var operation: ScoringOperation?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RecordArrowRequest", .message(1, "operation", \.operation))
}

/// A filled slot with another value is ABORTED with the ScoredArrow as a detail; with the same
/// value it is OK.
public struct ScoreResponse: Message {
  /// STORED, SAME or LATE.
  public var verdict = Verdict.unspecified
  /// As they stand now, in the order of the operations.
  public var arrows: [ScoredArrow] = []
  /// Of the participant.
  public var score: Score?
  public var next: NextStep?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ScoreResponse", .enum(1, "verdict", \.verdict), .messages(2, "arrows", \.arrows),
    .message(3, "score", \.score), .message(4, "next", \.next))
}

/// The arrows of one end of one participant, all of them or none.
public struct RecordEndRequest: Message {
  /// 1 to 12.
  public var operations: [ScoringOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RecordEndRequest", .messages(1, "operations", \.operations))
}

/// Before the operation that it replaces has come it is FAILED_PRECONDITION, with the word NOT_YET
/// first in the message; where that one was replaced by another, ABORTED with the ScoredArrow.
public struct CorrectArrowRequest: Message {
  public var operation: ScoringOperation?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CorrectArrowRequest", .message(1, "operation", \.operation))
}

/// Asks to empty a slot.
public struct RetractArrowRequest: Message {
  public var operation: ScoringOperation?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RetractArrowRequest", .message(1, "operation", \.operation))
}

/// Asks to apply many operations, each for itself.
public struct ApplyOperationsRequest: Message {
  /// 1 to 1,000, of any participants.
  public var operations: [ScoringOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyOperationsRequest", .messages(1, "operations", \.operations))
}

/// What became of each operation.
public struct ApplyOperationsResponse: Message {
  /// One for each, in their order.
  public var verdicts: [OperationVerdict] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyOperationsResponse", .messages(1, "verdicts", \.verdicts))
}

/// What became of one operation.
public struct OperationVerdict: Message {
  public var clientID: [UInt8] = []
  public var verdict = Verdict.unspecified
  /// The status that a call of its own had ended with; 0: OK.
  public var code: UInt32 = 0
  /// Why it was refused, with the field's path.
  public var message = ""
  /// 0: it was not kept.
  public var operationID: Int64 = 0
  /// What stands in its slot; absent where it is empty or unknown.
  public var arrow: ScoredArrow?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.OperationVerdict", .bytes(1, "client_id", \.clientID),
    .enum(2, "verdict", \.verdict), .uint32(3, "code", \.code), .string(4, "message", \.message),
    .int64(5, "operation_id", \.operationID), .message(6, "arrow", \.arrow))
}
