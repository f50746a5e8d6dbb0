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

/// The rows of a window, each with the commit of its last change: computed once for all
/// subscribers.
struct LeaderboardWindow: Sendable {
  let key: LeaderboardWindowKey
  /// The commit of its last change.
  private(set) var upto: Int64 = 0
  /// Rows that left at or before this commit are forgotten: a watch resumes here or later.
  private(set) var floor: Int64 = 0
  private var rows: [Row] = []
  private var removed: [(id: Int64, at: Int64)] = []
  private var frame = Frame()

  private struct Row: Sendable {
    let entry: LeaderboardEntry
    let changedAt: Int64
  }

  /// The part of a message that belongs to the window as a whole.
  private struct Frame: Sendable, Equatable {
    var rowsBefore = 0
    var firstRank = 0
    var firstTotal = 0
    var count = 0
    var policy = QuiverRules.TiePolicy.standard
    var keys: [QuiverRules.RankKey] = []
    var inProgress = false
  }

  /// Rows that left, of which a watch that resumes may not know yet.
  static let maximumRemoved = 2_000

  init(_ key: LeaderboardWindowKey) { self.key = key }

  /// Updates the window to a state of its leaderboard. Returns whether anything has changed.
  mutating func update(
    to order: LeaderboardOrder, _ head: TournamentHead, sequence: Int64
  ) -> Bool {
    let isFirst = upto == 0
    // A change is never older than what was sent last.
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

  /// The message with what changed since a commit; nil: a snapshot.
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
  /// Whether both show the same to a subscriber. The time of the last activity does not count.
  fileprivate func showsSame(as other: LeaderboardEntry) -> Bool {
    contender == other.contender && status == other.status && displayName == other.displayName
  }
}
