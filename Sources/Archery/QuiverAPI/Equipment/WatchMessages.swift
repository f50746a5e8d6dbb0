public import QuiverProtobuf
public import QuiverRPC

/// Requests the hub, and the hub again whenever it may have changed.
public struct WatchHubRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.WatchHubRequest")
}

/// The current hub.
public struct WatchHubResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// The counts of items and setups.
  public var hub: GetHubResponse?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchHubResponse", .message(1, "span", \.span), .message(2, "hub", \.hub))
}

/// Requests a list of equipment and its changes.
public struct WatchItemsRequest: Message {
  /// Only items of this type; unspecified: of all types.
  public var type = EquipmentType.unspecified
  /// Whether archived items are included.
  public var includeArchived = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchItemsRequest", .enum(1, "type", \.type),
    .bool(2, "include_archived", \.includeArchived))
}

/// A part of a watched list, or its changes.
public struct WatchItemsResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// New or changed ones in their current state; at most 500 in a message.
  public var changed: [EquipmentItem] = []
  /// The ids of those that are no longer in the list.
  public var removedIDs: [Int64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchItemsResponse", .message(1, "span", \.span),
    .messages(2, "changed", \.changed), .int64s(3, "removed_ids", \.removedIDs))
}

/// Requests a list of bow setups and its changes.
public struct WatchBowSetupsRequest: Message {
  /// Whether inactive setups are included.
  public var includeInactive = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchBowSetupsRequest", .bool(1, "include_inactive", \.includeInactive))
}

/// A part of a watched list, or its changes.
public struct WatchBowSetupsResponse: WatchMessage {
  /// The change positions that the message covers.
  public var span: WatchSpan?
  /// New or changed ones in their current state; at most 500 in a message.
  public var changed: [BowSetupItem] = []
  /// The ids of those that are no longer in the list.
  public var removedIDs: [Int64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchBowSetupsResponse", .message(1, "span", \.span),
    .messages(2, "changed", \.changed), .int64s(3, "removed_ids", \.removedIDs))
}
