public import QuiverProtobuf

/// Adds the entries of a CSV text with the columns `date,weight,unit,note,body_fat`, dates like
/// `2024-02-29`, and the units `lb` or `kg`.
///
/// The last two columns are optional, and a first line of column names is skipped. Either all lines
/// are added or none. An entry that already exists as often as in the text is not added. Entries
/// are dated noon UTC, in order.
public struct ImportWeightsRequest: Message {
  /// The text in UTF-8, at most 20,000 entries and 4 MiB. Send a longer file in parts.
  public var csv: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportWeightsRequest",
    .bytes(1, "csv", \.csv))
}

/// The result of an import.
public struct ImportWeightsResponse: Message {
  /// The number of entries that were added.
  public var added: UInt32 = 0
  /// The number of entries that already existed.
  public var unchanged: UInt32 = 0
  /// The first 1,000 bad lines; if there are any, nothing was added.
  public var badLines: [BadImportLine] = []
  /// The number of all bad lines.
  public var badLineCount: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportWeightsResponse",
    .uint32(1, "added", \.added),
    .uint32(2, "unchanged", \.unchanged),
    .messages(3, "bad_lines", \.badLines),
    .int64(4, "bad_line_count", \.badLineCount))
}

/// An invalid line.
public struct BadImportLine: Message {
  /// The number of the line, from 1.
  public var number: Int64 = 0
  /// The reason in English.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BadImportLine",
    .int64(1, "number", \.number),
    .string(2, "reason", \.reason))
}

/// Requests a page of all entries as CSV.
public struct ExportWeightsRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same request and principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportWeightsRequest",
    .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A part of the CSV text, oldest entries first. A page ends early at about 1 MiB.
public struct ExportWeightsResponse: Message {
  /// Lines in UTF-8; the first page begins with the column names.
  public var csv: [UInt8] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportWeightsResponse",
    .bytes(1, "csv", \.csv),
    .string(2, "next_page_token", \.nextPageToken))
}
