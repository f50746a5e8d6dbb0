import QuiverRules

/// Folds the arrows of every round again and compares them with the stored rollups.
enum RollupCheck {
  /// The number of rounds that one snapshot checks.
  private static let roundsPerSlice: Int64 = 200

  private static let rounds = Query(
    """
    SELECT id, setup_id, setup_version, status, format_id FROM round
    WHERE id > ?1 ORDER BY id LIMIT ?2
    """)
  private static let kept = Query(
    "SELECT \(RollupRow.columns) FROM arrow_rollup WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
  private static let passes = Query(
    """
    SELECT pass_index, distance, unit, face, diameter_cm FROM format_pass WHERE format_id = ?1
    ORDER BY pass_index
    """)
  private static let stray = Query(
    """
    SELECT id / 32 FROM arrow_rollup
    WHERE NOT EXISTS (SELECT 1 FROM round WHERE round.id = arrow_rollup.id / 32) LIMIT ?1
    """)

  private struct Round {
    let id: Int64
    let setupID: Int64
    let setupVersion: Int64
    let status: Int64
    let formatID: Int64
  }

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    let strays = try readers.verify { (snapshot) throws(StoreError) in
      try snapshot.all(stray, .integer(Int64(StoreLimits.findingsPerCheck))) { row in
        VerifyFinding(.rollups, "there is a rollup of round \(row.int64(0)), which is gone")
      }
    }
    var findings = strays
    var last: Int64 = 0
    while findings.count < StoreLimits.findingsPerCheck {
      let after = last
      let slice = try readers.verify { (snapshot) throws(StoreError) in
        try Self.slice(snapshot, after: after)
      }
      findings += slice.findings
      guard let next = slice.last else { break }
      last = next
    }
    return Array(findings.prefix(StoreLimits.findingsPerCheck))
  }

  private static func slice(
    _ snapshot: borrowing Snapshot, after: Int64
  ) throws(StoreError) -> (last: Int64?, findings: [VerifyFinding]) {
    let rounds = try snapshot.all(rounds, .integer(after), .integer(roundsPerSlice)) { row in
      Round(
        id: row.int64(0), setupID: row.int64(1), setupVersion: row.int64(2),
        status: row.int64(3), formatID: row.int64(4))
    }
    var findings: [VerifyFinding] = []
    for round in rounds { findings += try faults(of: round, snapshot) }
    return (rounds.last?.id, findings)
  }

  private static func faults(
    of round: Round, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> [VerifyFinding] {
    let ids = RollupKey.ids(ofRound: round.id)
    let rows = try snapshot.all(kept, .integer(ids.lowerBound), .integer(ids.upperBound)) {
      (row) throws(StoreError) in try RollupRow(row)
    }
    let keptRows = Dictionary(rows.map { ($0.key.passIndex, $0) }) { first, _ in first }
    let strata = try snapshot.all(passes, .integer(round.formatID)) { row in
      (
        index: Int(clamping: row.int64(0)), distance: row.double(1), unit: row.int32(2),
        face: row.int32(3), diameterCM: row.double(4)
      )
    }
    var findings: [VerifyFinding] = []
    for pass in strata {
      let key = RollupKey(roundID: round.id, passIndex: pass.index)
      let folded =
        round.setupID == 0
        ? ArrowRollup() : ArrowRollup(try snapshot.passShots(of: key).map(\.shot))
      let row = keptRows[pass.index]
      guard folded.agrees(with: row?.part.rollup ?? ArrowRollup()) else {
        findings.append(fault(key, "is not the sum of its arrows"))
        continue
      }
      guard let row else { continue }
      if (row.setupID, row.setupVersion) != (round.setupID, round.setupVersion) {
        findings.append(fault(key, "is of another setup than its round"))
      }
      if row.status != round.status {
        findings.append(fault(key, "has another status than its round"))
      }
      let stratum = row.part.stratum
      if (stratum.distance, stratum.unit.rawValue, stratum.face, stratum.diameterCM)
        != (pass.distance, pass.unit, pass.face, pass.diameterCM)
      {
        findings.append(fault(key, "is of another pass than its format's"))
      }
    }
    return findings
  }

  private static func fault(_ key: RollupKey, _ what: String) -> VerifyFinding {
    VerifyFinding(.rollups, "the rollup of round \(key.roundID), pass \(key.passIndex), \(what)")
  }
}
