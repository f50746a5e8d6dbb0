extension RoundDefinition {
  /// Its passes as handicaps know them; field rounds count as outdoors.
  public var handicapPasses: [HandicapPass] {
    passes.map { pass in
      HandicapPass(
        arrows: pass.arrowCount, distanceMetres: pass.metres,
        faceDiameterMetres: pass.diameterCentimetres / 100,
        rings: pass.face.scoringRings, isIndoor: location == .indoor)
    }
  }
}

extension TargetFace {
  /// Its rings as handicaps know them; none where it is scored by buttons only.
  public var scoringRings: [ScoringRing] {
    specification.rings.map { ScoringRing(diameterShare: $0.diameter, value: $0.value) }
  }
}

extension ValueFloors {
  /// For a face by its specification.
  public init(_ face: TargetFace) {
    self.init(top: face.specification.topValue, second: face.specification.secondValue)
  }
}
