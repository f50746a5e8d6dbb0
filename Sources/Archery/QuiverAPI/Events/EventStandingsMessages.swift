public import QuiverProtobuf

/// Requests a page of the standings of a part of an event.
public struct GetCategoryStandingsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category; 0: all.
  public var categoryID: Int64 = 0
  /// The id of the session; 0: all.
  public var sessionID: Int64 = 0
  /// The club; empty: all.
  public var club = ""
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500; 0: 50;
  /// above 500: 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same other fields; from the previous page; valid only with the same other fields.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetCategoryStandingsRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .int64(3, "session_id", \.sessionID), .string(4, "club", \.club),
    .uint32(5, "page_size", \.pageSize), .string(6, "page_token", \.pageToken))
}

/// Ranked rows by rank, then by id; then those who withdrew or did not start, then disqualified
/// ones.
public struct GetCategoryStandingsResponse: Message {
  /// The rows.
  public var rows: [CategoryStandingsRow] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The policy; of the category; without one that of the event.
  public var policy: TiePolicyInfo?
  /// Whether ranks can still change; the event is not finalised.
  public var provisional = false
  /// The row count; of all pages.
  public var rowCount: UInt32 = 0
  /// The number of ranked entries that have not shot all arrows and have not stopped; of all pages.
  public var shootingCount: UInt32 = 0
  /// The number of ranked entries whose card archer and scorer have not confirmed; of all pages.
  public var unconfirmedCount: UInt32 = 0
  /// Of a finalised event: what is not finished of its qualification; empty: nothing.
  public var openSteps: [EventStep] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetCategoryStandingsResponse",
    .messages(1, "rows", \.rows), .string(2, "next_page_token", \.nextPageToken),
    .message(3, "policy", \.policy), .bool(4, "provisional", \.provisional),
    .uint32(5, "row_count", \.rowCount), .uint32(6, "shooting_count", \.shootingCount),
    .uint32(7, "unconfirmed_count", \.unconfirmedCount),
    .messages(8, "open_steps", \.openSteps))
}

/// A row with its entry.
public struct CategoryStandingsRow: Message {
  /// The row; with the rank and the difference among these rows.
  public var row: LeaderboardRow?
  /// The entry.
  public var entry: EventEntry?
  /// What told the row apart from those with equal keys; unspecified: nothing did, so that equal
  /// rows share their rank.
  public var tieDecision = TieDecision.unspecified
  /// The name of the official who decided the tie.
  public var decidedBy = ""
  /// When the tie was decided, in milliseconds since 1970-01-01 UTC.
  public var decidedAtMilliseconds: Int64 = 0
  /// How far its card is checked; nil: there is one card, and nobody has confirmed it.
  public var card: CardSummary?
  /// What was shot in each round; empty if the category has one.
  public var rounds: [RoundTotal] = []
  /// The count that a paper of somebody with equal keys does not have, so that they share their
  /// rank; nil: all counts are known.
  public var missingKey: RankKey?
  /// What the archer shot in the shoot-off that decided the tie; nil: not known, or there was none.
  public var tieShots: TieShots?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CategoryStandingsRow",
    .message(1, "row", \.row), .message(2, "entry", \.entry),
    .enum(3, "tie_decision", \.tieDecision), .string(4, "decided_by", \.decidedBy),
    .int64(5, "decided_at_ms", \.decidedAtMilliseconds), .message(6, "card", \.card),
    .messages(7, "rounds", \.rounds), .message(8, "missing_key", \.missingKey),
    .message(9, "tie_shots", \.tieShots))
}

/// A step of the organiser's day. Replies have them in the order of the day.
public struct EventStepKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Entries.
  public static let entries = Self(rawValue: 1)
  /// Not needed for scores.
  public static let sessions = Self(rawValue: 2)
  /// Not needed for scores.
  public static let draw = Self(rawValue: 3)
  /// Not needed for scores.
  public static let checkIn = Self(rawValue: 4)
  /// Start.
  public static let start = Self(rawValue: 5)
  /// Qualification.
  public static let qualification = Self(rawValue: 6)
  /// Finalise.
  public static let finalise = Self(rawValue: 7)
  /// Rulings on the ends on which two cards differ.
  public static let disputes = Self(rawValue: 8)
  /// Not needed for scores.
  public static let cut = Self(rawValue: 9)
  /// Not needed for scores.
  public static let matches = Self(rawValue: 10)
  /// Decisions on operations that arrived after the event was finalised.
  public static let lateOperations = Self(rawValue: 11)
  /// Second cards of all who have shot, once an archer has one.
  public static let secondCards = Self(rawValue: 12)
  /// Confirmed cards of all who have shot, once archer or scorer have confirmed one.
  public static let confirmations = Self(rawValue: 13)
  /// Counts that papers lack, where archers share a rank for want of them.
  public static let typedCounts = Self(rawValue: 14)

  public static let schema = EnumSchema(
    "quiver.v1.EventStepKind",
    [
      (0, "EVENT_STEP_KIND_UNSPECIFIED"), (1, "EVENT_STEP_KIND_ENTRIES"),
      (2, "EVENT_STEP_KIND_SESSIONS"), (3, "EVENT_STEP_KIND_DRAW"), (4, "EVENT_STEP_KIND_CHECK_IN"),
      (5, "EVENT_STEP_KIND_START"), (6, "EVENT_STEP_KIND_QUALIFICATION"),
      (7, "EVENT_STEP_KIND_FINALISE"), (8, "EVENT_STEP_KIND_DISPUTES"),
      (9, "EVENT_STEP_KIND_CUT"), (10, "EVENT_STEP_KIND_MATCHES"),
      (11, "EVENT_STEP_KIND_LATE_OPERATIONS"), (12, "EVENT_STEP_KIND_SECOND_CARDS"),
      (13, "EVENT_STEP_KIND_CONFIRMATIONS"), (14, "EVENT_STEP_KIND_TYPED_COUNTS"),
    ])
}

/// A step of the organiser's day, and whether it is done.
public struct EventStep: Message {
  /// The kind.
  public var kind = EventStepKind.unspecified
  /// Whether it is done.
  public var done = false
  /// What is missing; a sentence in English; empty: done.
  public var missing = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventStep",
    .enum(1, "kind", \.kind), .bool(2, "done", \.done), .string(3, "missing", \.missing))
}

/// What is missing before an event is started or finalised: the detail of an error.
public struct OpenEventSteps: Message {
  /// The steps; none of them is done.
  public var steps: [EventStep] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.OpenEventSteps", .messages(1, "steps", \.steps))
}

/// Requests the steps of the organiser's day.
public struct GetEventProgressRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetEventProgressRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// The steps of the organiser's day.
public struct GetEventProgressResponse: Message {
  /// The steps; in their order.
  public var steps: [EventStep] = []
  /// The pauses of the shooting, newest first; at most 200.
  public var pauses: [ShootingPause] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetEventProgressResponse",
    .messages(1, "steps", \.steps), .messages(2, "pauses", \.pauses))
}
