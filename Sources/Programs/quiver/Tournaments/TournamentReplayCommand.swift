import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules

/// `quiver tournament replay`: plays a score file as its event's organiser.
enum TournamentReplayCommand {
  private static let round = Flag(
    "--round", .word("CODENAME"), "the round, shortened to the arrows of the file; wa18 by default")
  private static let order = Flag(
    "--order", .word("ORDER"), "file: in the order of turns; random: at random; file by default")
  private static let seed = Flag("--seed", .word("N"), "the seed of the random order; 1 by default")
  private static let duplicate = Flag("--duplicate", .none, "send every operation twice")
  private static let disconnect = Flag(
    "--disconnect-every", .word("K"), "lose the connection, and a reply, after every K operations")

  static let command = Command(
    "tournament replay", operands: "FILE.csv", summary: "play a score file as a tournament",
    details: """
      The file begins with archer,a1,a2,…,aN; each line names an archer and what was shot: X, 11,
      10 … 1, M. Creates a tournament with an entry for each archer, enters the arrows as its
      organiser on this device, sends them, finalises the event and prints its standings, `rank
      archer total x tens`, one row a line. The event is kept. Its id is printed to standard error
      first, so that the event can be watched.
      """,
    flags: [
      round, TournamentText.policy, order, seed, duplicate, disconnect, .json, .timeout,
    ], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let path = try arguments.operands(1...1, "one FILE")[0]
    let codename = arguments.value(of: round) ?? "wa18"
    guard let format = RoundLibrary.format(codename) else {
      throw arguments.usage(
        "there is no round \(codename)"
          + Spelling.question(codename, among: RoundLibrary.formats.map(\.codename)))
    }
    var plan = ReplayPlan(
      sheet: try ScoreSheet(InputText.bytes(ofFile: path), path: path, round: format),
      title: path.split(separator: "/").last.map(String.init) ?? path, codename: codename)
    for repetition in plan.sheet.repetitions {
      Terminal.printError(
        """
        warning: \(path), line \(repetition.line) repeats line \(repetition.earlierLine) \
        (\(repetition.name)); both are entries
        """)
    }
    plan.policy = try TournamentText.policy(arguments) ?? .standard
    plan.repeats = arguments.has(duplicate)
    plan.disconnectEvery = try number(of: disconnect, from: 1, arguments)
    plan.seed = try seed(arguments)
    let access = try Access(arguments)
    let replay = try await ScoreReplay(plan, access)
    let tournament = replay.tournament.id
    Terminal.notice("tournament \(tournament), join code \(replay.tournament.joinCode)")
    do throws(Failure) {
      try await replay.play()
    } catch {
      await replay.end()
      throw error
    }
    await replay.end()
    let found = try await Standings.all(of: tournament, by: .unspecified, access)
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(found))
    } else {
      try Terminal.print(found.rows.map { TournamentText.line($0) }.joined(separator: "\n"))
    }
  }

  /// The seed of a random order; nil for the order of turns.
  private static func seed(_ arguments: Arguments) throws(Failure) -> UInt64? {
    let wanted = try number(of: seed, from: 0, arguments)
    switch arguments.value(of: order) ?? "file" {
    case "file":
      guard wanted == nil else { throw arguments.usage("--seed goes with --order random") }
      return nil
    case "random": return UInt64(wanted ?? 1)
    default: throw arguments.usage("--order expects file or random")
    }
  }

  private static func number(
    of flag: Flag, from lowest: Int, _ arguments: Arguments
  ) throws(Failure) -> Int? {
    guard let text = arguments.value(of: flag) else { return nil }
    guard let number = Int(text), number >= lowest else {
      throw arguments.usage("\(flag.name) expects a number from \(lowest), not \(text)")
    }
    return number
  }
}
