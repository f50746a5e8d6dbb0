import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Synchronization

/// Follows the first rows of a leaderboard as a spectator.
final class BoardWatch: Sendable {
  static let rowCount: UInt32 = 50
  private let rows = Mutex<[Int64: LeaderboardRow]>([:])
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ client: RPCClient, _ tournament: Int64) {
    let task = Task { [weak self] in
      let request = WatchLeaderboardRequest.with { request in
        request.tournamentID = tournament
        request.top = Self.rowCount
      }
      do {
        for try await message in client.watch(Tournament.watchLeaderboard, request) {
          self?.take(message)
        }
      } catch {
        // The last comparison finds what is missing.
      }
    }
    self.task.withLock { $0 = task }
  }

  func stop() { task.withLock { $0 }?.cancel() }

  /// The totals by participant.
  var totals: [Int64: UInt32] { rows.withLock { $0.mapValues(\.total) } }

  private func take(_ message: WatchLeaderboardResponse) {
    rows.withLock { rows in
      if let span = message.span, span.isSnapshot, span.after == 0 { rows = [:] }
      for id in message.removedIDs { rows[id] = nil }
      for row in message.rows { rows[row.participantID] = row }
    }
  }
}

extension Rehearsal {
  /// Waits until a spectator's board shows the first rows of the standings.
  func checkBoard(_ board: BoardWatch) async throws {
    let id = event.id
    let rows = try await staff.organiser.way.call(
      Tournament.getStandings,
      .with { ($0.tournamentID, $0.pageSize) = (id, BoardWatch.rowCount) }
    ).rows
    let expected = Dictionary(
      uniqueKeysWithValues: rows.map { ($0.participantID, $0.total) })
    for _ in 0..<500 where board.totals != expected {
      try await Task.sleep(for: .milliseconds(20))
    }
    findings.compare("a spectator's board", board.totals, expected)
  }
}
