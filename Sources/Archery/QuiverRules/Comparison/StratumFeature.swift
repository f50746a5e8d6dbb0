/// What may differ between strata, numbered as in `quiver.v1.StratumAspect`.
public enum StratumFeature: Int32, CaseIterable, Sendable, Hashable {
  /// The distance.
  case distance = 1
  /// The face and its diameter.
  case face = 2
  /// The place of the session.
  case place = 3
  /// The weather of the session.
  case weather = 4
  /// The wind of the session.
  case wind = 5
  /// The light of the session.
  case light = 6

  /// Those that a session states; a round has the others always.
  public static let conditions: Set<StratumFeature> = [.place, .weather, .wind, .light]

  /// As a reason why points do not compare.
  var differingWords: String {
    switch self {
    case .distance: "the distances"
    case .face: "the faces"
    case .place: "the places"
    case .weather: "the weather"
    case .wind: "the wind"
    case .light: "the light"
    }
  }
}

extension Stratum {
  /// The stratum with nothing but one aspect.
  func only(_ aspect: StratumFeature) -> Stratum {
    switch aspect {
    case .distance:
      Stratum(distance: distance * unit.metres, unit: .metre, face: 0, diameterCM: 0)
    case .face: Stratum(distance: 0, unit: .metre, face: face, diameterCM: diameterCM)
    case .place, .weather, .wind, .light:
      Stratum(
        distance: 0, unit: .metre, face: 0, diameterCM: 0,
        conditions: conditions.keeping([aspect]))
    }
  }

  /// Whether it has a condition that is none of those.
  func states(otherThan aspects: Set<StratumFeature>) -> Bool {
    conditions != conditions.keeping(aspects)
  }

  /// The stratum with only those of its conditions.
  public func keeping(_ aspects: Set<StratumFeature>) -> Stratum {
    Stratum(
      distance: distance, unit: unit, face: face, diameterCM: diameterCM,
      conditions: conditions.keeping(aspects))
  }
}

extension ComparedRound {
  /// The conditions that every one of the rounds states: only these make strata, since a round
  /// whose weather is unknown can be of any.
  public static func statedAspects(_ rounds: [ComparedRound]) -> Set<StratumFeature> {
    var stated: Set<StratumFeature>?
    // Rounds mostly have the conditions of the round before.
    var latest: ShootingConditions?
    for round in rounds {
      for part in round.parts
      where part.stratum.conditions != latest && part.rollup.arrowCount > 0 {
        latest = part.stratum.conditions
        let own = part.stratum.conditions.stated
        stated = stated?.intersection(own) ?? own
      }
    }
    return stated ?? []
  }

  /// The round with only those of its conditions.
  public func keeping(_ aspects: Set<StratumFeature>) -> ComparedRound {
    guard parts.contains(where: { $0.stratum.states(otherThan: aspects) }) else { return self }
    return ComparedRound(
      parts: parts.map { part in
        RoundPart(
          stratum: part.stratum.keeping(aspects), floors: part.floors, rollup: part.rollup)
      }, handicap: handicap,
      // A round has one set of conditions, so that no two strata become one.
      stratumHandicaps: Dictionary(
        stratumHandicaps.map { ($0.key.keeping(aspects), $0.value) }, uniquingKeysWith: { $1 }))
  }
}
