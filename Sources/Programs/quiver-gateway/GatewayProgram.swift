import Glibc
import QuiverCommandLine
import QuiverDaemon
import QuiverObservability

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The gateway: flags and wiring.
@main
enum GatewayProgram {
  static let version = Release.version

  /// The exit codes of the process, as in `--help`.
  enum ExitCode: Int32 {
    case done = 0
    case interrupted = 1
    case usage = 64
    case inUse = 75
  }

  /// Why the gateway cannot start, with the code that the process ends with.
  struct Failure: Error {
    let code: ExitCode
    let message: String

    init(_ code: ExitCode, _ message: String) {
      self.code = code
      self.message = message
    }
  }

  static func main() async {
    StandardStreams.prepare()
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try readInvocation()
    } catch {
      StandardError.write("quiver-gateway: \(error)\nTry quiver-gateway --help.\n")
      exit(ExitCode.usage.rawValue)
    }
    switch invocation {
    case .help: StandardOutput.printOrExit(HelpText.text(of: Help.program))
    case .text(let text): StandardOutput.printOrExit(text)
    case .version: StandardOutput.printOrExit("quiver-gateway \(version)")
    case .printConfiguration(let text): StandardOutput.printOrExit(text)
    case .checkConfiguration: StandardOutput.printOrExit("the configuration is valid")
    case .serve(let options): await serve(options)
    }
    exit(ExitCode.done.rawValue)
  }

  /// The arguments and the environment, and the file that they name, as it is now.
  static func readInvocation() throws(UsageError) -> Invocation {
    try Invocation(
      Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment)
  }

  private static func serve(_ options: GatewayOptions) async {
    let log = Log(level: options.logLevel, format: options.logFormat)
    log.write(.starting, ["version": version, "pid": "\(getpid())"])
    let environment = ProcessInfo.processInfo.environment
    let unknown = EnvironmentSettings(Flag.all, prefix: Settings.environmentPrefix)
      .unknown(environment)
    if !unknown.isEmpty {
      log.write(.environmentIgnored, ["variables": unknown.joined(separator: " ")])
    }
    let signals = StopSignals(
      onFirst: { log.write(.draining, ["reason": "a signal"]) },
      onSecond: {
        log.write(.endedAtOnce, ["reason": "a second signal"])
        leave(.interrupted, log)
      })
    do throws(Failure) {
      let running = try await RunningGateway(options, log, ServiceNotifier(environment)) {
        () throws(UsageError) in
        guard case .serve(let options) = try readInvocation() else { return options }
        return options
      }
      await signals.first()
      await running.stop()
    } catch {
      log.write(.failed, ["reason": error.message])
      leave(error.code, log)
    }
    leave(.done, log)
  }

  /// Ends the process once the log is written, or a second later.
  static func leave(_ code: ExitCode, _ log: Log) -> Never {
    log.flush()
    // Threads of Dispatch may still run: no destructors under their feet.
    _exit(code.rawValue)
  }
}
