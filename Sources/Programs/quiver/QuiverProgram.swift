import Glibc
import QuiverCommandLine

/// Runs a command and exits with its code.
@main
enum QuiverProgram {
  static let version = Release.version

  static func main() async {
    StandardStreams.prepare()
    let code = await run(Array(CommandLine.arguments.dropFirst()))
    // The connection's threads may still run, so no destructors run.
    _exit(code)
  }

  /// Runs one command and returns the exit code.
  static func run(_ words: [String]) async -> Int32 {
    do throws(Failure) {
      try await dispatch(words)
      return 0
    } catch {
      Terminal.printFailure(error.lines)
      return error.exitCode
    }
  }

  private static func dispatch(_ words: [String]) async throws(Failure) {
    let invocation = try Invocation(words)
    switch invocation {
    case .text(let text): try Terminal.print(text)
    case .version: try Terminal.print("quiver \(version)")
    case .help(let page): try Terminal.print(try Help.text(of: page, .terminal))
    case .run(let command, let arguments):
      OutputStyle.set(OutputStyle(arguments))
      try await command.run(try await UserOfCalls.found(arguments))
    }
  }
}
