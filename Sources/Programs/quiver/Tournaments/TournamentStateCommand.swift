import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// `quiver tournament start` and `finalise`, and the same of `quiver event`: the life of an event,
/// by its organiser.
enum TournamentStateCommand {
  static let start = start(of: "tournament")
  static let finalise = finalise(of: "tournament")
  static let startEvent = start(of: "event")
  static let finaliseEvent = finalise(of: "event")

  private static let anyway = Flag(
    "--anyway", .none, "although steps are open, which are printed without it")

  private static func start(of noun: String) -> Command {
    command(
      "\(noun) start", "start a tournament, or resume it after a pause",
      details: "After the start nobody can join, and arrows count."
    ) { (access, id, anyway) async throws(RPCError) in
      try await access.client.call(
        Tournament.startTournament, .with { ($0.id, $0.anyway) = (id, anyway) })
    }
  }

  private static func finalise(of noun: String) -> Command {
    command(
      "\(noun) finalise", "finalise a tournament and its results",
      details: "Arrows that arrive later are stored, and the organiser admits or rejects them."
    ) { (access, id, anyway) async throws(RPCError) in
      try await access.client.call(
        Tournament.finaliseTournament, .with { ($0.id, $0.anyway) = (id, anyway) })
    }
  }

  private static func command(
    _ name: String, _ summary: String, details: String,
    _ call: @escaping @Sendable (Access, Int64, Bool) async throws(RPCError) -> TournamentEvent
  ) -> Command {
    Command(
      name, operands: "EVENT", summary: summary, details: details,
      flags: [anyway, .json, .timeout], names: [.event], examples: ["\(name) Indoor"]
    ) { arguments async throws(Failure) in
      let text = try arguments.operands(1...1, "one EVENT")[0]
      let access = try Access(arguments)
      let id = try await Names(access, arguments).id(of: text, .event, "EVENT")
      let goesOn = arguments.has(anyway)
      let event: TournamentEvent
      do throws(RPCError) {
        event = try await call(access, id, goesOn)
      } catch {
        throw openSteps(of: error).reduce(access.plainFailure(error)) { $0.adding($1) }
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

  /// What an error says is missing, a line each.
  private static func openSteps(of error: RPCError) -> [String] {
    guard let detail = error.details.first(where: { $0.type == OpenEventSteps.schema.core.name }),
      let open = try? OpenEventSteps(serializedBytes: detail.value)
    else { return [] }
    return open.steps.map { step in
      "\(EnumWord.text(of: step.kind.rawValue, EventStepKind.schema)) is open: \(step.missing)"
    } + ["--anyway goes on nevertheless"]
  }
}
