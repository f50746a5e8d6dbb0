/// The properties of one pass of a round that a handicap uses.
public struct HandicapPass: Sendable, Equatable {
  /// At least 1.
  public let arrows: Int
  /// The distance in metres.
  public let distanceMetres: Double
  /// The diameter of the nominal face in metres.
  public let faceDiameterMetres: Double
  /// From the innermost outwards, each outer one of a lower value.
  public let rings: [ScoringRing]
  /// Of the arrow that the scheme assumes.
  public let arrowDiameterMetres: Double

  /// Creates a value; each parameter is the property of its name.
  public init(
    arrows: Int, distanceMetres: Double, faceDiameterMetres: Double, rings: [ScoringRing],
    isIndoor: Bool
  ) {
    self.arrows = arrows
    self.distanceMetres = distanceMetres
    self.faceDiameterMetres = faceDiameterMetres
    self.rings = rings.sorted { $0.diameterShare < $1.diameterShare }
    arrowDiameterMetres = isIndoor ? 0.0093 : 0.0055
  }

  /// The most that the pass can give.
  public var maximumScore: Int { arrows * (rings.first?.value ?? 0) }
}

/// One ring of a face.
public struct ScoringRing: Sendable, Hashable {
  /// Its diameter as a share of the nominal face's.
  public let diameterShare: Double
  /// The value of an arrow in the ring.
  public let value: Int

  /// Creates a value; each parameter is the property of its name.
  public init(diameterShare: Double, value: Int) {
    self.diameterShare = diameterShare
    self.value = value
  }
}
