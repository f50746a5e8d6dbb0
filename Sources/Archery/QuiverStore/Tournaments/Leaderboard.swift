import QuiverRules
import Synchronization

/// The ordered rows of one event in memory, as of the latest acknowledged commit.
///
/// Any thread may use it. The writer records which rows changed; the next reader loads them, each
/// with one lookup in the database and one move in the order. It is discarded when the event itself
/// changes.
///
/// Where other servers may change the database, each read looks into the journal for changes of the
/// event since the one before, and no replies are kept.
package final class Leaderboard: Sendable {
  package let tournament: Int64
  private let readers: ReaderPool
  private let forget: @Sendable () -> Void
  private let changed: Mutex<Changed>
  private let state = Mutex(State())

  private struct Changed: Sendable {
    var participants: Set<Int64> = []
    var isLoaded = false
    /// Counts the changes, from a number that no other leaderboard has.
    var generation: UInt64
    var replies = KeptStandings(limit: StoreLimits.keptStandingsBytes)
    /// Counts the changes of anything that the standings of a part of the event show, as
    /// `generation` counts those of rows.
    var revision: UInt64
    var partReplies = KeptStandings(limit: StoreLimits.keptPartStandingsBytes)
    /// The officials whose names those replies may show.
    var namedOfficials: Set<Int64> = []

    /// Counts the changes of who may see the event.
    var accessCount: UInt64 = 0

    mutating func notePartChange() {
      revision += 1
      partReplies.removeAll()
      namedOfficials.removeAll(keepingCapacity: true)
    }
  }

  struct State: Sendable {
    var head: TournamentHead?
    var order = LeaderboardOrder(
      ranking: Ranking(TiePolicyForm.of(.standard, onDay: 0), inProgress: false))
    /// The latest commit that it includes.
    var sequence: Int64 = 0
    /// The change that it includes, as `Changed` counts them.
    var generation: UInt64 = 0
    /// Where it reads the journal on, if the database is shared, and the rows of the journal behind
    /// that which it includes.
    var position: Int64 = 0
    var included: Set<Int64> = []
  }

  /// How many leaderboards there were in this process.
  private static let createdCount = Atomic<UInt64>(0)

  /// `forget` is called if there is no such event, so that a missing event uses no memory.
  init(tournament: Int64, readers: ReaderPool, forget: @escaping @Sendable () -> Void) {
    // A page that was read from an earlier leaderboard of the event is not taken for one of this.
    let number = Self.createdCount.wrappingAdd(1, ordering: .relaxed).newValue
    changed = Mutex(Changed(generation: number << 32, revision: number << 32))
    self.tournament = tournament
    self.readers = readers
    self.forget = forget
  }

  /// The number of changed rows that a reader may load on the event loop.
  private static let fewChanges = 64

  /// Whether reading it now costs only a few lookups in the database.
  package var isReady: Bool {
    changed.withLock { $0.isLoaded && $0.participants.count <= Self.fewChanges }
  }

  /// Records a changed row; the writer calls it before it replies.
  func note(_ participant: Int64) {
    guard !readers.isShared else { return }
    changed.withLock { changed in
      changed.participants.insert(participant)
      changed.generation += 1
      changed.replies.removeAll()
      changed.notePartChange()
    }
  }

  /// Records a change of the event other than of a row: of its categories, entries or sessions.
  func notePartChange() {
    guard !readers.isShared else { return }
    changed.withLock { $0.notePartChange() }
  }

  /// Records that the name of a principal may have changed, which decided ties show.
  func noteName(of principal: Int64) {
    guard !readers.isShared else { return }
    changed.withLock { changed in
      if changed.namedOfficials.contains(principal) {
        changed.notePartChange()
      } else {
        changed.revision += 1
      }
    }
  }

  /// How often it may have changed who sees the event, in the state that was read last at least.
  /// The number of another leaderboard of the event says nothing.
  package var accessCount: UInt64 { changed.withLock { $0.accessCount } }

  /// Notes that a principal may have got or lost its permission to see the event.
  func noteAccess() { changed.withLock { $0.accessCount += 1 } }

  /// The encoded reply that ``keep(_:for:of:)`` was given for the same question, if nothing that it
  /// shows has changed since. Never reads the database.
  package func keptReply(for question: KeptStandings.Question) -> [UInt8]? {
    let now = readers.wallMilliseconds()
    return changed.withLock { changed in
      if question.isOfPart { return changed.partReplies.reply(for: question, at: now) }
      guard changed.isLoaded, changed.participants.isEmpty else { return nil }
      return changed.replies.reply(for: question, at: now)
    }
  }

  /// Keeps the encoded reply of a page, unless a row or the event has changed since the page was
  /// read.
  package func keep(
    _ bytes: [UInt8], for question: KeptStandings.Question, of page: StandingsPage
  ) {
    guard !readers.isShared else { return }
    let reply = KeptStandings.Reply(
      bytes: bytes, head: page.head,
      users: Set(page.rows.entries.lazy.filter { $0.kind == .user }.map(\.principal)),
      hasNextPage: !page.nextPageToken.isEmpty, hidesNames: page.rows.hidesNames)
    changed.withLock { changed in
      guard changed.generation == page.generation else { return }
      changed.replies.keep(reply, for: question)
    }
  }

  /// The number of changes that a page of the standings of a part includes which is read from now
  /// on.
  var partRevision: UInt64 { changed.withLock { $0.revision } }

  /// Keeps the encoded reply of a page of a part, unless the event has changed since the page was
  /// read.
  package func keep(
    _ bytes: [UInt8], for question: KeptStandings.Question, of page: CategoryStandings
  ) {
    guard !readers.isShared else { return }
    let rows = page.rows.lazy
    let reply = KeptStandings.Reply(
      bytes: bytes, head: page.head,
      users: Set(rows.filter { $0.leaderboard.kind == .user }.map(\.leaderboard.principal)),
      hasNextPage: !page.nextPageToken.isEmpty,
      hidesNames: rows.contains { !$0.leaderboard.publicName.isEmpty })
    let officials = rows.compactMap { $0.tie?.decidedBy }
    changed.withLock { changed in
      guard changed.revision == page.revision else { return }
      changed.partReplies.keep(reply, for: question)
      changed.namedOfficials.formUnion(officials)
    }
  }

  /// Keeps the encoded reply with the teams of the event, unless it has changed since they were
  /// read.
  package func keep(
    _ bytes: [UInt8], for question: KeptStandings.Question, of standings: TeamStandings
  ) {
    guard !readers.isShared else { return }
    let reply = KeptStandings.Reply(
      bytes: bytes, head: standings.head, users: [], hasNextPage: false,
      hidesNames: standings.rows.contains { row in
        row.members.contains { !$0.publicName.isEmpty }
      })
    changed.withLock { changed in
      guard changed.revision == standings.revision else { return }
      changed.partReplies.keep(reply, for: question)
    }
  }

  /// Runs `body` on the current event and its rows.
  package func read<Result>(
    _ body: (TournamentHead, LeaderboardOrder, Int64) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try readCounted { (head, order, sequence, _) throws(StoreError) in
      try body(head, order, sequence)
    }
  }

  /// The same with the number of the latest change that the rows include.
  func readCounted<Result>(
    _ body: (TournamentHead, LeaderboardOrder, Int64, UInt64) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try locked { (state) throws(StoreError) in
      try refresh(&state)
      guard let head = state.head else {
        forget()
        throw StoreError(.notFound, "there is no such event", field: "tournament_id")
      }
      return try body(head, state.order, state.sequence, state.generation)
    }
  }

  private func locked<Result>(
    _ body: (inout State) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let result = state.withLock { state in
      // Only this thread writes and reads it.
      nonisolated(unsafe) var outcome: Swift.Result<Result, StoreError>
      do throws(StoreError) {
        outcome = .success(try body(&state))
      } catch {
        outcome = .failure(error)
      }
      return Handed(outcome)
    }
    return try result.value.get()
  }

  /// A value that leaves the lock on the thread that holds the lock.
  private struct Handed<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private func refresh(_ state: inout State) throws(StoreError) {
    if readers.isShared { return try refreshFromJournal(&state) }
    let (isLoaded, ids, generation) = changed.withLock { changed in
      defer { changed.participants.removeAll() }
      return (changed.isLoaded, changed.participants, changed.generation)
    }
    guard !isLoaded || !ids.isEmpty else { return }
    do throws(StoreError) {
      // The snapshot begins after the changes were taken, so it includes them.
      try readers.read { (snapshot) throws(StoreError) in
        if isLoaded {
          for id in ids {
            state.order.put(try snapshot.participant(id: id).map(LeaderboardEntry.init), id: id)
          }
        } else {
          try load(&state, snapshot)
        }
        state.sequence = try snapshot.lastSequence()
        state.generation = generation
      }
    } catch {
      changed.withLock { $0.participants.formUnion(ids) }
      throw error
    }
    changed.withLock { $0.isLoaded = true }
  }

  private func load(
    _ state: inout State, _ snapshot: borrowing Snapshot
  ) throws(StoreError) {
    guard let head = try snapshot.tournamentHead(id: tournament) else { return }
    state.head = head
    var entries: [LeaderboardEntry] = []
    var after: Int64 = 0
    while true {
      let page = try snapshot.participants(
        session: tournament, after: after, limit: StoreLimits.verifiedRowsPerSlice)
      entries += page.map(LeaderboardEntry.init)
      guard let last = page.last, page.count == Int(StoreLimits.verifiedRowsPerSlice) else { break }
      after = last.id
    }
    state.order = LeaderboardOrder(ranking: head.ranking(), entries)
  }
}

/// A leaderboard of a shared database.
extension Leaderboard {
  private static let changes = Query(
    """
    SELECT sequence, kind, object_id FROM journal
    WHERE topic = ?1 AND topic <> 0 AND sequence > ?2 ORDER BY sequence LIMIT ?3
    """)

  /// Rows of the journal that are applied one by one; behind more, the event is loaded again.
  private static let mostChanges = 1_000

  private static let sequences = Query(
    "SELECT sequence FROM journal WHERE topic = ?1 AND topic <> 0 AND sequence > ?2")

  /// What the journal has and a state does not include.
  private struct JournalChanges {
    var sequences: Set<Int64> = []
    var participants: Set<Int64> = []
    var changesAccess = false
  }

  private func refreshFromJournal(_ state: inout State) throws(StoreError) {
    // A replica may be behind what the state includes already.
    let changesAccess = try readers.read(onPrimary: true) {
      (snapshot) throws(StoreError) -> Bool in
      let position = try snapshot.lastSequence()
      let first = try snapshot.firstSequence()
      let isContinued = state.head != nil && state.position + 1 >= first
      let found = isContinued ? try changes(since: state, snapshot) : nil
      if let found {
        for id in found.participants {
          state.order.put(try snapshot.participant(id: id).map(LeaderboardEntry.init), id: id)
        }
        state.included = state.included.union(found.sequences).filter { $0 > position }
      } else {
        state = State(sequence: state.sequence, generation: state.generation)
        try load(&state, snapshot)
        // The snapshot shows them too, though the position is before them.
        let included = try snapshot.all(
          Self.sequences, .integer(tournament), .integer(position)
        ) { row in row.int64(0) }
        state.included = Set(included)
      }
      // The number of each state is greater than that of the one before, also where a commit with
      // a smaller position was the last.
      if found?.participants.isEmpty != true {
        state.sequence = max(state.sequence + 1, position)
        state.generation += 1
      }
      state.position = position
      return found?.changesAccess ?? true
    }
    changed.withLock { changed in
      changed.isLoaded = true
      if changesAccess { changed.accessCount += 1 }
    }
  }

  /// The changes that the state does not include; nil if it must be loaded again.
  private func changes(
    since state: State, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> JournalChanges? {
    // While an older transaction is open, rows that are included stay above the position.
    let limit = Self.mostChanges + state.included.count
    let rows = try snapshot.all(
      Self.changes, .integer(tournament), .integer(state.position), .integer(Int64(limit))
    ) { row in
      (sequence: row.int64(0), kind: ObjectKind(rawValue: row.int64(1)), id: row.int64(2))
    }
    guard rows.count < limit else { return nil }
    let news = rows.filter { !state.included.contains($0.sequence) }
    guard !news.contains(where: { $0.kind == .tournament || $0.kind == .lateOperation }) else {
      return nil
    }
    var changes = JournalChanges()
    changes.sequences = Set(news.map(\.sequence))
    changes.participants = Set(news.filter { $0.kind == .participant }.map(\.id))
    changes.changesAccess = news.contains { $0.kind.changesAccess }
    return changes
  }
}
