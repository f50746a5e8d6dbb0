/// One round of a setup, as far as it lies in the range of a comparison.
public struct ComparedRound: Sendable, Equatable {
  /// Its arrows by pass, or what passes of one stratum have together.
  public let parts: [RoundPart]
  /// Its handicap, where it is complete, lies in the range with all its arrows, and has one.
  public let handicap: Int?

  public init(parts: [RoundPart], handicap: Int? = nil) {
    self.parts = parts
    self.handicap = handicap
  }

  /// What of it belongs to a stratum; nil where nothing does. A part has no handicap.
  func part(in stratum: Stratum) -> ComparedRound? {
    let parts = parts.filter { $0.stratum == stratum && $0.rollup.arrowCount > 0 }
    return parts.isEmpty ? nil : ComparedRound(parts: parts)
  }
}

/// The arrows of a round that were shot at one stratum.
public struct RoundPart: Sendable, Equatable {
  public let stratum: Stratum
  public let floors: ValueFloors
  public let rollup: ArrowRollup

  public init(stratum: Stratum, floors: ValueFloors, rollup: ArrowRollup) {
    self.stratum = stratum
    self.floors = floors
    self.rollup = rollup
  }
}
