/// The limits of the data on a device, and the delays between attempts.
public struct SessionLimits: Sendable {
  /// The largest number of changes that wait to be sent.
  public var maxOutboxRows: Int64 = 10_000
  /// How long changes of events are kept behind the server's answer. They are sent again if the
  /// server's database was set back to an earlier time and lacks them.
  public var acknowledgedTime: Duration = .seconds(604_800)
  /// The largest number of such changes. The oldest ones are removed.
  public var maxAcknowledgedRows: Int64 = 20_000
  /// The largest number of objects in the local file.
  public var maxCachedObjects: Int64 = 100_000
  /// The largest number of objects that one load of a list fetches completely, so that they can be
  /// edited offline.
  public var maxFetchedObjects = 2_000
  /// The largest number of events in the local file. The oldest one without waiting changes is
  /// removed.
  public var maxEvents: Int64 = 100
  /// The largest number of matches in the local file. Those without waiting changes that the server
  /// sent longest ago are removed.
  public var maxMatches: Int64 = 1_000
  /// The largest number of joined targets in the local file. Those that were joined longest ago are
  /// removed.
  public var maxTargets: Int64 = 100
  /// The largest number of second cards in the local file. Those without waiting changes that the
  /// server sent longest ago are removed.
  public var maxSecondCards: Int64 = 1_000
  /// The largest number of standings, brackets and lists of disputes in the local file. Those that
  /// the server sent longest ago are removed.
  public var maxEventAnswers: Int64 = 200
  /// The largest number of changes by an organiser whose replies are missing, of which the same
  /// change is known again. The oldest ones are removed.
  public var maxOpenCalls: Int64 = 100
  /// The largest paper of an event, in bytes. It is in memory while a model shows it.
  public var maxPaperBytes = 67_108_864
  /// The largest number of participants of one event on this device. Of a larger event it has only
  /// those whom this user may score.
  public var maxParticipants = 2_000
  /// The largest number of entries of one event that can be undone.
  public var maxUndoSteps: Int64 = 500
  /// The largest number of scoring operations in one call.
  public var maxBatchedOperations = 500
  /// The delay after the first transient failure; each further failure doubles it.
  public var firstRetryDelay: Duration = .milliseconds(500)
  /// The longest delay without a request of the server.
  public var longestRetryDelay: Duration = .seconds(60)
  /// The longest delay that a server may request.
  public var longestPushBack: Duration = .seconds(600)
  /// The interval at which a session without waiting changes checks the connection.
  public var idleInterval: Duration = .seconds(60)
  /// The shortest time between two renewals of a lease on a target.
  public var shortestLeaseInterval: Duration = .seconds(60)
  /// The longest time between two renewals of a lease on a target.
  public var longestLeaseInterval: Duration = .seconds(7_200)
  /// The timeout of one call.
  public var callTimeout: Duration = .seconds(30)

  public init() {}
}
