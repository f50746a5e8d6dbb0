/// What one attempt to come into step with the server came to.
public struct SyncReport: Sendable, Equatable {
  /// Changes that the server has taken.
  public var sentCount = 0
  /// Changes that it refused for good.
  public var refusedCount = 0
  /// Changes of what somebody else had changed meanwhile.
  public var conflictCount = 0
  /// Operations of scoring that wait for what they build upon, or for the start of their event.
  public var notYetCount = 0
  /// Why it ended before all was sent; nil: nothing is left that could be sent.
  public var error: SessionError?
  /// How long the server asked to be left alone.
  public var pushBack: Duration?
  /// Whether items or setups were among what was sent.
  var hasChangedObjects = false

  public init() {}
}
