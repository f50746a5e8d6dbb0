/// What arrows must have in common to be compared: distance, face and its diameter.
public struct Stratum: Sendable, Hashable {
  /// The distance in ``unit``.
  public let distance: Double
  /// The unit of ``distance``.
  public let unit: LengthUnit
  /// The face's number, as in `quiver.v1`.
  public let face: Int32
  /// Of the nominal face.
  public let diameterCM: Double

  /// Creates a value; each parameter is the property of its name.
  public init(distance: Double, unit: LengthUnit, face: Int32, diameterCM: Double) {
    self.distance = distance
    self.unit = unit
    self.face = face
    self.diameterCM = diameterCM
  }
}

extension Stratum: Comparable {
  /// By distance in metres, then diameter, then face.
  public static func < (one: Stratum, two: Stratum) -> Bool {
    (one.distance * one.unit.metres, one.diameterCM, one.face, one.unit.rawValue)
      < (two.distance * two.unit.metres, two.diameterCM, two.face, two.unit.rawValue)
  }
}
