import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament join`: takes part in an event.
enum TournamentJoinCommand {
  private static let id = Flag(
    "--id", .word("EVENT"), "a public event by its name or id, instead of a code")

  static let command = Command(
    "tournament join", operands: "CODE | --id EVENT", summary: "take part in a tournament",
    details: """
      CODE is the join code of the event; case and hyphens do not matter. Joining again returns
      your existing participant.
      """,
    flags: [id, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = JoinTournamentRequest()
    let text = arguments.value(of: id)
    if text == nil {
      request.joinCode = try arguments.operands(1...1, "one CODE")[0]
    } else {
      _ = try arguments.operands(0...0, "what goes with --id")
    }
    let access = try Access(arguments)
    if let text {
      request.tournamentID = try await Names(access, arguments).id(of: text, .event, id.name)
    }
    let wanted = request
    let participant = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Tournament.joinTournament, wanted)
    }
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(participant))
    } else {
      try Terminal.print(
        "tournament \(participant.tournamentID): participant \(participant.id),"
          + " \(Terminal.oneLine(participant.displayName))")
    }
  }
}
