import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament start` and `finalise`: the life of an event, by its organiser.
enum TournamentStateCommand {
  static let start = command(
    "start", "start a tournament, or resume it after a pause",
    details: "After the start nobody can join, and arrows count."
  ) { (access, id) async throws(RPCError) in
    var request = StartTournamentRequest()
    request.id = id
    return try await access.client.call(Tournament.startTournament, request)
  }

  static let finalise = command(
    "finalise", "finalise a tournament and its results",
    details: "Arrows that arrive later are stored, and the organiser admits or rejects them."
  ) { (access, id) async throws(RPCError) in
    var request = FinaliseTournamentRequest()
    request.id = id
    return try await access.client.call(Tournament.finaliseTournament, request)
  }

  private static func command(
    _ word: String, _ summary: String, details: String,
    _ call: @escaping @Sendable (Access, Int64) async throws(RPCError) -> TournamentEvent
  ) -> Command {
    Command(
      "tournament \(word)", operands: "ID", summary: summary, details: details,
      flags: [.json, .timeout]
    ) { arguments async throws(Failure) in
      let id = try TournamentText.id(
        try arguments.operands(1...1, "one ID")[0], "ID", arguments)
      let access = try Access(arguments)
      let event = try await access.attemptPlainly { () async throws(RPCError) in
        try await call(access, id)
      }
      if arguments.has(.json) {
        try Terminal.print(TournamentText.json(event))
      } else {
        let status = EnumWord.text(of: event.status.rawValue, TournamentStatus.schema)
        try Terminal.print(
          "tournament \(event.id) is \(status), \(event.participantCount) take part")
      }
    }
  }
}
