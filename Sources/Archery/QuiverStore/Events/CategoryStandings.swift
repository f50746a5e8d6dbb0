package import QuiverRules

/// Standings of a part of an event: of a category, a session, a club, or of several of these.
package struct CategoryStandings: Sendable {
  /// The rows of the page.
  package let rows: [Row]
  package let nextPageToken: String
  package let form: TiePolicyForm
  /// Whether the event is not finalised, so that ranks can change.
  package let isProvisional: Bool
  /// The number of all rows.
  package let count: Int
  /// The number of ranked rows that have not shot all arrows and have not stopped.
  package let shootingCount: Int
  /// The number of ranked rows whose card archer and scorer have not confirmed.
  package let unconfirmedCount: Int
  /// What is not finished of the qualification of a finalised event.
  package let openSteps: [EventProgress.Step]
  let head: TournamentHead
  /// The changes of the event that it includes (``Leaderboard/partRevision``).
  let revision: UInt64

  /// A row with its entry.
  package struct Row: Sendable {
    package let entry: EventEntryRecord
    package let leaderboard: LeaderboardEntry
    /// From 1; 0: not ranked.
    package let rank: Int
    /// The points of the first row minus these.
    package let difference: Int
    /// What told it apart from those with equal keys; nil if nothing did.
    package let tie: TieDecisionRecord?
    /// Nil: there is one card, and nobody has confirmed it.
    package fileprivate(set) var card: CardSummary?
    /// What was shot in each round; empty if the category has one.
    package fileprivate(set) var rounds: [RoundTotal] = []
    /// The count that is missing in one of those who share the rank, so that it does not tell them
    /// apart; nil if none is.
    package let missing: RankKey?
  }
}

extension Store {
  /// A page of the rows that a filter names, ranked among themselves.
  ///
  /// They are ranked under the policy of the category, without one under that of the event. The
  /// rows come from the leaderboard in memory; the entries are read. Who did not start has no rank.
  /// `principal` is the caller; nil is a spectator.
  package func categoryStandings(
    _ event: Int64, _ filter: Snapshot.EntryFilter, principal: Int64?, pageSize: UInt32,
    pageToken: String
  ) throws(StoreError) -> CategoryStandings {
    let known = try knownLeaderboard(event)
    let revision = known.partRevision
    let board = try known.read { (head, order, _) in (head: head, order: order) }
    try checkSees(board.head, principal: principal)
    return try read { (snapshot) throws(StoreError) in
      try snapshot.checkPart(filter, of: event)
      let entries = try snapshot.eventEntries(event: event, filter, limit: .max)
      let ranked = try Self.ranked(entries, filter.category, board.head, board.order, snapshot)
      let token = PageToken(
        scope: [
          .text("rows of category standings"), .integer(principal ?? 0), .integer(event),
          .integer(Int64(ranked.form.policy.rawValue)),
        ] + filter.values)
      let place = try token.textPlace(in: pageToken, key: snapshot.pageTokenKey)
      let offset =
        place.flatMap { LeaderboardKey(text: $0.text, id: $0.id) }
        .map(ranked.index(after:)) ?? 0
      let size = Int(clamping: StoreLimits.pageSize(pageSize))
      let cards = try snapshot.cardSummaries(event: event)
      var rows = ranked.rows(offset, count: size, board.order)
      for index in rows.indices { rows[index].card = cards[rows[index].entry.participant] }
      try snapshot.addRounds(to: &rows, event)
      let reader = try snapshot.nameReader(of: board.head, principal: principal)
      let next = ranked.key(before: offset + size).map { last in
        token.text(place: PageToken.place(last.text, id: last.id), key: snapshot.pageTokenKey)
      }
      return CategoryStandings(
        rows: rows.map { $0.shown(to: reader) }, nextPageToken: next ?? "",
        form: ranked.form, isProvisional: board.head.status != .completed,
        count: ranked.rows.count,
        shootingCount: try snapshot.shootingCount(entries, in: event),
        unconfirmedCount: entries.count { entry in
          entry.isRanked && cards[entry.participant]?.status != .confirmed
        },
        openSteps: try snapshot.unfinishedSteps(
          EventProgress.neededForStandings, of: board.head),
        head: board.head, revision: revision)
    }
  }

  /// The rows of a part from an index on, in the order and with the ranks that
  /// ``categoryStandings(_:_:principal:pageSize:pageToken:)`` gives them, without an access check.
  package func rows(
    ofPart filter: Snapshot.EntryFilter, of event: Int64, from first: Int, limit: Int
  ) throws(StoreError) -> (rows: LeaderboardRows, form: TiePolicyForm) {
    let board = try knownLeaderboard(event).read { (head, order, _) in (head: head, order: order) }
    return try read { (snapshot) throws(StoreError) in
      try snapshot.checkPart(filter, of: event)
      let entries = try snapshot.eventEntries(event: event, filter, limit: .max)
      let ranked = try Self.ranked(entries, filter.category, board.head, board.order, snapshot)
      return (ranked.leaderboardRows(first, count: limit, board.order), ranked.form)
    }
  }

  /// All rows of a category whose entries were read, without their cards. The numbers of those that
  /// shoot, and whose cards are not confirmed, are not counted.
  package func categoryStandings(
    _ event: Int64, category: Int64, entries: [EventEntryRecord], principal: Int64
  ) throws(StoreError) -> CategoryStandings {
    let board = try leaderboard(event).read { (head, order, _) in (head: head, order: order) }
    try checkSees(board.head, principal: principal)
    return try read { (snapshot) throws(StoreError) in
      let ranked = try Self.ranked(entries, category, board.head, board.order, snapshot)
      var rows = ranked.rows(0, count: .max, board.order)
      try snapshot.addRounds(to: &rows, event)
      return CategoryStandings(
        rows: rows, nextPageToken: "", form: ranked.form,
        isProvisional: board.head.status != .completed, count: ranked.rows.count,
        shootingCount: 0, unconfirmedCount: 0, openSteps: [], head: board.head, revision: 0)
    }
  }

  /// Entries with their ranks among themselves.
  private struct RankedEntries {
    let form: TiePolicyForm
    let ranking: Ranking
    let rows: [DecidedTies.Row]
    let ties: TieDecisions
    let entries: [Int64: EventEntryRecord]

    /// The index of the row behind one of a key, which may have moved or gone since. Decided ties
    /// are not in the order of their keys: the row itself is looked for first.
    func index(after key: LeaderboardKey) -> Int {
      let index = rows.firstIndex { $0.ranked.contender.id == key.id }
      if let index, self.key(of: rows[index]) == key { return index + 1 }
      return rows.firstIndex { key.isBefore(self.key(of: $0)) } ?? rows.count
    }

    /// The key of the last row before an index; nil if no row follows it.
    func key(before index: Int) -> LeaderboardKey? {
      index > 0 && index < rows.count ? key(of: rows[index - 1]) : nil
    }

    private func key(of row: DecidedTies.Row) -> LeaderboardKey {
      LeaderboardKey(row.ranked.contender, by: ranking)
    }

    /// Those from an index on, as rows of a leaderboard.
    func leaderboardRows(
      _ first: Int, count: Int, _ order: LeaderboardOrder
    ) -> LeaderboardRows {
      let shown = rows.dropFirst(first).prefix(count).compactMap { row in
        order.entry(row.ranked.contender.id).map { (entry: $0, rank: row.ranked.rank) }
      }
      return LeaderboardRows(
        entries: shown.map(\.entry), ranks: shown.map(\.rank), offset: min(first, rows.count),
        firstTotal: rows.first { $0.ranked.rank > 0 }?.ranked.contender.tally.total ?? 0,
        count: rows.count)
    }

    /// Those from an index on.
    func rows(_ first: Int, count: Int, _ order: LeaderboardOrder) -> [CategoryStandings.Row] {
      let total = rows.first { $0.ranked.rank > 0 }?.ranked.contender.tally.total ?? 0
      return rows.dropFirst(first).prefix(count).compactMap { row in
        let (contender, rank) = (row.ranked.contender, row.ranked.rank)
        guard let entry = entries[contender.id], let leaderboard = order.entry(contender.id)
        else { return nil }
        return CategoryStandings.Row(
          entry: entry, leaderboard: leaderboard, rank: rank,
          difference: Ranking.difference(
            rank: rank, total: contender.tally.total, firstTotal: total),
          tie: row.isDecided ? ties.byParticipant[contender.id] : nil,
          missing: row.isDecided ? nil : row.ranked.missing)
      }
    }
  }

  /// Ranks entries under the policy of a category, 0: of the event.
  private static func ranked(
    _ entries: [EventEntryRecord], _ category: Int64, _ head: TournamentHead,
    _ order: LeaderboardOrder, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> RankedEntries {
    let (form, ranking) = try snapshot.ranking(of: category, in: head)
    let ties = try snapshot.tieDecisions(
      in: head, category: category,
      categories: Dictionary(
        entries.map { ($0.participant, $0.content.category) }, uniquingKeysWith: { $1 }),
      tally: { order.entry($0)?.contender.tally })
    let rows = ties.ties.split(
      ranking.ranked(
        entries.compactMap { entry in
          order.entry(entry.participant).map { Self.contender($0, entry) }
        }))
    return RankedEntries(
      form: form, ranking: ranking, rows: rows, ties: ties,
      entries: Dictionary(entries.map { ($0.participant, $0) }) { first, _ in first })
  }

  private static func contender(
    _ row: LeaderboardEntry, _ entry: EventEntryRecord
  ) -> Ranking.Contender {
    var contender = row.contender
    if contender.standing == .ranked, !entry.isRanked { contender.standing = .withdrawn }
    return contender
  }
}

extension Snapshot {
  /// Throws `notFound` unless the category and the session of a part are of the event.
  package func checkPart(_ part: EntryFilter, of event: Int64) throws(StoreError) {
    if part.category != 0 { _ = try category(id: part.category, of: event) }
    if part.session != 0 { try eventSessionContent(id: part.session, of: event) }
  }

  private static let arrowCounts = Query(
    """
    SELECT c.id, (
      SELECT sum(f.arrow_count) FROM format_pass f
      WHERE f.format_id = CASE c.format_id WHEN 0 THEN s.format_id ELSE c.format_id END)
    FROM event_category c JOIN shooting_session s ON s.id = c.event_id WHERE c.event_id = ?1
    """)

  /// Adds the totals of the rounds to rows of categories that have several.
  fileprivate func addRounds(
    to rows: inout [CategoryStandings.Row], _ event: Int64
  ) throws(StoreError) {
    let categories = try categoriesOfSeveralRounds(event: event)
    let shown = rows.filter { categories.contains($0.entry.content.category) }
    var totals = try roundTotals(ofParticipants: shown.map(\.entry.participant))
    var rounds: [Int64: [QualificationRound]] = [:]
    for row in shown where row.leaderboard.isTyped {
      let category = row.entry.content.category
      if rounds[category] == nil { rounds[category] = try self.category(id: category)?.rounds }
      try addTyped(to: &totals, of: row.entry.participant, in: rounds[category] ?? [])
    }
    for index in rows.indices { rows[index].rounds = totals[rows[index].entry.participant] ?? [] }
  }

  /// The number of ranked entries that have not shot all arrows and have not stopped.
  fileprivate func shootingCount(
    _ entries: [EventEntryRecord], in event: Int64
  ) throws(StoreError) -> Int {
    let counts = try all(Self.arrowCounts, .integer(event)) { row in (row.int64(0), row.int64(1)) }
    let arrows = Dictionary(counts) { first, _ in first }
    return entries.count { entry in
      entry.isRanked && entry.stored != .didNotFinish
        && entry.arrowCount < arrows[entry.content.category] ?? 0
    }
  }
}
