public import QuiverProtobuf
public import QuiverRPC

/// Watches a match.
public struct WatchMatchRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the match.
  public var matchID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchMatchRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "match_id", \.matchID))
}

/// A match after a change.
public struct WatchMatchResponse: WatchMessage {
  /// The span.
  public var span: WatchSpan?
  /// The match with its two cards.
  public var match: EliminationMatch?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchMatchResponse",
    .message(1, "span", \.span), .message(2, "match", \.match))
}
