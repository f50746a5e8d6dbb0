public import QuiverProtobuf

/// Adds the entries of a text: date,weight,unit,note,body_fat, dates as in 2024-02-29, lb or kg,
/// the last two optional, a first line of column names read over. All or nothing; of an entry that
/// is there as often, nothing is added. They count as weighed at noon UTC, one after the other.
public struct ImportWeightsRequest: Message {
  /// UTF-8, at most 20,000 entries and 4 MiB.
  public var csv: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportWeightsRequest",
    .bytes(1, "csv", \.csv))
}

/// What was added.
public struct ImportWeightsResponse: Message {
  public var added: UInt32 = 0
  /// That were there already.
  public var unchanged: UInt32 = 0
  /// The first 1,000; where there are any, nothing was added.
  public var badLines: [BadImportLine] = []
  public var badLineCount: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportWeightsResponse",
    .uint32(1, "added", \.added),
    .uint32(2, "unchanged", \.unchanged),
    .messages(3, "bad_lines", \.badLines),
    .int64(4, "bad_line_count", \.badLineCount))
}

/// A line that cannot be taken.
public struct BadImportLine: Message {
  /// From 1.
  public var number: Int64 = 0
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BadImportLine",
    .int64(1, "number", \.number),
    .string(2, "reason", \.reason))
}

/// Asks for a page of all entries as text, oldest first.
public struct ExportWeightsRequest: Message {
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the rest of the request and to the principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportWeightsRequest",
    .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A part of the text; the first begins with the column names.
public struct ExportWeightsResponse: Message {
  public var csv: [UInt8] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportWeightsResponse",
    .bytes(1, "csv", \.csv),
    .string(2, "next_page_token", \.nextPageToken))
}
