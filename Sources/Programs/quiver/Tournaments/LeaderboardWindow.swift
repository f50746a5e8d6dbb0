import QuiverAPI
import QuiverRPC
import QuiverRules

/// A window of a leaderboard as a watch sends it, with the ranks that its reader derives.
struct LeaderboardWindow {
  private var rows: [Int64: LeaderboardRow] = [:]
  private var last = WatchLeaderboardResponse()

  var participantCount: UInt32 { last.participantCount }
  var isInProgress: Bool { last.inProgress }

  /// The policy's word, `WA_INDOOR`.
  var policyName: String {
    QuiverRules.TiePolicy(rawValue: last.policy.rawValue)?.name ?? "\(last.policy.rawValue)"
  }

  /// Applies a message, and returns its rows in their current state, ranked, in order.
  mutating func take(_ message: WatchLeaderboardResponse) -> [LeaderboardRow] {
    // A snapshot is the complete state: rows that it does not name are removed.
    if let span = message.span, span.isSnapshot, span.after == 0 { rows = [:] }
    for id in message.removedIDs { rows[id] = nil }
    for row in message.rows { rows[row.participantID] = row }
    last = message
    let changed = Set(message.rows.map(\.participantID))
    return ranked.filter { changed.contains($0.participantID) }
  }

  /// All rows of the window in their order, with rank and difference.
  var ranked: [LeaderboardRow] {
    let form = TiePolicyForm(.scoreOnly, last.keys.compactMap { QuiverRules.RankKey($0) })
    let ranking = Ranking(form, inProgress: last.inProgress)
    let contenders = rows.values.map { row in
      Ranking.Contender(
        id: row.participantID, standing: row.standing, tally: ScoreTally(row))
    }
    let before = Int(last.rowsBefore)
    return ranking.ranked(contenders).compactMap { place in
      guard var row = rows[place.contender.id] else { return nil }
      if place.rank == 0 {
        row.rank = 0
      } else if place.rank == 1 {
        row.rank = max(1, last.firstRank)
      } else {
        row.rank = UInt32(clamping: before + place.rank)
      }
      row.difference = Int32(
        clamping: Ranking.difference(
          rank: place.rank, total: Int(row.total), firstTotal: Int(last.firstTotal)))
      return row
    }
  }
}

extension QuiverRules.RankKey {
  /// A key as the server names it; nil for one that this program does not know.
  fileprivate init?(_ key: QuiverAPI.RankKey) {
    switch key.kind {
    case .score: self = .score
    case .x: self = .x
    case .count: self = .count(Int(key.value))
    case .hits: self = .hits
    case .golds: self = .golds
    case .endsCompleted: self = .endsCompleted
    default: return nil
    }
  }
}

extension LeaderboardRow {
  fileprivate var standing: Ranking.Standing {
    switch status {
    case .withdrawn: .withdrawn
    case .disqualified: .disqualified
    default: .ranked
    }
  }
}

extension ScoreTally {
  fileprivate init(_ row: LeaderboardRow) {
    self.init(
      total: Int(row.total), xCount: Int(row.xCount), goldCount: Int(row.goldCount),
      arrowCount: Int(row.arrowCount), endsCompleted: Int(row.endsCompleted),
      counts: row.counts.map { Int($0) }, missing: MissingCounts(rawValue: row.missingCounts))
  }
}
