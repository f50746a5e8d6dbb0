public import QuiverProtobuf

/// A target face.
///
/// ``FaceInfo`` has the values, the rings and the X ring of each.
public struct Face: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Imperial face of five zones: 9, 7, 5, 3, 1.
  public static let fiveZone = Self(rawValue: 1)
  /// Ten rings, 10 to 1, with an X ring.
  public static let tenZone = Self(rawValue: 2)
  /// Ten rings, 10 to 1, with the smaller 10 ring of compound archers and no X.
  public static let tenZoneCompound = Self(rawValue: 3)
  /// The six inner rings of the ten-ring face, 10 to 5, with an X ring.
  public static let tenZone6Ring = Self(rawValue: 4)
  /// The five inner rings of the ten-ring face, 10 to 6, with an X ring.
  public static let tenZone5Ring = Self(rawValue: 5)
  /// The five inner rings, 10 to 6, with the smaller 10 ring of compound archers and no X.
  public static let tenZone5RingCompound = Self(rawValue: 6)
  /// Ten rings, with 11 for the innermost.
  public static let elevenZone = Self(rawValue: 7)
  /// The six inner rings, 10 to 5, with 11 for the innermost.
  public static let elevenZone6Ring = Self(rawValue: 8)
  /// The five inner rings, 10 to 6, with 11 for the innermost.
  public static let elevenZone5Ring = Self(rawValue: 9)
  /// World Archery's field face: 6 to 1.
  public static let waField = Self(rawValue: 10)
  /// The IFAA field face: 5, 4, 3.
  public static let ifaaField = Self(rawValue: 11)
  /// The IFAA face of expert field rounds: 5 to 1.
  public static let ifaaFieldExpert = Self(rawValue: 12)
  /// The national field face of Archery Australia: 5 to 1.
  public static let aaNationalField = Self(rawValue: 13)
  /// The Beiter face of hit or miss: 1.
  public static let beiterHitMiss = Self(rawValue: 14)
  /// The Worcester face: 5 to 1.
  public static let worcester = Self(rawValue: 15)
  /// The two inner rings of the Worcester face: 5 and 4.
  public static let worcester2Ring = Self(rawValue: 16)
  /// Animal targets: 11, 10, 8, 5. Arrows have a value and no position.
  public static let threeD = Self(rawValue: 17)

  public static let schema = EnumSchema(
    "quiver.v1.Face",
    [
      (0, "FACE_UNSPECIFIED"), (1, "FACE_5_ZONE"), (2, "FACE_10_ZONE"),
      (3, "FACE_10_ZONE_COMPOUND"), (4, "FACE_10_ZONE_6_RING"), (5, "FACE_10_ZONE_5_RING"),
      (6, "FACE_10_ZONE_5_RING_COMPOUND"), (7, "FACE_11_ZONE"), (8, "FACE_11_ZONE_6_RING"),
      (9, "FACE_11_ZONE_5_RING"), (10, "FACE_WA_FIELD"), (11, "FACE_IFAA_FIELD"),
      (12, "FACE_IFAA_FIELD_EXPERT"), (13, "FACE_AA_NATIONAL_FIELD"), (14, "FACE_BEITER_HIT_MISS"),
      (15, "FACE_WORCESTER"), (16, "FACE_WORCESTER_2_RING"), (17, "FACE_3D"),
    ])
}

/// The place where a round is shot. It determines the default arrows per end and the default
/// diameter of arrows.
public struct RoundLocation: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Indoors: 3 arrows per end by default.
  public static let indoor = Self(rawValue: 1)
  /// Outdoors on a target range: 6 arrows per end by default.
  public static let outdoor = Self(rawValue: 2)
  /// On a field course: 3 arrows per end by default.
  public static let field = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.RoundLocation",
    [
      (0, "ROUND_LOCATION_UNSPECIFIED"), (1, "ROUND_LOCATION_INDOOR"),
      (2, "ROUND_LOCATION_OUTDOOR"), (3, "ROUND_LOCATION_FIELD"),
    ])
}

/// The scoring of a target face.
public struct FaceInfo: Message {
  /// The face.
  public var face = Face.unspecified
  /// The code of the face, for example `10_zone`.
  public var code = ""
  /// The possible values of an arrow, highest first, without 0 for a miss.
  public var values: [UInt32] = []
  /// The rings, smallest first; empty if arrows have only a value.
  public var rings: [FaceRing] = []
  /// The diameter of the X ring as a fraction of the face's; 0: the face has no X.
  public var xRing: Double = 0
  /// The highest value.
  public var topValue: UInt32 = 0
  /// The second highest value; the highest if there is only one.
  public var secondValue: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FaceInfo", .enum(1, "face", \.face), .string(2, "code", \.code),
    .uint32s(3, "values", \.values), .messages(4, "rings", \.rings), .double(5, "x_ring", \.xRing),
    .uint32(6, "top_value", \.topValue), .uint32(7, "second_value", \.secondValue))
}

/// One ring of a face.
public struct FaceRing: Message {
  /// The diameter as a fraction of the nominal face, which is 1.
  public var diameter: Double = 0
  /// The value of an arrow in the ring.
  public var value: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FaceRing", .double(1, "diameter", \.diameter), .uint32(2, "value", \.value))
}

/// Arrows at one distance and face.
public struct RoundPass: Message {
  /// The number of arrows, 1 to 1,000.
  public var arrows: UInt32 = 0
  /// The number of arrows in an end, at most 12; 0: 3 indoors and in the field, 6 outdoors.
  public var arrowsPerEnd: UInt32 = 0
  /// The distance in ``unit``, above 0 and at most 1,000.
  public var distance: Double = 0
  /// The unit of ``distance``; required.
  public var unit = DistanceUnit.unspecified
  /// The target face; required.
  public var face = Face.unspecified
  /// The diameter of the nominal face in centimetres, above 0 and at most 300.
  public var diameterCentimetres: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RoundPass", .uint32(1, "arrows", \.arrows),
    .uint32(2, "arrows_per_end", \.arrowsPerEnd), .double(3, "distance", \.distance),
    .enum(4, "unit", \.unit), .enum(5, "face", \.face),
    .double(6, "diameter_cm", \.diameterCentimetres))
}

/// A list of passes. A format never changes.
///
/// Ends are counted from 0 through all passes; the last end of a pass may be short.
public struct RoundFormat: Message {
  /// The id of the format, assigned by the server; 0: a library format that was never shot.
  public var id: Int64 = 0
  /// The UUIDv7 (16 bytes) that the client made; empty if none. Only custom formats have one.
  public var clientID: [UInt8] = []
  /// The name of a library format in requests, for example `wa18`; empty for custom formats.
  public var codename = ""
  /// The name that lists show; 1 to 200 characters.
  public var name = ""
  /// The place where the round is shot.
  public var location = RoundLocation.unspecified
  /// The organisation that defines the round, for example `WA`; at most 200 characters.
  public var body = ""
  /// The passes in order, 1 to 32.
  public var passes: [RoundPass] = []
  /// The number of arrows in all passes; set by the server.
  public var arrowCount: UInt32 = 0
  /// The number of ends in all passes; set by the server.
  public var endCount: UInt32 = 0
  /// The highest possible score; set by the server.
  public var maximumScore: UInt32 = 0
  /// The time of creation, in milliseconds since 1970-01-01 UTC; 0: a library format.
  public var createdAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RoundFormat", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "codename", \.codename), .string(4, "name", \.name),
    .enum(5, "location", \.location), .string(6, "body", \.body), .messages(7, "passes", \.passes),
    .uint32(8, "arrow_count", \.arrowCount), .uint32(9, "end_count", \.endCount),
    .uint32(10, "maximum_score", \.maximumScore),
    .int64(11, "created_at_ms", \.createdAtMilliseconds))
}

/// Names a format by one of ``id``, ``clientID`` and ``codename``.
public struct FormatReference: Message {
  /// The id of the format; 0 if another field names it.
  public var id: Int64 = 0
  /// The client id of a custom format; empty if another field names it.
  public var clientID: [UInt8] = []
  /// The codename of a library format, for example `wa18`; empty if another field names it.
  public var codename = ""
  /// Only this many arrows of the format, from the first; 0: all.
  public var arrowLimit: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FormatReference", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "codename", \.codename), .uint32(4, "arrow_limit", \.arrowLimit))
}

/// Requests all formats that a round can use.
public struct ListFormatsRequest: Message {
  /// Whether only custom formats are listed.
  public var ownOnly = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListFormatsRequest", .bool(1, "own_only", \.ownOnly))
}

/// All formats.
public struct ListFormatsResponse: Message {
  /// The library in its order, then the caller's formats by id, at most 200.
  public var formats: [RoundFormat] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListFormatsResponse", .messages(1, "formats", \.formats))
}

/// Requests one format.
public struct GetFormatRequest: Message {
  /// The format to return.
  public var format: FormatReference?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetFormatRequest", .message(1, "format", \.format))
}

/// Requests a custom format.
public struct CreateFormatRequest: Message {
  /// The fields of the format. The server ignores the fields that it sets itself.
  public var format: RoundFormat?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateFormatRequest", .message(1, "format", \.format))
}

/// Removes a custom format from the list. Rounds that use it keep it.
public struct DeleteFormatRequest: Message {
  /// The id of the format; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the format; empty if ``id`` names it.
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteFormatRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
}

/// The format was removed from the list.
public struct DeleteFormatResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteFormatResponse")
}

/// Requests all faces.
public struct ListFacesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ListFacesRequest")
}

/// All faces.
public struct ListFacesResponse: Message {
  /// The faces in the order of their numbers.
  public var faces: [FaceInfo] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListFacesResponse", .messages(1, "faces", \.faces))
}
