package import QuiverRules

/// A round of the qualification of a category: a part of the card of an archer.
package struct QualificationRound: Sendable, Equatable {
  /// From 1.
  package let number: Int
  let firstPass: Int
  package let firstEnd: Int
  package let endCount: Int
  /// The passes of the round.
  package let passes: [RoundPass]

  package var arrowCount: Int { passes.reduce(0) { $0 + $1.arrowCount } }
  package var maximumScore: Int {
    passes.reduce(0) { $0 + $1.arrowCount * $1.face.specification.topValue }
  }

  /// The rounds of some lists of passes that are shot one after another.
  static func list(_ rounds: [[RoundPass]]) -> [QualificationRound] {
    var (pass, end) = (0, 0)
    return rounds.enumerated().map { index, passes in
      let count = passes.reduce(0) { $0 + $1.endCount }
      defer { (pass, end) = (pass + passes.count, end + count) }
      return QualificationRound(
        number: index + 1, firstPass: pass, firstEnd: end, endCount: count, passes: passes)
    }
  }
}

/// The session and the place of an entry in one round.
package struct EventRoundPlace: Sendable, Equatable {
  /// From 1.
  package let round: Int
  /// 0: none.
  package let session: Int64
  /// Nil: no place.
  package let place: TargetDraw.Place?
}

/// What an archer has shot in one round.
package struct RoundTotal: Sendable, Equatable {
  /// From 1.
  package let round: Int
  /// The sum of the arrows and the typed parts, without a deduction.
  package let total: Int
  package let xCount: Int
  /// Arrows of exactly 10, Xs included.
  package let tenCount: Int
  package let arrowCount: Int
  /// Whether a part of it is typed from a paper.
  package var isTyped = false
}

/// Reads rounds and the places of entries in them.
extension Snapshot {
  private static let parts = Query(
    "SELECT first_pass FROM format_part WHERE format_id = ?1 ORDER BY number")
  private static let numberAtEnd = Query(
    """
    SELECT max(f.number) FROM round r JOIN format_part f ON f.format_id = r.format_id
    WHERE r.participant_id = ?1 AND f.first_end <= ?2
    """)
  private static let placeInRound = Query(
    """
    SELECT session_id, target, letter FROM event_entry WHERE id = ?1 AND ?2 = 1
    UNION ALL SELECT session_id, target, letter FROM event_round_place
    WHERE participant_id = ?1 AND round = ?2
    """)
  private static let laterPlaces = Query(
    """
    SELECT participant_id, round, session_id, target, letter FROM event_round_place
    WHERE event_id = ?1 AND participant_id BETWEEN ?2 AND ?3 ORDER BY participant_id, round
    """)
  private static let ofSeveralRounds = Query(
    """
    SELECT c.id FROM event_category c JOIN shooting_session s ON s.id = c.event_id
    WHERE c.event_id = ?1 AND EXISTS (
      SELECT 1 FROM format_part f
      WHERE f.format_id = CASE c.format_id WHEN 0 THEN s.format_id ELSE c.format_id END)
    """)
  /// How many participants one statement adds up.
  private static let totalsPerQuery = 50
  private static let totals = Query(
    """
    SELECT r.participant_id, f.number, coalesce(sum(a.value), 0), coalesce(sum(a.is_x), 0),
      count(CASE WHEN a.value = 10 THEN 1 END), count(a.value)
    FROM round r JOIN participant p ON p.id = r.participant_id
    JOIN format_part f ON f.format_id = r.format_id
    LEFT JOIN scored_arrow a ON a.round_id = r.id AND a.end_index >= f.first_end
      AND a.end_index < f.first_end + f.end_count AND a.is_retracted = 0
      AND (p.typed_passes >> CAST(a.pass_index AS integer) & 1) = 0
    WHERE r.participant_id IN (\((1...totalsPerQuery).map { "?\($0)" }.joined(separator: ", ")))
    GROUP BY r.participant_id, f.number ORDER BY r.participant_id, f.number
    """)
  private static let onTarget = Query(
    """
    SELECT id, letter FROM event_entry WHERE session_id = ?1 AND target = ?2 AND target > 0
    UNION ALL SELECT participant_id, letter FROM event_round_place
    WHERE session_id = ?1 AND target = ?2 AND target > 0 ORDER BY 2
    """)

  /// The rounds of a format; one, the whole format, if it was not made of several.
  func rounds(
    ofFormat id: Int64, _ format: RoundFormat
  ) throws(StoreError) -> [QualificationRound] {
    let firsts = try all(Self.parts, .integer(id)) { row in Int(clamping: row.int64(0)) }
    guard !firsts.isEmpty else { return QualificationRound.list([format.passes]) }
    let ends = firsts.dropFirst() + [format.passes.count]
    guard zip(firsts, ends).allSatisfy({ $0 >= 0 && $0 < $1 && $1 <= format.passes.count }) else {
      throw StoreError(.dataLoss, "the rounds of a stored format are none")
    }
    return QualificationRound.list(zip(firsts, ends).map { Array(format.passes[$0..<$1]) })
  }

  /// The number of the round in which an end of a participant is.
  func round(ofParticipant id: Int64, end: Int) throws(StoreError) -> Int {
    let number = try first(Self.numberAtEnd, .integer(id), .integer(Int64(end))) { row in
      row.optionalInt64(0)
    }
    return Int(clamping: (number ?? nil) ?? 1)
  }

  /// The session and the place of a participant in a round.
  func place(ofParticipant id: Int64, inRound round: Int) throws(StoreError) -> EventRoundPlace {
    let found = try first(Self.placeInRound, .integer(id), .integer(Int64(round))) { row in
      EventRoundPlace(
        round: round, session: row.int64(0),
        place: TargetDraw.Place(target: row.int64(1), letter: row.int64(2)))
    }
    return found ?? EventRoundPlace(round: round, session: 0, place: nil)
  }

  /// The places after the first round of the participants between two ids.
  func laterPlaces(
    event: Int64, _ first: Int64, _ last: Int64
  ) throws(StoreError) -> [Int64: [EventRoundPlace]] {
    var places: [Int64: [EventRoundPlace]] = [:]
    try session.forEach(Self.laterPlaces, [.integer(event), .integer(first), .integer(last)]) {
      row in
      places[row.int64(0), default: []].append(
        EventRoundPlace(
          round: Int(clamping: row.int64(1)), session: row.int64(2),
          place: TargetDraw.Place(target: row.int64(3), letter: row.int64(4))))
    }
    return places
  }

  /// The categories of an event whose qualification has several rounds.
  func categoriesOfSeveralRounds(event: Int64) throws(StoreError) -> Set<Int64> {
    Set(try all(Self.ofSeveralRounds, .integer(event)) { row in row.int64(0) })
  }

  /// What participants have shot in each of several rounds; none for those who have one.
  func roundTotals(ofParticipants ids: [Int64]) throws(StoreError) -> [Int64: [RoundTotal]] {
    var totals: [Int64: [RoundTotal]] = [:]
    for slice in ids.slices(of: Self.totalsPerQuery) {
      // No participant has the id 0.
      let missing = Array(repeating: Int64(0), count: Self.totalsPerQuery - slice.count)
      try session.forEach(Self.totals, (slice + missing).map(SQLValue.integer)) { row in
        totals[row.int64(0), default: []].append(
          RoundTotal(
            round: Int(clamping: row.int64(1)), total: Int(clamping: row.int64(2)),
            xCount: Int(clamping: row.int64(3)), tenCount: Int(clamping: row.int64(4)),
            arrowCount: Int(clamping: row.int64(5))))
      }
    }
    return totals
  }

  /// Adds the typed parts of participants to what they have shot in the rounds of a category.
  func addTyped(
    to totals: inout [Int64: [RoundTotal]], of id: Int64, in rounds: [QualificationRound]
  ) throws(StoreError) {
    for typed in try typedTotals(participant: id) {
      guard let round = rounds.last(where: { $0.firstPass < typed.part }),
        let index = totals[id]?.firstIndex(where: { $0.round == round.number }),
        let shown = totals[id]?[index]
      else { continue }
      let pass = round.passes[typed.part - 1 - round.firstPass]
      var tally = ScoreTally()
      tally.add(typed.score, for: [pass])
      totals[id]?[index] = RoundTotal(
        round: shown.round, total: shown.total + tally.total,
        xCount: shown.xCount + tally.xCount, tenCount: shown.tenCount + tally.tenCount,
        arrowCount: shown.arrowCount + tally.arrowCount, isTyped: true)
    }
  }

  /// The participants who have places on a target, by letter.
  func participants(session: Int64, target: UInt32) throws(StoreError) -> [Int64] {
    try all(Self.onTarget, .integer(session), .integer(Int64(target))) { row in row.int64(0) }
  }
}

extension TargetDraw.Place {
  /// As it is stored; nil for no target.
  init?(target: Int64, letter: Int64) {
    guard target > 0 else { return nil }
    self.init(target: Int(clamping: target), letter: Int(clamping: letter))
  }
}

extension EventEntryRecord {
  /// The session and the place in a round; nil if it has neither.
  func place(inRound round: Int) -> EventRoundPlace? {
    guard round == 1 else { return laterPlaces.first { $0.round == round } }
    return session == 0 ? nil : EventRoundPlace(round: 1, session: session, place: place)
  }

  /// Whether it is in a session of any round.
  var isInSession: Bool { session != 0 || !laterPlaces.isEmpty }

  /// The same with its place in a session of any round; nil if it is not in this session.
  package func shown(in session: Int64) -> EventEntryRecord? {
    guard self.session != session else { return self }
    guard let found = laterPlaces.first(where: { $0.session == session }) else { return nil }
    var record = self
    (record.session, record.place) = (found.session, found.place)
    return record
  }
}

/// Writes the places of entries in rounds, and the turn that follows from them.
extension Transaction {
  private static let putPlace = Query(
    """
    INSERT INTO event_round_place (participant_id, round, event_id, session_id, target, letter)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (participant_id, round) DO UPDATE SET session_id = ?4, target = ?5, letter = ?6
    """)
  private static let deletePlaces = Query(
    "DELETE FROM event_round_place WHERE participant_id = ?1 AND round > ?2")
  private static let setTurn = Query("UPDATE participant SET \(turn(of: "?1")) WHERE id = ?1")

  /// The assignments of a turn to participants; `id` is an expression of the id of a participant.
  static func turn(of id: String) -> String {
    """
    turn_session = \(ofNextEnd("session_id", id)),
      turn_order = \(ofNextEnd("target * \(TargetDraw.archersPerTarget) + letter", id))
    """
  }

  /// An expression of the place of a participant in the round of its next end. Places of the first
  /// round and of later ones are in different tables.
  private static func ofNextEnd(_ expression: String, _ id: String) -> String {
    let round = """
      coalesce((
        SELECT max(f.number) FROM round r JOIN format_part f ON f.format_id = r.format_id
        WHERE r.participant_id = \(id) AND f.first_end <= participant.next_end), 1)
      """
    return """
      coalesce(
        (SELECT \(expression) FROM event_round_place
          WHERE participant_id = \(id) AND event_round_place.round = \(round)),
        (SELECT \(expression) FROM event_entry WHERE event_entry.id = \(id) AND \(round) = 1), 0)
      """
  }

  /// Stores the place of a participant in a round after the first.
  func put(_ place: EventRoundPlace, of id: Int64, in event: Int64) throws(StoreError) {
    try keepPastScorers(ofParticipant: id, inRound: place.round, event: event)
    try run(
      Self.putPlace, .integer(id), .integer(Int64(place.round)), .integer(event),
      .integer(place.session), .integer(Int64(place.place?.target ?? 0)),
      .integer(Int64(place.place?.letter ?? 0)))
    try keepTurn(ofParticipant: id)
  }

  /// Deletes the places of a participant in the rounds after one.
  func deletePlaces(ofParticipant id: Int64, afterRound round: Int) throws(StoreError) {
    try run(Self.deletePlaces, .integer(id), .integer(Int64(round)))
    try keepTurn(ofParticipant: id)
  }

  /// Has scorers go to a participant in the session of its next end, in the order of targets;
  /// without a place first.
  func keepTurn(ofParticipant id: Int64) throws(StoreError) {
    try run(Self.setTurn, .integer(id))
  }

  /// Throws unless a category has the round of a session, and the session is in the order of the
  /// rounds of an entry.
  func checkRound(
    of entry: EventEntryRecord, in session: Int64, _ line: EventSessionContent,
    category: Int64? = nil, field: String = "session_id"
  ) throws(StoreError) {
    if line.round > 1 {
      let category = try snapshot.category(
        id: category ?? entry.content.category, of: entry.event, field: field)
      guard line.round <= UInt32(category.rounds.count) else {
        let count = category.rounds.count == 1 ? "1 round" : "\(category.rounds.count) rounds"
        throw StoreError(
          .failedPrecondition,
          "the session shoots round \(line.round), and category \(category.content.code) has "
            + count, field: field)
      }
    }
    try checkOrder(of: entry, in: session, line, field: field)
  }

  /// Throws if an entry shot a round in a session that starts before that of an earlier one.
  func checkOrder(
    of entry: EventEntryRecord, in session: Int64, _ line: EventSessionContent, field: String
  ) throws(StoreError) {
    let first = EventRoundPlace(round: 1, session: entry.session, place: nil)
    for other in [first] + entry.laterPlaces {
      guard other.round != Int(line.round), other.session != 0, other.session != session,
        line.startsAtMilliseconds > 0
      else { continue }
      let start = try snapshot.eventSessionContent(id: other.session, of: entry.event)
        .startsAtMilliseconds
      guard start > 0 else { continue }
      let isOrdered =
        other.round < Int(line.round)
        ? start <= line.startsAtMilliseconds : line.startsAtMilliseconds <= start
      guard isOrdered else {
        throw StoreError(
          .failedPrecondition,
          "participant \(entry.participant) shoots round \(other.round) in session "
            + "\(other.session), which would not be in the order of the rounds", field: field)
      }
    }
  }

  /// Stores an entry with another session or place in a round, with its rows of the journal and of
  /// the audit.
  func move(
    _ before: EventEntryRecord, to place: EventRoundPlace, after: String = ""
  ) throws(StoreError) -> EventEntryRecord {
    guard place.round > 1 else {
      return try replace(
        before, session: place.session, place: place.place, "entry.place", after: after)
    }
    try put(place, of: before.participant, in: before.event)
    try recordMembership(of: try certain(before.participant), .updated)
    try auditEvent(
      before.event, "entry.place", participant: before.participant,
      after: after.isEmpty ? "round \(place.round)" : "round \(place.round) \(after)")
    return try entry(before.participant)
  }
}

extension EventRoundPlace {
  /// The order in which a scorer goes from one participant of a session to the next.
  var turnOrder: Int64 {
    Int64(place.map { $0.target * TargetDraw.archersPerTarget + $0.letter } ?? 0)
  }
}
