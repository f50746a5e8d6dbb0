/// Adds up every participant's arrows anew and holds that against what is kept beside it.
enum TallyCheck {
  private static let differences = Query(
    """
    SELECT p.id, p.total, p.x_count, p.arrow_count, a.total, a.x_count, a.arrow_count
    FROM participant p JOIN round r ON r.participant_id = p.id
    LEFT JOIN (
      SELECT s.round_id AS round_id, sum(s.value) AS total, sum(s.is_x) AS x_count,
        count(*) AS arrow_count, sum(s.value = 10) AS tens, sum(s.value = 0) AS misses
      FROM scored_arrow s JOIN round q ON q.id = s.round_id
      WHERE s.is_retracted = 0 AND q.participant_id > ?1 AND q.participant_id <= ?2
      GROUP BY s.round_id) a ON a.round_id = r.id
    WHERE p.id > ?1 AND p.id <= ?2 AND (
      p.total <> ifnull(a.total, 0) OR p.x_count <> ifnull(a.x_count, 0)
      OR p.arrow_count <> ifnull(a.arrow_count, 0) OR p.n10 <> ifnull(a.tens, 0)
      OR p.n0 <> ifnull(a.misses, 0))
    ORDER BY p.id LIMIT \(StoreLimits.findingsPerCheck)
    """)
  private static let newest = Query("SELECT max(id) FROM participant")

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var before: Int64 = 0
    var end: Int64 = 0
    repeat {
      let start = before
      let (found, last) = try readers.verify { (snapshot) throws(StoreError) in
        (
          try snapshot.all(
            differences, .integer(start), .integer(start + StoreLimits.verifiedRowsPerSlice),
            map: finding),
          try snapshot.first(newest) { row in row.int64(0) } ?? 0
        )
      }
      findings += found
      end = last
      before = start + StoreLimits.verifiedRowsPerSlice
    } while before < end && findings.count < StoreLimits.findingsPerCheck
    return Array(findings.prefix(StoreLimits.findingsPerCheck))
  }

  private static func finding(_ row: Row) -> VerifyFinding {
    VerifyFinding(
      .counts,
      """
      participant \(row.int64(0)) has \(row.int64(4)) and \(row.int64(5)) X with \(row.int64(6)) \
      arrows, where \(row.int64(1)), \(row.int64(2)) and \(row.int64(3)) are kept
      """)
  }
}
