public import QuiverProtobuf

/// A range, chosen.
public struct RangeChoice: Message {
  public var range = ComparisonRange.unspecified
  /// Of CUSTOM, and only there; 1970 to 9999.
  public var startMilliseconds: Int64?
  /// Of CUSTOM, after start_ms.
  public var endMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RangeChoice", .enum(1, "range", \.range),
    .optionalInt64(2, "start_ms", \.startMilliseconds),
    .optionalInt64(3, "end_ms", \.endMilliseconds))
}

/// Names a setup by one of both ids.
public struct ComparedSetup: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: all its versions together.
  public var version: UInt32 = 0
  /// From the server: "Unnamed setup" where it has no name.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ComparedSetup", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint32(3, "version", \.version), .string(4, "display_name", \.displayName))
}

/// Asks for the setups to choose from.
public struct ListComparableSetupsRequest: Message {
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  /// From the page before; bound to the principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListComparableSetupsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of setups to choose from.
public struct ListComparableSetupsResponse: Message {
  public var setups: [ComparableSetup] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListComparableSetupsResponse", .messages(1, "setups", \.setups),
    .string(2, "next_page_token", \.nextPageToken))
}

/// One setup to choose from.
public struct ComparableSetup: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  public var displayName = ""
  public var isDefault = false
  /// The latest.
  public var version: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ComparableSetup", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "display_name", \.displayName), .bool(4, "is_default", \.isDefault),
    .uint32(5, "version", \.version))
}

/// Asks which of two to four setups shoots better.
public struct CompareRequest: Message {
  /// Two to four, no two alike; the first two are A and B.
  public var setups: [ComparedSetup] = []
  /// Absent: the kept one.
  public var range: RangeChoice?
  /// In place of now; 1970 to 9999.
  public var asOfMilliseconds: Int64?
  /// Rounds IN_PROGRESS and PAUSED, too.
  public var includeUnfinished = false
  public var method = InferenceMethod.unspecified
  /// Of the bootstrap; the same request gives the same answer.
  public var seed: UInt64 = 0
  /// The positions, to draw.
  public var includeShots = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CompareRequest", .messages(1, "setups", \.setups), .message(2, "range", \.range),
    .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .bool(4, "include_unfinished", \.includeUnfinished), .enum(5, "method", \.method),
    .uint64(6, "seed", \.seed), .bool(7, "include_shots", \.includeShots))
}

/// Setups side by side, and every pair of them.
public struct CompareResponse: Message {
  public var range: ShownRange?
  /// In the order of the request.
  public var setups: [SetupResult] = []
  /// (0, 1), (0, 2), (1, 2) and so on.
  public var pairs: [SetupPair] = []
  /// By distance in metres, diameter and face.
  public var strata: [StratumResult] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CompareResponse", .message(1, "range", \.range), .messages(2, "setups", \.setups),
    .messages(3, "pairs", \.pairs), .messages(4, "strata", \.strata))
}

/// One setup of a comparison.
public struct SetupResult: Message {
  public var setup: ComparedSetup?
  public var performance: SetupPerformance?
  /// The latest 5,000, in no order that means something.
  public var shots: [ShotPosition] = []
  /// There are more.
  public var shotsCut = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetupResult", .message(1, "setup", \.setup),
    .message(2, "performance", \.performance), .messages(3, "shots", \.shots),
    .bool(4, "shots_cut", \.shotsCut))
}

/// One arrow on the face.
public struct ShotPosition: Message {
  public var x: Double = 0
  public var y: Double = 0
  public var value: UInt32 = 0
  public var diameterCentimetres: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShotPosition", .double(1, "x", \.x), .double(2, "y", \.y),
    .uint32(3, "value", \.value), .double(4, "diameter_cm", \.diameterCentimetres))
}

/// The setups of a comparison at one stratum.
public struct StratumResult: Message {
  public var stratum: StratumKey?
  /// Of the setups, in the order of the request.
  public var performances: [SetupPerformance] = []
  public var pairs: [SetupPair] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StratumResult", .message(1, "stratum", \.stratum),
    .messages(2, "performances", \.performances), .messages(3, "pairs", \.pairs))
}
