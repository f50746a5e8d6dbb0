public import QuiverProtobuf

/// Asks what the caller stores.
public struct GetUsageRequest: Message {
  /// Creates an empty request.
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.GetUsageRequest")
}

/// What a principal stores, and its limits; a limit of 0 is none.
public struct Usage: Message {
  /// About how many bytes are stored, kept replies included.
  public var storedBytes: Int64 = 0
  /// How many bytes may be stored.
  public var storedBytesLimit: Int64 = 0
  /// How many rows are stored.
  public var storedRows: Int64 = 0
  /// How many rows may be stored.
  public var storedRowsLimit: Int64 = 0
  /// How many bytes may be written in a minute; as many may come at once.
  public var storedBytesPerMinuteLimit: Int64 = 0
  /// How many idempotency keys are stored, each for 24 hours.
  public var idempotencyKeys: Int64 = 0
  /// How many idempotency keys may be stored.
  public var idempotencyKeysLimit: Int64 = 0
  /// The bytes of the keys and of the replies that are kept under them.
  public var idempotencyKeyBytes: Int64 = 0
  /// How many bytes of keys and replies may be stored.
  public var idempotencyKeyBytesLimit: Int64 = 0

  /// Creates a usage of zeros.
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.Usage", .int64(1, "stored_bytes", \.storedBytes),
    .int64(2, "stored_bytes_limit", \.storedBytesLimit),
    .int64(3, "stored_rows", \.storedRows), .int64(4, "stored_rows_limit", \.storedRowsLimit),
    .int64(5, "stored_bytes_per_minute_limit", \.storedBytesPerMinuteLimit),
    .int64(6, "idempotency_keys", \.idempotencyKeys),
    .int64(7, "idempotency_keys_limit", \.idempotencyKeysLimit),
    .int64(8, "idempotency_key_bytes", \.idempotencyKeyBytes),
    .int64(9, "idempotency_key_bytes_limit", \.idempotencyKeyBytesLimit))
}
