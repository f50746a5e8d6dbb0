import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament why`: why one participant is above another.
enum TournamentWhyCommand {
  static let command = Command(
    "tournament why", operands: "EVENT A B", summary: "explain why one archer ranks above another",
    details: "A and B are archers: bibs, places as 12B, names or the beginnings of them, or ids.",
    flags: [TournamentText.policy, .json, .timeout], names: [.event],
    examples: ["tournament why Indoor Cleo Dirk"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(3...3, "EVENT, A and B")
    var request = ExplainRankRequest()
    request.policy = try TournamentText.requestPolicy(arguments)
    let access = try Access(arguments)
    let names = Names(access, arguments)
    request.tournamentID = try await names.id(of: words[0], .event, "EVENT")
    request.participantID = try await names.id(of: words[1], .archer, "A")
    request.otherParticipantID = try await names.id(of: words[2], .archer, "B")
    let wanted = request
    let answer = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Tournament.explainRank, wanted)
    }
    try Terminal.print(
      arguments.has(.json) ? TournamentText.json(answer) : Terminal.oneLine(answer.text))
  }
}
