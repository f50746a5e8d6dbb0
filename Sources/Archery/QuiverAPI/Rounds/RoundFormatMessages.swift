public import QuiverProtobuf

/// What is shot at.
public struct Face: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let fiveZone = Self(rawValue: 1)
  public static let tenZone = Self(rawValue: 2)
  public static let tenZoneCompound = Self(rawValue: 3)
  public static let tenZone6Ring = Self(rawValue: 4)
  public static let tenZone5Ring = Self(rawValue: 5)
  public static let tenZone5RingCompound = Self(rawValue: 6)
  public static let elevenZone = Self(rawValue: 7)
  public static let elevenZone6Ring = Self(rawValue: 8)
  public static let elevenZone5Ring = Self(rawValue: 9)
  public static let waField = Self(rawValue: 10)
  public static let ifaaField = Self(rawValue: 11)
  public static let ifaaFieldExpert = Self(rawValue: 12)
  public static let aaNationalField = Self(rawValue: 13)
  public static let beiterHitMiss = Self(rawValue: 14)
  public static let worcester = Self(rawValue: 15)
  public static let worcester2Ring = Self(rawValue: 16)
  /// Animals: by buttons only.
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

/// Where a round is shot.
public struct RoundLocation: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let indoor = Self(rawValue: 1)
  public static let outdoor = Self(rawValue: 2)
  public static let field = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.RoundLocation",
    [
      (0, "ROUND_LOCATION_UNSPECIFIED"), (1, "ROUND_LOCATION_INDOOR"),
      (2, "ROUND_LOCATION_OUTDOOR"), (3, "ROUND_LOCATION_FIELD"),
    ])
}

/// What a face scores, and where.
public struct FaceInfo: Message {
  public var face = Face.unspecified
  /// As in 10_zone.
  public var code = ""
  /// Highest first, without 0, which every face has for a miss.
  public var values: [UInt32] = []
  /// Smallest first; none where it is scored by buttons only.
  public var rings: [FaceRing] = []
  /// Diameter as a fraction of the face's; 0: it has no X.
  public var xRing: Double = 0
  public var topValue: UInt32 = 0
  /// The top again where there is one value only.
  public var secondValue: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FaceInfo", .enum(1, "face", \.face), .string(2, "code", \.code),
    .uint32s(3, "values", \.values), .messages(4, "rings", \.rings), .double(5, "x_ring", \.xRing),
    .uint32(6, "top_value", \.topValue), .uint32(7, "second_value", \.secondValue))
}

/// One ring of a face.
public struct FaceRing: Message {
  /// As a fraction of the nominal face's, which is 1.
  public var diameter: Double = 0
  public var value: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FaceRing", .double(1, "diameter", \.diameter), .uint32(2, "value", \.value))
}

/// Arrows at one distance and face.
public struct RoundPass: Message {
  /// 1 to 1,000.
  public var arrows: UInt32 = 0
  /// 0: 3 indoors and in the field, 6 outdoors; at most 12.
  public var arrowsPerEnd: UInt32 = 0
  /// In units; above 0, at most 1,000.
  public var distance: Double = 0
  public var unit = DistanceUnit.unspecified
  public var face = Face.unspecified
  /// Of the nominal face; above 0, at most 300.
  public var diameterCentimetres: Double = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RoundPass", .uint32(1, "arrows", \.arrows),
    .uint32(2, "arrows_per_end", \.arrowsPerEnd), .double(3, "distance", \.distance),
    .enum(4, "unit", \.unit), .enum(5, "face", \.face),
    .double(6, "diameter_cm", \.diameterCentimetres))
}

/// A list of passes; once made it never changes.
///
/// Ends are counted from 0 through all passes; the last end of a pass may be short.
public struct RoundFormat: Message {
  /// From the server; 0: one of the library that nobody has shot yet.
  public var id: Int64 = 0
  /// UUIDv7, made by the client; optional; own formats only.
  public var clientID: [UInt8] = []
  /// As in wa18; of the library; empty for own formats.
  public var codename = ""
  /// 1 to 200 characters.
  public var name = ""
  public var location = RoundLocation.unspecified
  /// As in WA; at most 200 characters.
  public var body = ""
  /// 1 to 24.
  public var passes: [RoundPass] = []
  /// From the server:
  public var arrowCount: UInt32 = 0
  public var endCount: UInt32 = 0
  public var maximumScore: UInt32 = 0
  /// 0: of the library.
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

/// Names a format: one of the three.
public struct FormatReference: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  public var codename = ""
  /// Above 0: only the first so many arrows of it.
  public var arrowLimit: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.FormatReference", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID),
    .string(3, "codename", \.codename), .uint32(4, "arrow_limit", \.arrowLimit))
}

/// Asks for all formats that a round can be shot by.
public struct ListFormatsRequest: Message {
  /// Without the library.
  public var ownOnly = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListFormatsRequest", .bool(1, "own_only", \.ownOnly))
}

/// The library in its order, then own formats by id; there are at most 200 of these.
public struct ListFormatsResponse: Message {
  public var formats: [RoundFormat] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListFormatsResponse", .messages(1, "formats", \.formats))
}

/// Asks for one format.
public struct GetFormatRequest: Message {
  public var format: FormatReference?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetFormatRequest", .message(1, "format", \.format))
}

/// Asks for an own format.
public struct CreateFormatRequest: Message {
  /// What the server sets is not read.
  public var format: RoundFormat?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateFormatRequest", .message(1, "format", \.format))
}

/// Takes an own format out of the list; rounds that were shot by it keep it.
public struct DeleteFormatRequest: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteFormatRequest", .int64(1, "id", \.id), .bytes(2, "client_id", \.clientID))
}

/// The format is out of the list.
public struct DeleteFormatResponse: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.DeleteFormatResponse")
}

/// Asks for all faces.
public struct ListFacesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ListFacesRequest")
}

/// All faces, in their order.
public struct ListFacesResponse: Message {
  public var faces: [FaceInfo] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListFacesResponse", .messages(1, "faces", \.faces))
}
