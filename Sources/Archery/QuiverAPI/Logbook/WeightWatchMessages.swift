public import QuiverProtobuf
public import QuiverRPC

/// Requests all weight entries, then their changes.
public struct WatchWeightsRequest: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchWeightsRequest")
}

/// A part of the entries, or their changes.
public struct WatchWeightsResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// New or changed entries in their current state.
  public var changed: [WeightEntry] = []
  /// The ids of entries that were deleted, permanently or not.
  public var removedIDs: [Int64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchWeightsResponse",
    .message(1, "span", \.span),
    .messages(2, "changed", \.changed),
    .int64s(3, "removed_ids", \.removedIDs))
}
