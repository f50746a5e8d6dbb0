public import QuiverProtobuf

/// Requests a copy of the whole database.
public struct BackupRequest: Message {
  /// The absolute path of a new file on the server; an existing file is ALREADY_EXISTS.
  public var file = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BackupRequest", .string(1, "file", \.file))
}

/// The complete and verified copy on the server.
public struct BackupResponse: Message {
  /// The absolute path of the copy.
  public var file = ""
  /// The size of the copy in bytes.
  public var byteCount: Int64 = 0
  /// The SHA-256 of the copy, 32 bytes.
  public var sha256: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BackupResponse", .string(1, "file", \.file),
    .int64(2, "byte_count", \.byteCount), .bytes(3, "sha256", \.sha256))
}

/// Requests the scheduled backups.
public struct ListBackupsRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ListBackupsRequest")
}

/// The scheduled backups of a server, and its schedule.
public struct ListBackupsResponse: Message {
  /// The backups, newest first; at most 1,000.
  public var backups: [StoredBackup] = []
  /// The absolute path of their directory on the server.
  public var directory = ""
  /// The time from the start of one backup to the start of the next, in milliseconds.
  public var intervalMilliseconds: Int64 = 0
  /// How many backups are kept.
  public var keptCount: UInt32 = 0
  /// How long a backup is kept, in milliseconds. The newest verified one is always kept.
  public var keptMilliseconds: Int64 = 0
  /// The time when the next backup is due, in milliseconds since 1970-01-01 UTC; in the past if it
  /// is late.
  public var nextAtMilliseconds: Int64 = 0
  /// Whether a scheduled backup is being made.
  public var isRunning = false
  /// How many backups were made since the server started.
  public var madeCount: UInt64 = 0
  /// How many attempts failed since the server started.
  public var failedCount: UInt64 = 0
  /// Why the latest attempt failed; empty if it did not.
  public var failure = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListBackupsResponse", .messages(1, "backups", \.backups),
    .string(2, "directory", \.directory), .int64(3, "interval_ms", \.intervalMilliseconds),
    .uint32(4, "kept_count", \.keptCount), .int64(5, "kept_ms", \.keptMilliseconds),
    .int64(6, "next_at_ms", \.nextAtMilliseconds), .bool(7, "running", \.isRunning),
    .uint64(8, "made_count", \.madeCount), .uint64(9, "failed_count", \.failedCount),
    .string(10, "failure", \.failure))
}

/// A backup that a server made by its schedule.
public struct StoredBackup: Message {
  /// The absolute path on the server.
  public var file = ""
  /// The time when it began, to the second, in milliseconds since 1970-01-01 UTC.
  public var madeAtMilliseconds: Int64 = 0
  /// The size in bytes.
  public var byteCount: Int64 = 0
  /// The SHA-256, 32 bytes; empty: the backup was not verified.
  public var sha256: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StoredBackup", .string(1, "file", \.file),
    .int64(2, "made_at_ms", \.madeAtMilliseconds), .int64(3, "byte_count", \.byteCount),
    .bytes(4, "sha256", \.sha256))
}
