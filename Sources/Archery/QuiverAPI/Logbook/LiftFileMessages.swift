public import QuiverProtobuf

/// A part of a strength log in UTF-8: lines `MMM dd yyyy,Exercise,sets,reps,weight`, or without
/// `sets`. The first message has the options.
public struct ImportSetsRequest: Message {
  /// The options, only in the first message.
  public var options: ImportOptions?
  /// A part of the log, which may be split anywhere.
  public var chunk: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportSetsRequest",
    .message(1, "options", \.options),
    .bytes(2, "chunk", \.chunk))
}

/// The options of an import.
public struct ImportOptions: Message {
  /// The unit of the weights in the log; unspecified: pounds.
  public var unit = WeightUnit.unspecified
  /// What happens to the existing sets; unspecified: ``ImportMode/merge``.
  public var mode = ImportMode.unspecified
  /// Whether bad lines are skipped and reported. Otherwise one bad line rejects the whole log.
  public var lenient = false
  /// The size of the whole log in bytes, which the progress repeats; 0: unknown.
  public var byteCount: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportOptions",
    .enum(1, "unit", \.unit),
    .enum(2, "mode", \.mode),
    .bool(3, "lenient", \.lenient),
    .int64(4, "byte_count", \.byteCount))
}

/// What happens to the existing sets.
public struct ImportMode: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// They stay; the k-th identical line of a day is the k-th stored one.
  public static let merge = Self(rawValue: 1)
  /// All of them are deleted when the import is complete.
  public static let replace = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.ImportMode",
    [
      (0, "IMPORT_MODE_UNSPECIFIED"),
      (1, "IMPORT_MODE_MERGE"),
      (2, "IMPORT_MODE_REPLACE"),
    ])
}

/// The progress of an import. The last message has a result.
public struct ImportSetsResponse: Message {
  /// The number of bytes that were read so far.
  public var readByteCount: Int64 = 0
  /// The number of lines that were read so far.
  public var lineCount: Int64 = 0
  /// The number of bad lines so far.
  public var badLineCount: Int64 = 0
  /// The number of sets that are stored but not yet visible.
  public var storedSetCount: Int64 = 0
  /// The size of the whole log, from the options.
  public var byteCount: Int64 = 0
  /// The result, only in the last message.
  public var result: ImportResult?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportSetsResponse",
    .int64(1, "read_byte_count", \.readByteCount),
    .int64(2, "line_count", \.lineCount),
    .int64(3, "bad_line_count", \.badLineCount),
    .int64(4, "stored_set_count", \.storedSetCount),
    .int64(5, "byte_count", \.byteCount),
    .message(6, "result", \.result))
}

/// The result of an import.
public struct ImportResult: Message {
  /// Whether the sets were stored; false: a strict import had bad lines, and nothing was stored.
  public var kept = false
  /// The number of lines, including blank lines and column names.
  public var lineCount: Int64 = 0
  /// The number of lines with a set.
  public var setCount: Int64 = 0
  /// The number of sets that were added.
  public var added: Int64 = 0
  /// The number of sets that already existed.
  public var unchanged: Int64 = 0
  /// The number of sets that ``ImportMode/replace`` deleted.
  public var removed: Int64 = 0
  /// The first 1,000 bad lines.
  public var badLines: [BadImportLine] = []
  /// The number of all bad lines.
  public var badLineCount: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportResult",
    .bool(1, "kept", \.kept),
    .int64(2, "line_count", \.lineCount),
    .int64(3, "set_count", \.setCount),
    .int64(4, "added", \.added),
    .int64(5, "unchanged", \.unchanged),
    .int64(6, "removed", \.removed),
    .messages(7, "bad_lines", \.badLines),
    .int64(8, "bad_line_count", \.badLineCount))
}

/// Requests a page of all sets as a log, by exercise, each oldest first.
public struct ExportSetsRequest: Message {
  /// The unit of the weights; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportSetsRequest",
    .enum(1, "unit", \.unit),
    .uint32(2, "page_size", \.pageSize),
    .string(3, "page_token", \.pageToken))
}

/// A part of the log, without column names.
public struct ExportSetsResponse: Message {
  /// Lines in UTF-8.
  public var log: [UInt8] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The unit of the weights, which an import of the log has to name.
  public var unit = WeightUnit.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportSetsResponse",
    .bytes(1, "log", \.log),
    .string(2, "next_page_token", \.nextPageToken), .enum(3, "unit", \.unit))
}
