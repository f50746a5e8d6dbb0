/// What is shot at, numbered as in `quiver.v1.Face`.
public enum TargetFace: Int32, CaseIterable, Sendable, Hashable {
  case fiveZone = 1
  case tenZone = 2
  case tenZoneCompound = 3
  case tenZone6Ring = 4
  case tenZone5Ring = 5
  case tenZone5RingCompound = 6
  case elevenZone = 7
  case elevenZone6Ring = 8
  case elevenZone5Ring = 9
  case waField = 10
  case ifaaField = 11
  case ifaaFieldExpert = 12
  case aaNationalField = 13
  case beiterHitMiss = 14
  case worcester = 15
  case worcester2Ring = 16
  /// Animals, by buttons only.
  case threeD = 17

  /// As in `10_zone`.
  public var code: String { specification.code }

  /// What it scores, and where.
  public var specification: FaceSpecification { FaceSpecification.of(self) }

  /// The face of that code; nil where there is none.
  public init?(code: String) {
    guard let found = TargetFace.allCases.first(where: { $0.code == code }) else { return nil }
    self = found
  }
}
