package import QuiverRules

/// A page of standings.
package struct StandingsPage: Sendable {
  package let rows: LeaderboardRows
  package let nextPageToken: String
  package let form: TiePolicyForm
  package let inProgress: Bool
  package let head: TournamentHead

  /// The latest commit that it includes; 0 for past standings.
  package let sequence: Int64

  /// The change of the leaderboard that it includes (``Leaderboard/keep(_:for:of:)``).
  let generation: UInt64

  /// Of results: what is not finished of the event.
  package fileprivate(set) var openSteps: [EventProgress.Step] = []
}

extension StandingsPage {
  fileprivate func shown(to reader: NameReader) -> StandingsPage {
    StandingsPage(
      rows: rows.shown(to: reader), nextPageToken: nextPageToken, form: form,
      inProgress: inProgress, head: head, sequence: sequence, generation: generation)
  }
}

/// A page of participants whose rank differs under another policy.
package struct RankMovesPage: Sendable {
  package let moves: [(entry: LeaderboardEntry, rankBefore: Int, rank: Int, difference: Int)]
  package let nextPageToken: String
  package let count: Int
}

/// Those of some principals that do not belong to an event.
package struct OutsidePrincipals: Sendable {
  package var principals: Set<Int64> = []

  /// When the first of the others may belong to it no more, since its lease expires, in
  /// milliseconds since 1970-01-01.
  package var validUntilMilliseconds = Int64.max
}

/// Standings of events, from memory if they are the current ones.
extension Store {
  /// The leaderboard of an event, without an access check.
  package func leaderboard(_ tournament: Int64) -> Leaderboard {
    features.leaderboards.board(tournament)
  }

  /// The leaderboard of an event if it is in memory, without an access check.
  package func existingLeaderboard(_ tournament: Int64) -> Leaderboard? {
    features.leaderboards.existing(tournament)
  }

  /// Notes whether the leaderboard of an event is watched: others leave memory before it.
  package func setLeaderboardWatched(_ tournament: Int64, _ isWatched: Bool) {
    features.leaderboards.setWatched(tournament, isWatched)
  }

  /// The leaderboard of an event; throws `notFound` if there is no such event, so that questions
  /// about events that do not exist remove no leaderboard from memory.
  func knownLeaderboard(_ tournament: Int64) throws(StoreError) -> Leaderboard {
    if let board = existingLeaderboard(tournament) { return board }
    let exists = try read { (snapshot) throws(StoreError) in
      try snapshot.tournamentHead(id: tournament) != nil
    }
    guard exists else {
      throw StoreError(.notFound, "there is no such event", field: "tournament_id")
    }
    return leaderboard(tournament)
  }

  /// Throws `notFound` unless the principal may see the event; nil, a spectator, sees it while it
  /// is public.
  package func checkSees(
    _ head: TournamentHead, principal: Int64?
  ) throws(StoreError) {
    guard !head.isOpen(to: principal, at: time.nowMilliseconds) else { return }
    try read { (snapshot) throws(StoreError) in
      try snapshot.checkSees(head, principal: principal)
    }
  }

  /// How a principal reads names of an event, where one is hidden if `hides`; nil is a spectator.
  private func nameReader(
    of head: TournamentHead, principal: Int64?, ifHidden hides: Bool
  ) throws(StoreError) -> NameReader {
    guard hides, head.organiser != principal else { return .member }
    return try read { (snapshot) throws(StoreError) in
      try snapshot.nameReader(of: head, principal: principal)
    }
  }

  /// The principals that do not belong to an event, so that they see it only while it is public.
  package func principalsOutside(
    _ head: TournamentHead, among principals: [Int64]
  ) throws(StoreError) -> OutsidePrincipals {
    try read { (snapshot) throws(StoreError) in
      var found = OutsidePrincipals()
      let now = snapshot.wallMilliseconds()
      for principal in principals {
        let end = try snapshot.partEnd(
          in: head.id, organiser: head.organiser, principal: principal)
        if let end, end > now {
          found.validUntilMilliseconds = min(found.validUntilMilliseconds, end)
        } else {
          found.principals.insert(principal)
        }
      }
      return found
    }
  }

  /// Throws `notFound` unless the principal may see the event; nil may see any public event.
  package func checkSees(_ tournament: Int64, principal: Int64?) throws(StoreError) {
    try read { (snapshot) throws(StoreError) in
      _ = try snapshot.visibleTournament(id: tournament, principal: principal)
    }
  }

  /// A page of the current standings.
  ///
  /// Under the event's own policy it costs a few rows, under another policy a sort of all rows.
  /// `principal` is the caller; nil is a spectator.
  package func standings(
    _ tournament: Int64, under policy: TiePolicy?, principal: Int64?, pageSize: UInt32,
    pageToken: String
  ) throws(StoreError) -> StandingsPage {
    let key = try pageKey()
    return try knownLeaderboard(tournament).readCounted {
      (head, order, sequence, generation) throws(StoreError) in
      try checkSees(head, principal: principal)
      let used = policy ?? head.tiePolicy
      let shown =
        used == head.tiePolicy ? order : order.reordered(by: head.ranking(under: used))
      let reader = try nameReader(of: head, principal: principal, ifHidden: order.hidesNames)
      return try shown.page(
        head, form: head.form(of: used), asOf: nil, principal: principal, size: pageSize,
        token: pageToken, key: key, sequence: sequence, generation: generation
      ).shown(to: reader)
    }
  }

  /// A page of the standings after the last commit at or before an instant.
  ///
  /// It folds all operations until then: call it on the thread of long reads.
  package func standings(
    _ tournament: Int64, asOf instant: Int64, under policy: TiePolicy?, principal: Int64?,
    pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> StandingsPage {
    try read { (snapshot) throws(StoreError) in
      let head = try snapshot.visibleTournament(id: tournament, principal: principal)
      let past = try snapshot.standings(head, asOf: instant)
      let form = head.form(of: policy ?? head.tiePolicy)
      let order = LeaderboardOrder(
        ranking: Ranking(form, inProgress: past.inProgress), past.entries)
      return try order.page(
        head, form: form, asOf: instant, principal: principal, size: pageSize, token: pageToken,
        key: snapshot.pageTokenKey, sequence: 0, generation: 0, inProgress: past.inProgress
      ).shown(to: try snapshot.nameReader(of: head, principal: principal))
    }
  }

  /// A page of the participants whose rank differs between the given policy and the event's own.
  /// `principal` is the caller; nil is a spectator.
  package func rankMoves(
    _ tournament: Int64, under policy: TiePolicy, principal: Int64?, pageSize: UInt32,
    pageToken: String
  ) throws(StoreError) -> RankMovesPage {
    let pageKey = try pageKey()
    return try knownLeaderboard(tournament).read { (head, order, _) throws(StoreError) in
      try checkSees(head, principal: principal)
      let ranking = head.ranking(under: policy)
      let moves = ranking.moves(order.contenders, from: order.ranking)
      let token = PageToken(
        scope: [
          .text("rows of rank moves"), .integer(principal ?? 0), .integer(tournament),
          .integer(Int64(policy.rawValue)),
        ])
      func key(of move: RankChange) -> LeaderboardKey {
        LeaderboardKey(move.contender, by: ranking)
      }
      var offset = 0
      if let place = try token.textPlace(in: pageToken, key: pageKey),
        let last = LeaderboardKey(text: place.text, id: place.id)
      {
        offset = moves.firstIndex { last.isBefore(key(of: $0)) } ?? moves.count
      }
      let size = Int(clamping: StoreLimits.pageSize(pageSize))
      let shown = moves.dropFirst(offset).prefix(size)
      let reader = try nameReader(of: head, principal: principal, ifHidden: order.hidesNames)
      let first =
        order.contenders.lazy.filter { $0.standing == .ranked }.map(\.tally.total).max() ?? 0
      var next = ""
      if offset + shown.count < moves.count, let last = shown.last.map(key(of:)) {
        next = token.text(place: PageToken.place(last.text, id: last.id), key: pageKey)
      }
      return RankMovesPage(
        moves: shown.compactMap { move in
          order.entry(move.contender.id).map {
            (
              $0.shown(to: reader), move.rankBefore, move.rank,
              Ranking.difference(
                rank: move.rank, total: $0.contender.tally.total, firstTotal: first)
            )
          }
        },
        nextPageToken: next, count: moves.count)
    }
  }

  /// Why one participant ranks above another, with both entries.
  package func explainRank(
    _ tournament: Int64, _ one: Int64, over other: Int64, under policy: TiePolicy?,
    principal: Int64?
  ) throws(StoreError) -> (RankExplanation, LeaderboardEntry, LeaderboardEntry) {
    try knownLeaderboard(tournament).read { (head, order, _) throws(StoreError) in
      try checkSees(head, principal: principal)
      func entry(_ id: Int64, _ field: String) throws(StoreError) -> LeaderboardEntry {
        guard let entry = order.entry(id) else {
          throw StoreError(.notFound, "there is no such participant of this event", field: field)
        }
        return entry
      }
      let first = try entry(one, "participant_id")
      let second = try entry(other, "other_participant_id")
      let ranking = head.ranking(under: policy)
      let shown = ranking == order.ranking ? order : order.reordered(by: ranking)
      let reader = try nameReader(of: head, principal: principal, ifHidden: order.hidesNames)
      return (
        shown.explain(first.contender, over: second.contender), first.shown(to: reader),
        second.shown(to: reader)
      )
    }
  }

  private func pageKey() throws(StoreError) -> [UInt8] {
    try read { (snapshot) in snapshot.pageTokenKey }
  }
}

extension LeaderboardOrder {
  /// Why one is above the other. They can share a rank because a third one lacks a count.
  fileprivate func explain(
    _ one: Ranking.Contender, over other: Ranking.Contender
  ) -> RankExplanation {
    let found = ranking.explain(one, over: other)
    guard found.key != nil, rank(of: one) == rank(of: other) else { return found }
    return RankExplanation(
      order: 0, key: nil, value: 0, otherValue: 0, missing: sharedPlace(of: one).missing)
  }

  /// The same entries in the order of another ranking.
  func reordered(by ranking: Ranking) -> LeaderboardOrder {
    LeaderboardOrder(ranking: ranking, contenders.compactMap { entry($0.id) })
  }

  fileprivate func page(
    _ head: TournamentHead, form: TiePolicyForm, asOf: Int64?, principal: Int64?, size: UInt32,
    token text: String, key: [UInt8], sequence: Int64, generation: UInt64, inProgress: Bool? = nil
  ) throws(StoreError) -> StandingsPage {
    let token = PageToken(
      scope: [
        .text("standings"), .integer(principal ?? 0), .integer(head.id),
        .integer(Int64(form.policy.rawValue)), .optional(asOf),
      ])
    var offset = 0
    if let place = try token.textPlace(in: text, key: key),
      let last = LeaderboardKey(text: place.text, id: place.id)
    {
      offset = index(after: last)
    }
    let rows = rows(from: offset, limit: Int(clamping: StoreLimits.pageSize(size)))
    var next = ""
    if let last = rows.entries.last, rows.offset + rows.entries.count < rows.count {
      let place = LeaderboardKey(last.contender, by: ranking)
      next = token.text(place: PageToken.place(place.text, id: last.id), key: key)
    }
    return StandingsPage(
      rows: rows, nextPageToken: next, form: form,
      inProgress: inProgress ?? (head.status == .inProgress), head: head, sequence: sequence,
      generation: generation)
  }
}

extension Store {
  /// A page of the results of a finalised event, under its own policy, with what is not finished.
  package func results(
    _ tournament: Int64, principal: Int64?, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> StandingsPage {
    var page = try standings(
      tournament, under: nil, principal: principal, pageSize: pageSize, pageToken: pageToken)
    guard page.head.status == .completed else {
      throw StoreError(
        .failedPrecondition, "the event is not finalised; GetStandings answers meanwhile",
        field: "tournament_id")
    }
    page.openSteps = try read { [head = page.head] (snapshot) throws(StoreError) in
      try snapshot.unfinishedSteps(EventProgress.neededForResults, of: head)
    }
    return page
  }
}
