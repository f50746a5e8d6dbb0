public import QuiverProtobuf

/// Asks for a page of late operations.
public struct ListLateOperationsRequest: Message {
  public var tournamentID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// From the previous page.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListLateOperationsRequest", .int64(1, "tournament_id", \.tournamentID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of late operations, oldest first.
public struct ListLateOperationsResponse: Message {
  public var operations: [LateOperation] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListLateOperationsResponse", .messages(1, "operations", \.operations),
    .string(2, "next_page_token", \.nextPageToken))
}

/// An operation that waits for the organiser.
public struct LateOperation: Message {
  /// The id of the late operation, assigned by the server.
  public var id: Int64 = 0
  public var operation: ScoringOperation?
  public var receivedAtMilliseconds: Int64 = 0
  public var principalID: Int64 = 0
  /// The content of its slot.
  public var arrow: ScoredArrow?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.LateOperation", .int64(1, "id", \.id), .message(2, "operation", \.operation),
    .int64(3, "received_at_ms", \.receivedAtMilliseconds), .int64(4, "principal_id", \.principalID),
    .message(5, "arrow", \.arrow))
}

/// Asks to apply late operations.
public struct AdmitOperationsRequest: Message {
  public var tournamentID: Int64 = 0
  /// 1 to 1,000.
  public var operationIDs: [Int64] = []
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.AdmitOperationsRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64s(2, "operation_ids", \.operationIDs), .string(3, "reason", \.reason))
}

/// Asks to leave late operations out.
public struct RejectOperationsRequest: Message {
  public var tournamentID: Int64 = 0
  /// 1 to 1,000.
  public var operationIDs: [Int64] = []
  /// 1 to 200 characters.
  public var reason = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RejectOperationsRequest", .int64(1, "tournament_id", \.tournamentID),
    .int64s(2, "operation_ids", \.operationIDs), .string(3, "reason", \.reason))
}

/// The operations are left out.
public struct RejectOperationsResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.RejectOperationsResponse")
}

/// One batch of operations.
public struct SyncOperationsRequest: Message {
  /// The client's number; returned with the answer.
  public var batch: UInt64 = 0
  /// 1 to 1,000.
  public var operations: [ScoringOperation] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SyncOperationsRequest", .uint64(1, "batch", \.batch),
    .messages(2, "operations", \.operations))
}

/// What became of one batch.
public struct SyncOperationsResponse: Message {
  public var batch: UInt64 = 0
  /// One for each, in their order.
  public var verdicts: [OperationVerdict] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SyncOperationsResponse", .uint64(1, "batch", \.batch),
    .messages(2, "verdicts", \.verdicts))
}
