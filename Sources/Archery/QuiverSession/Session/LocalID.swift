/// An object, an event or a participant in the local file, each numbered for itself, also before
/// the server knows it; it stays the same afterwards.
public struct LocalID: RawRepresentable, Sendable, Hashable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Whether the server has what is shown.
public enum SyncMark: Int64, Sendable, Hashable {
  case synced = 0
  /// A change waits to be sent or answered.
  case waiting = 1
  /// The server refused a change; its owner decides.
  case refused = 2
  /// Somebody else has changed it meanwhile; its owner decides.
  case conflict = 3
  /// The server keeps it for the organiser, since the event was finalised.
  case late = 4
}
