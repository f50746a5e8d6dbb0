public import QuiverProtobuf

/// Makes a user the organiser of an event whose organiser was disabled or deleted.
public struct TransferTournamentRequest: Message {
  /// The id of the event.
  public var tournamentID: Int64 = 0
  /// The id of the user who becomes its organiser.
  public var organiserID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TransferTournamentRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "organiser_id", \.organiserID))
}

/// An event with its organiser.
public struct TransferTournamentResponse: Message {
  /// The id of the event.
  public var tournamentID: Int64 = 0
  /// The id of its organiser.
  public var organiserID: Int64 = 0
  /// The id of its organiser before.
  public var previousOrganiserID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.TransferTournamentResponse", .int64(1, "tournament_id", \.tournamentID),
    .int64(2, "organiser_id", \.organiserID),
    .int64(3, "previous_organiser_id", \.previousOrganiserID))
}
