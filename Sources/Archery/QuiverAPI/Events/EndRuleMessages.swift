public import QuiverProtobuf

/// A rule of shooting by which a judge changes the arrows of an end.
public struct EndRule: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Of all arrows that were shot the lowest count.
  public static let tooManyArrows = Self(rawValue: 1)
  /// For each shot out of time the highest arrow of the end is a miss.
  public static let outOfTime = Self(rawValue: 2)
  /// The same for shots out of order.
  public static let outOfOrder = Self(rawValue: 3)
  /// What an archer who came late did not shoot are misses.
  public static let missedEnds = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.EndRule",
    [
      (0, "END_RULE_UNSPECIFIED"),
      (1, "END_RULE_TOO_MANY_ARROWS"),
      (2, "END_RULE_OUT_OF_TIME"),
      (3, "END_RULE_OUT_OF_ORDER"),
      (4, "END_RULE_MISSED_ENDS"),
    ])
}

/// Changes the arrows of an end by a rule of shooting.
public struct ApplyEndRuleRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The index of the end, from 0, through all passes.
  public var endIndex: UInt32 = 0
  /// The rule.
  public var rule = EndRule.unspecified
  /// Of too many arrows: all that were shot, more than the end has and at most twice as many.
  public var arrows: [MatchArrow] = []
  /// The number of shots out of time or order, and of missed ends; 0: 1.
  public var count: UInt32 = 0
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ApplyEndRuleRequest",
    .int64(1, "participant_id", \.participantID), .uint32(2, "end_index", \.endIndex),
    .enum(3, "rule", \.rule), .messages(4, "arrows", \.arrows), .uint32(5, "count", \.count),
    .string(6, "reason", \.reason))
}

/// Exchanges ends of two archers, or moves ends of one by one end.
public struct MoveEndsRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The index of the first end, from 0, through all passes.
  public var firstEnd: UInt32 = 0
  /// The number of ends, which are of one distance; 0: 1.
  public var count: UInt32 = 0
  /// The participant with whose ends they are exchanged; 0: they are moved.
  public var otherParticipantID: Int64 = 0
  /// Whether they are moved to the end before, and not to the one after.
  public var earlier = false
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MoveEndsRequest",
    .int64(1, "participant_id", \.participantID), .uint32(2, "first_end", \.firstEnd),
    .uint32(3, "count", \.count), .int64(4, "other_participant_id", \.otherParticipantID),
    .bool(5, "earlier", \.earlier), .string(6, "reason", \.reason))
}

/// The cards after ends were moved.
public struct MoveEndsResponse: Message {
  /// Of the participant, and of the other one.
  public var cards: [ComparedCard] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MoveEndsResponse",
    .messages(1, "cards", \.cards))
}
