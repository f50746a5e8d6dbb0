public import QuiverProtobuf
public import QuiverRPC

/// Asks for the hub, and for it again whenever it may have changed.
public struct WatchHubRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.WatchHubRequest")
}

/// The hub as it is.
public struct WatchHubResponse: WatchMessage {
  public var span: WatchSpan?
  public var hub: GetHubResponse?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchHubResponse", .message(1, "span", \.span), .message(2, "hub", \.hub))
}

/// Asks for a list of equipment and for what changes in it.
public struct WatchItemsRequest: Message {
  /// Unspecified: all types.
  public var type = EquipmentType.unspecified
  public var includeArchived = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchItemsRequest", .enum(1, "type", \.type),
    .bool(2, "include_archived", \.includeArchived))
}

/// Items of a watched list.
public struct WatchItemsResponse: WatchMessage {
  public var span: WatchSpan?
  /// New, or as they are now; at most 500.
  public var changed: [EquipmentItem] = []
  /// No longer in the list.
  public var removedIDs: [Int64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchItemsResponse", .message(1, "span", \.span),
    .messages(2, "changed", \.changed), .int64s(3, "removed_ids", \.removedIDs))
}

/// Asks for a list of bow setups and for what changes in it.
public struct WatchBowSetupsRequest: Message {
  public var includeInactive = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchBowSetupsRequest", .bool(1, "include_inactive", \.includeInactive))
}

/// Setups of a watched list.
public struct WatchBowSetupsResponse: WatchMessage {
  public var span: WatchSpan?
  /// New, or as they are now; at most 500.
  public var changed: [BowSetupItem] = []
  /// No longer in the list.
  public var removedIDs: [Int64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchBowSetupsResponse", .message(1, "span", \.span),
    .messages(2, "changed", \.changed), .int64s(3, "removed_ids", \.removedIDs))
}
