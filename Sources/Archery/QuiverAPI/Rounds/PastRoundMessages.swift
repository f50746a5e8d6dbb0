public import QuiverProtobuf

/// What a round was shot in.
public struct ShootStatus: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Practice.
  public static let practice = Self(rawValue: 1)
  /// A competition of a club.
  public static let club = Self(rawValue: 2)
  /// An open competition.
  public static let open = Self(rawValue: 3)
  /// A competition with record status.
  public static let record = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.ShootStatus",
    [
      (0, "SHOOT_STATUS_UNSPECIFIED"), (1, "SHOOT_STATUS_PRACTICE"), (2, "SHOOT_STATUS_CLUB"),
      (3, "SHOOT_STATUS_OPEN"), (4, "SHOOT_STATUS_RECORD"),
    ])
}

/// The round of a list: its sums, and no arrows. It is completed from the beginning, and counts for
/// personal bests, handicaps and the training log, and for no statistics of arrows.
public struct PastRound: Message {
  /// Of all arrows of the format; its arrow count is not read.
  public var sums: PartSums?
  /// When it was shot, in milliseconds since 1970-01-01 UTC; required; not more than 5 minutes
  /// ahead.
  public var shotAtMilliseconds: Int64 = 0
  /// What it was shot in.
  public var status = ShootStatus.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PastRound",
    .message(1, "sums", \.sums), .int64(2, "shot_at_ms", \.shotAtMilliseconds),
    .enum(3, "status", \.status))
}
