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
