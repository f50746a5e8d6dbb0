public import QuiverProtobuf
public import QuiverRPC

/// Requests a watch of the targets that the caller leases.
public struct WatchTargetsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTargetsRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// What has changed at the targets that the caller leases.
public struct WatchTargetsResponse: WatchMessage {
  /// The span.
  public var span: WatchSpan?
  /// Absent: unchanged.
  public var event: WatchedEvent?
  /// Changed ones, each as a whole.
  public var targets: [WatchedTarget] = []
  /// New ones, newest first; in a snapshot all kept ones.
  public var notices: [EventNotice] = []
  /// Of these targets; in a snapshot those that are open.
  public var calls: [TargetCall] = []
  /// The targets are all that the caller leases now: others are not its targets any more.
  public var allTargets = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchTargetsResponse",
    .message(1, "span", \.span), .message(2, "event", \.event), .messages(3, "targets", \.targets),
    .messages(4, "notices", \.notices), .messages(5, "calls", \.calls),
    .bool(6, "all_targets", \.allTargets))
}

/// The state of an event.
public struct WatchedEvent: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The name.
  public var name = ""
  /// The state.
  public var status = TournamentStatus.unspecified
  /// Operations are NOT_YET.
  public var paused = false
  /// Absent: there is none now.
  public var shootingPause: ShootingPause?
  /// Whether the event demands leases.
  public var leasesDemanded = false
  /// Who must agree to the correction of an arrow in an end that has all its arrows.
  public var correctionConsent = CorrectionConsent.unspecified
  /// Whether the holder of a lease types sums on paper.
  public var scorersTypePapers = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchedEvent",
    .int64(1, "tournament_id", \.tournamentID), .string(2, "name", \.name),
    .enum(3, "status", \.status), .bool(4, "paused", \.paused),
    .message(5, "shooting_pause", \.shootingPause), .bool(6, "leases_demanded", \.leasesDemanded),
    .enum(7, "correction_consent", \.correctionConsent),
    .bool(8, "scorers_type_papers", \.scorersTypePapers))
}

/// A target that the caller leases.
public struct WatchedTarget: Message {
  /// Without entries.
  public var lease: TargetLease?
  /// Absent: the target of matches.
  public var session: EventSession?
  /// By letter; all of the target.
  public var entries: [WatchedEntry] = []
  /// Placed there and not confirmed, with their cards.
  public var matches: [EliminationMatch] = []
  /// By how many ends all of its archers are ahead of more than half of the other targets of the
  /// session that shoot the same round, where each of its archers has as many arrows; 0: by none.
  public var endsAhead: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchedTarget",
    .message(1, "lease", \.lease), .message(3, "session", \.session),
    .messages(4, "entries", \.entries), .messages(5, "matches", \.matches),
    .uint32(6, "ends_ahead", \.endsAhead))
}

/// Who shoots at a target.
public struct WatchedEntry: Message {
  /// With its place in this session, without its licence.
  public var entry: EventEntry?
  /// Of all rounds of its card.
  public var format: RoundFormat?
  /// That is shot in this session.
  public var round: QualificationRound?
  /// The sums of its arrows.
  public var score: Score?
  /// Of a lease on the first card: the slots of the round, in their order.
  public var arrows: [ScoredArrow] = []
  /// Both cards of the round, end by end: the other card's arrows only where both have the end.
  public var ends: [ComparedEnd] = []
  /// Absent: there is one card, and nobody has confirmed it.
  public var card: CardSummary?
  /// What ConfirmScoreCard needs.
  public var cardRevision: UInt64 = 0
  /// Whether the caller may score.
  public var mayScore = false
  /// The handicap of the score by the tables of Archery GB, of a lease on the first card once all
  /// arrows of the card are shot; nil: the round has none, or the score is 0.
  public var handicap: Int32?
  /// The code of the class of the score; empty: none, or the archer's category is not known.
  public var classCode = ""
  /// The name of that class.
  public var className = ""
  /// The arrows of the round that the archer owes, by their ends.
  public var owed: [OwedArrows] = []
  /// The parts of the round by their numbers; of a lease on the second card without sums.
  public var parts: [CardPart] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchedEntry",
    .message(1, "entry", \.entry), .message(2, "format", \.format), .message(3, "round", \.round),
    .message(4, "score", \.score), .messages(5, "arrows", \.arrows), .messages(6, "ends", \.ends),
    .message(7, "card", \.card), .uint64(8, "card_revision", \.cardRevision),
    .bool(9, "may_score", \.mayScore), .optionalSint32(10, "handicap", \.handicap),
    .string(11, "class_code", \.classCode), .string(12, "class_name", \.className),
    .messages(13, "owed", \.owed), .messages(14, "parts", \.parts))
}
