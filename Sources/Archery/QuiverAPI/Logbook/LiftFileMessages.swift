public import QuiverProtobuf

/// A part of a strength log in UTF-8: lines MMM dd yyyy,Exercise,sets,reps,weight, or without sets.
/// The first message has the options.
public struct ImportSetsRequest: Message {
  /// Of the first message only.
  public var options: ImportOptions?
  /// May be split anywhere.
  public var chunk: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportSetsRequest",
    .message(1, "options", \.options),
    .bytes(2, "chunk", \.chunk))
}

/// The options of an import.
public struct ImportOptions: Message {
  /// Unspecified: pounds.
  public var unit = WeightUnit.unspecified
  /// Unspecified: merge.
  public var mode = ImportMode.unspecified
  /// Skip and report bad lines; otherwise one bad line rejects the whole log.
  public var lenient = false
  /// Of the whole log, if known; returned with the progress.
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
  public var readByteCount: Int64 = 0
  public var lineCount: Int64 = 0
  /// So far.
  public var badLineCount: Int64 = 0
  /// Not visible yet.
  public var storedSetCount: Int64 = 0
  /// From the options.
  public var byteCount: Int64 = 0
  /// Only in the last message.
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
  /// False: a strict import had bad lines, and nothing was stored.
  public var kept = false
  /// Including blank lines and column names.
  public var lineCount: Int64 = 0
  /// Lines with a set.
  public var setCount: Int64 = 0
  public var added: Int64 = 0
  /// That already existed.
  public var unchanged: Int64 = 0
  /// Deleted by REPLACE.
  public var removed: Int64 = 0
  /// The first 1,000.
  public var badLines: [BadImportLine] = []
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

/// A page of all sets as a log, by exercise, each oldest first.
public struct ExportSetsRequest: Message {
  /// Unit of the reply; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page; valid only with the same request and principal.
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
  public var log: [UInt8] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportSetsResponse",
    .bytes(1, "log", \.log),
    .string(2, "next_page_token", \.nextPageToken))
}
