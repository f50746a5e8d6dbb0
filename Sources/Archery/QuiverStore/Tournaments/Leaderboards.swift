import Synchronization

/// The leaderboards in memory, at most `StoreLimits.leaderboards` of them.
///
/// Any thread may use it.
final class Leaderboards: CommitObserver {
  private let readers: ReaderPool
  private let state = Mutex(State())

  private struct State {
    var boards: [Int64: Entry] = [:]
    /// Events whose leaderboards are watched.
    var watched: Set<Int64> = []
    var useCount: UInt64 = 0

    /// The leaderboard of an event if it is in memory, which is a use of it.
    mutating func use(_ tournament: Int64) -> Leaderboard? {
      guard let board = boards[tournament]?.board else { return nil }
      useCount += 1
      boards[tournament]?.lastUse = useCount
      return board
    }

    /// Removes the one used longest ago, of those that nobody watches if there are any.
    mutating func removeOldest() {
      let unwatched = boards.filter { !watched.contains($0.key) }
      let oldest = (unwatched.isEmpty ? boards : unwatched).min {
        $0.value.lastUse < $1.value.lastUse
      }
      if let oldest { boards[oldest.key] = nil }
    }
  }

  private struct Entry {
    let board: Leaderboard
    var lastUse: UInt64 = 0
  }

  init(readers: ReaderPool) { self.readers = readers }

  /// How many leaderboards are in memory.
  var count: Int { state.withLock { $0.boards.count } }

  /// The leaderboard of an event if there is one: asking for it neither makes one nor removes
  /// others.
  func existing(_ tournament: Int64) -> Leaderboard? {
    state.withLock { $0.use(tournament) }
  }

  /// The leaderboard of an event, loaded or not.
  func board(_ tournament: Int64) -> Leaderboard {
    state.withLock { state in
      if let board = state.use(tournament) { return board }
      // A reader of an older board keeps it alive until it has finished.
      if state.boards.count >= StoreLimits.leaderboards { state.removeOldest() }
      let board = Leaderboard(tournament: tournament, readers: readers) { [weak self] in
        self?.state.withLock { $0.boards[tournament] = nil }
      }
      state.boards[tournament] = Entry(board: board)
      _ = state.use(tournament)
      return board
    }
  }

  /// Notes whether a leaderboard is watched: others leave memory before it.
  func setWatched(_ tournament: Int64, _ isWatched: Bool) {
    state.withLock { state in
      if isWatched {
        state.watched.insert(tournament)
      } else {
        state.watched.remove(tournament)
      }
    }
  }

  func didCommit(_ effects: CommitEffects) {
    let changes = effects.changes.filter { $0.topic != 0 || $0.isOfName }
    guard !changes.isEmpty else { return }
    state.withLock { state in
      for change in changes where change.isOfTournament { state.boards[change.topic] = nil }
      for change in changes {
        if change.kind.changesAccess { state.boards[change.topic]?.board.noteAccess() }
        switch change.kind {
        case .participant: state.boards[change.topic]?.board.note(change.id)
        case .principal:
          for known in state.boards.values { known.board.noteName(of: change.id) }
        // No standings show matches, notices and pauses.
        case .eventMatch, .eventNotice, .eventPause: break
        default: state.boards[change.topic]?.board.notePartChange()
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
