public import QuiverProtobuf
public import QuiverRPC

/// Asks for all weight entries, then for their changes.
public struct WatchWeightsRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchWeightsRequest")
}

/// A part of the entries, or what has changed among them.
public struct WatchWeightsResponse: WatchMessage {
  public var span: WatchSpan?
  public var changed: [WeightEntry] = []
  /// Deleted, or gone for good.
  public var removedIDs: [Int64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchWeightsResponse",
    .message(1, "span", \.span),
    .messages(2, "changed", \.changed),
    .int64s(3, "removed_ids", \.removedIDs))
}
