public import QuiverProtobuf

/// Requests what the server does now.
public struct GetServerStatusRequest: Message {
  /// Whether the counts of methods are requested too.
  public var withMethods = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetServerStatusRequest", .bool(1, "with_methods", \.withMethods))
}

/// What the server does now, and what it has done since it started. Rates are differences between
/// two of them.
public struct ServerStatus: Message {
  /// The time of the server, in milliseconds since 1970-01-01 UTC.
  public var atMilliseconds: Int64 = 0
  /// The time when the server started, in milliseconds since 1970-01-01 UTC.
  public var startedAtMilliseconds: Int64 = 0
  /// The name and the version of the program.
  public var software = ""
  /// Whether the server takes calls and can store.
  public var isServing = false
  /// Why it does not; empty if it does.
  public var reason = ""
  /// The number of open connections.
  public var openConnections: UInt32 = 0
  /// The number of connections that were accepted.
  public var acceptedConnections: UInt64 = 0
  /// The number of connections that were closed without an answer, because no descriptor was left.
  public var droppedConnections: UInt64 = 0
  /// The number of calls that have not ended.
  public var openCalls: UInt32 = 0
  /// The number of open watches.
  public var watches: UInt32 = 0
  /// Bytes of messages that were received and not taken.
  public var heldInputBytes: Int64 = 0
  /// Bytes of messages that wait to be sent.
  public var heldOutputBytes: Int64 = 0
  /// The limit of held bytes.
  public var heldBytesLimit: Int64 = 0
  /// The number of commands that wait for the writer.
  public var queuedCommands: UInt32 = 0
  /// The number of reads that wait for a thread.
  public var waitingReads: UInt32 = 0
  /// Bytes of the write-ahead log that are not in the database yet.
  public var walBytes: Int64 = 0
  /// The number of commands that had their effect.
  public var committedCommands: UInt64 = 0
  /// The number of commands that were answered from a stored reply.
  public var replayedCommands: UInt64 = 0
  /// The number of commands that were refused.
  public var refusedCommands: UInt64 = 0
  /// Batches of commands, with their fsync.
  public var commits: Timing?
  /// Reads on threads for reads.
  public var reads: Timing?
  /// Memory of the process in RAM, in bytes.
  public var residentBytes: Int64 = 0
  /// Processor time of the process, in nanoseconds.
  public var cpuNanoseconds: Int64 = 0
  /// The time when the newest verified backup of the schedule began, in milliseconds since
  /// 1970-01-01 UTC; nil: there is none.
  public var newestBackupAtMilliseconds: Int64?
  /// The time between scheduled backups, in milliseconds; 0: none are scheduled.
  public var backupIntervalMilliseconds: Int64 = 0
  /// The number of long works that run.
  public var longWork: UInt32 = 0
  /// The methods that were called, if they were requested.
  public var methods: [MethodStatus] = []
  /// The upper bounds of the buckets of each ``Timing``, in nanoseconds; the last bucket has none.
  public var bucketBoundsNanoseconds: [UInt64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ServerStatus", .int64(1, "at_ms", \.atMilliseconds),
    .int64(2, "started_at_ms", \.startedAtMilliseconds), .string(3, "software", \.software),
    .bool(4, "serving", \.isServing), .string(5, "reason", \.reason),
    .uint32(6, "open_connections", \.openConnections),
    .uint64(7, "accepted_connections", \.acceptedConnections),
    .uint64(8, "dropped_connections", \.droppedConnections),
    .uint32(9, "open_calls", \.openCalls), .uint32(10, "watches", \.watches),
    .int64(11, "held_input_bytes", \.heldInputBytes),
    .int64(12, "held_output_bytes", \.heldOutputBytes),
    .int64(13, "held_bytes_limit", \.heldBytesLimit),
    .uint32(14, "queued_commands", \.queuedCommands),
    .uint32(15, "waiting_reads", \.waitingReads), .int64(16, "wal_bytes", \.walBytes),
    .uint64(17, "committed_commands", \.committedCommands),
    .uint64(18, "replayed_commands", \.replayedCommands),
    .uint64(19, "refused_commands", \.refusedCommands), .message(20, "commits", \.commits),
    .message(21, "reads", \.reads), .int64(22, "resident_bytes", \.residentBytes),
    .int64(23, "cpu_ns", \.cpuNanoseconds),
    .optionalInt64(24, "newest_backup_at_ms", \.newestBackupAtMilliseconds),
    .int64(25, "backup_interval_ms", \.backupIntervalMilliseconds),
    .uint32(26, "long_work", \.longWork), .messages(27, "methods", \.methods),
    .uint64s(28, "bucket_bounds_ns", \.bucketBoundsNanoseconds))
}

/// The calls of a method.
public struct MethodStatus: Message {
  /// The full name of the method, for example `quiver.v1.Account/WhoAmI`.
  public var method = ""
  /// The number of calls that have ended.
  public var handled: UInt64 = 0
  /// Of these the number that ended with another code than OK.
  public var failed: UInt64 = 0
  /// From the arrival of a call to its end.
  public var time: Timing?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MethodStatus", .string(1, "method", \.method), .uint64(2, "handled", \.handled),
    .uint64(3, "failed", \.failed), .message(4, "time", \.time))
}

/// How often something was done, and how long it took.
public struct Timing: Message {
  /// How often it was done.
  public var count: UInt64 = 0
  /// The sum of the times, in nanoseconds.
  public var totalNanoseconds: UInt64 = 0
  /// How often it took as long as each bucket says; see
  /// ``ServerStatus/bucketBoundsNanoseconds``.
  public var buckets: [UInt64] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Timing", .uint64(1, "count", \.count), .uint64(2, "total_ns", \.totalNanoseconds),
    .uint64s(3, "buckets", \.buckets))
}
