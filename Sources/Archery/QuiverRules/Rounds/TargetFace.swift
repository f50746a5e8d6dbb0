/// The target faces, numbered as in `quiver.v1.Face`.
public enum TargetFace: Int32, CaseIterable, Sendable, Hashable {
  /// Imperial face of five zones: 9, 7, 5, 3, 1.
  case fiveZone = 1
  /// Ten rings, 10 to 1, with an X ring.
  case tenZone = 2
  /// Ten rings, 10 to 1, with the smaller 10 ring of compound archers and no X.
  case tenZoneCompound = 3
  /// The six inner rings of the ten-ring face, 10 to 5, with an X ring.
  case tenZone6Ring = 4
  /// The five inner rings of the ten-ring face, 10 to 6, with an X ring.
  case tenZone5Ring = 5
  /// The five inner rings, 10 to 6, with the smaller 10 ring of compound archers and no X.
  case tenZone5RingCompound = 6
  /// Ten rings, with 11 for the innermost.
  case elevenZone = 7
  /// The six inner rings, 10 to 5, with 11 for the innermost.
  case elevenZone6Ring = 8
  /// The five inner rings, 10 to 6, with 11 for the innermost.
  case elevenZone5Ring = 9
  /// World Archery's field face: 6 to 1.
  case waField = 10
  /// The IFAA field face: 5, 4, 3.
  case ifaaField = 11
  /// The IFAA face of expert field rounds: 5 to 1.
  case ifaaFieldExpert = 12
  /// The national field face of Archery Australia: 5 to 1.
  case aaNationalField = 13
  /// The Beiter face of hit or miss: 1.
  case beiterHitMiss = 14
  /// The Worcester face: 5 to 1.
  case worcester = 15
  /// The two inner rings of the Worcester face: 5 and 4.
  case worcester2Ring = 16
  /// Animals, by buttons only.
  case threeD = 17

  /// As in `10_zone`.
  public var code: String { specification.code }

  /// What it scores, and where.
  public var specification: FaceSpecification { FaceSpecification.of(self) }

  /// The face of that code; nil if there is none.
  public init?(code: String) {
    guard let found = TargetFace.allCases.first(where: { $0.code == code }) else { return nil }
    self = found
  }
}
