import Dispatch
import Glibc
import QuiverAPI
import QuiverPlatform
import QuiverRPC
import Synchronization

/// What `quiver tournament watch` shows: a table that is drawn again on a terminal, else a line for
/// each row that changed; and whether the server is connected.
///
/// Any thread may use it.
final class WatchDisplay: WatchShowing {
  private let tournamentID: Int64
  private let state = Mutex(State())

  private struct State {
    var window = LeaderboardWindow()
    var table = LiveTable.terminal
    var connection = WatchConnection()
  }

  init(tournamentID: Int64) { self.tournamentID = tournamentID }

  /// Whether a message has arrived: from then on a lost connection is waited for.
  var hasBegun: Bool { state.withLock { $0.connection.hasBegun } }

  /// Whether the event was in progress by the last message.
  var isInProgress: Bool { state.withLock { $0.window.isInProgress } }

  /// Shows a message.
  func show(_ message: WatchLeaderboardResponse) throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      let changed = state.window.take(message)
      if state.connection.arrive() { noteConnection(state) }
      guard state.table != nil else {
        for row in changed { try Terminal.print(TournamentText.line(row)) }
        return
      }
      try draw(&state)
    }
  }

  /// Shows that the connection was lost. Returns false where that was shown already.
  func showDisconnection(_ error: RPCError) -> Bool {
    state.withLock { state in
      guard state.connection.lose(error) else { return false }
      if state.table == nil {
        Terminal.printError("quiver: \(state.connection.disconnection ?? "")")
      } else {
        redraw(&state)
      }
      return true
    }
  }

  /// Shows that the server is reached again.
  func showConnection() {
    state.withLock { state in
      guard state.connection.find() else { return }
      noteConnection(state)
      if state.table != nil { redraw(&state) }
    }
  }

  /// Draws the table again when the size of the terminal changes, until the result is released.
  func redrawOnResize() -> SignalHandler {
    SignalHandler(SIGWINCH, on: .global()) { [self] in state.withLock { redraw(&$0) } }
  }

  private func noteConnection(_ state: State) {
    if state.table == nil { Terminal.printError("quiver: connected again") }
  }

  private func redraw(_ state: inout State) {
    // A terminal that cannot be written ends the command at its next message.
    try? draw(&state)
  }

  private func draw(_ state: inout State) throws(Failure) {
    guard state.table != nil, state.connection.hasBegun else { return }
    let progress = state.window.isInProgress ? "in progress" : "not in progress"
    let title =
      "tournament \(tournamentID), \(progress), \(state.window.participantCount) participants,"
      + " ranked by \(state.window.policyName)"
    let rows = Table.text(TournamentText.table(state.window.ranked))
    try state.table?.draw(
      [title, state.connection.disconnection ?? ""]
        + rows.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }
}
