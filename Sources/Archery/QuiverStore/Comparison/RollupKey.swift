import QuiverRules

/// The pass of a round to which a rollup belongs.
struct RollupKey: Sendable, Hashable {
  let roundID: Int64
  let passIndex: Int

  /// The number of ids for the passes of a round.
  static let passesPerRound: Int64 = 32

  init(roundID: Int64, passIndex: Int) {
    self.roundID = roundID
    self.passIndex = passIndex
  }

  init(id: Int64) {
    roundID = id / Self.passesPerRound
    passIndex = Int(id % Self.passesPerRound)
  }

  var id: Int64 { roundID &* Self.passesPerRound &+ Int64(passIndex) }

  /// The ids of all passes of a round.
  static func ids(ofRound roundID: Int64) -> ClosedRange<Int64> {
    let first = roundID &* passesPerRound
    return first...(first &+ passesPerRound &- 1)
  }
}

/// One row of `arrow_rollup`.
struct RollupRow: Sendable {
  let key: RollupKey
  let setupID: Int64
  let setupVersion: Int64
  let status: Int64
  let part: RoundPart

  /// The columns of `init(_:)`, in order.
  static let columns = """
    id, setup_id, setup_version, status, distance, unit, face, diameter_cm, first_shot_ms,
    last_shot_ms, x_count, position_count, sum_x, sum_y, sum_xx, sum_yy, sum_xy,
    v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11
    """
  private static let firstValueColumn: Int32 = 17

  /// Throws `dataLoss` if the face or the unit is unknown.
  init(_ row: Row) throws(StoreError) {
    guard let unit = DistanceUnit(rawValue: row.int32(5)), let face = Face(rawValue: row.int32(6))
    else { throw StoreError(.dataLoss, "a rollup is of an unknown face or unit") }
    key = RollupKey(id: row.int64(0))
    setupID = row.int64(1)
    setupVersion = row.int64(2)
    status = row.int64(3)
    var histogram: [Int] = []
    histogram.reserveCapacity(ArrowRollup.highestValue + 1)
    for value in 0...Int32(ArrowRollup.highestValue) {
      histogram.append(Int(row.int64(Self.firstValueColumn + value)))
    }
    let positions = PositionSums(
      count: Int(row.int64(11)), x: row.double(12), y: row.double(13), xx: row.double(14),
      yy: row.double(15), xy: row.double(16))
    part = RoundPart(
      stratum: Stratum(
        distance: row.double(4), unit: unit, face: face.rawValue, diameterCM: row.double(7)),
      floors: ValueFloors(face),
      rollup: ArrowRollup(
        histogram: histogram, xCount: Int(row.int64(10)), positions: positions,
        firstShotAt: row.int64(8), lastShotAt: row.int64(9)))
  }
}
