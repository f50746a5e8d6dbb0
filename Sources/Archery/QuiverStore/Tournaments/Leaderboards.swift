import Synchronization

/// The leaderboards that are in memory, at most `StoreLimits.leaderboards` of them.
///
/// Any thread may use it. The writer tells it what a commit has changed before it answers, as it
/// does the cache of pieces.
final class Leaderboards: Sendable {
  private let readers: ReaderPool
  private let boards = Mutex<[Int64: Leaderboard]>([:])

  init(readers: ReaderPool) { self.readers = readers }

  /// The leaderboard of an event, loaded or not.
  func board(_ tournament: Int64) -> Leaderboard {
    boards.withLock { boards in
      if let board = boards[tournament] { return board }
      // Who still reads an older one holds it for as long as that takes.
      if boards.count >= StoreLimits.leaderboards { boards.removeAll() }
      let board = Leaderboard(tournament: tournament, readers: readers) { [weak self] in
        self?.boards.withLock { $0[tournament] = nil }
      }
      boards[tournament] = board
      return board
    }
  }

  /// Takes up what a commit has changed.
  func note(_ effects: Effects) {
    guard !effects.changedScores.isEmpty || !effects.changedTournaments.isEmpty else { return }
    boards.withLock { boards in
      for tournament in effects.changedTournaments { boards[tournament] = nil }
      for change in effects.changedScores {
        boards[change.tournament]?.note(change.participant)
      }
    }
  }
}
