import QuiverCommandLine
import QuiverDaemon

/// What the arguments ask for.
enum Invocation: Equatable {
  case serve(GatewayOptions)
  /// Prints each setting with its value and its source.
  case printConfiguration(String)
  case checkConfiguration
  case help
  /// Prints the help in another form.
  case text(String)
  case version

  /// Reads the arguments, the program's own name left out, and the environment.
  init(_ arguments: [String], environment: [String: String] = [:]) throws(UsageError) {
    if let text = try Help.program.answer(to: arguments) {
      self = .text(text)
      return
    }
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" || $0 == "help" }) {
      self = .help
      return
    }
    if arguments.contains("--version") {
      self = .version
      return
    }
    let commandLine = try CommandLineSettings(arguments, Flag.all)
    let settings = try Settings(commandLine: commandLine.settings, environment: environment)
    let options = try settings.options(try PassedSockets(environment))
    switch commandLine.words {
    case []: self = .serve(options)
    case ["config", "print"]: self = .printConfiguration(settings.text(options))
    case ["config", "check"]: self = .checkConfiguration
    default:
      guard commandLine.words.first == "config" else {
        throw CommandLineSettings<GatewayOptions>.unknownName(
          commandLine.words[0], among: ["config"], "command")
      }
      throw UsageError("config takes one of print and check")
    }
  }
}

/// The content of `--help`, the manual page and the completions.
enum Help {
  static let program: ProgramHelp = {
    var help = ProgramHelp(
      "quiver-gateway", manualSection: 8, "answer gRPC, gRPC-Web, Connect and browsers for Quiver",
      usages: ["[flags]", "config print|check [flags]"])
    help.paragraphs = [
      "Answers gRPC, gRPC-Web and Connect over HTTP/1.1 and HTTP/2 by calls to a Quiver server, and"
        + " serves the board of an event at /board/CODE. The protocol is chosen by the content"
        + " type. A caller sends a token of the server as `authorization: Bearer qv_…`.",
      "SIGTERM and SIGINT drain; a second one ends at once. SIGHUP reads the configuration and the"
        + " certificate again, and logs which settings take effect.",
    ]
    help.commands = [
      .init("config print", "print each setting, its value and where it was written"),
      .init("config check", "validate the settings"),
    ]
    help.sections = [
      .init("Flags", Flag.general.map(\.described) + FlagHelp.ofEveryProgram),
      .init("The log, on stderr, and metrics", Flag.logging.map(\.described)),
      .init("TLS, for listeners with tls://", Flag.security.map(\.described)),
      .init(
        "Limits: bytes, milliseconds or a count, as the name says",
        GatewayLimitFlag.all.map(\.described)),
    ]
    help.exitCodes = [
      .init("0", "drained and stopped"),
      .init("1", "ended at once by a second signal"),
      .init(
        "64",
        "the arguments are wrong, or a file that they name, or the server takes callers without a"
          + " token for somebody"),
      .init("74", "standard output cannot be written"),
      .init("75", "another program has the address"),
    ]
    help.environment = [
      .init(
        "QUIVER_GATEWAY_NAME",
        "the value of the flag --name, in capitals and with _ for -; several are separated by"
          + " spaces"),
      .init("QUIVER_GATEWAY_CONFIG", "the configuration file, as --config names it"),
      .init(
        "NOTIFY_SOCKET, WATCHDOG_USEC, LISTEN_FDS",
        "set by systemd: readiness, signs of life and passed listeners"),
    ]
    help.files = [
      .init("/etc/quiver/quiver-gateway.conf", "the configuration of the Debian package")
    ]
    help.related = ["quiverd(8)", "quiver(1)"]
    return help
  }()
}
