public import QuiverProtobuf

/// Sums of a part of a card. A count that is nil is not known.
public struct PartSums: Message {
  /// The sum of the values.
  public var total: UInt32 = 0
  /// Arrows above 0.
  public var hits: UInt32?
  /// Arrows of the face's top value, Xs included.
  public var golds: UInt32?
  /// The number of X.
  public var xCount: UInt32?
  /// The number of arrows.
  public var arrowCount: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PartSums",
    .uint32(1, "total", \.total), .optionalUint32(2, "hits", \.hits),
    .optionalUint32(3, "golds", \.golds), .optionalUint32(4, "x_count", \.xCount),
    .uint32(5, "arrow_count", \.arrowCount))
}

/// A part of a card: a distance, or the whole round where that is typed.
public struct CardPart: Message {
  /// The number of a distance, from 1; 0: the whole round.
  public var part: UInt32 = 0
  /// Of the round.
  public var arrowCount: UInt32 = 0
  /// The highest possible score.
  public var maximumScore: UInt32 = 0
  /// The sums of the arrows that are recorded.
  public var arrows: PartSums?
  /// Counts instead of the arrows; nil: the part is by arrows.
  public var typed: PartSums?
  /// The id of the typed total; 0: the part is by arrows.
  public var typedID: Int64 = 0
  /// Whether the arrows of a typed part show more than its sums, or all of them something else.
  public var differs = false
  /// Of a distance: whether the archer has confirmed it by itself.
  public var archerConfirmed = false
  /// The same of the scorer.
  public var scorerConfirmed = false
  /// The total of a distance on paper; nil: none was typed.
  public var paperTotal: UInt32?
  /// The points by which that is lower, once it counts.
  public var deducted: UInt32 = 0
  /// The total of a distance on paper with its counts; nil: none was typed.
  public var paper: PartSums?
  /// By what each sum on paper is lower, once they count; nil: by nothing.
  public var deductions: PartSums?
  /// Whether a sum on paper is another one than that of the part, or, while arrows are missing, a
  /// lower one.
  public var paperDiffers = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CardPart",
    .uint32(1, "part", \.part), .uint32(2, "arrow_count", \.arrowCount),
    .uint32(3, "maximum_score", \.maximumScore), .message(4, "arrows", \.arrows),
    .message(5, "typed", \.typed), .int64(6, "typed_id", \.typedID),
    .bool(7, "differs", \.differs), .bool(8, "archer_confirmed", \.archerConfirmed),
    .bool(9, "scorer_confirmed", \.scorerConfirmed),
    .optionalUint32(10, "paper_total", \.paperTotal), .uint32(11, "deducted", \.deducted),
    .message(12, "paper", \.paper), .message(13, "deductions", \.deductions),
    .bool(14, "paper_differs", \.paperDiffers))
}

/// The sums of a part of a card that an official typed from a paper.
public struct TypedTotal: Message {
  /// The id; assigned by the server.
  public var id: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The number of a distance, from 1; 0: the whole round.
  public var part: UInt32 = 0
  /// The sums.
  public var sums: PartSums?
  /// When it was shot, in milliseconds since 1970-01-01 UTC.
  public var shotAtMilliseconds: Int64 = 0
  /// The id of the official who typed it.
  public var typedBy: Int64 = 0
  /// The name of the official.
  public var typedByName = ""
  /// When it was typed, in milliseconds since 1970-01-01 UTC.
  public var typedAtMilliseconds: Int64 = 0
  /// When it was corrected or removed; 0: it counts.
  public var endedAtMilliseconds: Int64 = 0
  /// Which paper it is from.
  public var paper = ""
  /// Of a correction of the one before.
  public var reason = ""
  /// The name of the participant.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TypedTotal",
    .int64(1, "id", \.id), .int64(2, "tournament_id", \.tournamentID),
    .int64(3, "participant_id", \.participantID), .uint32(4, "part", \.part),
    .message(5, "sums", \.sums), .int64(6, "shot_at_ms", \.shotAtMilliseconds),
    .int64(7, "typed_by", \.typedBy), .string(8, "typed_by_name", \.typedByName),
    .int64(9, "typed_at_ms", \.typedAtMilliseconds),
    .int64(10, "ended_at_ms", \.endedAtMilliseconds), .string(11, "paper", \.paper),
    .string(12, "reason", \.reason), .string(13, "display_name", \.displayName))
}

/// Stores the sums of a part of a card.
public struct SetTypedTotalRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The number of a distance, from 1; 0: the whole round, where the qualification has one round.
  public var part: UInt32 = 0
  /// The sums; its arrow count is not read.
  public var sums: PartSums?
  /// When it was shot; 0: now; not more than 5 minutes ahead.
  public var shotAtMilliseconds: Int64 = 0
  /// Which paper it is from; at most 200 characters.
  public var paper = ""
  /// The total that is corrected; 0: there is none yet.
  public var replacesID: Int64 = 0
  /// Of a correction: 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetTypedTotalRequest",
    .int64(1, "participant_id", \.participantID), .uint32(2, "part", \.part),
    .message(3, "sums", \.sums), .int64(4, "shot_at_ms", \.shotAtMilliseconds),
    .string(5, "paper", \.paper), .int64(6, "replaces_id", \.replacesID),
    .string(7, "reason", \.reason))
}

/// Requests typed totals.
public struct ListTypedTotalsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of a participant; 0: of all.
  public var participantID: Int64 = 0
  /// Also those that were corrected or removed.
  public var withEnded = false
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the previous page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTypedTotalsRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "participant_id", \.participantID),
    .bool(3, "with_ended", \.withEnded), .uint32(4, "page_size", \.pageSize),
    .string(5, "page_token", \.pageToken))
}

/// A page of typed totals.
public struct ListTypedTotalsResponse: Message {
  /// By id.
  public var totals: [TypedTotal] = []
  /// Empty: this is the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListTypedTotalsResponse",
    .messages(1, "totals", \.totals), .string(2, "next_page_token", \.nextPageToken))
}

/// Removes a typed total.
public struct RemoveTypedTotalRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The id of the typed total.
  public var id: Int64 = 0
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveTypedTotalRequest",
    .int64(1, "participant_id", \.participantID), .int64(2, "id", \.id),
    .string(3, "reason", \.reason))
}

/// The reply.
public struct RemoveTypedTotalResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.RemoveTypedTotalResponse")
}
