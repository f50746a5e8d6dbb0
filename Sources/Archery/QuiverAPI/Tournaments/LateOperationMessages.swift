public import QuiverProtobuf

/// Requests a page of late operations.
public struct ListLateOperationsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListLateOperationsRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of late operations, oldest first.
public struct ListLateOperationsResponse: Message {
  /// The operations of the page.
  public var operations: [LateOperation] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListLateOperationsResponse", .messages(1, "operations", \.operations),
    .string(2, "next_page_token", \.nextPageToken))
}

/// An operation that arrived after the event was finalised and waits for a decision of the
/// organiser.
public struct LateOperation: Message {
  /// The id of the operation, assigned by the server.
  public var id: Int64 = 0
  /// The operation as it was sent.
  public var operation: ScoringOperation?
  /// The time when the server received it, in milliseconds since 1970-01-01 UTC.
  public var receivedAtMilliseconds: Int64 = 0
  /// The id of the principal who scored.
  public var principalID: Int64 = 0
  /// The current content of its slot; nil if the slot is empty.
  public var arrow: ScoredArrow?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LateOperation", .int64(1, "id", \.id), .message(2, "operation", \.operation),
    .int64(3, "received_at_ms", \.receivedAtMilliseconds), .int64(4, "principal_id", \.principalID),
    .message(5, "arrow", \.arrow))
}

/// Applies late operations.
public struct AdmitOperationsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The ids of the operations, 1 to 1,000.
  public var operationIDs: [Int64] = []
  /// The reason; 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AdmitOperationsRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64s(2, "operation_ids", \.operationIDs), .string(3, "reason", \.reason))
}

/// Rejects late operations.
public struct RejectOperationsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The ids of the operations, 1 to 1,000.
  public var operationIDs: [Int64] = []
  /// The reason; 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RejectOperationsRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64s(2, "operation_ids", \.operationIDs), .string(3, "reason", \.reason))
}

/// The operations were rejected.
public struct RejectOperationsResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.RejectOperationsResponse")
}

/// One batch of operations.
public struct SyncOperationsRequest: Message {
  /// The client's number of the batch, which the response repeats.
  public var batch: UInt64 = 0
  /// The operations, 1 to 1,000.
  public var operations: [ScoringOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SyncOperationsRequest", .uint64(1, "batch", \.batch),
    .messages(2, "operations", \.operations))
}

/// The results of one batch.
public struct SyncOperationsResponse: Message {
  /// The client's number of the batch.
  public var batch: UInt64 = 0
  /// One verdict for each operation, in their order.
  public var verdicts: [OperationVerdict] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SyncOperationsResponse", .uint64(1, "batch", \.batch),
    .messages(2, "verdicts", \.verdicts))
}
