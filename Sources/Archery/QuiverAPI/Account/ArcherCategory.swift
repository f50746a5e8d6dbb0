public import QuiverProtobuf

/// A bowstyle of Archery GB.
public struct Bowstyle: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Compound.
  public static let compound = Self(rawValue: 1)
  /// Recurve with a sight.
  public static let recurve = Self(rawValue: 2)
  /// Barebow recurve.
  public static let barebow = Self(rawValue: 3)
  /// English longbow.
  public static let longbow = Self(rawValue: 4)
  /// Traditional; a barebow in target archery.
  public static let traditional = Self(rawValue: 5)
  /// American flatbow; a barebow in target archery.
  public static let flatbow = Self(rawValue: 6)
  /// Compound limited; a compound in target archery.
  public static let compoundLimited = Self(rawValue: 7)
  /// Compound barebow; a compound in target archery.
  public static let compoundBarebow = Self(rawValue: 8)

  public static let schema = EnumSchema(
    "quiver.v1.Bowstyle",
    [
      (0, "BOWSTYLE_UNSPECIFIED"), (1, "BOWSTYLE_COMPOUND"), (2, "BOWSTYLE_RECURVE"),
      (3, "BOWSTYLE_BAREBOW"), (4, "BOWSTYLE_LONGBOW"), (5, "BOWSTYLE_TRADITIONAL"),
      (6, "BOWSTYLE_FLATBOW"), (7, "BOWSTYLE_COMPOUND_LIMITED"),
      (8, "BOWSTYLE_COMPOUND_BAREBOW"),
    ])
}

/// A gender category of Archery GB.
public struct ArcherGender: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Open to all; the scores of men.
  public static let open = Self(rawValue: 1)
  /// Women.
  public static let female = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.ArcherGender",
    [(0, "ARCHER_GENDER_UNSPECIFIED"), (1, "ARCHER_GENDER_OPEN"), (2, "ARCHER_GENDER_FEMALE")])
}

/// An age group of Archery GB.
public struct AgeGroup: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// 50 and older.
  public static let over50 = Self(rawValue: 1)
  /// 21 to 49.
  public static let adult = Self(rawValue: 2)
  /// Under 21; adult in field archery.
  public static let under21 = Self(rawValue: 3)
  /// Under 18.
  public static let under18 = Self(rawValue: 4)
  /// Under 16.
  public static let under16 = Self(rawValue: 5)
  /// Under 15.
  public static let under15 = Self(rawValue: 6)
  /// Under 14.
  public static let under14 = Self(rawValue: 7)
  /// Under 12.
  public static let under12 = Self(rawValue: 8)

  public static let schema = EnumSchema(
    "quiver.v1.AgeGroup",
    [
      (0, "AGE_GROUP_UNSPECIFIED"), (1, "AGE_GROUP_OVER_50"), (2, "AGE_GROUP_ADULT"),
      (3, "AGE_GROUP_UNDER_21"), (4, "AGE_GROUP_UNDER_18"), (5, "AGE_GROUP_UNDER_16"),
      (6, "AGE_GROUP_UNDER_15"), (7, "AGE_GROUP_UNDER_14"), (8, "AGE_GROUP_UNDER_12"),
    ])
}
