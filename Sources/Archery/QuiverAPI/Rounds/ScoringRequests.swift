public import QuiverProtobuf

/// Records one arrow.
public struct RecordArrowRequest: Message {
  /// The arrow.
  public var operation: ScoringOperation?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RecordArrowRequest", .message(1, "operation", \.operation))
}

/// The result of one or more operations.
///
/// If the slot has another value, the call is ABORTED with the ``ScoredArrow`` as a detail. If it
/// has the same value, the call is OK.
public struct ScoreResponse: Message {
  /// ``Verdict/stored``, ``Verdict/same`` or ``Verdict/late``.
  public var verdict = Verdict.unspecified
  /// The slots in their current state, in the order of the operations.
  public var arrows: [ScoredArrow] = []
  /// The participant's sums.
  public var score: Score?
  /// The scorer's next slot.
  public var next: NextStep?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ScoreResponse", .enum(1, "verdict", \.verdict), .messages(2, "arrows", \.arrows),
    .message(3, "score", \.score), .message(4, "next", \.next))
}

/// Records the arrows of one end of one participant. Either all or none are stored.
public struct RecordEndRequest: Message {
  /// The arrows, 1 to 12.
  public var operations: [ScoringOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RecordEndRequest", .messages(1, "operations", \.operations))
}

/// Replaces the value of a filled slot.
///
/// If the operation that it replaces has not arrived, the call is FAILED_PRECONDITION with a
/// message that begins with NOT_YET, then the path of the field that names that operation. If that
/// operation was replaced by another one, the call is ABORTED with the ``ScoredArrow`` as a detail.
public struct CorrectArrowRequest: Message {
  /// The correction, with the operation that it replaces and a reason.
  public var operation: ScoringOperation?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CorrectArrowRequest", .message(1, "operation", \.operation))
}

/// Empties a filled slot.
public struct RetractArrowRequest: Message {
  /// The retraction, with the operation that it replaces and a reason.
  public var operation: ScoringOperation?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RetractArrowRequest", .message(1, "operation", \.operation))
}

/// Applies many operations, each independently.
public struct ApplyOperationsRequest: Message {
  /// The operations, 1 to 1,000, of any participants.
  public var operations: [ScoringOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyOperationsRequest", .messages(1, "operations", \.operations))
}

/// The results of a batch.
public struct ApplyOperationsResponse: Message {
  /// One verdict for each operation, in their order.
  public var verdicts: [OperationVerdict] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyOperationsResponse", .messages(1, "verdicts", \.verdicts))
}

/// The result of one operation of a batch.
public struct OperationVerdict: Message {
  /// The client id of the operation.
  public var clientID: [UInt8] = []
  /// The result.
  public var verdict = Verdict.unspecified
  /// The status code that a single call would have; 0: OK.
  public var code: UInt32 = 0
  /// The reason of a rejection, with the path of the field; empty if the operation was accepted.
  public var message = ""
  /// The id of the stored operation; 0: not stored.
  public var operationID: Int64 = 0
  /// The content of its slot; nil if the slot is empty or unknown.
  public var arrow: ScoredArrow?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.OperationVerdict", .bytes(1, "client_id", \.clientID),
    .enum(2, "verdict", \.verdict), .uint32(3, "code", \.code), .string(4, "message", \.message),
    .int64(5, "operation_id", \.operationID), .message(6, "arrow", \.arrow))
}
