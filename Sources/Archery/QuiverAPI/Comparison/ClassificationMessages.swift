public import QuiverProtobuf

/// Requests the classes of Archery GB that a round gives to a category.
public struct GetClassificationRequest: Message {
  /// The format of the round: a whole round of the library.
  public var format: FormatReference?
  /// A score, 0 to the maximum; nil for the table alone.
  public var score: UInt32?
  /// The bowstyle; unspecified: the profile's.
  public var bowstyle = Bowstyle.unspecified
  /// The gender category; unspecified: the profile's.
  public var gender = ArcherGender.unspecified
  /// The age group; unspecified: the profile's.
  public var ageGroup = AgeGroup.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetClassificationRequest", .message(1, "format", \.format),
    .optionalUint32(2, "score", \.score), .enum(3, "bowstyle", \.bowstyle),
    .enum(4, "gender", \.gender), .enum(5, "age_group", \.ageGroup))
}

/// The classes of a round.
public struct GetClassificationResponse: Message {
  /// The classes, highest first.
  public var thresholds: [ClassificationThreshold] = []
  /// The highest class that the score gives, for example `B1`; empty if it gives none.
  public var code = ""
  /// The name of that class, for example `Bowman 1st Class`; empty if there is none.
  public var name = ""
  /// The highest possible score of the format.
  public var maximumScore: UInt32 = 0
  /// The name of the format.
  public var formatName = ""
  /// The bowstyle of the table.
  public var bowstyle = Bowstyle.unspecified
  /// The gender category of the table.
  public var gender = ArcherGender.unspecified
  /// The age group of the table.
  public var ageGroup = AgeGroup.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetClassificationResponse", .messages(1, "thresholds", \.thresholds),
    .string(2, "code", \.code), .string(3, "name", \.name),
    .uint32(4, "maximum_score", \.maximumScore), .string(5, "format_name", \.formatName),
    .enum(6, "bowstyle", \.bowstyle), .enum(7, "gender", \.gender),
    .enum(8, "age_group", \.ageGroup))
}

/// The group of a class, by the events that count for it.
public struct ClassificationTier: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Any event, practice too.
  public static let archer = Self(rawValue: 1)
  /// Any competitive event.
  public static let bowman = Self(rawValue: 2)
  /// Competitions of record status.
  public static let master = Self(rawValue: 3)

  public static let schema = EnumSchema(
    "quiver.v1.ClassificationTier",
    [
      (0, "CLASSIFICATION_TIER_UNSPECIFIED"), (1, "CLASSIFICATION_TIER_ARCHER"),
      (2, "CLASSIFICATION_TIER_BOWMAN"), (3, "CLASSIFICATION_TIER_MASTER"),
    ])
}

/// The score from which a round gives a class.
public struct ClassificationThreshold: Message {
  /// The code of the class, for example `B1`.
  public var code = ""
  /// The name of the class.
  public var name = ""
  /// The tier of the class.
  public var tier = ClassificationTier.unspecified
  /// The handicap that the class stands for.
  public var handicap: Double = 0
  /// The lowest score of the class; nil if the round cannot give it.
  public var score: UInt32?
  /// How many arrows the rounds of an award have together; 0: field archery asks for rounds.
  public var arrowsRequired: UInt32 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ClassificationThreshold", .string(1, "code", \.code), .string(2, "name", \.name),
    .enum(3, "tier", \.tier), .double(4, "handicap", \.handicap),
    .optionalUint32(5, "score", \.score), .uint32(6, "arrows_required", \.arrowsRequired))
}
