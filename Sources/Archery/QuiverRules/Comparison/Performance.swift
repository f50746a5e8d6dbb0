/// The statistics of a setup, or of one item, over the arrows of a range.
public struct Performance: Sendable, Equatable {
  /// The counts of the arrows.
  public let counts: ShotCounts
  /// Rounds with at least one arrow in the range.
  public let roundCount: Int
  /// The mean of the rounds' scores, each over its arrows in the range; 0 without rounds.
  public let averageRoundScore: Double
  /// The time of the first arrow, in milliseconds since 1970-01-01 UTC; nil without arrows.
  public let firstShotAt: Int64?
  /// The time of the last arrow, in milliseconds since 1970-01-01 UTC; nil without arrows.
  public let lastShotAt: Int64?
  /// By distance, diameter and face.
  public let strata: [Stratum]
  /// Positions by the diameter of the face in centimetres, smaller faces first; faces without
  /// positions are left out.
  public let positions: [FacePositions]

  /// Computes the statistics of rounds.
  public init(_ rounds: [ComparedRound]) {
    var total = ArrowRollup()
    var counts = ShotCounts()
    var shot = 0
    var strata: Set<Stratum> = []
    var positions: [Double: PositionSums] = [:]
    // Passes mostly have the stratum of the pass before, and no table is searched for these.
    var latest: (stratum: Stratum, positions: PositionSums)?
    for round in rounds {
      let before = counts.arrows
      for part in round.parts where part.rollup.arrowCount > 0 {
        counts.add(part)
        total.merge(part.rollup)
        if latest?.stratum != part.stratum {
          if let latest { positions[latest.stratum.diameterCM] = latest.positions }
          strata.insert(part.stratum)
          latest = (part.stratum, positions[part.stratum.diameterCM] ?? PositionSums())
        }
        if part.rollup.positions.count > 0 { latest?.positions.merge(part.rollup.positions) }
      }
      if counts.arrows > before { shot += 1 }
    }
    if let latest { positions[latest.stratum.diameterCM] = latest.positions }
    self.counts = counts
    roundCount = shot
    averageRoundScore = shot > 0 ? Double(counts.score) / Double(shot) : 0
    firstShotAt = total.firstShotAt
    lastShotAt = total.lastShotAt
    self.strata = strata.sorted()
    self.positions = positions.filter { $0.value.count > 0 }.sorted { $0.key < $1.key }
      .map { FacePositions(diameterCM: $0.key, sums: $0.value) }
  }

  /// Whether there are arrows.
  public var hasData: Bool { counts.arrows > 0 }
}

/// The positions on faces of one diameter.
public struct FacePositions: Sendable, Equatable {
  /// The diameter of the nominal face in centimetres.
  public let diameterCM: Double
  /// The sums of the positions.
  public let sums: PositionSums

  /// Mean x and mean y of the arrows with positions.
  public var drift: ShotPoint? { sums.centroid }

  /// The size of the group; nil with fewer than two positions.
  public var group: ShotGroup? { ShotGroup(sums) }
}
