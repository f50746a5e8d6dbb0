import Glibc

/// The options of the command line.
struct Options: Sendable {
  enum Task: Sendable, Equatable {
    case run
    /// Runs the scenario in a file.
    case scenario(String)
    /// Prints the schema of scenarios.
    case schema
    case compare(String, String)
    case selfTest
    /// Sends load for the process that started this one.
    case agent
    case help
    case version
  }

  var task = Task.run
  static let defaultServer = "127.0.0.1:7450"
  var server = defaultServer
  var tokenFile: String?
  var allowsPlaintextToken = false
  var security = SecurityOptions()
  var method = "quiver.v1.Health/Check"
  var data = "{}"
  var metadata: [(String, String)] = []
  var settings = LoadRun.Settings()
  var messagesPerCall = 1
  var timeoutSeconds = 10.0
  var objectives: Objectives?
  var search: Objectives?
  var verifies = false
  var jsonFile: String?
  var csvFile: String?
  var htmlFile: String?
  var hgrmFile: String?
  var printsJSON = false
  var isQuiet = false
  /// Lines instead of the full-screen view, also on a terminal.
  var printsLines = false
  var jsonLinesFile: String?
  var metricsAddress: String?
  /// Processes of this machine that send the load; 0: this one does.
  var localAgents = 0
  /// Commands that start further agents.
  var agentCommands: [String] = []
  var serverProcess: Int32?
  /// The flags in their original form.
  private var given: [String] = []

  /// A command line that is not valid, as a sentence.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Parses the arguments.
  init(_ words: [String]) throws(Wrong) {
    var rest = words[...]
    guard !words.isEmpty else {
      throw Wrong(description: "no command; usage:\n\n\(Self.usage)\n\n--help explains the flags")
    }
    if rest.first == "compare" {
      guard rest.count == 3, let before = rest.dropFirst().first, let after = rest.last else {
        throw Wrong(description: "compare takes two files: A.json B.json")
      }
      task = .compare(before, after)
      return
    }
    if rest == ["agent"] {
      task = .agent
      return
    }
    if rest == ["schema"] {
      task = .schema
      return
    }
    if rest.first == "run" {
      guard let file = rest.dropFirst().first, !file.hasPrefix("-") else {
        throw Wrong(description: "run takes a file: SCENARIO.json")
      }
      task = .scenario(file)
      rest = rest.dropFirst(2)
    }
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      given.append(name)
      if try takeFlag(name, hasValue: parts.count > 1) { continue }
      guard Self.valued.contains(name) else { throw Self.unknown(word) }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw Wrong(description: "\(name) wants a value; --help says which")
      }
      try take(name, value)
    }
    try finish()
  }

  private static let flags = [
    "--allow-plaintext", "--tls", "--verify", "--json", "--quiet", "--lines", "--self-test",
    "--help",
    "--version",
  ]
  private static let valued: Set = [
    "--server", "--ca", "--certificate", "--key", "--server-name", "--token-file", "--method", "-d",
    "--metadata",
    "--rate", "--arrivals", "--seed",
    "--concurrency", "--connections", "--threads", "--duration", "--warm-up", "--count",
    "--max-in-flight", "--late-after", "--messages", "--timeout", "--slo", "--search", "--json-out",
    "--csv-out",
    "--html-out", "--hgrm-out", "--server-pid", "--json-lines", "--metrics", "--agents", "--agent",
  ]

  private static func unknown(_ word: String) -> Wrong {
    Wrong(
      description: word.hasPrefix("-")
        ? "there is no flag \(word); --help lists them" : "\(word) is no command; --help lists them"
    )
  }

  private mutating func takeFlag(_ name: String, hasValue: Bool) throws(Wrong) -> Bool {
    guard Self.flags.contains(name) else { return false }
    guard !hasValue else { throw Wrong(description: "\(name) takes no value") }
    switch name {
    case "--allow-plaintext": allowsPlaintextToken = true
    case "--tls": security.isWanted = true
    case "--verify": verifies = true
    case "--json": printsJSON = true
    case "--quiet": isQuiet = true
    case "--lines": printsLines = true
    case "--self-test": task = .selfTest
    case "--version": task = .version
    default: task = .help
    }
    return true
  }

  private mutating func take(_ name: String, _ value: String) throws(Wrong) {
    switch name {
    case "--server": server = value
    case "--token-file": tokenFile = value
    case "--ca": security.authoritiesFile = value
    case "--certificate": security.certificateFile = value
    case "--key": security.keyFile = value
    case "--server-name": security.serverName = value
    case "--method": method = value
    case "-d": data = value
    case "--metadata":
      let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw Self.wrong(name, "KEY=VALUE") }
      metadata.append((String(parts[0]), String(parts[1])))
    case "--arrivals":
      guard let shape = Arrivals.Shape(rawValue: value) else {
        throw Self.wrong(name, "constant or poisson")
      }
      settings.arrivals = shape
    case "--slo": objectives = try Self.objectives(value)
    case "--search": search = try Self.objectives(value)
    case "--json-out": jsonFile = value
    case "--csv-out": csvFile = value
    case "--html-out": htmlFile = value
    case "--hgrm-out": hgrmFile = value
    case "--json-lines": jsonLinesFile = value
    case "--metrics": metricsAddress = value
    case "--agent": agentCommands.append(value)
    default: try takeNumber(name, value)
    }
  }

  private mutating func takeNumber(_ name: String, _ value: String) throws(Wrong) {
    switch name {
    case "--rate": settings.rate = try Self.number(name, value, 0.01...10_000_000)
    case "--seed": settings.seed = UInt64(try Self.number(name, value, 0...9e15))
    case "--concurrency":
      settings.concurrency = Int(try Self.number(name, value, 1...1_000_000))
    case "--connections":
      settings.connections = Int(try Self.number(name, value, 1...20_000))
    case "--threads": settings.threads = Int(try Self.number(name, value, 1...256))
    case "--duration": settings.seconds = try Self.seconds(name, value)
    case "--warm-up": settings.warmUpSeconds = try Self.seconds(name, value, orNone: true)
    case "--count": settings.count = UInt64(try Self.number(name, value, 1...9e15))
    case "--max-in-flight":
      settings.maxOpen = Int(try Self.number(name, value, 1...10_000_000))
    case "--late-after":
      settings.lateNanoseconds = LoadRun.nanoseconds(try Self.seconds(name, value))
    case "--agents": localAgents = Int(try Self.number(name, value, 1...64))
    case "--messages": messagesPerCall = Int(try Self.number(name, value, 1...1_000_000))
    case "--timeout": timeoutSeconds = try Self.seconds(name, value, orNone: true)
    default: serverProcess = Int32(try Self.number(name, value, 1...4_194_304))
    }
  }

  /// The flags that a scenario sets itself.
  private static let ofPlainRuns: Set = [
    "--method", "-d", "--metadata", "--rate", "--arrivals", "--seed", "--concurrency",
    "--connections", "--duration", "--warm-up", "--count", "--max-in-flight", "--late-after",
    "--messages", "--timeout", "--search", "--verify", "--agents", "--agent",
  ]

  private mutating func finish() throws(Wrong) {
    if case .scenario = task, let name = given.first(where: Self.ofPlainRuns.contains) {
      throw Wrong(description: "\(name) does not go with run: the scenario's file says it")
    }
    guard task == .run else { return }
    if localAgents > 0 || !agentCommands.isEmpty {
      guard !verifies else { throw Wrong(description: "--verify does not go with agents") }
      guard serverProcess == nil else {
        throw Wrong(description: "--server-pid does not go with agents")
      }
    }
    if verifies, !given.contains("--method") { method = "quiver.v1.Equipment/CreateAccessory" }
    if settings.count != nil {
      guard !given.contains("--warm-up") || settings.warmUpSeconds == 0 else {
        throw Wrong(description: "--count sends that many calls in all and takes no --warm-up")
      }
      settings.warmUpSeconds = 0
      if !given.contains("--duration") { settings.seconds = Self.longestSeconds }
    }
    if settings.connections > settings.concurrency, settings.rate == nil {
      settings.concurrency = settings.connections
    }
    guard search == nil || settings.rate != nil else {
      throw Wrong(description: "--search wants --rate R, the rate at which it begins")
    }
    guard !verifies || settings.rate != nil || settings.count != nil else {
      throw Wrong(description: "--verify wants --count N or --rate R, so that it ends")
    }
  }

  /// The length of a run that ends by its number of calls.
  private static let longestSeconds = 86_400.0

  private static func objectives(_ text: String) throws(Wrong) -> Objectives {
    do throws(Objectives.Wrong) {
      return try Objectives(text)
    } catch {
      throw Wrong(description: error.description)
    }
  }

  private static func number(
    _ name: String, _ text: String, _ range: ClosedRange<Double>
  ) throws(Wrong) -> Double {
    guard let number = Double(text), range.contains(number) else {
      throw wrong(
        name,
        "a number from \(Fixed.text(range.lowerBound, 2)) to"
          + " \(Fixed.text(range.upperBound, 0))")
    }
    return number
  }

  private static func seconds(
    _ name: String, _ text: String, orNone: Bool = false
  ) throws(Wrong) -> Double {
    if orNone, text == "0" { return 0 }
    guard let seconds = seconds(text, orNone: orNone) else {
      throw wrong(name, "a time like 500ms, 10s or 5m, at most 999h")
    }
    return seconds
  }

  /// `500ms`, `1.5s`, `5m`, `1h`, as in the patterns of ``ScenarioSchema``; nil for other texts.
  ///
  /// - Parameter orNone: whether it may be 0.
  static func seconds(_ text: String, orNone: Bool = false) -> Double? {
    let units = [("ms", 1.0, 9), ("s", 1_000.0, 6), ("m", 60_000.0, 4), ("h", 3_600_000.0, 3)]
    guard let (unit, factor, most) = units.first(where: { text.hasSuffix($0.0) }),
      text.utf8.count <= 20
    else { return nil }
    let digits = text.utf8.dropLast(unit.utf8.count)
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, whole.count <= most,
      whole.count == 1 || whole.first != UInt8(ascii: "0"),
      parts.allSatisfy({ part in
        !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }), let number = Double(String(Substring(digits))), orNone || number > 0
    else { return nil }
    return number * factor / 1_000
  }

  private static func wrong(_ name: String, _ wanted: String) -> Wrong {
    Wrong(description: "\(name) wants \(wanted)")
  }

  static let usage = """
      quiver-load --server HOST:PORT --method M [-d JSON] --rate R [flags]   open loop
      quiver-load --server HOST:PORT --method M [-d JSON] --concurrency N    closed loop
      quiver-load --rate R --search 'p99<5ms,errors<0.1%' …                  highest rate that holds
      quiver-load run SCENARIO.json [flags]                                  many kinds of actors
      quiver-load schema                                                     what a scenario holds
      quiver-load compare A.json B.json                                      what moved
      quiver-load --self-test                                                checks the load tester
    """

  static let help = """
    quiver-load: measures a Quiver server under load.

    \(usage)

    In an open loop calls are meant to be sent at fixed times, whatever the server does, and latency
    counts from then: a server that stalls shows it. In a closed loop the next call waits for the
    answer to the one before; its percentiles say less, and are labelled so.

    A scenario is a JSON file with the roles of those who use the server, what they do, and the
    stages in which they come; tools/load/scenarios has some. It says itself what the flags of the
    next two groups say, but for --server, --token-file, --allow-plaintext and --threads.

    What is sent
      --server ADDRESS      HOST:PORT, [IPv6]:PORT or unix:PATH; else $QUIVER_SERVER
      --token-file FILE     the caller's token; else $QUIVER_TOKEN_FILE, else ./data/admin.token
      --allow-plaintext     send the token unencrypted beyond this machine
      --tls                 connect with TLS, as tls:// before the address does
      --ca FILE             trust the authorities in this PEM file; else $QUIVER_CA, else the
                            system's
      --server-name NAME    the name in the server's certificate; else the host of the address
      --certificate FILE    the client certificate to show, with --key FILE
      --method M            a full name, or as much of its end as only one method has
      -d JSON               the request, or each message of a request stream
      --messages N          messages of a request stream (1)
      --metadata KEY=VALUE  goes with each call
      --timeout TIME        of each call (10s; 0: none)

    How it is sent
      --rate R              calls a second, open loop
      --arrivals SHAPE      constant (default) or poisson; --seed N makes the latter repeatable
      --max-in-flight N     open calls after which those to come are counted as unsent (10000)
      --concurrency N       closed loop: calls that are open at any time (1)
      --connections N       (1)
      --threads N           reactors that drive the connections (1)
      --duration TIME       that counts, after the warm-up (10s)
      --count N             sends N calls in all, without a warm-up
      --late-after TIME     a call that is sent later than this counts as late (1ms)
      --warm-up TIME        left out of all figures (1s; 0: none)

    What comes out
      --slo OBJECTIVES      such as p99<5ms,errors<0.1%; exit 1 if one is broken
      --search OBJECTIVES   find the highest rate that holds them, from --rate on
      --verify              read back what was acknowledged; exit 5 if anything is lost or doubled
                            (CreateAccessory unless --method is CreateWeightEntry or
                            CreateSet)
      --json                the result as JSON on standard output
      --json-out, --csv-out, --html-out, --hgrm-out FILE
      --server-pid N        also print the processor time of that process for each call
      --quiet               neither view nor lines while it runs
      --lines               a line a second instead of the full-screen view of a terminal
      --json-lines FILE     a line of JSON a second; - is standard output
      --metrics HOST:PORT   the state of the run for Prometheus, at /metrics

    Several generators, whose histograms are merged
      --agents N            N processes of this machine send the load
      --agent COMMAND       so does a process that COMMAND starts, such as
                            'ssh host2 quiver-load agent'; may be given more than once

    Exit codes: 0 all is well; 1 an objective is broken, or misbehaving peers were not refused;
    2 the command line, the JSON or the scenario is wrong; 3 the generator was late for more than
    1 % of the calls, so that its figures do not count; 4 the server or the method is not there, or
    a scenario could not be set up; 5 acknowledged writes are lost, doubled or reordered, or sums
    are wrong.
    """
}
