public import QuiverProtobuf

/// A chosen range.
public struct RangeChoice: Message {
  /// The kind of the range.
  public var range = ComparisonRange.unspecified
  /// The start of a custom range, in milliseconds since 1970-01-01 UTC, within the years 1970 to
  /// 9999; nil for other ranges.
  public var startMilliseconds: Int64?
  /// The end of a custom range, exclusive and after the start, in milliseconds since 1970-01-01
  /// UTC; nil for other ranges.
  public var endMilliseconds: Int64?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RangeChoice", .enum(1, "range", \.range),
    .optionalInt64(2, "start_ms", \.startMilliseconds),
    .optionalInt64(3, "end_ms", \.endMilliseconds))
}

/// Names a bow setup by its id or by its client id.
public struct ComparedSetup: Message {
  /// The id of the bow setup; 0 in a request if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if it has none, or in a request if ``id`` names it.
  public var clientID: [UInt8] = []
  /// Only the rounds of this version; 0: of all its versions.
  public var version: UInt32 = 0
  /// The shown name, set by the server; "Unnamed setup" if it has no name.
  public var displayName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ComparedSetup", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .uint32(3, "version", \.version), .string(4, "display_name", \.displayName))
}

/// Requests the setups to choose from.
public struct ListComparableSetupsRequest: Message {
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only for the
  /// same principal.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListComparableSetupsRequest", .uint32(1, "page_size", \.pageSize),
    .string(2, "page_token", \.pageToken))
}

/// A page of setups to choose from.
public struct ListComparableSetupsResponse: Message {
  /// The setups of the page.
  public var setups: [ComparableSetup] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListComparableSetupsResponse", .messages(1, "setups", \.setups),
    .string(2, "next_page_token", \.nextPageToken))
}

/// A setup to choose.
public struct ComparableSetup: Message {
  /// The id of the bow setup.
  public var id: Int64 = 0
  /// The client id of the bow setup; empty if none.
  public var clientID: [UInt8] = []
  /// The shown name; "Unnamed setup" if it has no name.
  public var displayName = ""
  /// Whether it is the default setup.
  public var isDefault = false
  /// The number of the latest version.
  public var version: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ComparableSetup", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "display_name", \.displayName), .bool(4, "is_default", \.isDefault),
    .uint32(5, "version", \.version))
}

/// Requests a comparison of two to four setups.
public struct CompareRequest: Message {
  /// Two to four different setups; the first two are A and B.
  public var setups: [ComparedSetup] = []
  /// The range of time; nil: the stored choice.
  public var range: RangeChoice?
  /// The time that replaces now, in milliseconds since 1970-01-01 UTC, within the years 1970 to
  /// 9999; nil: now.
  public var asOfMilliseconds: Int64?
  /// Whether rounds in progress and paused rounds count.
  public var includeUnfinished = false
  /// The method of intervals and p values.
  public var method = InferenceMethod.unspecified
  /// The seed of the bootstrap. The same request gives the same response.
  public var seed: UInt64 = 0
  /// Whether the response has the positions of arrows, for drawing.
  public var includeShots = false
  /// Place, weather, wind and light that make no strata, although all rounds state them.
  public var ignoreConditions: [StratumAspect] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CompareRequest", .messages(1, "setups", \.setups), .message(2, "range", \.range),
    .optionalInt64(3, "as_of_ms", \.asOfMilliseconds),
    .bool(4, "include_unfinished", \.includeUnfinished), .enum(5, "method", \.method),
    .uint64(6, "seed", \.seed), .bool(7, "include_shots", \.includeShots),
    .enums(8, "ignore_conditions", \.ignoreConditions))
}

/// Setups side by side, and every pair of them.
public struct CompareResponse: Message {
  /// The range that was used.
  public var range: ShownRange?
  /// The setups with their statistics, in the order of the request.
  public var setups: [SetupResult] = []
  /// The pairs (0, 1), (0, 2), (1, 2) and so on.
  public var pairs: [SetupPair] = []
  /// The comparison for each stratum, by distance in metres, diameter and face; at most the 50
  /// strata with the most arrows.
  public var strata: [StratumResult] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CompareResponse", .message(1, "range", \.range), .messages(2, "setups", \.setups),
    .messages(3, "pairs", \.pairs), .messages(4, "strata", \.strata))
}

/// One setup of a comparison.
public struct SetupResult: Message {
  /// The setup.
  public var setup: ComparedSetup?
  /// Its statistics.
  public var performance: SetupPerformance?
  /// The positions of the latest 5,000 arrows, in no particular order; empty unless requested.
  public var shots: [ShotPosition] = []
  /// Whether there are more arrows than ``shots`` has.
  public var shotsCut = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetupResult", .message(1, "setup", \.setup),
    .message(2, "performance", \.performance), .messages(3, "shots", \.shots),
    .bool(4, "shots_cut", \.shotsCut))
}

/// One arrow on the face.
public struct ShotPosition: Message {
  /// The horizontal position in radii of the nominal face, positive to the right.
  public var x: Double = 0
  /// The vertical position in radii of the nominal face, positive upwards.
  public var y: Double = 0
  /// The value of the arrow.
  public var value: UInt32 = 0
  /// The diameter of the nominal face in centimetres.
  public var diameterCentimetres: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ShotPosition", .double(1, "x", \.x), .double(2, "y", \.y),
    .uint32(3, "value", \.value), .double(4, "diameter_cm", \.diameterCentimetres))
}

/// The setups of a comparison at one stratum.
public struct StratumResult: Message {
  /// The distance and the face.
  public var stratum: StratumKey?
  /// The statistics of the setups, in the order of the request.
  public var performances: [SetupPerformance] = []
  /// The pairs of setups, as in ``CompareResponse/pairs``.
  public var pairs: [SetupPair] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.StratumResult", .message(1, "stratum", \.stratum),
    .messages(2, "performances", \.performances), .messages(3, "pairs", \.pairs))
}
