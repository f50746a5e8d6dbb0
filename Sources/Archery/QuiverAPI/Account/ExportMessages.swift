public import QuiverProtobuf

/// Asks for a page of all that the caller keeps here.
public struct ExportMyDataRequest: Message {
  /// Records; 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportMyDataRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of an export.
public struct ExportMyDataResponse: Message {
  /// Fewer than asked for where they are over 1 MiB.
  public var records: [ExportRecord] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""
  /// The commit up to which the page shows everything; pages of one watermark are one state.
  public var watermark: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportMyDataResponse", .messages(1, "records", \.records),
    .string(2, "next_page_token", \.nextPageToken), .int64(3, "watermark", \.watermark))
}

/// One message of the caller's data.
public struct ExportRecord: Message {
  /// Its full name, as in `quiver.v1.Riser`.
  public var type = ""
  public var value: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportRecord", .string(1, "type", \.type), .bytes(2, "value", \.value))
}

/// Asks to erase all that the caller keeps here, for good.
public struct DeleteMyAccountRequest: Message {
  /// The profile's shown name, to the letter.
  public var confirmation = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteMyAccountRequest", .string(1, "confirmation", \.confirmation))
}

/// It is erased.
public struct DeleteMyAccountResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteMyAccountResponse")
}
