public import QuiverProtobuf

/// How an arrow was entered.
public struct InputMode: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// ``buttons`` for an arrow without a position, ``target`` for one with a position.
  public static let unspecified = Self(rawValue: 0)
  /// By its value.
  public static let buttons = Self(rawValue: 1)
  /// By its position on the face.
  public static let target = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.InputMode",
    [
      (0, "INPUT_MODE_UNSPECIFIED"), (1, "INPUT_MODE_BUTTONS"), (2, "INPUT_MODE_TARGET"),
    ])
}

/// The effect of an operation on its slot.
public struct OperationKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The kind that the called method implies.
  public static let unspecified = Self(rawValue: 0)
  /// Fills the slot.
  public static let record = Self(rawValue: 1)
  /// Replaces the value of the slot.
  public static let correct = Self(rawValue: 2)
  /// Empties the slot.
  public static let retract = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.OperationKind",
    [
      (0, "OPERATION_KIND_UNSPECIFIED"), (1, "OPERATION_KIND_RECORD"),
      (2, "OPERATION_KIND_CORRECT"), (3, "OPERATION_KIND_RETRACT"),
    ])
}

/// One step of scoring. It names its slot: participant, end and arrow. Slots may be filled in any
/// order.
///
/// Operations have no conflict if each slot has one ``OperationKind/record``, and its corrections
/// and retractions form a chain in which each names the operation that it replaces. Any order,
/// repetition and splitting of such operations has the same result. A retraction empties its slot.
/// A correction that names the retraction fills the slot again, and so does another record that
/// arrives after it.
public struct ScoringOperation: Message {
  /// The UUIDv7 (16 bytes) that identifies repetitions of the operation; unique per principal.
  /// Optional in calls with one operation, required in batches.
  public var clientID: [UInt8] = []
  /// The effect on the slot; in calls with one operation it may be unspecified.
  public var kind = OperationKind.unspecified
  /// The id of the participant; 0 if ``participantClientID`` names it.
  public var participantID: Int64 = 0
  /// The client id of the participant; empty if ``participantID`` names it.
  public var participantClientID: [UInt8] = []
  /// The index of the end, from 0, through all passes.
  public var endIndex: UInt32 = 0
  /// The index of the arrow within the end, from 0.
  public var arrowIndex: UInt32 = 0
  /// The value of a record or a correction; 0: a miss. Nil: the value and ``isX`` follow from the
  /// position and the face's rings.
  public var value: UInt32?
  /// Whether the arrow is an X; only with the face's top value, on a face with an X ring.
  public var isX = false
  /// The horizontal position in radii of the nominal face, positive to the right, -10 to 10. Set
  /// both coordinates or none.
  public var x: Double?
  /// The vertical position in radii of the nominal face, positive upwards, -10 to 10. Set both
  /// coordinates or none.
  public var y: Double?
  /// How the arrow was entered.
  public var input = InputMode.unspecified
  /// The time by the client's clock, in milliseconds since 1970-01-01 UTC; 0: now. A time more than
  /// 5 minutes ahead of the server is stored as now, and the arrow is flagged.
  public var scoredAtMilliseconds: Int64 = 0
  /// The id of the operation that a correction or retraction replaces; 0 if ``replacesClientID``
  /// names it.
  public var replacesID: Int64 = 0
  /// The client id of the operation that a correction or retraction replaces; empty if
  /// ``replacesID`` names it.
  public var replacesClientID: [UInt8] = []
  /// The reason of a correction or retraction; 1 to 200 characters.
  public var reason = ""
  /// The device, for the audit; at most 200 characters.
  public var device = ""
  /// The number of the arrow's shaft, 1 to 99; 0: not known. A correction with 0 leaves the number
  /// of the arrow.
  public var shaft: UInt32 = 0
  /// The id of the other participant of the event who agreed to a correction or retraction; 0:
  /// none.
  public var witnessID: Int64 = 0
  /// The principal's id of the organiser or judge who agreed instead; 0: none.
  public var judgeID: Int64 = 0
  /// The name of who agreed, as the caller may see it, from the server; at most 200 characters.
  public var witnessName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ScoringOperation", .bytes(1, "client_id", \.clientID), .enum(2, "kind", \.kind),
    .int64(3, "participant_id", \.participantID),
    .bytes(4, "participant_client_id", \.participantClientID), .uint32(5, "end_index", \.endIndex),
    .uint32(6, "arrow_index", \.arrowIndex), .optionalUint32(7, "value", \.value),
    .bool(8, "is_x", \.isX), .optionalDouble(9, "x", \.x), .optionalDouble(10, "y", \.y),
    .enum(11, "input", \.input), .int64(12, "scored_at_ms", \.scoredAtMilliseconds),
    .int64(13, "replaces_id", \.replacesID), .bytes(14, "replaces_client_id", \.replacesClientID),
    .string(15, "reason", \.reason), .string(16, "device", \.device),
    .uint32(17, "shaft", \.shaft), .int64(18, "witness_id", \.witnessID),
    .int64(19, "judge_id", \.judgeID), .string(20, "witness_name", \.witnessName))
}

/// The current content of one slot.
public struct ScoredArrow: Message {
  /// The index of the end, from 0, through all passes.
  public var endIndex: UInt32 = 0
  /// The index of the arrow within the end, from 0.
  public var arrowIndex: UInt32 = 0
  /// The value; 0: a miss.
  public var value: UInt32 = 0
  /// Whether the arrow is an X. It counts as an X and as its value.
  public var isX = false
  /// The horizontal position in radii of the nominal face, positive to the right; nil: unknown.
  public var x: Double?
  /// The vertical position in radii of the nominal face, positive upwards; nil: unknown.
  public var y: Double?
  /// How the arrow was entered.
  public var input = InputMode.unspecified
  /// Whether the value differs from that of the position, or the client's clock was ahead.
  public var flagged = false
  /// The time of the arrow by the client's clock, in milliseconds since 1970-01-01 UTC. A
  /// correction does not change it.
  public var scoredAtMilliseconds: Int64 = 0
  /// The time when the server received it, in milliseconds since 1970-01-01 UTC.
  public var receivedAtMilliseconds: Int64 = 0
  /// The id of the operation that a correction or retraction must name.
  public var operationID: Int64 = 0
  /// The client id of that operation; empty if none.
  public var operationClientID: [UInt8] = []
  /// Whether the slot is empty; the other values are then the previous ones.
  public var retracted = false

  /// The number of the arrow's shaft; 0: not known.
  public var shaft: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ScoredArrow", .uint32(1, "end_index", \.endIndex),
    .uint32(2, "arrow_index", \.arrowIndex), .uint32(3, "value", \.value), .bool(4, "is_x", \.isX),
    .optionalDouble(5, "x", \.x), .optionalDouble(6, "y", \.y), .enum(7, "input", \.input),
    .bool(8, "flagged", \.flagged), .int64(9, "scored_at_ms", \.scoredAtMilliseconds),
    .int64(10, "received_at_ms", \.receivedAtMilliseconds),
    .int64(11, "operation_id", \.operationID),
    .bytes(12, "operation_client_id", \.operationClientID), .bool(13, "retracted", \.retracted),
    .uint32(14, "shaft", \.shaft))
}

/// The sums of a participant's arrows.
public struct Score: Message {
  /// The sum of the values.
  public var total: UInt32 = 0
  /// The number of X.
  public var xCount: UInt32 = 0
  /// The number of arrows of value exactly 10, including X.
  public var tenCount: UInt32 = 0
  /// The number of arrows.
  public var arrowCount: UInt32 = 0
  /// The number of ends with all slots filled.
  public var endsCompleted: UInt32 = 0
  /// The number of arrows by value, from 0 to 11; an X counts as its value.
  public var counts: [UInt32] = []
  /// The number of arrows of the face's top value.
  public var goldCount: UInt32 = 0
  /// In an event: whether a part of the card is typed from a paper, so that its sums are in these.
  public var typed = false
  /// The counts that the paper does not have, as in ``LeaderboardRow``.
  public var missingCounts: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Score", .uint32(1, "total", \.total), .uint32(2, "x_count", \.xCount),
    .uint32(3, "ten_count", \.tenCount), .uint32(4, "arrow_count", \.arrowCount),
    .uint32(5, "ends_completed", \.endsCompleted), .uint32s(6, "counts", \.counts),
    .uint32(7, "gold_count", \.goldCount), .bool(8, "typed", \.typed),
    .uint32(9, "missing_counts", \.missingCounts))
}

/// The kind of a scorer's next slot.
public struct NextKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The same participant's end is still open.
  public static let arrow = Self(rawValue: 1)
  /// The next participant of this scorer by target and letter, in the same end.
  public static let participant = Self(rawValue: 2)
  /// The next end.
  public static let end = Self(rawValue: 3)
  /// This scorer has finished.
  public static let done = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.NextKind",
    [
      (0, "NEXT_KIND_UNSPECIFIED"), (1, "NEXT_KIND_ARROW"), (2, "NEXT_KIND_PARTICIPANT"),
      (3, "NEXT_KIND_END"), (4, "NEXT_KIND_DONE"),
    ])
}

/// The next slot of a scorer.
public struct NextStep: Message {
  /// The kind of the step.
  public var kind = NextKind.unspecified
  /// The id of the next participant; 0 if the scorer has finished.
  public var participantID: Int64 = 0
  /// The client id of the next participant; empty if none.
  public var participantClientID: [UInt8] = []
  /// The shown name of the next participant.
  public var displayName = ""
  /// The index of the end, from 0.
  public var endIndex: UInt32 = 0
  /// The index of the first open slot of that end.
  public var arrowIndex: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.NextStep", .enum(1, "kind", \.kind), .int64(2, "participant_id", \.participantID),
    .bytes(3, "participant_client_id", \.participantClientID),
    .string(4, "display_name", \.displayName), .uint32(5, "end_index", \.endIndex),
    .uint32(6, "arrow_index", \.arrowIndex))
}

/// The result of one operation.
public struct Verdict: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The operation was stored.
  public static let stored = Self(rawValue: 1)
  /// The operation is a repetition, whoever may score now, or the slot already had this value;
  /// nothing changed.
  public static let same = Self(rawValue: 2)
  /// The event is finalised; the operation is stored for a decision of the organiser.
  public static let late = Self(rawValue: 3)
  /// The operation that it replaces has not arrived, the event has not started or is paused, or no
  /// device has joined the target; send it again later.
  public static let notYet = Self(rawValue: 4)
  /// The slot has another value.
  public static let conflict = Self(rawValue: 5)
  /// The operation is invalid or not permitted; `OperationVerdict.code` has the status.
  public static let refused = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.Verdict",
    [
      (0, "VERDICT_UNSPECIFIED"), (1, "VERDICT_STORED"), (2, "VERDICT_SAME"), (3, "VERDICT_LATE"),
      (4, "VERDICT_NOT_YET"), (5, "VERDICT_CONFLICT"), (6, "VERDICT_REFUSED"),
    ])
}
