package import QuiverRules

/// The sums of a part of a card that an official typed from a paper.
package struct TypedTotalRecord: Sendable, Equatable {
  package let id: Int64
  package let event: Int64
  package let participant: Int64
  package let displayName: String
  /// The number of a pass, from 1; 0: the whole round.
  package let part: Int
  package let score: TypedScore
  package let shotAtMilliseconds: Int64
  package let typedBy: Int64
  package let typedByName: String
  package let typedAtMilliseconds: Int64
  /// When it was corrected or removed; 0: it counts.
  package let endedAtMilliseconds: Int64
  package let paper: String
  /// Why the one before was corrected; empty for the first one.
  package let reason: String
}

/// A part of a card: a pass, or the whole round where that is typed.
package struct CardPart: Sendable, Equatable {
  /// The number of a pass, from 1; 0: the whole round.
  package let number: Int
  package let arrowCount: Int
  package let maximumScore: Int
  /// The sums of its arrows.
  package let arrows: ScoreTally
  /// Nil: it is by arrows.
  package let typed: TypedTotalRecord?
  /// What is kept of the distance by itself; nil: nothing.
  package let distance: CardDistance?

  /// Whether the arrows of a typed part show something else: more than its sums, or, once all of
  /// them are there, anything but these.
  package var differs: Bool {
    guard let score = typed?.score else { return false }
    return TypedScore(arrows).exceeds(score, isComplete: arrows.arrowCount == arrowCount)
  }

  /// The sums that count, before a paper is compared.
  package var sums: TypedScore { typed?.score ?? TypedScore(arrows) }

  /// Whether all arrows of the part are known, or its sums are typed.
  package var isComplete: Bool { typed != nil || arrows.arrowCount == arrowCount }

  /// Whether a sum on paper is another one, or, while arrows are missing, a lower one.
  package var differsFromPaper: Bool {
    distance?.paper.map { sums.exceeds($0, isComplete: isComplete) } ?? false
  }
}

extension RoundFormat {
  /// The indexes of the passes of a part; nil if there is no such part.
  func passes(ofPart part: Int) -> Range<Int>? {
    guard (0...passes.count).contains(part) else { return nil }
    return part == 0 ? passes.indices : part - 1..<part
  }
}

extension [TypedTotalRecord] {
  /// The passes of a format that are typed.
  func passes(in format: RoundFormat) -> PassSet {
    reduce([]) { $0.union(PassSet(passes: format.passes(ofPart: $1.part) ?? 0..<0)) }
  }
}

extension ScoreTally {
  /// Adds the sums of typed parts.
  mutating func add(_ typed: [TypedTotalRecord], in format: RoundFormat) {
    for total in typed {
      guard let passes = format.passes(ofPart: total.part) else { continue }
      add(total.score, for: Array(format.passes[passes]))
    }
  }
}

/// Reads typed totals.
extension Snapshot {
  private static let columns = """
    y.id, y.event_id, y.participant_id, y.part, y.total, y.hits, y.golds, y.x_count, y.shot_at_ms,
    y.typed_by, coalesce(p.display_name, ''), y.typed_at_ms, y.ended_at_ms, y.paper, y.reason,
    coalesce(a.display_name, '')
    """
  private static let tables = """
    typed_total y LEFT JOIN principal p ON p.id = y.typed_by
    LEFT JOIN participant a ON a.id = y.participant_id
    """
  private static let byID = Query("SELECT \(columns) FROM \(tables) WHERE y.id = ?1")
  private static let counting = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE y.participant_id = ?1 AND y.ended_at_ms = 0 ORDER BY y.part, y.id
    """)
  private static let past = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE y.participant_id = ?1 AND y.typed_at_ms <= ?2
      AND (y.ended_at_ms = 0 OR y.ended_at_ms > ?2)
    ORDER BY y.part, y.id
    """)
  private static let ofEvent = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE y.event_id = ?1 AND y.id > ?2 AND (?3 = 1 OR y.ended_at_ms = 0)
    ORDER BY y.id LIMIT ?4
    """)
  private static let ofParticipant = Query(
    """
    SELECT \(columns) FROM \(tables)
    WHERE y.participant_id = ?1 AND y.id > ?2 AND (?3 = 1 OR y.ended_at_ms = 0)
    ORDER BY y.id LIMIT ?4
    """)

  private static let incompleteCount = Query(
    "SELECT count(*) FROM participant WHERE session_id = ?1 AND missing_counts <> 0")
  private static let categoriesOfEvent = Query(
    "SELECT id FROM event_category WHERE event_id = ?1 ORDER BY id")

  /// How many archers share a rank in their category because a paper lacks a count, so far as no
  /// official has decided the tie.
  func tiedByPapers(_ head: TournamentHead) throws(StoreError) -> Int64 {
    let incomplete = try first(Self.incompleteCount, .integer(head.id)) { row in row.int64(0) }
    guard incomplete ?? 0 > 0 else { return 0 }
    var count = 0
    let categories = try all(Self.categoriesOfEvent, .integer(head.id)) { row in row.int64(0) }
    for category in categories {
      var filter = EntryFilter()
      filter.category = category
      var contenders: [Ranking.Contender] = []
      for entry in try eventEntries(event: head.id, filter, limit: .max) where entry.isRanked {
        guard let participant = try participant(id: entry.participant),
          participant.status.standing == .ranked
        else { continue }
        contenders.append(Ranking.Contender(id: participant.id, tally: participant.tally))
      }
      let form = try ranking(of: category, in: head).form
      let tallies = Dictionary(
        contenders.map { ($0.id, $0.tally) }, uniquingKeysWith: { first, _ in first })
      let ties = try tieDecisions(in: head, category: category, tally: { tallies[$0] }).ties
      count += ties.split(Ranking(form, inProgress: false).ranked(contenders)).count { row in
        !row.isDecided && row.ranked.missing != nil
      }
    }
    return Int64(count)
  }

  func typedTotal(id: Int64) throws(StoreError) -> TypedTotalRecord? {
    try first(Self.byID, .integer(id)) { row in TypedTotalRecord(row) }
  }

  /// The typed totals of a participant that count, by their parts.
  func typedTotals(participant id: Int64) throws(StoreError) -> [TypedTotalRecord] {
    try all(Self.counting, .integer(id)) { row in TypedTotalRecord(row) }
  }

  /// Those that counted at an instant.
  func typedTotals(
    participant id: Int64, asOf instant: Int64
  ) throws(StoreError) -> [TypedTotalRecord] {
    try all(Self.past, .integer(id), .integer(instant)) { row in TypedTotalRecord(row) }
  }

  /// The parts of the card of a participant, each by arrows or typed, without an access check.
  func cardParts(of place: ScoringPlace) throws(StoreError) -> [CardPart] {
    let id = place.participant.id
    let typed = try typedTotals(participant: id)
    let arrows = try arrows(round: place.round).filter { !$0.isRetracted }
    let distances = try place.cardState == .none ? [] : cardDistances(participant: id)
    func part(_ number: Int, _ typed: TypedTotalRecord?) -> CardPart? {
      guard let passes = place.format.passes(ofPart: number) else { return nil }
      var tally = ScoreTally()
      for arrow in arrows {
        guard let end = place.format.end(arrow.slot.endIndex), passes.contains(end.passIndex)
        else { continue }
        tally.add(arrow.score, on: end.pass.face)
      }
      let shot = place.format.passes[passes]
      return CardPart(
        number: number, arrowCount: shot.reduce(0) { $0 + $1.arrowCount },
        maximumScore: shot.reduce(0) { $0 + $1.arrowCount * $1.face.specification.topValue },
        arrows: tally, typed: typed,
        distance: number == 0 ? nil : distances.first { $0.number == number })
    }
    if let whole = typed.first(where: { $0.part == 0 }) {
      return [part(0, whole)].compactMap { $0 }
    }
    return place.format.passes.indices.compactMap { index in
      part(index + 1, typed.first { $0.part == index + 1 })
    }
  }

  /// A page of the typed totals of an event, or of one of its participants. Officials see all, an
  /// archer its own.
  package func typedTotals(
    event: Int64, participant: Int64, withEnded: Bool, principal: Int64, pageSize: UInt32,
    pageToken: String
  ) throws(StoreError) -> Page<TypedTotalRecord> {
    let head = try visibleTournament(id: event, principal: principal)
    if participant != 0 {
      guard let place = try scoringPlace(participant: participant),
        place.participant.sessionID == event
      else { throw Self.noEventParticipant() }
      let isOwn = place.participant.kind != .entry && place.participant.principal == principal
      if !isOwn { try checkOfficial(principal, head, field: "participant_id") }
    } else {
      try checkOfficial(principal, head, field: "tournament_id")
    }
    let token = PageToken(
      scope: [
        .text("typed totals"), .integer(principal), .integer(event), .integer(participant),
        .integer(withEnded ? 1 : 0),
      ])
    let after = try token.textPlace(in: pageToken, key: pageTokenKey)?.id ?? 0
    let size = StoreLimits.pageSize(pageSize)
    let rows = try all(
      participant == 0 ? Self.ofEvent : Self.ofParticipant,
      .integer(participant == 0 ? event : participant), .integer(after),
      .integer(withEnded ? 1 : 0), .integer(size + 1)
    ) { row in TypedTotalRecord(row) }
    return token.page(rows, size: size, key: pageTokenKey) { PageToken.place("", id: $0.id) }
  }

  private func checkOfficial(
    _ principal: Int64, _ head: TournamentHead, field: String
  ) throws(StoreError) {
    guard try role(of: principal, in: head) != nil else {
      throw StoreError(
        .permissionDenied, "only an official of the event may, and an archer its own",
        field: field)
    }
  }

  /// The parts of the card of a participant of an event that the principal may see.
  package func cardParts(
    participant id: Int64, principal: Int64
  ) throws(StoreError) -> [CardPart] {
    guard let place = try scoringPlace(participant: id), place.isTournament,
      try sees(place, principal: principal)
    else { throw Self.noEventParticipant() }
    return try cardParts(of: place)
  }
}

extension TypedScore {
  /// Reads the columns of a total, hits, golds and X; nil where there is no total.
  init?(_ row: Row, from first: Int32) {
    let numbers = (0..<4).map { row.optionalInt64(first + $0).map { Int(clamping: $0) } }
    guard let total = numbers[0] else { return nil }
    self.init(total: total, hits: numbers[1], golds: numbers[2], xCount: numbers[3])
  }
}

extension SumDeduction {
  /// Reads the columns of points, hits, golds and X.
  init(_ row: Row, from first: Int32) {
    let numbers = (0..<4).map { Int(clamping: row.int64(first + $0)) }
    self.init(points: numbers[0], hits: numbers[1], golds: numbers[2], xCount: numbers[3])
  }
}

extension TypedTotalRecord {
  /// Reads the columns of `Snapshot.columns`.
  fileprivate init(_ row: Row) {
    id = row.int64(0)
    event = row.int64(1)
    participant = row.int64(2)
    part = Int(clamping: row.int64(3))
    score = TypedScore(row, from: 4) ?? TypedScore(total: 0)
    shotAtMilliseconds = row.int64(8)
    typedBy = row.int64(9)
    let name = row.text(10)
    typedByName = name.isEmpty ? "Archer \(typedBy)" : name
    typedAtMilliseconds = row.int64(11)
    endedAtMilliseconds = row.int64(12)
    paper = row.text(13)
    reason = row.text(14)
    displayName = row.text(15)
  }
}
