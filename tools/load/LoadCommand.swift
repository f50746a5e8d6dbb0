import Glibc
import QuiverAPI
import QuiverClient
import QuiverCommandLine
import QuiverCredentials
import QuiverDispatch
import QuiverRPC
import QuiverWire

/// Runs the command line against a server and writes the reports.
struct LoadCommand {
  let options: Options
  /// Ends the load early.
  let interruption: Interruption
  /// The addresses, as `--server` has them.
  let server: String
  private(set) var token: String?
  private let credentials: Credentials
  private let security: TransportSecurity?
  private var client: RPCClient
  private let endpoints: Rotation<Endpoint>

  /// The bytes that a call may queue of its request stream.
  private static let queuedBytes = 64 << 20

  init(_ options: Options, until interruption: Interruption) throws(Failure) {
    let credentials = try Self.credentials(options, stored: true)
    if options.isVerbose {
      for line in credentials.lines { Output.complain("quiver-load: \(line)\n") }
    }
    try self.init(
      options, credentials, until: interruption,
      token: try credentials.tokenFile.map { file throws(Failure) in
        try Self.token(inFile: file.value)
      })
  }

  /// With the token of another process.
  init(
    _ options: Options, token: String?, until interruption: Interruption = Interruption()
  ) throws(Failure) {
    try self.init(
      options, try Self.credentials(options, stored: false), until: interruption, token: token)
  }

  private init(
    _ options: Options, _ credentials: Credentials, until interruption: Interruption,
    token: String?
  ) throws(Failure) {
    self.interruption = interruption
    // Agents get what a stored login has as flags.
    var options = options
    if let context = credentials.context?.context, options.security.isSecure(credentials) {
      options.security.take(context, authorities: credentials.authorities)
    }
    self.options = options
    self.credentials = credentials
    let servers = Credentials.addresses(credentials.server.value)
    server = credentials.server.value
    endpoints = Rotation(try Self.endpoints(servers))
    security = try options.security.security(
      servers.first ?? "", authorities: credentials.authorities?.value)
    self.token = token
    var configuration = RPCClient.Configuration(servers: servers, token: token)
    if let seconds = options.retrySeconds { configuration.repeatCalls(seconds: seconds) }
    configuration.allowsPlaintextToken = options.allowsPlaintextToken
    configuration.security = security
    configuration.software = "quiver-load"
    if let patience = Self.patience(options) { configuration.defaultTimeout = patience }
    client = try Self.client(configuration)
  }

  private static func endpoints(_ servers: [String]) throws(Failure) -> [Endpoint] {
    var endpoints: [Endpoint] = []
    for server in servers {
      guard let endpoint = Endpoint(server) else {
        throw Failure(
          .usage,
          "--server wants HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH, not \(server)")
      }
      guard endpoint.isSecure == endpoints.first?.isSecure ?? endpoint.isSecure else {
        throw Failure(.usage, "--server: either all addresses begin with tls://, or none does")
      }
      endpoints.append(endpoint)
    }
    return endpoints
  }

  private static func client(_ configuration: RPCClient.Configuration) throws(Failure) -> RPCClient
  {
    do throws(RPCError) {
      return try RPCClient(configuration)
    } catch {
      throw Failure(.usage, error.message)
    }
  }

  /// Runs as a new principal if the caller is an administrator, and deletes it at the end.
  func run() async throws(Failure) {
    let kind: PrincipalKind
    if case .scenario(let file) = options.task {
      // A file that is not valid is refused before anything is created.
      _ = try ScenarioReader.scenario(file: file)
      kind = .administrator
    } else {
      let method = try await MethodDirectory(of: client, timeout: patience).method(options.method)
      guard method.isMutating, !method.name.hasPrefix("quiver.v1.Admin/") else {
        return try await runAsCaller()
      }
      kind = .user
    }
    let name = Self.runName()
    let found = try await TemporaryCaller(of: client, kind: kind, name: name, timeout: patience)
    guard let caller = found else {
      for line in credentials.skipped { Output.complain("quiver-load: not used: \(line)\n") }
      try await runAsCaller()
      Output.complain(
        "quiver-load: left behind: the objects that the run created; only a run of an administrator"
          + " deletes them\n")
      return
    }
    var command = self
    command.token = caller.token
    var configuration = client.configuration
    configuration.token = caller.token
    command.client = try Self.client(configuration)
    var failure: Failure?
    do throws(Failure) { try await command.runAsCaller() } catch { failure = error }
    // A server that is gone is not waited for a second time.
    let limit = failure?.code == .unreachable ? Duration.seconds(1) : .seconds(30)
    if let left = await caller.delete(over: command.client, timeout: limit) {
      Output.complain("quiver-load: left behind: \(left)\n")
    }
    if let failure { throw failure }
  }

  private func runAsCaller() async throws(Failure) {
    if case .scenario(let file) = options.task { return try await runScenario(file) }
    if options.verifies { return try await verify() }
    let plan = try await plan()
    guard let objectives = options.search else {
      let outcome = try await measure(plan, options.settings)
      return try report(outcome)
    }
    let search = RateSearch(objectives: objectives) { rate async throws(Failure) in
      var settings = options.settings
      settings.rate = rate
      let outcome = try await measure(plan, settings)
      // A rate that was tried for a part of its time shows nothing.
      if outcome.result.isInterrupted { throw Failure.interrupted }
      return (outcome.result.summary, outcome.wasLate)
    } tell: { (line) throws(Failure) in
      try Output.print(line)
    }
    guard let rate = try await search.run(from: options.settings.rate ?? 1) else {
      throw Failure(.objectiveBroken, "no rate holds to the objectives")
    }
    try Output.print("the highest rate that holds: \(Fixed.text(rate, 0)) a second")
  }

  /// How long a call may take that prepares a run or reads its writes back.
  private var patience: Duration { Self.patience(options) ?? .seconds(10) }

  /// The same; nil: calls have no timeout. A page of writes takes longer than a write.
  private static func patience(_ options: Options) -> Duration? {
    let seconds = options.timeoutSeconds
    return seconds > 0 ? .seconds(max(seconds, options.retrySeconds ?? 0, 3)) : nil
  }

  /// The calls of the run.
  func plan() async throws(Failure) -> Plan {
    let method = try await MethodDirectory(of: client, timeout: patience).method(options.method)
    let request = try MethodDirectory.request(options.data, of: method)
    let queued = options.messagesPerCall.multipliedReportingOverflow(by: max(request.count, 64))
    guard !queued.overflow, queued.partialValue <= Self.queuedBytes else {
      throw Failure(
        .usage,
        "--messages: a call would queue more than \(Self.queuedBytes) bytes of its request stream;"
          + " lower it, or the message")
    }
    var metadata = Metadata()
    for (key, value) in options.metadata { metadata.append(key, value) }
    return Plan(
      method: method, request: request, messagesPerCall: options.messagesPerCall,
      metadata: metadata, timeoutNanoseconds: LoadRun.nanoseconds(options.timeoutSeconds),
      runID: Self.runID())
  }

  /// The run of this process, connected.
  func preparedRun(_ plan: Plan, _ settings: LoadRun.Settings) throws(Failure) -> LoadRun {
    OpenFiles.raiseLimit()
    let transport = try transport(threads: settings.threads)
    let connect = ConnectOptions(
      token: Array((token ?? "").utf8), software: "quiver-load",
      allowsPlaintextToken: options.allowsPlaintextToken, security: security)
    return LoadRun(settings, plan, over: transport, to: endpoints, connect)
  }

  private func measure(
    _ plan: Plan, _ settings: LoadRun.Settings
  ) async throws(Failure) -> Outcome {
    let title = "quiver-load \(plan.method.name) at \(server)"
    let monitor = try Monitor(title: title, options, showsView: options.search == nil)
    defer { monitor.end() }
    let result: LoadRun.Result
    if agentCommands.isEmpty {
      result = try preparedRun(plan, settings)
        .run(serverProcess: options.serverProcess, until: interruption) { monitor.second($0, $1) }
    } else {
      result = try measureByAgents(settings) { monitor.second($0, $1) }
    }
    return Outcome(
      title: title, method: plan.method.name,
      settings: settings, result: result,
      verdicts: options.objectives?.verdicts(result.summary) ?? [],
      linesFailure: monitor.linesFailure)
  }

  private func transport(threads: Int) throws(Failure) -> DispatchTransport {
    do throws(SystemError) {
      return try DispatchTransport(shardCount: threads)
    } catch {
      throw Failure(.unreachable, "no connections can be made: \(error)")
    }
  }

  private func report(_ outcome: Outcome) throws(Failure) {
    try Output.print(options.printsJSON ? JSONReport.text(outcome) : TextReport.text(outcome))
    let files: [(String?, String)] = [
      (options.jsonFile, JSONReport.text(outcome)), (options.csvFile, CSVReport.text(outcome)),
      (options.htmlFile, HTMLReport.text(outcome)),
      (options.hgrmFile, outcome.result.summary.latency.hgrm),
    ]
    for case (let file?, let text) in files { try Output.write(text, toFile: file) }
    if let failure = outcome.failure { throw failure }
  }

  private func verify() async throws(Failure) {
    let method = try await MethodDirectory(of: client, timeout: patience).method(options.method)
    guard let kind = VerifiedKind(method: method.name) else {
      let all = VerifiedKind.allCases.map(\.method.name).joined(separator: ", ")
      throw Failure(.usage, "--verify goes with --method \(all), not \(method.name)")
    }
    let request = try MethodDirectory.request(options.data, of: method)
    let writes = WriteBook(kind, runName: Self.runName())
    let timeout =
      options.timeoutSeconds > 0
      ? Duration.seconds(max(options.timeoutSeconds, options.retrySeconds ?? 0)) : nil
    let run = VerifiedRun(
      options.settings, writes, over: client, request: request, timeout: timeout,
      until: interruption)
    let result = await run.run()
    let outcome = Outcome(
      title: "quiver-load \(method.name) at \(server), verified", method: method.name,
      settings: options.settings, result: result,
      verdicts: options.objectives?.verdicts(result.summary) ?? [])
    // Lost writes are reported before slow calls.
    var gravest: Failure?
    var text: String?
    if let timeout, run.isSilent {
      gravest = .silent(timeout)
    } else {
      do throws(RPCError) {
        let finding = try await writes.check(client)
        text = finding.text
        if !finding.isClean { gravest = .writesLost }
      } catch {
        gravest = .notReadBack(error)
      }
    }
    do throws(Failure) {
      if let text { try Output.print(text) }
      try report(outcome)
    } catch {
      throw gravest ?? error
    }
    if let gravest { throw gravest }
  }

  /// A name that no other run has.
  private static func runName() -> String {
    "load-" + String(runID(), radix: 16)
  }

  private func runScenario(_ file: String) async throws(Failure) {
    var scenario = try ScenarioReader.scenario(file: file)
    if options.verifies { scenario.verifies = true }
    OpenFiles.raiseLimit()
    let dial = Dial(
      transport: try transport(threads: options.settings.threads), endpoints: endpoints,
      token: token, allowsPlaintextToken: options.allowsPlaintextToken, security: security,
      retrySeconds: options.retrySeconds, gateway: options.gateway)
    let directory = try await MethodDirectory(of: client, timeout: patience)
    let run = ScenarioRun(scenario, dial, directory, runName: Self.runName())
    let monitor = try Monitor(title: "\(scenario.name) at \(server)", options)
    defer { monitor.end() }
    let result = try await run.run(serverProcess: options.serverProcess, until: interruption) {
      monitor.second($0, $1, $2)
    }
    monitor.end()
    var outcome = ScenarioOutcome(
      scenario: scenario, server: server, result: result, objectives: options.objectives)
    outcome.linesFailure = monitor.linesFailure
    try Output.print(
      options.printsJSON ? ScenarioJSONReport.text(outcome) : ScenarioTextReport.text(outcome))
    let files: [(String?, String)] = [
      (options.jsonFile, ScenarioJSONReport.text(outcome)),
      (options.csvFile, ScenarioCSVReport.text(outcome)),
      (options.htmlFile, ScenarioHTMLReport.text(outcome)),
      (options.hgrmFile, outcome.total.latency.hgrm),
    ]
    for case (let file?, let text) in files { try Output.write(text, toFile: file) }
    if let failure = outcome.failure { throw failure }
  }

  private static func runID() -> UInt64 { .random(in: .min ... .max) }

  /// The server and the token by the rule of all programs.
  ///
  /// - Parameter stored: whether a stored login of this machine may be used.
  private static func credentials(
    _ options: Options, stored: Bool
  ) throws(Failure) -> Credentials {
    var given = Credentials.Given()
    (given.server, given.tokenFile) = (options.server, options.tokenFile)
    (given.context, given.authorities) = (options.context, options.security.authoritiesFile)
    given.isSecure = options.security.isWanted
    do throws(UsageError) {
      return try Credentials(given, stored ? try Contexts.load() : Contexts())
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private static func token(inFile path: String) throws(Failure) -> String {
    guard let handle = fopen(path, "r") else {
      throw Failure(.usage, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(handle) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&bytes, 1, bytes.count, handle)
    let words = String(decoding: bytes[..<count], as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    guard words.count == 1 else {
      throw Failure(.usage, "\(path) holds no token: one word, qv_ and 43 characters")
    }
    return String(words[0])
  }
}
