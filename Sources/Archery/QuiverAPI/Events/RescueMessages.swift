public import QuiverProtobuf

/// What a device has recorded and could not send, as it signs it.
public struct RescuedOperations: Message {
  /// The principal of the device: that of its lease.
  public var deviceID: Int64 = 0
  /// The device of all operations that name none; at most 200 characters.
  public var device = ""
  /// Of first cards.
  public var operations: [ScoringOperation] = []
  /// Of second cards.
  public var cardOperations: [CardOperation] = []
  /// Of matches.
  public var matchOperations: [MatchOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RescuedOperations",
    .int64(1, "device_id", \.deviceID), .string(2, "device", \.device),
    .messages(3, "operations", \.operations), .messages(4, "card_operations", \.cardOperations),
    .messages(5, "match_operations", \.matchOperations))
}

/// Delivers operations of a device that has no connection.
public struct DeliverOperationsRequest: Message {
  /// `qr_` and the base64url of the encoded ``RescuedOperations`` and their tag of 16 bytes; at
  /// most 32,768 characters.
  public var text = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeliverOperationsRequest", .string(1, "text", \.text))
}

/// What became of the operations, in their order.
public struct DeliverOperationsResponse: Message {
  /// The id of the tournament of the device.
  public var tournamentID: Int64 = 0
  /// The device as it named itself when it joined.
  public var device = ""
  /// Without what is stored at the places.
  public var verdicts: [OperationVerdict] = []
  /// The same.
  public var cardVerdicts: [CardOperationVerdict] = []
  /// The same.
  public var matchVerdicts: [MatchOperationVerdict] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeliverOperationsResponse",
    .int64(1, "tournament_id", \.tournamentID), .string(2, "device", \.device),
    .messages(3, "verdicts", \.verdicts), .messages(4, "card_verdicts", \.cardVerdicts),
    .messages(5, "match_verdicts", \.matchVerdicts))
}
