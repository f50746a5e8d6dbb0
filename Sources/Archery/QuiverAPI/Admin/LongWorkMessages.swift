public import QuiverProtobuf

/// Requests the long work that runs now.
public struct ListLongWorkRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ListLongWorkRequest")
}

/// The long work that runs now.
public struct ListLongWorkResponse: Message {
  /// The work, oldest first.
  public var work: [LongWork] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListLongWorkResponse", .messages(1, "work", \.work))
}

/// The kind of work that takes long.
public struct LongWorkKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A backup, by the schedule or by an administrator.
  public static let backup = Self(rawValue: 1)
  /// A verification of the stored data.
  public static let verification = Self(rawValue: 2)
  /// An import of weights or of sets.
  public static let dataImport = Self(rawValue: 3)
  /// One page of an export.
  public static let export = Self(rawValue: 4)
  /// The erasure of a deleted account.
  public static let erasure = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.LongWorkKind",
    [
      (0, "LONG_WORK_KIND_UNSPECIFIED"), (1, "LONG_WORK_KIND_BACKUP"),
      (2, "LONG_WORK_KIND_VERIFICATION"), (3, "LONG_WORK_KIND_IMPORT"),
      (4, "LONG_WORK_KIND_EXPORT"), (5, "LONG_WORK_KIND_ERASURE"),
    ])
}

/// Work that runs now.
public struct LongWork: Message {
  /// The number of the work, counted from the start of the server.
  public var id: UInt64 = 0
  /// The kind of the work.
  public var kind = LongWorkKind.unspecified
  /// The id of the principal for whom it runs; 0: for the server.
  public var principalID: Int64 = 0
  /// The time when it began, in milliseconds since 1970-01-01 UTC.
  public var beganAtMilliseconds: Int64 = 0
  /// What is done: of a backup pages, of an import bytes.
  public var done: Int64 = 0
  /// All that is to be done; 0: not known.
  public var total: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LongWork", .uint64(1, "id", \.id), .enum(2, "kind", \.kind),
    .int64(3, "principal_id", \.principalID), .int64(4, "began_at_ms", \.beganAtMilliseconds),
    .int64(5, "done", \.done), .int64(6, "total", \.total))
}
