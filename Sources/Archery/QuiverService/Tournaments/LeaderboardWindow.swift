import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

/// Which rows of a leaderboard a watch shows.
enum LeaderboardWindowKey: Sendable, Hashable {
  /// The first so many.
  case top(Int)
  /// So many on each side of a participant.
  case around(Int64, Int)

  static let maximumTop = 200
  static let defaultTop = 50
  static let maximumAround = 100
  static let defaultAround = 5
}

/// A window as it is, with since when each row has been so: computed once for all who watch it.
struct LeaderboardWindow: Sendable {
  let key: LeaderboardWindowKey
  /// Up to which commit it has been brought.
  private(set) var upto: Int64 = 0
  /// Nothing that left the window at or before this commit is remembered.
  private(set) var floor: Int64 = 0
  private var rows: [Row] = []
  private var removed: [(id: Int64, at: Int64)] = []
  private var frame = Frame()

  private struct Row: Sendable {
    let entry: LeaderboardEntry
    let changedAt: Int64
  }

  /// What a message says of the window as a whole.
  private struct Frame: Sendable, Equatable {
    var rowsBefore = 0
    var firstRank = 0
    var firstTotal = 0
    var count = 0
    var policy = QuiverRules.TiePolicy.standard
    var keys: [QuiverRules.RankKey] = []
    var inProgress = false
  }

  /// Rows that left, which a watcher that goes on may not know of.
  static let maximumRemoved = 2_000

  init(_ key: LeaderboardWindowKey) { self.key = key }

  /// Brings the window to a state of its leaderboard; answers whether anything of it is another.
  mutating func bring(
    to order: LeaderboardOrder, _ head: TournamentHead, sequence: Int64
  ) -> Bool {
    let isFirst = upto == 0
    // What changed is known to be no older than what was told last.
    let now = max(sequence, upto)
    let shown = Self.shown(key, order)
    var known: [Int64: Row] = [:]
    for row in rows { known[row.entry.id] = row }
    var isChanged = isFirst
    var next: [Row] = []
    next.reserveCapacity(shown.entries.count)
    for entry in shown.entries {
      if let row = known.removeValue(forKey: entry.id), row.entry.showsSame(as: entry) {
        next.append(row)
      } else {
        next.append(Row(entry: entry, changedAt: now))
        isChanged = true
      }
    }
    for id in known.keys.sorted() {
      removed.append((id, now))
      isChanged = true
    }
    if removed.count > Self.maximumRemoved {
      let dropped = removed.count - Self.maximumRemoved / 2
      floor = max(floor, removed[dropped - 1].at)
      removed.removeFirst(dropped)
    }
    let form = head.form(of: head.tiePolicy)
    let frame = Frame(
      rowsBefore: shown.offset, firstRank: shown.ranks.first ?? 0, firstTotal: shown.firstTotal,
      count: shown.count, policy: form.policy, keys: form.keys,
      inProgress: head.status == .inProgress)
    isChanged = isChanged || frame != self.frame
    rows = next
    self.frame = frame
    if isFirst { floor = now }
    if isChanged { upto = now }
    return isChanged
  }

  /// The message that brings a watcher on from a commit; nil: a snapshot.
  func message(since: Int64?, epoch: UInt64) -> [UInt8] {
    var response = WatchLeaderboardResponse()
    var span = WatchSpan()
    span.after = since ?? 0
    span.upto = upto
    span.storeEpoch = epoch
    span.isSnapshot = since == nil
    response.span = span
    let changed = since.map { since in rows.filter { $0.changedAt > since } } ?? rows
    response.rows = changed.map { row in
      var shown = LeaderboardRow(row.entry, rank: 0, difference: 0, caller: nil)
      shown.isCaller = false
      return shown
    }
    if let since {
      let present = Set(rows.map(\.entry.id))
      let gone = removed.filter { $0.at > since && !present.contains($0.id) }.map(\.id)
      response.removedIDs = Set(gone).sorted()
    }
    response.rowsBefore = UInt32(clamping: frame.rowsBefore)
    response.firstRank = UInt32(clamping: frame.firstRank)
    response.firstTotal = UInt32(clamping: frame.firstTotal)
    response.participantCount = UInt32(clamping: frame.count)
    response.policy = QuiverAPI.TiePolicy(rawValue: frame.policy.rawValue)
    response.keys = frame.keys.map(QuiverAPI.RankKey.init)
    response.inProgress = frame.inProgress
    return response.serializedBytes()
  }

  private static func shown(
    _ key: LeaderboardWindowKey, _ order: LeaderboardOrder
  ) -> LeaderboardRows {
    switch key {
    case .top(let count): return order.rows(from: 0, limit: count)
    case .around(let participant, let reach):
      let index = order.index(of: participant) ?? 0
      let first = max(0, index - reach)
      return order.rows(from: first, limit: index + reach + 1 - first)
    }
  }
}

extension LeaderboardEntry {
  /// Whether a watcher need not be told of the other one; when it was last active alone is no news.
  fileprivate func showsSame(as other: LeaderboardEntry) -> Bool {
    contender == other.contender && status == other.status && displayName == other.displayName
  }
}
