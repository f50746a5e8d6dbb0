import QuiverRules
import Synchronization

/// The ordered rows of one event in memory, as of the latest acknowledged commit.
///
/// Any thread may use it. The writer records which rows changed; the next reader loads them, each
/// with one lookup in the database and one move in the order. It is discarded when the event itself
/// changes.
package final class Leaderboard: Sendable {
  package let tournament: Int64
  private let readers: ReaderPool
  private let forget: @Sendable () -> Void
  private let changed = Mutex(Changed())
  private let state = Mutex(State())

  private struct Changed: Sendable {
    var participants: Set<Int64> = []
    var isLoaded = false
  }

  struct State: Sendable {
    var head: TournamentHead?
    var order = LeaderboardOrder(
      ranking: Ranking(TiePolicyForm.of(.standard, onDay: 0), inProgress: false))
    /// The latest commit that it includes.
    var sequence: Int64 = 0
  }

  /// `forget` is called if there is no such event, so that a missing event uses no memory.
  init(tournament: Int64, readers: ReaderPool, forget: @escaping @Sendable () -> Void) {
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
    changed.withLock { changed in _ = changed.participants.insert(participant) }
  }

  /// Runs `body` on the current event and its rows.
  package func read<Result>(
    _ body: (TournamentHead, LeaderboardOrder, Int64) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try locked { (state) throws(StoreError) in
      try refresh(&state)
      guard let head = state.head else {
        forget()
        throw StoreError(.notFound, "there is no such event", field: "tournament_id")
      }
      return try body(head, state.order, state.sequence)
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
    let (isLoaded, ids) = changed.withLock { changed in
      defer { changed.participants.removeAll() }
      return (changed.isLoaded, changed.participants)
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
