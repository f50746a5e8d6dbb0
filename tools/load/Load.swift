import Glibc
import QuiverClient
import QuiverCommandLine
import QuiverDispatch
import QuiverRPC
import QuiverWire

/// The load tester: flags and wiring.
@main
struct Load {
  static let version = Release.version

  static func main() async {
    StandardStreams.prepare()
    do throws(Options.Wrong) {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      do throws(Failure) {
        try await run(options)
      } catch {
        if error.code != .outputClosed { complain(error.sentence) }
        exit(error.code.rawValue)
      }
    } catch {
      complain(error.description)
      exit(Failure.Code.usage.rawValue)
    }
  }

  private static func complain(_ sentence: String) {
    Output.complain("quiver-load: \(sentence)\n")
  }

  private static func run(_ options: Options) async throws(Failure) {
    switch options.task {
    case .help: try Output.print(HelpText.text(of: LoadHelp.program))
    case .text(let text): try Output.print(text)
    case .version: try Output.print("quiver-load \(version)")
    case .compare(let before, let after):
      let (before, after) = (try SavedResult(file: before), try SavedResult(file: after))
      guard before.loop == after.loop else {
        throw Failure(.usage, "an open and a closed loop cannot be compared")
      }
      try Output.print(Comparison(before.saved, after.saved).text)
    case .selfTest: try selfTest()
    case .agent: await AgentCommand.run()
    case .schema: try Output.print(ScenarioSchema.text)
    case .run, .scenario:
      let interruption = Interruption()
      interruption.listen()
      try await LoadCommand(options, until: interruption).run()
    }
  }

  private static func selfTest() throws(Failure) {
    let finding: SelfTest.Finding
    do {
      finding = try SelfTest.run()
    } catch {
      throw Failure(.unreachable, "the built-in server could not be started: \(error)")
    }
    for line in finding.lines { try Output.print(line) }
    guard finding.isHonest else {
      throw Failure(.objectiveBroken, "the tester does not show what the server did")
    }
  }
}
