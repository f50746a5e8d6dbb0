import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament create`: an event that archers can join.
enum TournamentCreateCommand {
  private static let round = Flag(
    "--round", .word("CODENAME"), "the round, for example wa18 or york")
  private static let arrows = Flag(
    "--arrows", .word("N"), "only the first N arrows of the round; all of it by default")
  private static let isPublic = Flag(
    "--public", .none, "everybody can see it, and can join without its code")
  private static let most = Flag(
    "--max", .word("N"), "the maximum number of participants, up to 20000; 50 by default")
  private static let joins = Flag("--join", .none, "also join it yourself")

  static let command = Command(
    "tournament create", operands: "NAME --round CODENAME", summary: "create a tournament",
    details: """
      Prints the event's id and its join code, which only the organiser sees. Archers can join
      until the event is started. `quiver format list` lists the rounds.
      """,
    flags: [round, arrows, TournamentText.policy, isPublic, most, joins, .json, .timeout],
    examples: ["tournament create Practice --round wa18 --join"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = CreateTournamentRequest()
    request.name = try arguments.operands(1...1, "one NAME")[0]
    guard let codename = arguments.value(of: round) else {
      throw arguments.usage("expected --round CODENAME")
    }
    let access = try Access(arguments)
    var format = try await RoundText.reference(codename, round.name, arguments, access)
    format.arrowLimit = try number(of: arrows, arguments)
    request.format = format
    request.tiePolicy = try TournamentText.requestPolicy(arguments)
    request.isPublic = arguments.has(isPublic)
    request.maxParticipants = try number(of: most, arguments)
    request.joins = arguments.has(joins)
    let wanted = request
    let event = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Tournament.createTournament, wanted)
    }
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(event))
    } else {
      try Terminal.print("tournament \(event.id) is open, join code \(event.joinCode)")
    }
  }

  /// The number of a flag; 0 where it is not given.
  private static func number(of flag: Flag, _ arguments: Arguments) throws(Failure) -> UInt32 {
    guard let text = arguments.value(of: flag) else { return 0 }
    guard let number = UInt32(text), number > 0 else {
      throw arguments.usage("\(flag.name) expects a number above 0, not \(text)")
    }
    return number
  }
}
