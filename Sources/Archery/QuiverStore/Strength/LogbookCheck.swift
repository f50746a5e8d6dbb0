import QuiverRules

/// Verifies what a logbook stores: folds every series of sets again, counts again, and compares the
/// days of rounds with their arrows.
enum LogbookCheck {
  private static let nextSeries = Query(
    """
    SELECT id, import_id FROM lift_series WHERE id > ?1 ORDER BY id LIMIT 1
    """)
  private static let sets = Query(
    """
    SELECT id, day, repetitions, weight, unit, one_rep_max_lb FROM lift_set WHERE series_id = ?1
    """)
  private static let strays = Query(
    """
    SELECT id, series_id FROM lift_set WHERE id > ?1 AND id <= ?2
      AND NOT EXISTS (SELECT 1 FROM lift_series s WHERE s.id = lift_set.series_id)
      AND NOT EXISTS (SELECT 1 FROM lift_garbage g WHERE g.series_id = lift_set.series_id)
    LIMIT \(StoreLimits.findingsPerCheck)
    """)
  private static let nextSet = Query("SELECT min(id) FROM lift_set WHERE id > ?1")
  private static let nextPrincipal = Query(
    """
    SELECT min(id) FROM (
      SELECT min(principal_id) AS id FROM lift_series WHERE principal_id > ?1
      UNION ALL SELECT min(principal_id) FROM lift_set_count WHERE principal_id > ?1
      UNION ALL SELECT min(principal_id) FROM weight_entry WHERE principal_id > ?1
      UNION ALL SELECT min(principal_id) FROM weight_entry_count WHERE principal_id > ?1
    ) AS found
    """)
  private static let principalCounts = Query(
    """
    SELECT
      (SELECT coalesce(sum(set_count), 0) FROM lift_series
        WHERE principal_id = ?1 AND import_id = 0),
      (SELECT coalesce(sum(sets), 0) FROM lift_set_count WHERE principal_id = ?1),
      (SELECT count(*) FROM weight_entry WHERE principal_id = ?1),
      (SELECT coalesce(sum(entries), 0) FROM weight_entry_count WHERE principal_id = ?1)
    """)
  private static let lateRounds = Query(
    """
    SELECT r.id FROM round r WHERE r.id > ?1 AND r.id <= ?2 AND EXISTS (
      SELECT 1 FROM scored_arrow a WHERE a.round_id = r.id
        AND a.scored_at_ms < coalesce(r.first_shot_ms, \(Int64.max)))
    LIMIT \(StoreLimits.findingsPerCheck)
    """)
  /// Rounds whose first arrow is not the earliest one that was recorded, corrected and retracted
  /// ones included, nor the time of a typed part. A round of a list has a time of its own.
  private static let otherFirsts = Query(
    """
    SELECT r.id FROM round r WHERE r.id > ?1 AND r.id <= ?2
      AND coalesce(r.first_shot_ms, \(Int64.max)) <> coalesce(
        (SELECT min(shot_at_ms) FROM (
          SELECT o.scored_at_ms AS shot_at_ms FROM scoring_operation o
          WHERE o.participant_id = r.participant_id
            AND o.state = \(OperationRecord.State.applied.rawValue)
            AND o.kind = \(OperationKind.record.rawValue) AND o.stands_for_id IS NULL
          UNION ALL SELECT y.shot_at_ms FROM typed_total y
          WHERE y.participant_id = r.participant_id AND y.ended_at_ms = 0) AS times),
        \(Int64.max))
      AND NOT EXISTS (
        SELECT 1 FROM participant p JOIN shooting_session s ON s.id = p.session_id
        WHERE p.id = r.participant_id AND p.typed_passes <> 0 AND s.is_tournament = 0)
    LIMIT \(StoreLimits.findingsPerCheck)
    """)
  private static let nextRound = Query("SELECT min(id) FROM round WHERE id > ?1")

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings = try series(readers)
    findings += try counts(readers)
    findings += try slices(readers, strays, next: nextSet) { row in
      "set \(row.int64(0)) is of series \(row.int64(1)), which is gone"
    }
    findings += try slices(readers, lateRounds, next: nextRound) { row in
      "an arrow of round \(row.int64(0)) is older than its first"
    }
    findings += try slices(readers, otherFirsts, next: nextRound) { row in
      "round \(row.int64(0)) has another first arrow than its operations"
    }
    return Array(findings.prefix(StoreLimits.findingsPerCheck))
  }

  /// Compares each principal's counts with its rows, each in its own snapshot.
  private static func counts(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var last: Int64? = Int64.min
    while let before = last, findings.count < StoreLimits.findingsPerCheck {
      let step = try readers.verify { (snapshot) throws(StoreError) in
        let next = try snapshot.first(nextPrincipal, .integer(before)) { $0.optionalInt64(0) }
        guard let principal = next ?? nil else { return (Int64?.none, [VerifyFinding]()) }
        return (principal, try self.counts(of: principal, snapshot))
      }
      last = step.0
      findings += step.1
    }
    return findings
  }

  private static func counts(
    of principal: Int64, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> [VerifyFinding] {
    let found = try snapshot.first(principalCounts, .integer(principal)) { row in
      (0..<4).map { row.int64($0) }
    }
    guard let found else { return [] }
    var findings: [VerifyFinding] = []
    for (things, counted, kept) in [
      ("sets", found[0], found[1]), ("weight entries", found[2], found[3]),
    ] where counted != kept {
      findings.append(
        finding("principal \(principal) has \(counted) \(things), where \(kept) are kept"))
    }
    return findings
  }

  /// The findings of a query over a range of ids, slice by slice. Ids jump with each epoch of a
  /// store: `next` finds the one behind a slice.
  private static func slices(
    _ readers: ReaderPool, _ query: Query, next: Query, _ text: (Row) -> String
  ) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var start: Int64? = 0
    while let before = start, findings.count < StoreLimits.findingsPerCheck {
      let last = before + StoreLimits.verifiedRowsPerSlice
      let slice = try readers.verify { (snapshot) throws(StoreError) in
        (
          found: try snapshot.all(query, .integer(before), .integer(last)) { finding(text($0)) },
          next: try snapshot.first(next, .integer(last)) { row in row.optionalInt64(0) } ?? nil
        )
      }
      findings += slice.found
      start = slice.next.map { $0 - 1 }
    }
    return findings
  }

  /// Each series is folded in one snapshot, whatever its length.
  private static func series(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var last: Int64 = 0
    while findings.count < StoreLimits.findingsPerCheck {
      let after = last
      let step = try readers.verify {
        (snapshot) throws(StoreError) in
        let next = try snapshot.first(nextSeries, .integer(after)) { row in
          (id: row.int64(0), isHidden: row.int64(1) != 0)
        }
        guard let next else { return (id: Int64?.none, findings: [VerifyFinding]()) }
        return (next.id, try Self.faults(of: next.id, isHidden: next.isHidden, snapshot))
      }
      findings += step.findings
      guard let id = step.id else { break }
      last = id
    }
    return findings
  }

  /// The sets of a series that an import hides are not counted yet.
  private static func faults(
    of series: Int64, isHidden: Bool, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> [VerifyFinding] {
    var folded = LiftSeriesFold(series: series)
    var faults: [VerifyFinding] = []
    try snapshot.session.forEach(sets, [.integer(series)]) { row in
      let set = FoldedSet(row)
      folded.add(set)
      if set.value != set.kept, faults.count < StoreLimits.findingsPerCheck {
        faults.append(finding("set \(set.id) has another one-rep max than is kept"))
      }
    }
    if !isHidden {
      let kept = try snapshot.storedSummary(of: series)
      if folded.summary.setCount != kept.setCount {
        faults.append(
          finding(
            """
            series \(series) has \(folded.summary.setCount) sets, where \(kept.setCount) are kept
            """))
      }
      if (folded.summary.recordID, folded.summary.confidentRecordID)
        != (kept.recordID, kept.confidentRecordID)
      {
        faults.append(finding("series \(series) has another record than is kept"))
      }
    }
    return faults
  }

  private static func finding(_ message: String) -> VerifyFinding {
    VerifyFinding(.logbook, message)
  }

  /// The content of a set, with its stored one-rep max.
  private struct FoldedSet: Sendable {
    let id: Int64
    let day: Int32
    let repetitions: Int32
    /// In pounds, computed by the rule.
    let value: Double?
    let kept: Double?

    init(_ row: Row) {
      id = row.int64(0)
      day = row.int32(1)
      repetitions = row.int32(2)
      let unit = WeightUnit(rawValue: row.int32(4)) ?? .pound
      value = OneRepMaxFormula.brzycki.value(weight: row.double(3), repetitions: repetitions)
        .map { unit.converted($0, to: .pound) }
      kept = row.isNull(5) ? nil : row.double(5)
    }
  }

  /// The summary of a series, computed set by set with the rules.
  private struct LiftSeriesFold {
    var summary: LiftSeriesSummary
    private var record: FoldedSet?
    private var confidentRecord: FoldedSet?

    init(series: Int64) { summary = LiftSeriesSummary(series: series, setCount: 0) }

    mutating func add(_ set: FoldedSet) {
      summary.setCount += 1
      guard set.value != nil else { return }
      record = Self.better(set, record)
      summary.recordID = record?.id
      guard set.repetitions <= OneRepMaxFormula.confidentRepetitions else { return }
      confidentRecord = Self.better(set, confidentRecord)
      summary.confidentRecordID = confidentRecord?.id
    }

    /// The larger one-rep max; of equal ones the earlier day, then the set that was stored first.
    private static func better(_ set: FoldedSet, _ best: FoldedSet?) -> FoldedSet {
      guard let best else { return set }
      let (value, bestValue) = (set.value ?? 0, best.value ?? 0)
      if value != bestValue { return value > bestValue ? set : best }
      return (set.day, set.id) < (best.day, best.id) ? set : best
    }
  }
}
