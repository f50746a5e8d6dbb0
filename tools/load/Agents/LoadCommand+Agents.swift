import Dispatch
import Glibc
import QuiverClient
import QuiverCommandLine
import QuiverDispatch
import QuiverRPC
import QuiverWire

extension LoadCommand {
  /// The commands of the agents; empty: this process sends the load itself.
  var agentCommands: [String] {
    // The same program, also where it is not on PATH.
    let own = "exec '\(Self.program.replacing("'", with: "'\\''"))' agent"
    return Array(repeating: own, count: options.localAgents) + options.agentCommands
  }

  private static var program: String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : "quiver-load"
  }

  /// Runs the load from all agents.
  func measureByAgents(
    _ settings: LoadRun.Settings, _ second: (Interval, Summary) -> Void
  ) throws(Failure) -> LoadRun.Result {
    let commands = agentCommands
    let share = try AgentShare(options, count: commands.count)
    let requests = commands.indices.map {
      share.request($0, server: server, token: token, settings: settings)
    }
    let longest =
      settings.seconds + settings.warmUpSeconds + settings.patienceSeconds + Self.slackSeconds
    return try AgentRun(commands: commands, requests: requests)
      .run(longestSeconds: longest, until: interruption, second)
  }

  private static var slackSeconds: Double { 30 }
}

/// `quiver-load agent`: sends load as a process that another one starts, over its standard input
/// and output.
enum AgentCommand {
  /// Ends the process.
  static func run() async -> Never {
    // A terminal sends SIGINT to the agents, too; the process that started them says when they end.
    signal(SIGINT, SIG_IGN)
    var reader = LineReader(STDIN_FILENO)
    do throws(Failure) {
      guard let line = reader.next(), let request = AgentLine.value(AgentRequest.self, line),
        request.version == AgentRequest.version
      else {
        throw Failure(
          .usage, "agent is started by quiver-load --agents or --agent of the same version")
      }
      let result = try await run(request, reader)
      var reply = AgentReply()
      reply.result = AgentResult(
        summary: result.summary, firstMessages: result.firstMessages, gaps: result.gaps)
      say(reply)
      _exit(0)
    } catch {
      var reply = AgentReply()
      (reply.failure, reply.code) = (error.sentence, error.code.rawValue)
      say(reply)
      _exit(error.code.rawValue)
    }
  }

  private static func run(
    _ request: AgentRequest, _ reader: LineReader
  ) async throws(Failure) -> LoadRun.Result {
    let options: Options
    do throws(Options.Wrong) {
      options = try Options(request.arguments)
    } catch {
      throw Failure(.usage, error.description)
    }
    let interruption = Interruption()
    let command = try LoadCommand(options, token: request.token, until: interruption)
    let plan = try await command.plan()
    let run = try command.preparedRun(plan, options.settings)
    var ready = AgentReply()
    ready.isReady = true
    say(ready)
    var reader = reader
    guard reader.next() == Array("start".utf8) else {
      throw Failure(.usage, "the run was given up before its start")
    }
    watchInput(interruption)
    if request.delaySeconds > 0 {
      Clock.sleep(
        untilNanoseconds: Clock.nanoseconds() &+ LoadRun.nanoseconds(request.delaySeconds))
    }
    return run.run(until: interruption) { interval, summary in
      var reply = AgentReply()
      reply.second = AgentSecond(
        number: interval.number, isWarmUp: interval.isWarmUp, openCalls: interval.openCalls,
        generatorShare: interval.generatorShare, summary: summary)
      say(reply)
    }
  }

  /// Ends the run with a further line, and the process with its starter: then its standard input
  /// ends.
  private static func watchInput(_ interruption: Interruption) {
    DispatchQueue(label: "quiver-load.agent.input").async {
      var byte: UInt8 = 0
      while true {
        let count = read(STDIN_FILENO, &byte, 1)
        if count == 0 { break }
        if count > 0 { interruption.interrupt() }
      }
      _exit(Failure.Code.unreachable.rawValue)
    }
  }

  private static func say(_ reply: AgentReply) {
    // Without its starter an agent has nobody to send load for.
    StandardOutput.printOrExit(AgentLine.text(reply))
  }
}
