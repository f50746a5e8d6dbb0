import Synchronization

/// The leaderboards in memory, at most `StoreLimits.leaderboards` of them.
///
/// Any thread may use it.
final class Leaderboards: CommitObserver {
  private let readers: ReaderPool
  private let boards = Mutex<[Int64: Leaderboard]>([:])

  init(readers: ReaderPool) { self.readers = readers }

  /// How many leaderboards are in memory.
  var count: Int { boards.withLock { $0.count } }

  /// The leaderboard of an event if there is one: asking for it neither makes one nor removes
  /// others.
  func existing(_ tournament: Int64) -> Leaderboard? {
    boards.withLock { $0[tournament] }
  }

  /// The leaderboard of an event, loaded or not.
  func board(_ tournament: Int64) -> Leaderboard {
    boards.withLock { boards in
      if let board = boards[tournament] { return board }
      // A reader of an older board keeps it alive until it has finished.
      if boards.count >= StoreLimits.leaderboards { boards.removeAll() }
      let board = Leaderboard(tournament: tournament, readers: readers) { [weak self] in
        self?.boards.withLock { $0[tournament] = nil }
      }
      boards[tournament] = board
      return board
    }
  }

  func didCommit(_ effects: CommitEffects) {
    let changes = effects.changes.filter { $0.topic != 0 || $0.isOfName }
    guard !changes.isEmpty else { return }
    boards.withLock { boards in
      for change in changes where change.isOfTournament { boards[change.topic] = nil }
      for change in changes {
        switch change.kind {
        case .participant: boards[change.topic]?.note(change.id)
        case .principal: for board in boards.values { board.noteName(of: change.id) }
        // No standings show matches.
        case .eventMatch: break
        default: boards[change.topic]?.notePartChange()
        }
      }
    }
  }
}

extension ObjectChange {
  /// Whether it changes a leaderboard as a whole.
  fileprivate var isOfTournament: Bool { kind == .tournament || kind == .lateOperation }

  /// Whether it may change the name of a principal that standings show.
  fileprivate var isOfName: Bool { kind == .principal && change != .created }
}
