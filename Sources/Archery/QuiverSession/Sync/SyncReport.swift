/// The result of one sync cycle.
public struct SyncReport: Sendable, Equatable {
  /// Changes that the server accepted.
  public var sentCount = 0
  /// Changes that the server refused permanently.
  public var refusedCount = 0
  /// Changes of objects that somebody else changed in the meantime.
  public var conflictCount = 0
  /// Scoring operations that wait for another operation, or for the start of their event.
  public var notYetCount = 0
  /// Why it ended before everything was sent; nil if everything was sent.
  public var error: SessionError?
  /// The push-back that the server requested.
  public var pushBack: Duration?
  /// Whether items or setups were sent.
  var hasChangedObjects = false

  public init() {}
}
