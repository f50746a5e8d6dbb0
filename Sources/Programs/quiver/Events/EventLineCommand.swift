import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// `quiver event line`: which target holds up the line.
enum EventLineCommand {
  private static let session = Flag("--session", .word("SESSION"), "only this session")

  static let command = Command(
    "event line", operands: "EVENT", summary: "list the targets by the ends that are in",
    details: """
      The target that is furthest behind is first. ENDS are those that all of its archers have
      completed, and LETTERS are the archers who have no more. Who does not shoot is left out.
      """,
    flags: [session, .tableOutput, .timeout], names: [.event],
    examples: ["event line Indoor --session morning"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one EVENT")[0]
    let access = try Access(arguments)
    let names = Names(access, arguments)
    let event = try await names.id(of: text, .event, "EVENT")
    var wanted: Int64?
    if let name = arguments.value(of: session) {
      wanted = try await names.id(of: name, .session, session.name)
    }
    let sessions = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.listEventSessions, .with { $0.tournamentID = event })
    }.sessions
    var table = [["SESSION", "TARGET", "ENDS", "BEHIND", "LETTERS"]]
    for session in sessions where wanted == nil || session.id == wanted {
      let archers = try await access.attemptPlainly { () async throws(RPCError) in
        try await shooting(in: session.id, of: event, access)
      }
      table += LineProgress.targets(of: archers).map { target in
        [
          Terminal.oneLine(session.name), "\(target.target)", "\(target.endsCompleted)",
          target.endsBehind == 0 ? "" : "\(target.endsBehind)",
          target.letters.joined(separator: " "),
        ]
      }
    }
    try Terminal.print(table: table)
  }

  /// The archers of a session who shoot, with the ends of their cards.
  private static func shooting(
    in session: Int64, of event: Int64, _ access: Access
  ) async throws(RPCError) -> [LineProgress.Archer] {
    var request = GetCategoryStandingsRequest()
    (request.tournamentID, request.sessionID, request.pageSize) = (event, session, 500)
    var archers: [LineProgress.Archer] = []
    repeat {
      let page = try await access.client.call(Events.getCategoryStandings, request)
      for found in page.rows {
        guard let entry = found.entry, let row = found.row, entry.target > 0,
          [.entered, .checkedIn, .active].contains(entry.state)
        else { continue }
        archers.append(
          LineProgress.Archer(
            target: Int(entry.target), letter: entry.letter,
            endsCompleted: Int(row.endsCompleted)))
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return archers
  }
}
