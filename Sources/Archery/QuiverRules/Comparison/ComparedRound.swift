/// One round of a setup, as far as it lies in the range of a comparison.
public struct ComparedRound: Sendable, Equatable {
  /// Its arrows by pass, or what passes of one stratum have together.
  public let parts: [RoundPart]
  /// Its handicap, where it is complete, lies in the range with all its arrows, and has one.
  public let handicap: Int?

  /// The handicap of the passes of each stratum, added, where all their arrows lie in the range. A
  /// round of one stratum has it in ``handicap``.
  public let stratumHandicaps: [Stratum: Int]

  /// Creates a value; each parameter is the property of its name.
  public init(
    parts: [RoundPart], handicap: Int? = nil, stratumHandicaps: [Stratum: Int] = [:]
  ) {
    self.parts = parts
    self.handicap = handicap
    self.stratumHandicaps = stratumHandicaps
  }

  /// The arrows of the round in a stratum with the handicap that they have there; nil if there are
  /// none.
  func part(in stratum: Stratum) -> ComparedRound? {
    let own = parts.filter { $0.stratum == stratum && $0.rollup.arrowCount > 0 }
    guard !own.isEmpty else { return nil }
    let isWhole = parts.allSatisfy { $0.stratum == stratum }
    return ComparedRound(
      parts: own, handicap: isWhole ? handicap : stratumHandicaps[stratum])
  }
}

/// The arrows of a round that were shot at one stratum.
public struct RoundPart: Sendable, Equatable {
  /// The distance and the face.
  public let stratum: Stratum
  /// The values from which arrows count for accuracy and consistency.
  public let floors: ValueFloors
  /// The sums of the arrows.
  public let rollup: ArrowRollup

  /// Creates a value; each parameter is the property of its name.
  public init(stratum: Stratum, floors: ValueFloors, rollup: ArrowRollup) {
    self.stratum = stratum
    self.floors = floors
    self.rollup = rollup
  }
}
