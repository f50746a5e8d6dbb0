/// Arrows at one distance and face.
public struct PassDefinition: Sendable, Hashable {
  /// The number of arrows.
  public var arrowCount: Int

  /// The last end of a pass may be short.
  public var arrowsPerEnd: Int

  /// In units.
  public var distance: Double
  /// The unit of the distance.
  public var unit: LengthUnit
  /// The target face.
  public var face: TargetFace

  /// Of the nominal face.
  public var diameterCentimetres: Double

  /// The numbers of arrows that are allowed.
  public static let arrowRange = 1...1_000
  /// The numbers of arrows per end that are allowed.
  public static let arrowsPerEndRange = 1...12
  /// The largest diameter of a face in centimetres.
  public static let maximumDiameterCentimetres = 300.0

  /// Creates a value; each parameter is the property of its name.
  public init(
    arrowCount: Int, arrowsPerEnd: Int, distance: Double, unit: LengthUnit, face: TargetFace,
    diameterCentimetres: Double
  ) {
    self.arrowCount = arrowCount
    self.arrowsPerEnd = arrowsPerEnd
    self.distance = distance
    self.unit = unit
    self.face = face
    self.diameterCentimetres = diameterCentimetres
  }

  /// The number of ends; the last one may be short.
  public var endCount: Int { (arrowCount + arrowsPerEnd - 1) / arrowsPerEnd }

  /// How far it is, in metres.
  public var metres: Double { distance * unit.metres }

  /// The same, or the first rule that it breaks; `path` is its place, as in `format.passes[0]`.
  public func validated(path: String) throws(RuleViolation) -> PassDefinition {
    func check(_ isGood: Bool, _ field: String, _ message: String) throws(RuleViolation) {
      if !isGood { throw RuleViolation(field: "\(path).\(field)", message: message) }
    }
    try check(
      Self.arrowRange.contains(arrowCount), "arrows",
      "must be from \(Self.arrowRange.lowerBound) to \(Self.arrowRange.upperBound)")
    try check(
      Self.arrowsPerEndRange.contains(arrowsPerEnd), "arrows_per_end",
      "must be at most \(Self.arrowsPerEndRange.upperBound)")
    try check(
      distance > 0 && distance <= SightMarkContent.maximumDistance, "distance",
      "must be above 0 and at most \(SightMarkContent.maximumDistance)")
    try check(
      diameterCentimetres > 0 && diameterCentimetres <= Self.maximumDiameterCentimetres,
      "diameter_cm", "must be above 0 and at most \(Self.maximumDiameterCentimetres)")
    return self
  }
}

/// Where a round is shot, numbered as in `quiver.v1.RoundLocation`.
public enum RoundVenue: Int32, CaseIterable, Sendable, Hashable {
  /// Indoors.
  case indoor = 1
  /// Outdoors on a target range.
  case outdoor = 2
  /// On a field course.
  case field = 3

  /// The default of a pass.
  public var arrowsPerEnd: Int { self == .outdoor ? 6 : 3 }

  /// The default of a round whose setup has none.
  public var arrowDiameterMillimetres: Double { self == .indoor ? 9.3 : 5.5 }
}
