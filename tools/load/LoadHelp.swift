import QuiverCommandLine
import QuiverCredentials

/// What `--help`, the manual page and the completions say.
enum LoadHelp {
  static let program: ProgramHelp = {
    var help = ProgramHelp(
      "quiver-load", manualSection: 1, "measure a Quiver server under load", usages: usages)
    help.paragraphs = paragraphs
    help.commands = commands
    help.sections = [
      .init("Calls", sent), .init("Load", pace),
      .init("Results", reports),
      .init("Several generators, whose histograms are merged", generators),
      .init("Others", [selfTest] + FlagHelp.ofEveryProgram),
    ]
    help.exitCodes = exitCodes
    help.environment = [
      .init("QUIVER_SERVER", "the server, where --server does not name it"),
      .init("QUIVER_TOKEN_FILE", "the file of the token, where --token-file does not name it"),
      .init("QUIVER_CA", "the trusted authorities, where --ca does not name them"),
      .init("QUIVER_CONTEXT", "the stored login, where --context does not name it"),
    ]
    help.files = [.init("~/.config/quiver", "logins that quiver login stored, and the token")]
    help.related = ["quiver(1)", "quiverd(8)"]
    return help
  }()

  /// The usage in an error.
  static var usage: String {
    usages.map { "  quiver-load \($0)" }.joined(separator: "\n")
  }

  private static let usages = [
    "--server HOST:PORT --method M [-d JSON] --rate R [flags]",
    "--server HOST:PORT --method M [-d JSON] --concurrency N",
    "--rate R --search 'p99<5ms,errors<0.1%' …",
    "run SCENARIO.json [flags]", "schema", "compare A.json B.json", "--self-test",
  ]

  private static let paragraphs = [
    "In an open loop (--rate) calls are scheduled at fixed times, whatever the server does, and"
      + " latency counts from the scheduled time, so that a stall of the server is visible. In a"
      + " closed loop (--concurrency) the next call waits for the answer to the one before; its"
      + " percentiles do not show stalls, and are labelled.",
    "A scenario is a JSON file with the roles of callers, their actions, and the stages of the"
      + " load; tools/load/scenarios has some. It replaces the flags of the groups “Calls” and"
      + " “Load”, except --server, --gateway, --token-file, --allow-plaintext, those of TLS,"
      + " --retry and --threads.",
  ]

  private static let commands: [ProgramHelp.Command] = [
    .init("run", operands: "SCENARIO.json", "run a scenario with many kinds of actors"),
    .init("schema", "print the JSON schema of scenarios"),
    .init("compare", operands: "A.json B.json", "print the differences of two results"),
    .init("agent", "send load for the process that started this one"),
  ]

  private static let sent = [
    FlagHelp(
      "--server", "ADDRESS",
      "HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH, or several of one service, separated"
        + " by commas, which the connections use in turn; else $QUIVER_SERVER, else"
        + " the context's, else \(Credentials.defaultServer)"),
    FlagHelp(
      "--gateway", "http://HOST:PORT",
      "with run: the gateway through which the roles call, by Connect with JSON over HTTP/1.1; what"
        + " is set up and read back goes to --server, and so do roles of connections and attackers"
        + " of the server"),
    FlagHelp(
      "--token-file", "FILE",
      "the caller's token; else $QUIVER_TOKEN_FILE, else the context's, else"
        + " ~/.config/quiver/token, else ./data/admin.token"),
    FlagHelp(
      "--context", "NAME",
      "use the server and the token that quiver login stored under this name; else"
        + " $QUIVER_CONTEXT, else the last login"),
    FlagHelp("--allow-plaintext", nil, "send the token unencrypted beyond this machine"),
    FlagHelp("--tls", nil, "connect with TLS, as tls:// before the address does"),
    FlagHelp(
      "--ca", "FILE",
      "trust the authorities in this PEM file; else $QUIVER_CA, else the context's, else the"
        + " system's"),
    FlagHelp(
      "--server-name", "NAME",
      "the name in the server's certificate; else the host of the address"),
    FlagHelp("--certificate", "FILE", "the client certificate to show, with --key FILE"),
    FlagHelp("--key", "FILE", "its private key, PEM without a password"),
    FlagHelp(
      "--method", "M",
      "a full name, or an end of it that only one method has; default Health/Check"),
    FlagHelp("-d", "JSON", "the request, or each message of a request stream; default {}"),
    FlagHelp("--messages", "N", "messages of a request stream; default 1"),
    FlagHelp("--metadata", "KEY=VALUE", "metadata of each call; may be repeated"),
    FlagHelp("--timeout", "TIME", "the timeout of each call, 0: none; default 10s"),
    FlagHelp(
      "--retry", "TIME",
      "repeat calls that end UNAVAILABLE for this time, also at the other addresses, with the same"
        + " keys; only calls that fail after it count as failed (with run and --verify)"),
  ]

  private static let pace = [
    FlagHelp("--rate", "R", "calls a second, open loop"),
    FlagHelp(
      "--arrivals", "constant|poisson", "the intervals in an open loop; default constant"),
    FlagHelp("--seed", "N", "make the times of poisson repeatable"),
    FlagHelp(
      "--max-in-flight", "N",
      "open calls above which further ones are counted as unsent; default 10000"),
    FlagHelp("--concurrency", "N", "closed loop: calls that are open at any time; default 1"),
    FlagHelp("--connections", "N", "connections; default 1"),
    FlagHelp("--threads", "N", "reactors that drive the connections; default 1"),
    FlagHelp("--duration", "TIME", "the measured time, after the warm-up; default 10s"),
    FlagHelp("--count", "N", "send N calls in all, without a warm-up"),
    FlagHelp("--late-after", "TIME", "a call that is sent later than this is late; default 1ms"),
    FlagHelp("--warm-up", "TIME", "the time before the measurement, 0: none; default 1s"),
  ]

  private static let reports = [
    FlagHelp(
      "--slo", "OBJECTIVES", "such as p99<5ms,errors<0.1%; the exit code is 1 if one is missed"),
    FlagHelp("--search", "OBJECTIVES", "find the highest rate that meets them, from --rate on"),
    FlagHelp(
      "--verify", nil,
      "read back acknowledged writes; the exit code is 5 if anything is lost or doubled"
        + " (CreateAccessory unless --method is CreateWeightEntry or CreateSet; with run whatever"
        + " the scenario says)"),
    FlagHelp("--json", nil, "the result as JSON on standard output"),
    FlagHelp("--json-out", "FILE", "the result as JSON"),
    FlagHelp("--csv-out", "FILE", "the seconds of the run as CSV"),
    FlagHelp("--html-out", "FILE", "a report with charts"),
    FlagHelp("--hgrm-out", "FILE", "the histogram of latencies"),
    FlagHelp("--server-pid", "N", "also print the processor time of that process for each call"),
    FlagHelp("--quiet", nil, "print neither the view nor lines during the run"),
    FlagHelp("--verbose", nil, "print where the server and the token are from"),
    FlagHelp("--lines", nil, "a line a second instead of the full-screen view of a terminal"),
    FlagHelp("--json-lines", "FILE", "a line of JSON a second; - is standard output"),
    FlagHelp("--metrics", "HOST:PORT", "the state of the run for Prometheus, at /metrics"),
  ]

  private static let generators = [
    FlagHelp("--agents", "N", "N processes of this machine send the load"),
    FlagHelp(
      "--agent", "COMMAND",
      "a process that COMMAND starts also sends load, such as 'ssh host2 quiver-load agent'; may"
        + " be repeated"),
  ]

  private static let selfTest = FlagHelp(
    "--self-test", nil, "check the load tester against a server of its own that stalls")

  private static let exitCodes: [ProgramHelp.Entry] = [
    .init("0", "success"),
    .init("1", "an objective is missed, or misbehaving peers were not refused"),
    .init("2", "the command line, the JSON or the scenario is wrong"),
    .init(
      "3", "the generator was late for more than 1 % of the calls: its figures do not count"),
    .init(
      "4", "the server or the method does not exist, or a scenario could not be set up"),
    .init("5", "acknowledged writes are lost, doubled or reordered, or sums are wrong"),
    .init("74", "standard output cannot be written"),
    .init(
      "130",
      "SIGINT ended the load early: the report is of the time until then; a second one ends"
        + " the program at once"),
  ]
}
