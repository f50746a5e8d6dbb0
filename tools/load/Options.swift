import GatewayCalls
import Glibc
import QuiverCommandLine

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
    /// Prints the help in another form.
    case text(String)
  }

  var task = Task.run
  /// Nil: see `Credentials`; the same for the token.
  var server: String?
  var tokenFile: String?
  /// The stored login of `quiver login`.
  var context: String?
  var allowsPlaintextToken = false
  var security = SecurityOptions()
  var method = "quiver.v1.Health/Check"
  var data = "{}"
  var metadata: [(String, String)] = []
  var settings = LoadRun.Settings()
  var messagesPerCall = 1
  var timeoutSeconds = 10.0
  /// For how long calls are repeated that end UNAVAILABLE; nil: as the run's kind has it.
  var retrySeconds: Double?
  /// The gateway through which the roles of a scenario call.
  var gateway: GatewayAddress?
  var objectives: Objectives?
  var search: Objectives?
  var verifies = false
  var jsonFile: String?
  var csvFile: String?
  var htmlFile: String?
  var hgrmFile: String?
  var printsJSON = false
  var isQuiet = false
  /// Prints where the server and the token are from.
  var isVerbose = false
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
    do throws(UsageError) {
      if let text = try LoadHelp.program.answer(to: words) {
        task = .text(text)
        return
      }
    } catch {
      throw Wrong(description: error.description)
    }
    var rest = words[...]
    guard !words.isEmpty else {
      throw Wrong(
        description: "no command; usage:\n\n\(LoadHelp.usage)\n\n--help explains the flags")
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

  private static let flags = Set(LoadHelp.program.flags.filter { $0.valueName == nil }.map(\.name))
  private static let valued = Set(LoadHelp.program.flags.filter { $0.valueName != nil }.map(\.name))

  private static func unknown(_ word: String) -> Wrong {
    Wrong(
      description: word.hasPrefix("-")
        ? "there is no flag \(word); --help lists them" : "\(word) is no command; --help lists them"
    )
  }

  private mutating func takeFlag(_ name: String, hasValue: Bool) throws(Wrong) -> Bool {
    guard Self.flags.contains(name) || name == "-h" else { return false }
    guard !hasValue else { throw Wrong(description: "\(name) takes no value") }
    switch name {
    case "--allow-plaintext": allowsPlaintextToken = true
    case "--tls": security.isWanted = true
    case "--verify": verifies = true
    case "--json": printsJSON = true
    case "--quiet": isQuiet = true
    case "--verbose": isVerbose = true
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
    case "--context": context = value
    case "--ca": security.authoritiesFile = value
    case "--certificate": security.certificateFile = value
    case "--key": security.keyFile = value
    case "--server-name": security.serverName = value
    case "--method": method = value
    case "-d": data = value
    case "--gateway":
      guard let address = GatewayAddress(value) else { throw Self.wrong(name, "http://HOST:PORT") }
      gateway = address
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
    case "--retry": retrySeconds = try Self.seconds(name, value)
    case "--timeout": timeoutSeconds = try Self.seconds(name, value, orNone: true)
    default: serverProcess = Int32(try Self.number(name, value, 1...4_194_304))
    }
  }

  /// The flags that a scenario sets itself.
  private static let ofPlainRuns: Set = [
    "--method", "-d", "--metadata", "--rate", "--arrivals", "--seed", "--concurrency",
    "--connections", "--duration", "--warm-up", "--count", "--max-in-flight", "--late-after",
    "--messages", "--timeout", "--search", "--agents", "--agent",
  ]

  private mutating func finish() throws(Wrong) {
    if case .scenario = task, let name = given.first(where: Self.ofPlainRuns.contains) {
      throw Wrong(description: "\(name) does not go with run: the scenario's file says it")
    }
    if case .scenario = task {
      guard gateway == nil || retrySeconds == nil else {
        throw Wrong(description: "--retry does not go with --gateway: its calls are not repeated")
      }
    } else if gateway != nil {
      throw Wrong(description: "--gateway goes with run")
    }
    guard task == .run else { return }
    guard retrySeconds == nil || verifies else {
      throw Wrong(description: "--retry goes with run and with --verify")
    }
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
}
