public import QuiverProtobuf

/// How an arrow was entered.
public struct InputMode: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// BUTTONS without a position, TARGET with one.
  public static let unspecified = Self(rawValue: 0)
  public static let buttons = Self(rawValue: 1)
  public static let target = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.InputMode",
    [
      (0, "INPUT_MODE_UNSPECIFIED"), (1, "INPUT_MODE_BUTTONS"), (2, "INPUT_MODE_TARGET"),
    ])
}

/// What an operation does to its slot.
public struct OperationKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// What the call says.
  public static let unspecified = Self(rawValue: 0)
  public static let record = Self(rawValue: 1)
  public static let correct = Self(rawValue: 2)
  public static let retract = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.OperationKind",
    [
      (0, "OPERATION_KIND_UNSPECIFIED"), (1, "OPERATION_KIND_RECORD"),
      (2, "OPERATION_KIND_CORRECT"), (3, "OPERATION_KIND_RETRACT"),
    ])
}

/// One step of scoring.
///
/// It names its slot: participant, end and arrow. Slots may be filled in any order. Operations are
/// without conflict when each slot has one RECORD and its corrections and retractions form a chain,
/// each naming the one that it replaces; then any order, repetition and splitting of them leaves
/// the same scores. A retraction empties its slot; a correction that names it fills the slot again,
/// and so does another RECORD that comes after it.
public struct ScoringOperation: Message {
  /// UUIDv7, made by the client; what makes a repeated operation one operation. Optional in the
  /// calls of one operation, required in batches.
  public var clientID: [UInt8] = []
  public var kind = OperationKind.unspecified
  /// Or the next.
  public var participantID: Int64 = 0
  public var participantClientID: [UInt8] = []
  /// From 0, through all passes.
  public var endIndex: UInt32 = 0
  /// From 0, within the end.
  public var arrowIndex: UInt32 = 0
  /// Of RECORD and CORRECT. Absent: the position is scored by the face's geometry, X ring included.
  /// 0: a miss.
  public var value: UInt32?
  /// Only with the face's top value, on a face with an X ring.
  public var isX = false
  /// Where the arrow is, in radii of the nominal face: +x right, +y up. Both or none, -10 to 10.
  public var x: Double?
  public var y: Double?
  public var input = InputMode.unspecified
  /// The client's word; 0: now; over 5 minutes ahead: now, and flagged.
  public var scoredAtMilliseconds: Int64 = 0
  /// Of CORRECT and RETRACT: the operation that it replaces, by one of these.
  public var replacesID: Int64 = 0
  public var replacesClientID: [UInt8] = []
  /// Of CORRECT and RETRACT, 1 to 200 characters.
  public var reason = ""
  /// At most 200 characters; for the audit.
  public var device = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ScoringOperation", .bytes(1, "client_id", \.clientID), .enum(2, "kind", \.kind),
    .int64(3, "participant_id", \.participantID),
    .bytes(4, "participant_client_id", \.participantClientID), .uint32(5, "end_index", \.endIndex),
    .uint32(6, "arrow_index", \.arrowIndex), .optionalUint32(7, "value", \.value),
    .bool(8, "is_x", \.isX), .optionalDouble(9, "x", \.x), .optionalDouble(10, "y", \.y),
    .enum(11, "input", \.input), .int64(12, "scored_at_ms", \.scoredAtMilliseconds),
    .int64(13, "replaces_id", \.replacesID), .bytes(14, "replaces_client_id", \.replacesClientID),
    .string(15, "reason", \.reason), .string(16, "device", \.device))
}

/// What stands in one slot.
public struct ScoredArrow: Message {
  public var endIndex: UInt32 = 0
  public var arrowIndex: UInt32 = 0
  public var value: UInt32 = 0
  /// Counts as X and as its value.
  public var isX = false
  public var x: Double?
  public var y: Double?
  public var input = InputMode.unspecified
  /// The value is not the geometry's, or the client's clock was ahead.
  public var flagged = false
  public var scoredAtMilliseconds: Int64 = 0
  public var receivedAtMilliseconds: Int64 = 0
  /// The operation that a correction or retraction has to name.
  public var operationID: Int64 = 0
  public var operationClientID: [UInt8] = []
  /// The slot is empty; the values are those that it had.
  public var retracted = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ScoredArrow", .uint32(1, "end_index", \.endIndex),
    .uint32(2, "arrow_index", \.arrowIndex), .uint32(3, "value", \.value), .bool(4, "is_x", \.isX),
    .optionalDouble(5, "x", \.x), .optionalDouble(6, "y", \.y), .enum(7, "input", \.input),
    .bool(8, "flagged", \.flagged), .int64(9, "scored_at_ms", \.scoredAtMilliseconds),
    .int64(10, "received_at_ms", \.receivedAtMilliseconds),
    .int64(11, "operation_id", \.operationID),
    .bytes(12, "operation_client_id", \.operationClientID), .bool(13, "retracted", \.retracted))
}

/// What a participant's arrows add up to.
public struct Score: Message {
  public var total: UInt32 = 0
  public var xCount: UInt32 = 0
  /// Values of exactly 10, X included.
  public var tenCount: UInt32 = 0
  public var arrowCount: UInt32 = 0
  /// With all slots filled.
  public var endsCompleted: UInt32 = 0
  /// Of arrows by value, from 0 to 11; X is in its value's.
  public var counts: [UInt32] = []
  /// Of the face's top value.
  public var goldCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Score", .uint32(1, "total", \.total), .uint32(2, "x_count", \.xCount),
    .uint32(3, "ten_count", \.tenCount), .uint32(4, "arrow_count", \.arrowCount),
    .uint32(5, "ends_completed", \.endsCompleted), .uint32s(6, "counts", \.counts),
    .uint32(7, "gold_count", \.goldCount))
}

/// Where a scorer goes on.
public struct NextKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  /// The same participant's end is still open.
  public static let arrow = Self(rawValue: 1)
  /// The next one of this scorer, in the same end.
  public static let participant = Self(rawValue: 2)
  /// The next end.
  public static let end = Self(rawValue: 3)
  /// This scorer is done.
  public static let done = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.NextKind",
    [
      (0, "NEXT_KIND_UNSPECIFIED"), (1, "NEXT_KIND_ARROW"), (2, "NEXT_KIND_PARTICIPANT"),
      (3, "NEXT_KIND_END"), (4, "NEXT_KIND_DONE"),
    ])
}

/// Where a scorer goes on.
public struct NextStep: Message {
  public var kind = NextKind.unspecified
  public var participantID: Int64 = 0
  public var participantClientID: [UInt8] = []
  public var displayName = ""
  public var endIndex: UInt32 = 0
  /// The first open slot of that end.
  public var arrowIndex: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.NextStep", .enum(1, "kind", \.kind), .int64(2, "participant_id", \.participantID),
    .bytes(3, "participant_client_id", \.participantClientID),
    .string(4, "display_name", \.displayName), .uint32(5, "end_index", \.endIndex),
    .uint32(6, "arrow_index", \.arrowIndex))
}

/// What became of an operation.
public struct Verdict: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let stored = Self(rawValue: 1)
  /// It was there before, or the slot had this value; nothing changed.
  public static let same = Self(rawValue: 2)
  /// Kept for the organiser, since the event is finalised.
  public static let late = Self(rawValue: 3)
  /// What it replaces, or the start of the event, has not come; keep it.
  public static let notYet = Self(rawValue: 4)
  /// Something else stands there.
  public static let conflict = Self(rawValue: 5)
  public static let refused = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.Verdict",
    [
      (0, "VERDICT_UNSPECIFIED"), (1, "VERDICT_STORED"), (2, "VERDICT_SAME"), (3, "VERDICT_LATE"),
      (4, "VERDICT_NOT_YET"), (5, "VERDICT_CONFLICT"), (6, "VERDICT_REFUSED"),
    ])
}
