/// The limits and delays of a session.
public struct SessionLimits: Sendable {
  /// Pending changes.
  public var maxOutboxRows: Int64 = 10_000
  /// Objects in the local file.
  public var maxCachedObjects: Int64 = 100_000
  /// Objects that one load of a list fetches completely, so that they can be edited without a
  /// connection.
  public var maxFetchedObjects = 2_000
  /// Events and sessions of rounds in the local file; above it the oldest without pending changes
  /// is deleted.
  public var maxEvents: Int64 = 100
  /// Participants of one event on this device. Of a larger event it stores those that this user may
  /// score, at most this many.
  public var maxParticipants = 2_000
  /// Entries of one event that can be undone.
  public var maxUndoSteps: Int64 = 500
  /// Scoring operations in one call.
  public var maxBatchedOperations = 500
  /// The delay after the first transient failure; each further failure doubles it.
  public var firstRetryDelay: Duration = .milliseconds(500)
  /// The longest delay of the back-off.
  public var longestRetryDelay: Duration = .seconds(60)
  /// The longest push-back that is accepted from a server.
  public var longestPushBack: Duration = .seconds(600)
  /// The interval of checks while nothing is pending.
  public var idleInterval: Duration = .seconds(60)
  /// The timeout of one call.
  public var callTimeout: Duration = .seconds(30)

  public init() {}
}
