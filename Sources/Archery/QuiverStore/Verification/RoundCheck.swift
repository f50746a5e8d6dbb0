import QuiverRules

/// Verifies the rounds of formats, and the places and turns of participants in them.
enum RoundCheck {
  private static let formats = Query(
    "SELECT DISTINCT format_id FROM format_part WHERE format_id > ?1 ORDER BY format_id LIMIT ?2")
  private static let parts = Query(
    """
    SELECT number, first_pass, first_end, end_count FROM format_part
    WHERE format_id = ?1 ORDER BY number
    """)
  /// Places in a session of another round or of no session of the event, and of rounds that the
  /// card does not have.
  private static let places = Query(
    """
    SELECT l.participant_id, l.round FROM event_round_place l
    LEFT JOIN event_session s ON s.id = l.session_id AND s.event_id = l.event_id
    LEFT JOIN round r ON r.participant_id = l.participant_id
    WHERE l.round < 2 OR s.round IS NULL OR s.round <> l.round OR NOT EXISTS (
      SELECT 1 FROM format_part f WHERE f.format_id = r.format_id AND f.number = l.round)
    ORDER BY l.participant_id, l.round LIMIT \(StoreLimits.findingsPerCheck)
    """)
  private static let turns = Query(
    """
    SELECT p.id, p.next_end, p.turn_session, p.turn_order
    FROM participant p JOIN tournament t ON t.id = p.session_id
    WHERE p.id > ?1 ORDER BY p.id LIMIT ?2
    """)

  @Sendable static func run(_ readers: ReaderPool) throws(StoreError) -> [VerifyFinding] {
    var findings = try findings(readers, checkFormats)
    findings += try readers.verify { (snapshot) throws(StoreError) in
      try snapshot.all(places) { row in
        VerifyFinding(
          .counts,
          "participant \(row.int64(0)) has a place in round \(row.int64(1)) that cannot be")
      }
    }
    findings += try self.findings(readers, checkTurns)
    return Array(findings.prefix(StoreLimits.findingsPerCheck))
  }

  /// What a check finds, slice after slice.
  private static func findings(
    _ readers: ReaderPool,
    _ check: (borrowing Snapshot, Int64) throws(StoreError) -> (
      found: [VerifyFinding], last: Int64?
    )
  ) throws(StoreError) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    var last: Int64? = 0
    while let before = last, findings.count < StoreLimits.findingsPerCheck {
      let slice = try readers.verify { (snapshot) throws(StoreError) in
        try check(snapshot, before)
      }
      findings += slice.found
      last = slice.last
    }
    return findings
  }

  /// The rounds of a format are its ends, in their order.
  private static func checkFormats(
    _ snapshot: borrowing Snapshot, after id: Int64
  ) throws(StoreError) -> (found: [VerifyFinding], last: Int64?) {
    let ids = try snapshot.all(
      formats, .integer(id), .integer(StoreLimits.verifiedRowsPerSlice)
    ) { row in row.int64(0) }
    var found: [VerifyFinding] = []
    for id in ids {
      let stored = try snapshot.all(parts, .integer(id)) { row in
        [row.int64(0), row.int64(1), row.int64(2), row.int64(3)]
      }
      let format = try snapshot.format(id: id).format
      let firsts = stored.map { Int(clamping: $0[1]) }
      let ends = firsts.dropFirst() + [format.passes.count]
      let areRanges = zip(firsts, ends).allSatisfy {
        $0 >= 0 && $0 < $1 && $1 <= format.passes.count
      }
      let expected =
        areRanges
        ? QualificationRound.list(zip(firsts, ends).map { Array(format.passes[$0..<$1]) }).map {
          [Int64($0.number), Int64($0.firstPass), Int64($0.firstEnd), Int64($0.endCount)]
        } : []
      if expected != stored || firsts.first != 0 || firsts.count < 2 {
        found.append(VerifyFinding(.counts, "format \(id) has rounds that are not its ends"))
      }
    }
    return (found, ids.last)
  }

  /// The turn of a participant is that of its place in the round of its next end.
  private static func checkTurns(
    _ snapshot: borrowing Snapshot, after id: Int64
  ) throws(StoreError) -> (found: [VerifyFinding], last: Int64?) {
    let rows = try snapshot.all(
      turns, .integer(id), .integer(StoreLimits.verifiedRowsPerSlice)
    ) { row in
      (
        id: row.int64(0), nextEnd: Int(clamping: row.int64(1)), session: row.int64(2),
        order: row.int64(3)
      )
    }
    var found: [VerifyFinding] = []
    for row in rows {
      let round = try snapshot.round(ofParticipant: row.id, end: row.nextEnd)
      let place = try snapshot.place(ofParticipant: row.id, inRound: round)
      if place.session != row.session || place.turnOrder != row.order {
        found.append(
          VerifyFinding(
            .counts,
            """
            participant \(row.id) has the turn \(row.order) in session \(row.session), where its \
            place is \(place.turnOrder) in \(place.session)
            """))
      }
    }
    return (found, rows.last?.id)
  }
}
