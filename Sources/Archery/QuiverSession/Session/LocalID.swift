/// The id of an object, an event or a participant in the local file, each with its own numbers. It
/// exists before the server's id and does not change.
public struct LocalID: RawRepresentable, Sendable, Hashable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Whether the server has the displayed state.
public enum SyncMark: Int64, Sendable, Hashable {
  case synced = 0
  /// A change is pending.
  case waiting = 1
  /// The server refused a change; the user decides.
  case refused = 2
  /// Somebody else changed it in the meantime; the user decides.
  case conflict = 3
  /// The server stored it for the organiser, because the event is finalised.
  case late = 4
}
