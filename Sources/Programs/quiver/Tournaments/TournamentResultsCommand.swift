import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament results`: the standings of an event that is over.
enum TournamentResultsCommand {
  static let command = Command(
    "tournament results", operands: "EVENT", summary: "show the results of a finalised tournament",
    details: """
      Uses the tie policy of the event, and says which parts of it were not finished. `quiver
      tournament rank` shows the standings of an event that is not finalised.
      """,
    flags: [.json, .tableOutput, .timeout], names: [.event],
    examples: ["tournament results Indoor --output csv"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = GetResultsRequest()
    let text = try arguments.operands(1...1, "one EVENT")[0]
    request.pageSize = 500
    let access = try Access(arguments)
    request.tournamentID = try await Names(access, arguments).id(of: text, .event, "EVENT")
    var found = GetResultsResponse()
    repeat {
      let wanted = request
      var page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.getResults, wanted)
      }
      request.pageToken = page.nextPageToken
      page.rows = found.rows + page.rows
      page.nextPageToken = ""
      found = page
    } while !request.pageToken.isEmpty
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(found))
      return
    }
    try Terminal.print(table: TournamentText.table(found.rows))
    if let unfinished = TournamentText.unfinished(found) { Terminal.notice(unfinished) }
  }
}
