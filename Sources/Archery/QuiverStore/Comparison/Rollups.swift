package import QuiverRules

/// The fields that a rollup copies from its round.
package struct RolledRound: Sendable {
  package let id: Int64
  package let setupID: Int64
  package let setupVersion: Int64

  package init(id: Int64, setupID: Int64, setupVersion: Int64) {
    self.id = id
    self.setupID = setupID
    self.setupVersion = setupVersion
  }
}

/// Updates rollups in the transaction that changes arrows.
extension Transaction {
  private static let add = Query(
    """
    INSERT INTO arrow_rollup (\(RollupRow.columns))
    VALUES (?1, ?2, ?3, (SELECT status FROM round WHERE id = ?4), ?5, ?6, ?7, ?8, ?9, ?10, ?11,
      ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29)
    ON CONFLICT (id) DO UPDATE SET
      first_shot_ms = min(arrow_rollup.first_shot_ms, excluded.first_shot_ms),
      last_shot_ms = max(arrow_rollup.last_shot_ms, excluded.last_shot_ms),
      x_count = arrow_rollup.x_count + excluded.x_count,
      position_count = arrow_rollup.position_count + excluded.position_count,
      sum_x = arrow_rollup.sum_x + excluded.sum_x, sum_y = arrow_rollup.sum_y + excluded.sum_y,
      sum_xx = arrow_rollup.sum_xx + excluded.sum_xx,
      sum_yy = arrow_rollup.sum_yy + excluded.sum_yy,
      sum_xy = arrow_rollup.sum_xy + excluded.sum_xy, v0 = arrow_rollup.v0 + excluded.v0,
      v1 = arrow_rollup.v1 + excluded.v1, v2 = arrow_rollup.v2 + excluded.v2,
      v3 = arrow_rollup.v3 + excluded.v3, v4 = arrow_rollup.v4 + excluded.v4,
      v5 = arrow_rollup.v5 + excluded.v5, v6 = arrow_rollup.v6 + excluded.v6,
      v7 = arrow_rollup.v7 + excluded.v7, v8 = arrow_rollup.v8 + excluded.v8,
      v9 = arrow_rollup.v9 + excluded.v9, v10 = arrow_rollup.v10 + excluded.v10,
      v11 = arrow_rollup.v11 + excluded.v11
    """)
  /// What one arrow adds to an existing row, by the arrow's value: a third of the columns, and none
  /// of the round's.
  private static let addOne = (0...ArrowRollup.highestValue).map { value in
    Query(
      """
      UPDATE arrow_rollup SET
        first_shot_ms = min(first_shot_ms, ?2), last_shot_ms = max(last_shot_ms, ?2),
        x_count = x_count + ?3, position_count = position_count + ?4,
        sum_x = sum_x + ?5, sum_y = sum_y + ?6, sum_xx = sum_xx + ?7, sum_yy = sum_yy + ?8,
        sum_xy = sum_xy + ?9, v\(value) = v\(value) + 1
      WHERE id = ?1
      """)
  }
  private static let addOneWithoutPosition = (0...ArrowRollup.highestValue).map { value in
    Query(
      """
      UPDATE arrow_rollup SET
        first_shot_ms = min(first_shot_ms, ?2), last_shot_ms = max(last_shot_ms, ?2),
        x_count = x_count + ?3, v\(value) = v\(value) + 1
      WHERE id = ?1
      """)
  }
  private static let deleteOne = Query("DELETE FROM arrow_rollup WHERE id = ?1")
  private static let deleteAll = Query("DELETE FROM arrow_rollup WHERE id BETWEEN ?1 AND ?2")

  /// Adds an arrow in an empty slot of a pass.
  func addToRollup(
    _ shot: ShotRecord, of round: RolledRound, pass: RoundPass, passIndex: Int
  ) throws(StoreError) {
    guard try !addToRow(shot, RollupKey(roundID: round.id, passIndex: passIndex)) else { return }
    try merge(ArrowRollup(CollectionOfOne(shot)), of: round, pass: pass, passIndex: passIndex)
  }

  /// Adds an arrow to the row of its pass; returns false if there is no row.
  private func addToRow(_ shot: ShotRecord, _ key: RollupKey) throws(StoreError) -> Bool {
    let isX: SQLValue = .integer(shot.isX ? 1 : 0)
    guard let position = shot.position else {
      return try runCounting(
        Self.addOneWithoutPosition[shot.value], .integer(key.id), .integer(shot.scoredAt), isX) > 0
    }
    var sums = PositionSums()
    sums.add(position)
    return try runCounting(
      Self.addOne[shot.value], .integer(key.id), .integer(shot.scoredAt), isX, .integer(1),
      .real(sums.x), .real(sums.y), .real(sums.xx), .real(sums.yy), .real(sums.xy)) > 0
  }

  /// Folds one pass again after an arrow was corrected or retracted.
  func foldRollup(of round: RolledRound, pass: RoundPass, passIndex: Int) throws(StoreError) {
    let key = RollupKey(roundID: round.id, passIndex: passIndex)
    try run(Self.deleteOne, .integer(key.id))
    let rollup = ArrowRollup(try snapshot.passShots(of: key).map(\.shot))
    guard rollup.arrowCount > 0 else { return }
    try merge(rollup, of: round, pass: pass, passIndex: passIndex)
  }

  /// Folds all passes again after a round was given a setup.
  package func foldRollups(of round: RolledRound, format: RoundFormat) throws(StoreError) {
    let ids = RollupKey.ids(ofRound: round.id)
    try run(Self.deleteAll, .integer(ids.lowerBound), .integer(ids.upperBound))
    for (index, pass) in format.passes.enumerated() {
      try foldRollup(of: round, pass: pass, passIndex: index)
    }
  }

  private func merge(
    _ rollup: ArrowRollup, of round: RolledRound, pass: RoundPass, passIndex: Int
  ) throws(StoreError) {
    let sums = rollup.positions
    var values: [SQLValue] = [
      .integer(RollupKey(roundID: round.id, passIndex: passIndex).id), .integer(round.setupID),
      .integer(round.setupVersion), .integer(round.id), .real(pass.distance),
      .integer(Int64(pass.unit.rawValue)), .integer(Int64(pass.face.rawValue)),
      .real(pass.diameterCentimetres), .integer(rollup.firstShotAt ?? 0),
      .integer(rollup.lastShotAt ?? 0), .integer(Int64(rollup.xCount)),
      .integer(Int64(sums.count)), .real(sums.x), .real(sums.y), .real(sums.xx), .real(sums.yy),
      .real(sums.xy),
    ]
    for count in rollup.histogram { values.append(.integer(Int64(count))) }
    try run(Self.add, values: values)
  }
}
