import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverSession

/// `quiver event match`, which shows a match, and `quiver event match score`, which scores one at
/// the keyboard.
enum EventMatchCommands {
  static let show = Command(
    "event match", operands: "MATCH", summary: "show a match with its cards",
    details: """
      MATCH is the code that `quiver event matches` shows, as RM-8-1 for the first quarterfinal or
      RM-gold, or an id.
      """,
    flags: [.json, .tableOutput, .timeout], names: [.match],
    examples: ["event match RM-8-1", "event match RM-gold --json"], run: runShow)

  private static let runShow: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one MATCH")[0]
    let access = try Access(arguments)
    let id = try await Names(access, arguments).id(of: text, .match, "MATCH")
    let match = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Elimination.getMatch, .with { $0.matchID = id })
    }
    guard !arguments.has(.json) else { return try Terminal.print(TournamentText.json(match)) }
    if !OutputStyle.current.isCSV { try Terminal.print(MatchTable.title(match)) }
    try Terminal.print(table: MatchTable.cards(match))
  }

  static let score = Command(
    "event match score", operands: "MATCH", summary: "score a match at the keyboard, also offline",
    details: """
      The prompt says whose end is next. A line is the arrows of that end, `10 9 M`, or a command:

        n ARCHER                 the next line is of this side: a name, 1 or 2
        X 12.5mm, 10 closer      a shoot-off with its distance, or a judge's mark
        c END ARROW… REASON      corrects an end of the side that is next
        s, u                     shows both cards; removes the last end
        confirm                  confirms both cards of a decided match
        w, r [N], o N, d N       what the server refused: list, send, replace, discard
        ?, q                     these lines; the end

      Ends are stored on this machine before the next prompt and sent in order while there is a
      connection. Without a terminal the lines are read from standard input.
      """,
    flags: ScoreCommands.matchFlags, names: [.match],
    examples: ["event match score RM-8-1", "event match score RM-gold < gold.txt"], run: runScore)

  private static let runScore: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one MATCH")[0]
    let access = try Access(arguments)
    // A number needs no connection.
    var id = NameChoice.number(text) ?? NameChoice.markedID(text)
    if id == nil { id = try await Names(access, arguments).id(of: text, .match, "MATCH") }
    guard let match = id else { return }
    try await run(match, access, arguments)
  }

  @MainActor
  private static func run(
    _ match: Int64, _ access: Access, _ arguments: Arguments
  ) async throws(Failure) {
    let configuration = try ScoreCommands.configuration(access, arguments)
    let failure: Failure?
    do throws(SessionError) {
      let session = try await OfflineSession(configuration)
      if session.identity == nil { await session.syncNow() }
      let model = MatchModel(session, match: match)
      do throws(SessionError) {
        try await model.load()
      } catch {
        await model.refresh()
        guard !model.sides.isEmpty else { throw error }
        Terminal.notice("without a connection: \(Terminal.oneLine(error.message))")
      }
      if let code = arguments.value(of: ScoreCommands.target) { model.keepLease(ofTarget: code) }
      failure = await MatchKeyboard(model, session).run()
      model.stopKeepingLease()
      await session.close()
    } catch {
      guard let code = error.code.status else { throw .input("\(error)") }
      throw access.plainFailure(RPCError(code, error.message))
    }
    if let failure { throw failure }
  }
}
