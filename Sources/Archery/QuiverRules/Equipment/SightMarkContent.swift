/// What an owner has written of one sight mark.
public struct SightMarkContent: Sendable, Equatable {
  /// In units.
  public var distance: Double
  /// Nil is none, which no mark can have.
  public var unit: LengthUnit?
  /// What the scale of the sight shows.
  public var markValue: Double
  /// Free text; at most 4,000 characters.
  public var notes: String

  /// The longest distance, in either unit.
  public static let maximumDistance = 1_000.0

  /// The values of a scale.
  public static let markRange = -100_000.0...100_000

  /// Creates a value; each parameter is the property of its name.
  public init(
    distance: Double = 0, unit: LengthUnit? = nil, markValue: Double = 0, notes: String = ""
  ) {
    self.distance = distance
    self.unit = unit
    self.markValue = markValue
    self.notes = notes
  }

  /// How far it is, in metres.
  public var metres: Double { distance * (unit ?? .metre).metres }

  /// The same in the form that is stored, or the first rule that it breaks.
  ///
  /// `prefix` is the path of the mark in the request, as in `sight_mark`.
  public func validated(prefix: String) throws(RuleViolation) -> SightMarkContent {
    guard distance > 0, distance <= Self.maximumDistance else {
      throw RuleViolation(
        field: prefix + ".distance",
        message: "must be above 0 and at most \(Self.maximumDistance)")
    }
    guard unit != nil else {
      throw RuleViolation(field: prefix + ".unit", message: "must be metre or yard")
    }
    guard Self.markRange.contains(markValue) else {
      throw RuleViolation(
        field: prefix + ".mark_value",
        message: "must be from \(Self.markRange.lowerBound) to \(Self.markRange.upperBound)")
    }
    var content = self
    if markValue == 0 { content.markValue = 0 }  // Minus zero would be another content.
    content.notes = try TextLimits.checked(
      notes, length: TextLimits.notesLength, path: prefix + ".notes")
    return content
  }
}

/// What a distance is counted in, numbered as in `quiver.v1.DistanceUnit`.
public enum LengthUnit: Int32, CaseIterable, Sendable, Hashable {
  /// Metres.
  case metre = 1
  /// Yards of 0.9144 m.
  case yard = 2

  /// How many metres one is.
  public var metres: Double {
    switch self {
    case .metre: 1
    case .yard: 0.9144
    }
  }
}
