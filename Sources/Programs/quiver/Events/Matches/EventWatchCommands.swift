import Dispatch
import Glibc
import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverPlatform
import QuiverProtobuf
import QuiverRPC
import Synchronization

/// `quiver event watch-bracket` and `quiver event watch-match`: matches as they are shot.
enum EventWatchCommands {
  private static let most = Flag("--max", .word("N"), "end after N messages")

  private static let connections = """
    With --output json each message is a JSON object on a line of its own. If the first connection
    fails, the command fails. A connection that is lost later is opened again, without missing or
    repeating a change. ^C ends the command, with exit code 0.
    """

  static let bracket = Command(
    "event watch-bracket", operands: "STAGE",
    summary: "show the matches of a bracket or of groups as they change",
    details: """
      First each match is a line, then each match and each rank that changes, as in
      `match 12, round of 8, 1, is shooting: Ann 2 (28) : 0 (27) Ben, revision 5`.
      The numbers are set points and totals.
      \(connections)
      """,
    flags: [most, .json], names: [.stage],
    examples: ["event watch-bracket RM", "event watch-bracket RM --output json"], run: watchBracket)

  static let match = Command(
    "event watch-match", operands: "MATCH", summary: "show a match with its cards as it changes",
    details: """
      Each end that changes is a line, `Ann, end 2: X 10 9`, and so is the match after each change.
      \(connections)
      """,
    flags: [most, .json], names: [.match],
    examples: ["event watch-match RM-8-1", "event watch-match RM-gold --max 1"], run: watchMatch)

  private static let watchBracket: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one STAGE")[0]
    try await follow(arguments, Elimination.watchBracket) { (access) async throws(Failure) in
      let id = try await Names(access, arguments).id(of: text, .stage, "STAGE")
      let bracket = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Elimination.getBracket, .with { $0.stageID = id })
      }
      return .with { request in
        (request.tournamentID, request.stageID) = (bracket.stage?.tournamentID ?? 0, id)
      }
    } part: {
      $0.bracket
    } lines: {
      $0.take($1)
    }
  }

  private static let watchMatch: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one MATCH")[0]
    try await follow(arguments, Elimination.watchMatch) { (access) async throws(Failure) in
      let id = try await Names(access, arguments).id(of: text, .match, "MATCH")
      let match = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Elimination.getMatch, .with { $0.matchID = id })
      }
      return .with { ($0.tournamentID, $0.matchID) = (match.tournamentID, id) }
    } part: {
      $0.match
    } lines: {
      $0.take($1)
    }
  }

  /// Prints a watch until it ends, as many messages as --max says have arrived, or SIGINT arrives.
  private static func follow<Request: Message, Response: WatchMessage, Part: Message>(
    _ arguments: Arguments, _ method: ServerStreamingMethod<Request, Response>,
    request: @escaping @Sendable (Access) async throws(Failure) -> Request,
    part: @escaping @Sendable (Response) -> Part?,
    lines: @escaping @Sendable (inout EventMatchLines, Part) -> [String]
  ) async throws(Failure) {
    let limit = try arguments.number(of: most, 1...Int.max) ?? .max
    let access = try Access(arguments)
    let watching = Task { () -> Failure? in
      do throws(Failure) {
        let display = EventWatchDisplay(isJSON: arguments.has(.json))
        var messages = access.watch(method, try await request(access), display)
          .makeAsyncIterator()
        for _ in 0..<limit {
          let message = try await access.attemptPlainly { () async throws(RPCError) in
            try await messages.next()
          }
          guard let message else { return nil }
          try display.show(part(message), lines)
        }
        return nil
      } catch {
        return Task.isCancelled ? nil : error
      }
    }
    let interruption = SignalHandler(SIGINT, on: .global()) { watching.cancel() }
    defer { withExtendedLifetime(interruption) {} }
    if let failure = await watching.value { throw failure }
  }
}

/// The lines of a watch of matches on standard output, and on standard error whether the server is
/// connected.
private final class EventWatchDisplay: WatchShowing {
  private let isJSON: Bool
  private let state = Mutex(State())

  private struct State {
    var lines = EventMatchLines()
    var connection = WatchConnection()
  }

  init(isJSON: Bool) { self.isJSON = isJSON }

  var hasBegun: Bool { state.withLock { $0.connection.hasBegun } }

  /// Prints what a message shows.
  func show<Part: Message>(
    _ part: Part?, _ lines: (inout EventMatchLines, Part) -> [String]
  ) throws(Failure) {
    try state.withLock { (state) throws(Failure) in
      if state.connection.arrive() { Self.noteConnection() }
      guard let part else { return }
      guard !isJSON else {
        return try Terminal.print(MessageJSON(printsZeros: true).text(of: part))
      }
      for line in lines(&state.lines, part) { try Terminal.print(line) }
    }
  }

  func showDisconnection(_ error: RPCError) -> Bool {
    state.withLock { state in
      guard state.connection.lose(error) else { return false }
      Terminal.printError("quiver: \(state.connection.disconnection ?? "")")
      return true
    }
  }

  func showConnection() {
    state.withLock { state in
      if state.connection.find() { Self.noteConnection() }
    }
  }

  private static func noteConnection() { Terminal.printError("quiver: connected again") }
}
