import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament why`: why one participant is above another.
enum TournamentWhyCommand {
  static let command = Command(
    "tournament why", operands: "ID A B", summary: "explain why one archer ranks above another",
    details: "A and B are the ids of participants, as `quiver tournament rank` shows them.",
    flags: [TournamentText.policy, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(3...3, "ID, A and B")
    var request = ExplainRankRequest()
    request.tournamentID = try TournamentText.id(words[0], "ID", arguments)
    request.participantID = try TournamentText.id(words[1], "A", arguments)
    request.otherParticipantID = try TournamentText.id(words[2], "B", arguments)
    request.policy = try TournamentText.requestPolicy(arguments)
    let access = try Access(arguments)
    let wanted = request
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Tournament.explainRank, wanted)
    }
    try Terminal.print(
      arguments.has(.json) ? TournamentText.json(answer) : Terminal.oneLine(answer.text))
  }
}
