/// The number of an object, an event or a participant in the local file.
///
/// The device assigns it, before the server knows the object, and it never changes. Objects, events
/// and participants are numbered independently.
public struct LocalID: RawRepresentable, Sendable, Hashable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Whether the server has the state that is shown.
public enum SyncMark: Int64, Sendable, Hashable {
  /// The server has it.
  case synced = 0
  /// A change waits to be sent or answered.
  case waiting = 1
  /// The server refused a change; the user decides.
  case refused = 2
  /// The object was changed elsewhere meanwhile; the user decides.
  case conflict = 3
  /// The event was finalised before; the change waits for a decision of the organiser.
  case late = 4
}
