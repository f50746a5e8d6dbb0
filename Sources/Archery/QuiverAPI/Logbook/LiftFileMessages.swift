public import QuiverProtobuf

/// A chunk of a strength log: lines MMM dd yyyy,Exercise,sets,reps,weight or without sets, in
/// UTF-8. The first message says how it is to be read.
public struct ImportSetsRequest: Message {
  /// Of the first message only.
  public var options: ImportOptions?
  /// Cut anywhere.
  public var chunk: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportSetsRequest",
    .message(1, "options", \.options),
    .bytes(2, "chunk", \.chunk))
}

/// How a log is to be read.
public struct ImportOptions: Message {
  /// Unspecified: pounds.
  public var unit = WeightUnit.unspecified
  /// Unspecified: merge.
  public var mode = ImportMode.unspecified
  /// Bad lines are skipped and reported; without it one keeps everything out.
  public var lenient = false
  /// Of the whole log, if known; comes back with the progress.
  public var byteCount: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportOptions",
    .enum(1, "unit", \.unit),
    .enum(2, "mode", \.mode),
    .bool(3, "lenient", \.lenient),
    .int64(4, "byte_count", \.byteCount))
}

/// What becomes of the sets that are there.
public struct ImportMode: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  /// They stay; the k-th identical line of a day is the k-th that is stored.
  public static let merge = Self(rawValue: 1)
  /// All of them go when the import is done.
  public static let replace = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.ImportMode",
    [
      (0, "IMPORT_MODE_UNSPECIFIED"),
      (1, "IMPORT_MODE_MERGE"),
      (2, "IMPORT_MODE_REPLACE"),
    ])
}

/// How far an import has come; the last message has a result.
public struct ImportSetsResponse: Message {
  public var readByteCount: Int64 = 0
  public var lineCount: Int64 = 0
  /// So far.
  public var badLineCount: Int64 = 0
  /// Not yet to be read.
  public var storedSetCount: Int64 = 0
  /// As the options had it.
  public var byteCount: Int64 = 0
  /// Only of the last message.
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

/// What an import came to.
public struct ImportResult: Message {
  /// False: there were bad lines in a strict import, and nothing is kept.
  public var kept = false
  /// Blank ones and column names among them.
  public var lineCount: Int64 = 0
  /// Lines that hold a set.
  public var setCount: Int64 = 0
  public var added: Int64 = 0
  /// That were there already.
  public var unchanged: Int64 = 0
  /// By REPLACE.
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

/// Asks for a page of all sets as a log, exercise by exercise, each oldest first.
public struct ExportSetsRequest: Message {
  /// What is shown; unspecified: by the profile's units, else pounds.
  public var unit = WeightUnit.unspecified
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the rest of the request and to the principal.
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
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportSetsResponse",
    .bytes(1, "log", \.log),
    .string(2, "next_page_token", \.nextPageToken))
}
