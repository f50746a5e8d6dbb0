import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// `quiver tournament watch`: a leaderboard as it moves.
enum TournamentWatchCommand {
  private static let top = Flag(
    "--top", .word("N"), "the first N rows, at most 200; 20 if not given")
  private static let around = Flag(
    "--around", .word("PARTICIPANT"), "the rows around a participant, instead of the first")
  private static let most = Flag("--max", .word("N"), "end after N messages")
  private static let untilFinal = Flag(
    "--until-final", .none, "end when the event is not in progress any more")

  static let command = Command(
    "tournament watch", operands: "ID", summary: "watch the leaderboard move",
    details: """
      On a terminal the table is drawn again in place. Else each row that has changed is a line,
      `rank archer total x tens`. Lost connections and restarts of the server are gone over: no
      change is left out and none comes twice. Ends by ^C.
      """,
    flags: [top, around, most, untilFinal], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let request = try request(arguments)
    let limit = try number(of: most, 1...Int.max, arguments) ?? .max
    let access = try Access(arguments)
    var window = LeaderboardWindow()
    var table = LiveTable.terminal
    var hasBegun = false
    var count = 0
    do throws(RPCError) {
      var messages = access.client.watch(Tournament.watchLeaderboard, request).makeAsyncIterator()
      while let message = try await messages.next() {
        let changed = window.take(message)
        show(changed, of: window, request, &table)
        count += 1
        hasBegun = hasBegun || window.isInProgress
        guard count < limit else { return }
        guard arguments.has(untilFinal), !window.isInProgress else { continue }
        if try await isOver(request.tournamentID, access) ?? hasBegun { return }
      }
    } catch {
      throw access.plainFailure(error)
    }
  }

  /// Whether an event that is not in progress was; nil for spectators, who may not ask.
  private static func isOver(_ id: Int64, _ access: Access) async throws(RPCError) -> Bool? {
    var request = GetTournamentRequest()
    request.id = id
    do throws(RPCError) {
      let event = try await access.client.call(Tournament.getTournament, request)
      return event.status == .completed || event.status == .cancelled
    } catch {
      guard error.code == .permissionDenied || error.code == .notFound else { throw error }
      return nil
    }
  }

  private static func show(
    _ changed: [LeaderboardRow], of window: LeaderboardWindow, _ request: WatchLeaderboardRequest,
    _ table: inout LiveTable?
  ) {
    guard table != nil else {
      for row in changed { Terminal.print(TournamentText.line(row)) }
      return
    }
    let state = window.isInProgress ? "in progress" : "not in progress"
    let title =
      "tournament \(request.tournamentID), \(state), \(window.participantCount) take part,"
      + " by \(window.policyName)"
    let rows = TournamentText.table(window.ranked)
    table?.draw(
      [title, ""] + rows.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  }

  private static func request(
    _ arguments: Arguments
  ) throws(Failure) -> WatchLeaderboardRequest {
    var request = WatchLeaderboardRequest()
    request.tournamentID = try TournamentText.id(
      try arguments.operands(1...1, "one ID")[0], "ID", arguments)
    let rows = try number(of: top, 1...200, arguments)
    if let text = arguments.value(of: around) {
      guard rows == nil else { throw arguments.usage("--top and --around do not go together") }
      request.aroundParticipantID = try TournamentText.id(text, "PARTICIPANT", arguments)
    } else {
      request.top = UInt32(clamping: rows ?? 20)
    }
    return request
  }

  private static func number(
    of flag: Flag, _ range: ClosedRange<Int>, _ arguments: Arguments
  ) throws(Failure) -> Int? {
    guard let text = arguments.value(of: flag) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let limit = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw arguments.usage("\(flag.name) wants a number from \(range.lowerBound)\(limit)")
    }
    return number
  }
}
