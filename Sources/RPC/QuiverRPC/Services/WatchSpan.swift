public import QuiverProtobuf

/// The changes that a message of a watch covers: those above ``after``, up to ``upto``.
///
/// A watch begins with a snapshot in one or more messages, and continues with changes. An app that
/// uses `RPCClient.watch` need not read it: the client resumes by it.
public struct WatchSpan: Message {
  /// The position of the last change before those that the message covers; 0 in a snapshot.
  public var after: Int64 = 0
  /// The position of the last change that the message covers, from 1.
  public var upto: Int64 = 0
  /// The random number of the server's database, which changes when the database is created or
  /// restored.
  public var storeEpoch: UInt64 = 0
  /// Whether the message is a part of a snapshot.
  public var isSnapshot = false
  /// Whether more parts of the snapshot follow.
  public var isIncomplete = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.WatchSpan", .int64(1, "after", \.after), .int64(2, "upto", \.upto),
    .fixed64(3, "store_epoch", \.storeEpoch), .bool(4, "snapshot", \.isSnapshot),
    .bool(5, "incomplete", \.isIncomplete))
}

/// A message of a watch.
public protocol WatchMessage: Message {
  /// The changes that the message covers; a server always sets it.
  var span: WatchSpan? { get set }
}
