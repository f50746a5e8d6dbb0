import Dispatch
import Glibc
import QuiverCommandLine
import QuiverDaemon
import QuiverObservability
import QuiverStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The server: flags and wiring.
@main
enum Quiverd {
  static let version = Release.version

  static func main() async {
    StandardStreams.prepare()
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try readInvocation()
    } catch {
      StandardError.write("quiverd: \(error)\nTry quiverd --help.\n")
      exit(ExitCode.usage.rawValue)
    }
    switch invocation {
    case .help: StandardOutput.printOrExit(HelpText.text(of: Help.program))
    case .text(let text): StandardOutput.printOrExit(text)
    case .version: StandardOutput.printOrExit("quiverd \(version)")
    case .adminToken(let directory, let database): makeAdminToken(directory, database)
    case .migrate(let directory, let database, let toSQLite):
      migrate(directory, database, toSQLite: toSQLite)
    case .restore(let file, let directory, let sha256): restore(file, directory, sha256)
    case .newEpoch(let directory, let database): beginEpoch(directory, database)
    case .initialize(let configuration): initialize(configuration)
    case .printConfiguration(let text): StandardOutput.printOrExit(text)
    case .checkConfiguration: StandardOutput.printOrExit("the configuration is valid")
    case .serve(let configuration): await serve(configuration)
    }
    exit(ExitCode.done.rawValue)
  }

  /// The arguments and the environment, and the file that they name, as it is now.
  static func readInvocation() throws(UsageError) -> Invocation {
    try Invocation(
      Array(CommandLine.arguments.dropFirst()),
      environment: ProcessInfo.processInfo.environment)
  }

  private static func initialize(_ configuration: Configuration) {
    do throws(StoreError) {
      StandardOutput.printOrExit(
        try AdministratorToken.makeStore(
          dataDirectory: configuration.dataDirectory, database: configuration.database))
    } catch {
      StandardError.write("quiverd: \(error.message)\n")
      exit(ExitCode(openingFailed: error).rawValue)
    }
  }

  private static func serve(_ configuration: Configuration) async {
    let log = Log(level: configuration.logLevel, format: configuration.logFormat)
    log.write(.starting, ["version": version, "pid": "\(getpid())"])
    let unknown = EnvironmentSettings(Flag.all, prefix: Settings.environmentPrefix)
      .unknown(ProcessInfo.processInfo.environment)
    if !unknown.isEmpty {
      log.write(.environmentIgnored, ["variables": unknown.joined(separator: " ")])
    }
    // A write beyond the file size limit fails with EFBIG, which the store handles.
    signal(SIGXFSZ, SIG_IGN)
    let signals = StopSignals(
      onFirst: { log.write(.draining, ["reason": "a signal"]) },
      onSecond: {
        log.write(.endedAtOnce, ["reason": "a second signal"])
        leave(.interrupted, log)
      })
    do throws(Failure) {
      let notifier = ServiceNotifier(ProcessInfo.processInfo.environment)
      let daemon = try Daemon(configuration, log, notifier) { () throws(UsageError) in
        guard case .serve(let configuration) = try readInvocation() else { return configuration }
        return configuration
      }
      await signals.first()
      await daemon.stop()
    } catch {
      log.write(.failed, ["reason": error.message])
      leave(error.code, log)
    }
    leave(.done, log)
  }

  private static func beginEpoch(_ directory: String, _ database: String?) {
    do throws(StoreError) {
      let epoch = try StoreEpochs.beginNew(dataDirectory: directory, database: database)
      StandardOutput.printOrExit("the store is in the epoch \(String(epoch, radix: 16)) now")
    } catch {
      StandardError.write("quiverd: \(error.message)\n")
      exit(ExitCode(openingFailed: error).rawValue)
    }
  }

  private static func makeAdminToken(_ directory: String, _ database: String?) {
    do throws(StoreError) {
      StandardOutput.printOrExit(
        try AdministratorToken.make(
          dataDirectory: directory, database: database, createsDatabase: false))
    } catch {
      StandardError.write("quiverd: \(error.message)\n")
      exit(ExitCode(openingFailed: error).rawValue)
    }
  }

  private static func migrate(_ directory: String, _ database: String, toSQLite: Bool) {
    var last = DispatchTime.now()
    // Each second, which no small store takes.
    let progress = { (table: String, rowCount: Int64) in
      guard DispatchTime.now() > last + .seconds(1) else { return }
      last = DispatchTime.now()
      StandardError.write("copied \(rowCount) rows of \(table)\n")
    }
    do throws(StoreError) {
      let report =
        toSQLite
        ? try StoreTransfer.run(fromDatabase: database, to: directory, progress: progress)
        : try StoreTransfer.run(from: directory, to: database, progress: progress)
      StandardOutput.printOrExit(
        "copied \(report.rowCount) rows of \(report.tableCount) tables, and compared them; start "
          + (toSQLite
            ? "the server without --database, and keep the database until all is well"
            : "the servers with --database, and keep \(directory) until all is well"))
      if report.replacedTextCount > 0 {
        StandardOutput.printOrExit(
          "\(report.replacedTextCount) texts had the character U+0000, which PostgreSQL cannot "
            + "keep; their copies have a question mark instead")
      }
    } catch {
      StandardError.write("quiverd: \(error.message)\n")
      exit(ExitCode(openingFailed: error).rawValue)
    }
  }

  private static func restore(_ file: String, _ directory: String, _ sha256: String?) {
    do throws(StoreError) {
      _ = try Store.restore(file, into: directory, sha256: sha256)
      StandardOutput.printOrExit(
        "restored \(file) into \(directory); tokens are those of the backup")
    } catch {
      StandardError.write("quiverd: \(error.message)\n")
      exit(ExitCode(openingFailed: error).rawValue)
    }
  }

  /// Ends the process once the log is written, or a second later.
  static func leave(_ code: ExitCode, _ log: Log) -> Never {
    log.flush()
    // Threads of the store and of Dispatch may still run: no destructors under their feet.
    _exit(code.rawValue)
  }
}
