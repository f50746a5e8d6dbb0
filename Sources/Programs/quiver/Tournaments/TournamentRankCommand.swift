import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament rank`: how everybody stands, under the event's policy or another.
enum TournamentRankCommand {
  static let command = Command(
    "tournament rank", operands: "EVENT", summary: "show the standings, under any tie policy",
    details: """
      Without --policy the event's own policy is used. With another policy, WAS shows the rank
      under the event's own policy where it differs.
      """,
    flags: [TournamentText.policy, .json, .tableOutput, .timeout], names: [.event],
    examples: ["tournament rank Indoor", "tournament rank Indoor --policy x_first"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one EVENT")[0]
    let policy = try TournamentText.requestPolicy(arguments)
    let access = try Access(arguments)
    let id = try await Names(access, arguments).id(of: text, .event, "EVENT")
    let found = try await Standings.all(of: id, by: policy, access)
    guard !arguments.has(.json) else { return try Terminal.print(TournamentText.json(found)) }
    guard policy != .unspecified else {
      return try Terminal.print(table: TournamentText.table(found.rows))
    }
    let former = try await Standings.formerRanks(of: id, by: policy, access)
    let rows = found.rows.map { row in
      TournamentText.cells(row) + [former[row.participantID].map { "\($0)" } ?? ""]
    }
    try Terminal.print(table: [TournamentText.heading + ["WAS"]] + rows)
  }
}
