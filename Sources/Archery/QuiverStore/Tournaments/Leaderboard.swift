import QuiverRules
import Synchronization

/// The rows of one event in their order, in memory, as they are after the latest acknowledged
/// commit.
///
/// Any thread may use it. The writer says which rows have changed; whoever reads next takes them
/// up, each by one look into the database and one place in the order. It is let go when the event
/// itself changes.
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
    /// The latest commit that it shows.
    var sequence: Int64 = 0
  }

  /// `forget` is called where there is no such event, so that asking for none keeps nothing.
  init(tournament: Int64, readers: ReaderPool, forget: @escaping @Sendable () -> Void) {
    self.tournament = tournament
    self.readers = readers
    self.forget = forget
  }

  /// Changed rows that a reader may take up in passing.
  private static let fewChanges = 64

  /// Whether reading it now costs no more than a few looks into the database.
  package var isReady: Bool {
    changed.withLock { $0.isLoaded && $0.participants.count <= Self.fewChanges }
  }

  /// Takes up that a row is another, by the writer before it answers.
  func note(_ participant: Int64) {
    changed.withLock { changed in _ = changed.participants.insert(participant) }
  }

  /// Runs `body` on the event and its rows as they are.
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
      // It is made and read on this thread alone.
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

  /// A value that leaves the lock on the thread that holds it.
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
      // Begun after the changes were taken: it sees them.
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
