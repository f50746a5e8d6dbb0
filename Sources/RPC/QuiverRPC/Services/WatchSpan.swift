public import QuiverProtobuf

/// Which commits a message of a watch covers: those above ``after``, up to ``upto``.
public struct WatchSpan: Message {
  /// 0 in a snapshot.
  public var after: Int64 = 0
  /// From 1.
  public var upto: Int64 = 0
  /// New whenever the store is created or restored.
  public var storeEpoch: UInt64 = 0
  /// The message is a part of the state as a whole.
  public var isSnapshot = false
  /// More parts of the snapshot follow.
  public var isIncomplete = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchSpan", .int64(1, "after", \.after), .int64(2, "upto", \.upto),
    .fixed64(3, "store_epoch", \.storeEpoch), .bool(4, "snapshot", \.isSnapshot),
    .bool(5, "incomplete", \.isIncomplete))
}

/// A message of a watch.
public protocol WatchMessage: Message {
  /// Which commits it covers; always there in what a server sends.
  var span: WatchSpan? { get set }
}
