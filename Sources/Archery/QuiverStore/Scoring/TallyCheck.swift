import QuiverRules

/// Verifies the stored tallies and arrows.
///
/// Folding the operations must give the arrows. Adding up the arrows must give every column of the
/// tally and the next open end.
enum TallyCheck {
  /// The number of participants that one slice checks.
  private static let participantsPerSlice: Int64 = 50

  private static let participants = Query(
    """
    SELECT p.id, r.id, r.format_id, p.operation_count,
      (SELECT count(*) FROM scoring_operation o WHERE o.participant_id = p.id)
    FROM participant p LEFT JOIN round r ON r.participant_id = p.id
    WHERE p.id > ?1 ORDER BY p.id LIMIT \(participantsPerSlice)
    """)

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var last: Int64? = 0
    while let before = last, findings.count < StoreLimits.findingsPerCheck {
      let slice = try readers.verify { (snapshot) throws(StoreError) in
        try check(snapshot, after: before)
      }
      findings += slice.findings
      last = slice.last
    }
    return Array(findings.prefix(StoreLimits.findingsPerCheck))
  }

  private static func check(
    _ snapshot: borrowing Snapshot, after id: Int64
  ) throws(StoreError) -> (findings: [VerifyFinding], last: Int64?) {
    let rows = try snapshot.all(participants, .integer(id)) { row in
      (
        participant: row.int64(0), round: row.optionalInt64(1), format: row.int64(2),
        keptCount: row.int64(3), operationCount: row.int64(4)
      )
    }
    var findings: [VerifyFinding] = []
    var formats: [Int64: RoundFormat] = [:]
    for row in rows {
      if row.operationCount != row.keptCount {
        findings.append(
          VerifyFinding(
            .counts,
            """
            participant \(row.participant) has \(row.operationCount) operations, where \
            \(row.keptCount) are kept
            """))
      }
      guard let round = row.round else {
        findings.append(VerifyFinding(.counts, "participant \(row.participant) has no round"))
        continue
      }
      let format: RoundFormat
      if let known = formats[row.format] {
        format = known
      } else {
        format = try snapshot.format(id: row.format).format
        formats[row.format] = format
      }
      findings += try check(snapshot, row.participant, round: round, format)
    }
    return (findings, rows.last?.participant)
  }

  private static func check(
    _ snapshot: borrowing Snapshot, _ id: Int64, round: Int64, _ format: RoundFormat
  ) throws(StoreError) -> [VerifyFinding] {
    guard let participant = try snapshot.participant(id: id) else { return [] }
    var findings: [VerifyFinding] = []
    let arrows = try snapshot.arrows(round: round)
    let fold = try snapshot.fold(of: participant, asOf: .max).fold
    for arrow in arrows {
      let slot = fold.slots[arrow.slot]
      let stored = arrow.isRetracted ? nil : arrow.score
      if slot?.score != stored || slot?.head != arrow.operationID {
        findings.append(
          VerifyFinding(
            .counts,
            """
            participant \(id) has an arrow in end \(arrow.slot.endIndex), slot \
            \(arrow.slot.arrowIndex) that its operations do not give
            """))
      }
    }
    // A retracted arrow may have a row or none; the fold has it without a score.
    let stored = arrows.count { !$0.isRetracted }
    let folded = fold.slots.values.count { $0.score != nil }
    if stored != folded {
      findings.append(
        VerifyFinding(
          .counts,
          "participant \(id) has \(stored) arrows, where its operations give \(folded)"))
    }
    let all = PassSet(passes: format.passes.indices)
    // A round of a list has its sums alone.
    if arrows.isEmpty, participant.typedPasses == all,
      try snapshot.scoringPlace(participant: id)?.isTournament == false
    {
      guard participant.tally.arrowCount != format.arrowCount else { return findings }
      return findings + [
        VerifyFinding(.counts, "participant \(id) has a round of a list without all its arrows")
      ]
    }
    let typed = try snapshot.typedTotals(participant: id)
    var (tally, nextEnd) = Self.tally(of: arrows, in: format, without: typed.passes(in: format))
    tally.add(typed, in: format)
    if participant.typedPasses != typed.passes(in: format) {
      findings.append(
        VerifyFinding(.counts, "participant \(id) has other typed parts than are kept"))
    }
    tally.deduct(
      try snapshot.cardSummary(participant: id)?.deduction ?? SumDeduction(), of: format.passes)
    if participant.tally != tally {
      findings.append(
        VerifyFinding(
          .counts,
          """
          participant \(id) has \(tally.total) and \(tally.xCount) X with \(tally.arrowCount) \
          arrows, where \(participant.tally.total), \(participant.tally.xCount) and \
          \(participant.tally.arrowCount) are kept, or other counts that differ
          """))
    }
    if participant.nextEnd != nextEnd {
      findings.append(
        VerifyFinding(
          .counts,
          "participant \(id) has the open end \(nextEnd), where \(participant.nextEnd) is kept"))
    }
    return findings
  }

  /// The tally of the arrows, and the first end with an open slot, without the passes that are
  /// typed.
  private static func tally(
    of arrows: [ScoredArrowRecord], in format: RoundFormat, without typed: PassSet
  ) -> (ScoreTally, nextEnd: Int) {
    var tally = ScoreTally()
    var filled: [Int: Int] = [:]
    for arrow in arrows where !arrow.isRetracted {
      guard let end = format.end(arrow.slot.endIndex), !typed.contains(pass: end.passIndex)
      else { continue }
      tally.add(arrow.score, on: end.pass.face)
      filled[arrow.slot.endIndex, default: 0] += 1
    }
    tally.endsCompleted = filled.count { format.end($0.key)?.arrowCount == $0.value }
    let nextEnd = (0..<format.endCount).first { index in
      guard let end = format.end(index), !typed.contains(pass: end.passIndex) else { return false }
      return filled[index, default: 0] < end.arrowCount
    }
    return (tally, nextEnd ?? format.endCount)
  }
}

/// Counts the formats, sessions and tournaments of every principal again.
///
/// A deleted principal has no counts; sessions with other archers keep its id.
enum ScoringCountCheck {
  private static let nextPrincipal = Query(
    """
    SELECT min(id) FROM (
      SELECT min(principal_id) AS id FROM round_format WHERE principal_id > ?1 AND is_listed = 1
      UNION ALL SELECT min(principal_id) FROM shooting_session WHERE principal_id > ?1
      UNION ALL SELECT min(principal_id) FROM scoring_count WHERE principal_id > ?1
    ) AS found
    """)
  /// The formats of principal 0 are those of the library.
  private static let counts = Query(
    """
    SELECT
      (SELECT count(*) FROM round_format
        WHERE principal_id = ?1 AND is_listed = 1 AND principal_id <> 0),
      (SELECT count(*) FROM shooting_session WHERE principal_id = ?1 AND is_tournament = 0),
      (SELECT count(*) FROM shooting_session WHERE principal_id = ?1 AND is_tournament <> 0),
      coalesce((SELECT formats FROM scoring_count WHERE principal_id = ?1), 0),
      coalesce((SELECT sessions FROM scoring_count WHERE principal_id = ?1), 0),
      coalesce((SELECT tournaments FROM scoring_count WHERE principal_id = ?1), 0)
    WHERE NOT EXISTS (SELECT 1 FROM principal WHERE id = ?1 AND deleted_at_ms IS NOT NULL)
    """)

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var principal: Int64? = Int64.min
    while let before = principal, findings.count < StoreLimits.findingsPerCheck {
      let step = try readers.verify { (snapshot) throws(StoreError) in
        try check(snapshot, after: before)
      }
      principal = step.principal
      findings += step.findings
    }
    return findings
  }

  private static func check(
    _ snapshot: borrowing Snapshot, after before: Int64
  ) throws(StoreError) -> (principal: Int64?, findings: [VerifyFinding]) {
    let next = try snapshot.first(nextPrincipal, .integer(before)) { row in row.optionalInt64(0) }
    guard let principal = next ?? nil else { return (nil, []) }
    let found = try snapshot.first(counts, .integer(principal)) { row in
      (0..<6).map { row.int64($0) }
    }
    guard let found, found[..<3] != found[3...] else { return (principal, []) }
    return (
      principal,
      [
        VerifyFinding(
          .counts,
          """
          principal \(principal) has \(found[0]) formats, \(found[1]) sessions and \
          \(found[2]) tournaments, where \(found[3]), \(found[4]) and \(found[5]) are kept
          """)
      ]
    )
  }
}
