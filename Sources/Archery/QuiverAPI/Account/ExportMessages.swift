public import QuiverProtobuf

/// Requests a page of the caller's data.
public struct ExportMyDataRequest: Message {
  /// The largest number of records on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only for the
  /// same principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportMyDataRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of the caller's data.
public struct ExportMyDataResponse: Message {
  /// The records; fewer than requested if they exceed 1 MiB.
  public var records: [ExportRecord] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""
  /// The commit that the page shows. Pages with the same watermark show one state. If the watermark
  /// increases and one state is needed, begin again.
  public var watermark: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportMyDataResponse", .messages(1, "records", \.records),
    .string(2, "next_page_token", \.nextPageToken), .int64(3, "watermark", \.watermark))
}

/// One message of the caller's data.
public struct ExportRecord: Message {
  /// The full name of the message's type, for example `quiver.v1.Riser`.
  public var type = ""
  /// The encoded message.
  public var value: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ExportRecord", .string(1, "type", \.type), .bytes(2, "value", \.value))
}

/// Requests that all data of the caller be erased. This cannot be undone.
public struct DeleteMyAccountRequest: Message {
  /// Exactly the profile's ``Profile/shownName``; otherwise the call is INVALID_ARGUMENT.
  public var confirmation = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteMyAccountRequest", .string(1, "confirmation", \.confirmation))
}

/// The account was deleted.
public struct DeleteMyAccountResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteMyAccountResponse")
}
