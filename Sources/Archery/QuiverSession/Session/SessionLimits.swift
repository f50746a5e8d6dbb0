/// What a session keeps and how patient it is.
public struct SessionLimits: Sendable {
  /// Changes that wait to be sent.
  public var maxOutboxRows: Int64 = 10_000
  /// Objects in the local file.
  public var maxCachedObjects: Int64 = 100_000
  /// Objects that one load of a list fetches whole, so that they can be edited off line.
  public var maxFetchedObjects = 2_000
  /// Events and sessions of rounds in the local file; the oldest of which nothing waits goes.
  public var maxEvents: Int64 = 100
  /// Participants of one event that this device keeps. Of a larger event it keeps those that this
  /// user may score, and that many at most.
  public var maxParticipants = 2_000
  /// Entries of one event that can be undone.
  public var maxUndoSteps: Int64 = 500
  /// Operations of scoring in one call.
  public var maxBatchedOperations = 500
  /// The wait after the first transient failure; each further one doubles it.
  public var firstRetryDelay: Duration = .milliseconds(500)
  /// The longest wait of the session's own.
  public var longestRetryDelay: Duration = .seconds(60)
  /// The longest wait that a server may ask for.
  public var longestPushBack: Duration = .seconds(600)
  /// How often a session that is in step looks whether the server is there.
  public var idleInterval: Duration = .seconds(60)
  /// How long one call may take.
  public var callTimeout: Duration = .seconds(30)

  public init() {}
}
