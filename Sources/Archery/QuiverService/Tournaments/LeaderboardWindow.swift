import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

/// Which rows of a leaderboard a watch shows, and to whom.
struct LeaderboardWindowKey: Sendable, Hashable {
  let rows: Rows
  /// Whose names it shows: of an event that hides none to members and all others alike.
  var reader = NameReader.member

  enum Rows: Sendable, Hashable {
    /// The first rows, by their number.
    case top(Int)
    /// A number of rows on each side of a participant.
    case around(Int64, Int)
    /// Rows of a part of the event, from an index on, by their number.
    case part(Snapshot.EntryFilter, first: Int, count: Int)
  }

  init(_ rows: Rows) { self.rows = rows }

  static func top(_ count: Int) -> Self { Self(.top(count)) }

  static func around(_ participant: Int64, _ count: Int) -> Self {
    Self(.around(participant, count))
  }

  static func part(_ filter: Snapshot.EntryFilter, first: Int, count: Int) -> Self {
    Self(.part(filter, first: first, count: count))
  }

  /// Whether its rows are ranked among themselves.
  var isPart: Bool { if case .part = rows { true } else { false } }

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
  private var removed: [Removal] = []
  /// Participants whose rows have changed since they were read from the journal.
  private var changedSincePast: Set<Int64> = []
  /// From this commit on every change of the window is known. Before it only the states after the
  /// commits `points` are, which were read from the journal.
  private var liveFrom: Int64 = 0
  private var points: Set<Int64> = []
  private var isPast = false
  private var frame = Frame()

  private struct Row: Sendable {
    let entry: LeaderboardEntry
    /// Of a part; else 0.
    let rank: Int
    /// The commit with which it came into the window.
    var enteredAt: Int64
    var changedAt: Int64
  }

  private struct Removal: Sendable {
    let id: Int64
    /// The commits with which it came into the window and left.
    var enteredAt: Int64
    let at: Int64
  }

  /// The part of a message that belongs to the window as a whole.
  private struct Frame: Sendable, Equatable {
    var rowsBefore = 0
    var firstRank = 0
    var firstTotal = 0
    var count = 0
    var policy = QuiverRules.TiePolicy.standard
    var keys: [QuiverRules.RankKey] = []
    var status = QuiverStore.TournamentStatus.open

    init() {}

    init(_ shown: LeaderboardRows, _ form: TiePolicyForm, _ status: QuiverStore.TournamentStatus) {
      rowsBefore = shown.offset
      firstRank = shown.ranks.first ?? 0
      firstTotal = shown.firstTotal
      count = shown.count
      policy = form.policy
      keys = form.keys
      self.status = status
    }
  }

  /// Rows that left, of which a watch that resumes may not know yet.
  static let maximumRemoved = 2_000

  /// Commits before the first known change at which a watch may resume.
  private static let maximumPoints = 256

  /// Whether the changes since a commit are known.
  func canResume(after sequence: Int64) -> Bool {
    sequence >= floor && sequence <= upto && (sequence >= liveFrom || points.contains(sequence))
  }

  init(_ key: LeaderboardWindowKey) { self.key = key }

  /// The window as it was after a commit: watches resume there.
  init(
    _ key: LeaderboardWindowKey, after sequence: Int64, _ past: PastLeaderboard,
    _ head: TournamentHead
  ) {
    self.key = key
    isPast = true
    points = [sequence]
    upto = sequence
    floor = sequence
    let shown = Self.shown(key, past.order)
    rows = shown.entries.map { entry in
      Row(entry: entry, rank: 0, enteredAt: sequence, changedAt: sequence)
    }
    frame = Frame(shown, head.form(of: head.tiePolicy), head.status)
    changedSincePast = past.changed
  }

  /// Lets watches resume after an earlier commit, after which the leaderboard was `past`.
  mutating func extend(backTo sequence: Int64, _ past: PastLeaderboard) {
    guard sequence < liveFrom || isPast, points.count < Self.maximumPoints else { return }
    guard points.insert(sequence).inserted else { return }
    guard sequence < floor else { return insert(sequence, past) }
    let old = Dictionary(
      uniqueKeysWithValues: Self.shown(key, past.order).entries.map { ($0.id, $0) })
    // Those that the window showed after the commit of its floor.
    var shownAtFloor: Set<Int64> = []
    for index in removed.indices
    where removed[index].enteredAt <= floor && removed[index].at > floor {
      shownAtFloor.insert(removed[index].id)
      if old[removed[index].id] != nil { removed[index].enteredAt = sequence }
    }
    for index in rows.indices where rows[index].enteredAt <= floor {
      shownAtFloor.insert(rows[index].entry.id)
      guard let entry = old[rows[index].entry.id] else { continue }
      rows[index].enteredAt = sequence
      if rows[index].changedAt <= floor, !past.changed.contains(entry.id),
        rows[index].entry.showsSame(as: entry)
      {
        rows[index].changedAt = sequence
      }
    }
    removed.insert(
      contentsOf: old.keys.filter { !shownAtFloor.contains($0) }.sorted().map { id in
        Removal(id: id, enteredAt: sequence, at: floor)
      }, at: 0)
    floor = sequence
  }

  /// The same after a commit between those that the window knows: what it may have missed since is
  /// sent and removed again.
  private mutating func insert(_ sequence: Int64, _ past: PastLeaderboard) {
    var old = Set(Self.shown(key, past.order).entries.map(\.id))
    for index in rows.indices {
      let isOld = old.remove(rows[index].entry.id) != nil
      if isOld { rows[index].enteredAt = min(rows[index].enteredAt, sequence) }
      if !isOld || past.changed.contains(rows[index].entry.id) {
        rows[index].changedAt = max(rows[index].changedAt, liveFrom)
      }
    }
    for index in removed.indices where removed[index].at > sequence {
      guard old.remove(removed[index].id) != nil else { continue }
      removed[index].enteredAt = min(removed[index].enteredAt, sequence)
    }
    removed.insert(
      contentsOf: old.sorted().map { Removal(id: $0, enteredAt: sequence, at: liveFrom) },
      at: removed.firstIndex { $0.at > liveFrom } ?? removed.count)
  }

  /// Updates the window to what it shows of a state of its leaderboard. Returns whether anything
  /// has changed.
  mutating func update(
    to shown: LeaderboardRows, _ form: TiePolicyForm, _ status: QuiverStore.TournamentStatus,
    sequence: Int64
  ) -> Bool {
    let isFirst = upto == 0
    let past = changedSincePast
    changedSincePast = []
    // A change is never older than what was sent last.
    let now = max(sequence, upto)
    var known: [Int64: Row] = [:]
    for row in rows { known[row.entry.id] = row }
    var isChanged = isFirst
    var next: [Row] = []
    next.reserveCapacity(shown.entries.count)
    for (index, entry) in shown.entries.enumerated() {
      let rank = key.isPart ? shown.ranks[index] : 0
      let row = known.removeValue(forKey: entry.id)
      if let row, row.entry.showsSame(as: entry), row.rank == rank, !past.contains(entry.id) {
        next.append(row)
      } else {
        next.append(
          Row(entry: entry, rank: rank, enteredAt: row?.enteredAt ?? now, changedAt: now))
        isChanged = true
      }
    }
    for (id, row) in known.sorted(by: { $0.key < $1.key }) {
      removed.append(Removal(id: id, enteredAt: row.enteredAt, at: now))
      isChanged = true
    }
    if removed.count > Self.maximumRemoved {
      let dropped = removed.count - Self.maximumRemoved / 2
      floor = max(floor, removed[dropped - 1].at)
      removed.removeFirst(dropped)
    }
    let frame = Frame(shown, form, status)
    isChanged = isChanged || frame != self.frame
    rows = next
    self.frame = frame
    if isFirst { floor = now }
    if isFirst || isPast { liveFrom = now }
    isPast = false
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
      var shown = LeaderboardRow(row.entry, rank: row.rank, difference: 0, caller: nil)
      shown.isCaller = false
      return shown
    }
    if let since {
      let present = Set(rows.map(\.entry.id))
      // What came and left since was never sent.
      let gone = removed.filter { removal in
        removal.at > since && removal.enteredAt <= since && !present.contains(removal.id)
      }.map(\.id)
      response.removedIDs = Set(gone).sorted()
    }
    response.rowsBefore = UInt32(clamping: frame.rowsBefore)
    response.firstRank = UInt32(clamping: frame.firstRank)
    response.firstTotal = UInt32(clamping: frame.firstTotal)
    response.participantCount = UInt32(clamping: frame.count)
    response.policy = QuiverAPI.TiePolicy(rawValue: frame.policy.rawValue)
    response.keys = frame.keys.map(QuiverAPI.RankKey.init)
    response.inProgress = frame.status == .inProgress
    response.status = QuiverAPI.TournamentStatus(rawValue: frame.status.rawValue)
    return response.serializedBytes()
  }

  /// The rows of a window of the whole leaderboard; a part has none.
  static func shown(
    _ key: LeaderboardWindowKey, _ order: LeaderboardOrder
  ) -> LeaderboardRows {
    switch key.rows {
    case .part: return order.rows(from: 0, limit: 0)
    case .top(let count): return order.rows(from: 0, limit: count).shown(to: key.reader)
    case .around(let participant, let reach):
      let index = order.index(of: participant) ?? 0
      let first = max(0, index - reach)
      return order.rows(from: first, limit: index + reach + 1 - first).shown(to: key.reader)
    }
  }
}

extension LeaderboardEntry {
  /// Whether both show the same to a subscriber. The time of the last activity does not count.
  fileprivate func showsSame(as other: LeaderboardEntry) -> Bool {
    contender == other.contender && status == other.status && displayName == other.displayName
  }
}
