/// What arrows must have in common to be compared: distance, face and its diameter, and the
/// conditions that all compared rounds state.
public struct Stratum: Sendable, Hashable {
  /// The distance in ``unit``.
  public let distance: Double
  /// The unit of ``distance``.
  public let unit: LengthUnit
  /// The face's number, as in `quiver.v1`.
  public let face: Int32
  /// Of the nominal face.
  public let diameterCM: Double
  /// Of the session; unknown unless all compared rounds state them.
  public let conditions: ShootingConditions

  /// Creates a value; each parameter is the property of its name.
  public init(
    distance: Double, unit: LengthUnit, face: Int32, diameterCM: Double,
    conditions: ShootingConditions = .unknown
  ) {
    self.distance = distance
    self.unit = unit
    self.face = face
    self.diameterCM = diameterCM
    self.conditions = conditions
  }
}

extension Stratum: Comparable {
  /// By distance in metres, then diameter, face, weather, wind, light and place.
  public static func < (one: Stratum, two: Stratum) -> Bool {
    let sizes = (one.distance * one.unit.metres, one.diameterCM, one.face, one.unit.rawValue)
    let others = (two.distance * two.unit.metres, two.diameterCM, two.face, two.unit.rawValue)
    guard sizes == others else { return sizes < others }
    return one.conditions.order < two.conditions.order
  }
}

extension ShootingConditions {
  /// What strata of one distance and face are ordered by.
  fileprivate var order: (Int32, Int32, Int32, String) {
    (weather?.rawValue ?? 0, wind?.rawValue ?? 0, light?.rawValue ?? 0, place)
  }
}
