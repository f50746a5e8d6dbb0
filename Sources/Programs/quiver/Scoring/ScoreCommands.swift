import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverSession
import QuiverWire

/// `quiver tournament score`, `quiver round shoot` and `quiver round score`: ends at the keyboard,
/// with or without a connection.
enum ScoreCommands {
  private static let directory = Flag(
    "--directory", .word("DIR"),
    "where arrows that are not sent are stored; else $XDG_DATA_HOME/quiver/scoring, else"
      + " ~/.local/share/quiver/scoring")
  private static let guests = Flag(
    "--guest", .words("NAME"), "somebody who shoots with you; at most 3")
  private static let arrows = Flag("--arrows", .word("N"), "only the first N arrows of the round")

  private static let keys = """
    Each line is the arrows of an end, `10 9 X`, or a command: u undoes the last entry, s shows the
    scorecard, n NAME continues with another archer, g N goes to end N, c END ARROW VALUE REASON
    corrects an arrow, ? prints this, q ends. Arrows are stored on this
    machine before the next prompt and count at once. They are sent in order while there is a
    connection; the next run sends the arrows that are left.
    """

  static let tournament = Command(
    "tournament score", operands: "ID", summary: "enter ends at the keyboard, also offline",
    details: """
      \(keys)

      The first run of an event needs a connection. You score yourself, your guests, and the
      participants that the organiser assigned to you; the organiser scores all participants.
      """,
    flags: [directory]
  ) { arguments async throws(Failure) in
    let id = try TournamentText.id(try arguments.operands(1...1, "one ID")[0], "ID", arguments)
    try await score(arguments) { (session) async throws(SessionError) in
      try await session.loadTournament(id)
    }
  }

  static let shoot = Command(
    "round shoot", operands: "ROUND", summary: "start a practice round and enter its ends",
    details: "ROUND is a codename like wa18.\n\(keys)", flags: [guests, arrows, directory]
  ) { arguments async throws(Failure) in
    let round = try arguments.operands(1...1, "one ROUND")[0]
    guard RoundLibrary.format(round) != nil else {
      throw arguments.usage(
        "there is no round \(round)"
          + Spelling.question(round, among: RoundLibrary.formats.map(\.codename)))
    }
    var limit = 0
    if let text = arguments.value(of: arrows) {
      guard let number = Int(text), number > 0 else {
        throw arguments.usage("--arrows expects a number above 0, not \(text)")
      }
      limit = number
    }
    let (names, count) = (arguments.values(of: guests), limit)
    try await score(arguments) { (session) async throws(SessionError) in
      try await session.startRounds(codename: round, arrowLimit: count, guests: names)
    }
  }

  static let round = Command(
    "round score", operands: "ID", summary: "continue a round of quiver round shoot",
    details: "The round was started on this machine.\n\(keys)", flags: [directory]
  ) { arguments async throws(Failure) in
    let id = try TournamentText.id(try arguments.operands(1...1, "one ID")[0], "ID", arguments)
    try await score(arguments) { (session) async throws(SessionError) in
      let events = try await session.scoringEvents()
      guard let event = events.first(where: { $0.serverID == id }) else {
        throw SessionError(.notFound, "round \(id) was not started on this machine")
      }
      return event.id
    }
  }

  @MainActor
  private static func score(
    _ arguments: Arguments,
    _ open: (OfflineSession) async throws(SessionError) -> LocalID
  ) async throws(Failure) {
    let access = try Access(arguments)
    var configuration = OfflineSession.Configuration(
      server: access.configuration.server, token: access.configuration.token ?? "",
      directory: try path(arguments))
    configuration.allowsPlaintextToken = access.configuration.allowsPlaintextToken
    configuration.security = access.configuration.security
    configuration.device = "quiver"
    let failure: Failure?
    do throws(SessionError) {
      let session = try await OfflineSession(configuration)
      // The first run has no data yet: its sign-in needs the server.
      if session.identity == nil { await session.syncNow() }
      let event = try await open(session)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      failure = await ScoringKeyboard(scoring, session).run()
      await session.close()
    } catch {
      guard let code = error.code.status else { throw .input("\(error)") }
      throw access.plainFailure(RPCError(code, error.message))
    }
    if let failure { throw failure }
  }

  private static func path(_ arguments: Arguments) throws(Failure) -> String {
    if let path = arguments.value(of: directory) { return path }
    if let data = Access.environment("XDG_DATA_HOME") { return "\(data)/quiver/scoring" }
    guard let home = Access.environment("HOME") else {
      throw .input("there is no home folder: set HOME, or give --directory DIR")
    }
    return "\(home)/.local/share/quiver/scoring"
  }
}
