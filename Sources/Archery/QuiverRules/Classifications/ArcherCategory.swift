/// An archer as the classifications of Archery GB see them.
public struct ArcherCategory: Sendable, Hashable {
  /// The bowstyle.
  public var bow: BowDivision
  /// The gender category.
  public var gender: GenderDivision
  /// The age group.
  public var age: AgeDivision

  /// Creates a value; each parameter is the property of its name.
  public init(bow: BowDivision, gender: GenderDivision, age: AgeDivision) {
    self.bow = bow
    self.gender = gender
    self.age = age
  }
}

/// A bowstyle of Archery GB, numbered as in `quiver.v1.Bowstyle`.
public enum BowDivision: Int32, CaseIterable, Sendable, Hashable {
  /// Compound.
  case compound = 1
  /// Recurve with a sight.
  case recurve = 2
  /// Barebow recurve.
  case barebow = 3
  /// English longbow.
  case longbow = 4
  /// Traditional: a recurve of wood, in the field.
  case traditional = 5
  /// American flatbow.
  case flatbow = 6
  /// Compound limited, in the field.
  case compoundLimited = 7
  /// Compound barebow, in the field.
  case compoundBarebow = 8

  /// The bowstyle that target archery counts it as: it has four, and traditional bows and flatbows
  /// shoot there as barebows, all compounds as compounds.
  public var onTarget: BowDivision {
    switch self {
    case .traditional, .flatbow: .barebow
    case .compoundLimited, .compoundBarebow: .compound
    default: self
    }
  }
}

/// A gender category of Archery GB, numbered as in `quiver.v1.ArcherGender`.
public enum GenderDivision: Int32, CaseIterable, Sendable, Hashable {
  /// Open to all; the scores of men.
  case open = 1
  /// Women.
  case female = 2
}

/// An age group of Archery GB, numbered as in `quiver.v1.AgeGroup`.
///
/// An archer belongs to the group of the age that they reach in the calendar year.
public enum AgeDivision: Int32, CaseIterable, Sendable, Hashable {
  /// 50 and older.
  case over50 = 1
  /// 21 to 49.
  case adult = 2
  /// 18 to 20.
  case under21 = 3
  /// 16 and 17.
  case under18 = 4
  /// 15.
  case under16 = 5
  /// 14.
  case under15 = 6
  /// 12 and 13.
  case under14 = 7
  /// Younger than 12.
  case under12 = 8
}
