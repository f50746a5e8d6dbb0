/// What one face scores, and where.
public struct FaceSpecification: Sendable, Equatable {
  /// The face.
  public let face: TargetFace

  /// As in `10_zone`.
  public let code: String

  /// Smallest first; none where the face is scored by buttons only.
  public let rings: [Ring]

  /// The X ring's diameter as a fraction of the face's; nil if there is no X.
  public let xRing: Double?

  /// Highest first, without 0, which every face has for a miss.
  public let values: [Int]

  /// One ring and its value.
  public struct Ring: Sendable, Equatable {
    /// As a fraction of the nominal face's diameter.
    public let diameter: Double
    /// The value of an arrow in the ring.
    public let value: Int
  }

  /// The largest distance beyond a line at which an arrow still touches it, in radii of the face.
  public static let tolerance = 1e-9

  init(
    _ face: TargetFace, _ code: String, rings: [(diameter: Double, value: Int)],
    xRing: Double? = nil,
    values: [Int] = []
  ) {
    self.face = face
    self.code = code
    self.rings = rings.map { Ring(diameter: $0.diameter, value: $0.value) }
    self.xRing = xRing
    self.values = values.isEmpty ? rings.map(\.value) : values
  }

  /// The highest value.
  public var topValue: Int { values.first ?? 0 }

  /// The next below the top; the top again where there is one value only.
  public var secondValue: Int { values.count > 1 ? values[1] : topValue }

  /// Whether an arrow of that value can be on it; 0 always can.
  public func has(value: Int) -> Bool { value == 0 || values.contains(value) }

  /// Whether that value can be an X.
  public func hasX(value: Int) -> Bool { xRing != nil && value == topValue }

  /// The value of an arrow at that position: a line cutter scores the higher value.
  ///
  /// `x` and `y` are in radii of the nominal face; nil if the face is scored by buttons only.
  public func score(
    x: Double, y: Double, arrowDiameterMillimetres: Double, faceDiameterCentimetres: Double
  ) -> ArrowScore? {
    guard !rings.isEmpty, faceDiameterCentimetres > 0 else { return nil }
    let radius = (x * x + y * y).squareRoot()
    let arrowRadius = arrowDiameterMillimetres / (faceDiameterCentimetres * 10)
    func isWithin(_ ring: Double) -> Bool { radius <= ring + arrowRadius + Self.tolerance }
    if let xRing, isWithin(xRing) { return ArrowScore(value: topValue, isX: true) }
    return ArrowScore(value: rings.first { isWithin($0.diameter) }?.value ?? 0)
  }

  static func of(_ face: TargetFace) -> FaceSpecification { all[Int(face.rawValue) - 1] }
}

/// The faces as data: ring geometry of archeryutils 3.0.0 (`Target.gen_face_spec`), MIT; the X ring
/// is half the 10 ring by World Archery's rule.
extension FaceSpecification {
  /// In the order of `TargetFace`.
  static let all: [FaceSpecification] = [
    FaceSpecification(
      .fiveZone, "5_zone", rings: [(0.2, 9), (0.4, 7), (0.6, 5), (0.8, 3), (1, 1)]),
    FaceSpecification(.tenZone, "10_zone", rings: tenZone, xRing: 0.05),
    FaceSpecification(.tenZoneCompound, "10_zone_compound", rings: compound),
    FaceSpecification(
      .tenZone6Ring, "10_zone_6_ring", rings: Array(tenZone.prefix(6)), xRing: 0.05),
    FaceSpecification(
      .tenZone5Ring, "10_zone_5_ring", rings: Array(tenZone.prefix(5)), xRing: 0.05),
    FaceSpecification(
      .tenZone5RingCompound, "10_zone_5_ring_compound", rings: Array(compound.prefix(5))),
    FaceSpecification(.elevenZone, "11_zone", rings: elevenZone),
    FaceSpecification(.elevenZone6Ring, "11_zone_6_ring", rings: Array(elevenZone.prefix(7))),
    FaceSpecification(.elevenZone5Ring, "11_zone_5_ring", rings: Array(elevenZone.prefix(6))),
    FaceSpecification(
      .waField, "WA_field", rings: [(0.1, 6), (0.2, 5), (0.4, 4), (0.6, 3), (0.8, 2), (1, 1)]),
    FaceSpecification(.ifaaField, "IFAA_field", rings: [(0.2, 5), (0.6, 4), (1, 3)]),
    FaceSpecification(.ifaaFieldExpert, "IFAA_field_expert", rings: fiveRings),
    FaceSpecification(.aaNationalField, "AA_national_field", rings: fiveRings),
    FaceSpecification(.beiterHitMiss, "Beiter_hit_miss", rings: [(1, 1)]),
    FaceSpecification(.worcester, "Worcester", rings: fiveRings),
    FaceSpecification(.worcester2Ring, "Worcester_2_ring", rings: Array(fiveRings.prefix(2))),
    FaceSpecification(.threeD, "3D", rings: [], values: [11, 10, 8, 5]),
  ]

  private static let tenZone: [(diameter: Double, value: Int)] = [
    (0.1, 10), (0.2, 9), (0.3, 8), (0.4, 7), (0.5, 6), (0.6, 5), (0.7, 4), (0.8, 3), (0.9, 2),
    (1, 1),
  ]
  private static let compound = [(diameter: 0.05, value: 10)] + tenZone.dropFirst()
  private static let elevenZone = [(diameter: 0.05, value: 11)] + tenZone
  private static let fiveRings: [(diameter: Double, value: Int)] = [
    (0.2, 5), (0.4, 4), (0.6, 3), (0.8, 2), (1, 1),
  ]
}
