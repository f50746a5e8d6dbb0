import Dispatch
import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `quiver tournament watch`: a leaderboard as it moves.
enum TournamentWatchCommand {
  private static let top = Flag(
    "--top", .word("N"), "the first N rows, at most 200; 20 by default")
  private static let around = Flag(
    "--around", .word("ARCHER"), "the rows around an archer, instead of the first")
  private static let most = Flag("--max", .word("N"), "end after N messages")
  private static let untilFinal = Flag(
    "--until-final", .none, "end when the event is no longer in progress")

  static let command = Command(
    "tournament watch", operands: "EVENT", summary: "show the leaderboard as it changes",
    details: """
      On a terminal the table is drawn again in place. Otherwise each row that changed is a line,
      `rank archer total x tens`. If the first connection fails, the command fails. A connection
      that is lost later is opened again, without missing or repeating a change; until then the
      display shows since when it has been disconnected. ^C ends the command.
      """,
    flags: [top, around, most, untilFinal], names: [.event],
    examples: ["tournament watch Indoor", "tournament watch Indoor --around 12B"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let limit = try arguments.number(of: most, 1...Int.max) ?? .max
    _ = try arguments.operands(1...1, "one EVENT")
    let rows = try arguments.number(of: top, 1...200)
    guard rows == nil || !arguments.has(around) else {
      throw arguments.usage("--top and --around do not go together")
    }
    let access = try Access(arguments)
    let request = try await request(rows, arguments, access)
    let display = WatchDisplay(tournamentID: request.tournamentID)
    let resizes = display.redrawOnResize()
    defer { withExtendedLifetime(resizes) {} }
    var wasInProgress = false
    var count = 0
    var messages = access.watch(Tournament.watchLeaderboard, request, display).makeAsyncIterator()
    while true {
      let message: WatchLeaderboardResponse?
      do throws(RPCError) {
        message = try await messages.next()
      } catch {
        throw access.plainFailure(error)
      }
      guard let message else { return }
      try display.show(message)
      count += 1
      wasInProgress = wasInProgress || display.isInProgress
      guard count < limit else { return }
      guard arguments.has(untilFinal), !display.isInProgress else { continue }
      let hasEnded = try await access.attemptPlainly { () async throws(RPCError) in
        try await isOver(request.tournamentID, access)
      }
      if hasEnded ?? wasInProgress { return }
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

  private static func request(
    _ rows: Int?, _ arguments: Arguments, _ access: Access
  ) async throws(Failure) -> WatchLeaderboardRequest {
    var request = WatchLeaderboardRequest()
    let names = Names(access, arguments)
    request.tournamentID = try await names.id(of: arguments.operands[0], .event, "EVENT")
    if let text = arguments.value(of: around) {
      request.aroundParticipantID = try await names.id(of: text, .archer, around.name)
    } else {
      request.top = UInt32(clamping: rows ?? 20)
    }
    return request
  }
}
