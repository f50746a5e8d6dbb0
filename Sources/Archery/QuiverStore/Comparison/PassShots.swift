import QuiverRules

/// A stored arrow of a pass, for statistics.
struct PassShot: Sendable {
  /// Starts at 0 in each end.
  let arrowIndex: Int
  /// 0 if it is not known.
  let shaft: Int
  let shot: ShotRecord
}

/// Reads rounds for comparisons.
extension Snapshot {
  private static let arrows = Query(
    """
    SELECT arrow_index, value, is_x, x, y, scored_at_ms, shaft FROM scored_arrow
    WHERE round_id = ?1 AND pass_index = ?2 AND is_retracted = 0
    ORDER BY end_index, arrow_index
    """)

  /// The arrows of a pass by slot, without retracted ones.
  func passShots(of key: RollupKey) throws(StoreError) -> [PassShot] {
    try all(Self.arrows, .integer(key.roundID), .integer(Int64(key.passIndex))) { row in
      let value = Int(clamping: row.int64(1))
      let position = row.isNull(3) ? nil : ShotPoint(x: row.double(3), y: row.double(4))
      return PassShot(
        arrowIndex: Int(clamping: row.int64(0)), shaft: Int(clamping: row.int64(6)),
        shot: ShotRecord(
          value: min(max(value, 0), ArrowRollup.highestValue), isX: row.bool(2),
          position: position, scoredAt: row.int64(5)))
    }
  }

  private static let format = Query(
    """
    SELECT r.format_id, f.location FROM round r JOIN round_format f ON f.id = r.format_id
    WHERE r.id = ?1
    """)
  private static let passes = Query(
    """
    SELECT arrow_count, distance, unit, face, diameter_cm FROM format_pass
    WHERE format_id = ?1 ORDER BY pass_index
    """)

  /// The handicap of the parts of a completed round: of the whole round, or of the passes of one
  /// stratum. Nil if arrows are missing or the passes have no handicap.
  ///
  /// `tables` keeps what rounds of one format share.
  func handicap(
    roundID: Int64, _ parts: [RoundPart], of stratum: Stratum?,
    _ tables: inout [RoundTable.Key: RoundTable]
  ) throws(StoreError) -> Int? {
    let found = try first(Self.format, .integer(roundID)) { row in
      (formatID: row.int64(0), isIndoor: row.int32(1) == RoundLocation.indoor.rawValue)
    }
    guard let found else { return nil }
    let key = RoundTable.Key(formatID: found.formatID, stratum: stratum?.keeping([]))
    var table: RoundTable
    if let known = tables[key] {
      table = known
    } else {
      table = try roundTable(key, found.isIndoor)
    }
    let arrows = parts.reduce(0) { $0 + $1.rollup.arrowCount }
    guard arrows == table.arrowCount else { return nil }
    let handicap = table.scores?.handicap(parts.reduce(0) { $0 + $1.rollup.score })
    tables[key] = table
    return handicap
  }

  private func roundTable(
    _ key: RoundTable.Key, _ isIndoor: Bool
  ) throws(StoreError) -> RoundTable {
    var passes: [HandicapPass] = []
    try session.forEach(Self.passes, [.integer(key.formatID)]) { (row) throws(StoreError) in
      guard let unit = DistanceUnit(rawValue: row.int32(2)),
        let face = Face(rawValue: row.int32(3))
      else { throw StoreError(.dataLoss, "a format has an unknown face or unit") }
      let (distance, diameter) = (row.double(1), row.double(4))
      if let stratum = key.stratum {
        let own = (stratum.distance, stratum.unit, stratum.face, stratum.diameterCM)
        guard own == (distance, unit, face.rawValue, diameter) else { return }
      }
      passes.append(
        HandicapPass(
          arrows: Int(clamping: row.int64(0)), distanceMetres: distance * unit.metres,
          faceDiameterMetres: diameter / 100, rings: face.scoringRings, isIndoor: isIndoor))
    }
    return RoundTable(
      arrowCount: passes.reduce(0) { $0 + $1.arrows }, scores: HandicapTable(passes))
  }
}

/// The handicaps of one format, or of its passes of one stratum.
struct RoundTable {
  struct Key: Hashable {
    let formatID: Int64
    /// Nil for all passes.
    let stratum: Stratum?
  }

  let arrowCount: Int
  /// Nil for a format that cannot be scored by rings.
  var scores: HandicapTable?
}
