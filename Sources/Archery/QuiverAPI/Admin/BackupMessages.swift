public import QuiverProtobuf

/// Asks for a copy of the whole database.
public struct BackupRequest: Message {
  /// An absolute path on the server.
  public var file = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BackupRequest", .string(1, "file", \.file))
}

/// The copy, on the server's disk and checked.
public struct BackupResponse: Message {
  public var file = ""
  public var byteCount: Int64 = 0
  public var sha256: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BackupResponse", .string(1, "file", \.file),
    .int64(2, "byte_count", \.byteCount), .bytes(3, "sha256", \.sha256))
}
