import Dispatch
import GatewayCalls
import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Runs a scenario against a server: validates and sets up, runs the stages, and verifies what was
/// acknowledged.
final class ScenarioRun {
  private let scenario: Scenario
  private let dial: Dial
  private let client: RPCClient
  private let directory: MethodDirectory
  private let counters: TemplateCounters
  private let gate = Tally.Gate()
  private var books: [VerifiedKind: WriteBook] = [:]
  /// By role, then by method.
  private var tallies: [String: [String: Tally]] = [:]

  /// No role of a file can have this name, because of its line break.
  private static let setupName = "\nsetup"
  private static let teardownName = "\nteardown"

  /// - Parameter runName: differs from that of every other run.
  init(
    _ scenario: Scenario, _ dial: Dial, _ directory: MethodDirectory, runName: String
  ) {
    self.scenario = scenario
    self.dial = dial
    self.directory = directory
    client = dial.client(connections: 4)
    counters = TemplateCounters(runName: runName)
  }

  /// The result of the run.
  struct Result: Sendable {
    var conducted = Conductor.Result()
    /// Nil if verification was not requested.
    var findings: [Finding]?
    /// Messages of watches whose span was not adjacent to the previous one.
    var brokenChains: UInt64 = 0
    /// The number of violations that the server accepted.
    var unrefused: UInt64 = 0
    /// Why verification is incomplete.
    var readBackFailure: Failure?
    /// Why the steps after the load failed.
    var tearDownFailure: Failure?
  }

  /// Runs to the end, which an interruption makes earlier; what follows the load is done anyway.
  func run(
    serverProcess: Int32?, until interruption: Interruption = Interruption(),
    _ tell: @escaping @Sendable (Interval, Summary, [(tally: Tally, second: Interval)]) -> Void
  ) async throws(Failure) -> Result {
    // All faults are found before anything is created.
    let setup = try steps(scenario.setup, of: Self.setupName)
    let teardown = try steps(scenario.teardown, of: Self.teardownName)
    var prepared: [PreparedRole] = []
    for role in scenario.roles { prepared.append(try self.prepared(role)) }
    let context = try await context(setup)
    let works = prepared.map { (role: $0.role, work: $0.work(context, dial)) }
    let conductor = Conductor(
      scenario, works, gate,
      patienceSeconds: max(LoadRun.patience, (dial.retrySeconds ?? 0) + 2))
    var result = Result()
    result.conducted = await conduct(conductor, serverProcess, interruption, tell)
    await conductor.finish()
    for tally in result.conducted.tallies {
      result.brokenChains &+= tally.notes[WatchState.brokenChain] ?? 0
      result.unrefused &+= tally.notes[MisbehaviourWork.unrefused] ?? 0
    }
    // The measurements are kept, whatever follows.
    if scenario.verifies { await verify(context, &result) }
    do throws(Failure) {
      try await tearDown(teardown, context)
    } catch {
      result.tearDownFailure = error
    }
    return result
  }

  // MARK: Before

  /// A role with validated calls.
  struct PreparedRole {
    let role: Scenario.Role
    let work: (RunContext, Dial) -> any RoleWork
  }

  private func tally(_ role: String, _ method: String) -> Tally {
    if let tally = tallies[role]?[method] { return tally }
    let tally = Tally(
      role: role, method: method, counting: gate, lateSeconds: scenario.lateSeconds)
    tallies[role, default: [:]][method] = tally
    return tally
  }

  private func prepared(
    _ call: Scenario.Call, of role: String, timeoutSeconds: Double, mustStream: Bool = false
  ) throws(Failure) -> PreparedCall {
    let method: MethodInfo
    do throws(Failure) {
      method = try directory.method(call.method)
    } catch {
      throw Failure(error.code, "\(call.path): \(error.sentence)")
    }
    guard !mustStream || method.kind == .serverStreaming else {
      throw Failure(
        .usage,
        "\(call.path).method: \(method.name) does not stream its reply to one request; name one"
          + " that does, as in Tournament/WatchLeaderboard")
    }
    guard
      dial.gateway == nil || !method.kind.clientStreams || role == Self.setupName
        || role == Self.teardownName
    else {
      throw Failure(
        .usage,
        "\(call.path).method: \(method.name) has a stream of requests, which the load tester does"
          + " not send through a gateway")
    }
    var writes: WriteBook?
    if scenario.verifies, role != Self.setupName, role != Self.teardownName,
      let kind = VerifiedKind(method: method.name)
    {
      writes = books[kind] ?? WriteBook(kind, runName: counters.runName)
      books[kind] = writes
    }
    return try PreparedCall(
      call, method, timeoutSeconds: timeoutSeconds, tally: tally(role, method.name), writes: writes)
  }

  private func steps(
    _ steps: [Scenario.Step], of role: String, timeoutSeconds: Double = 30
  ) throws(Failure) -> [PreparedStep] {
    var prepared: [PreparedStep] = []
    for step in steps {
      switch step {
      case .think(let time): prepared.append(.think(time))
      case .call(let call):
        prepared.append(
          .call(try self.prepared(call, of: role, timeoutSeconds: timeoutSeconds)))
      }
    }
    return prepared
  }

  private func prepared(_ role: Scenario.Role) throws(Failure) -> PreparedRole {
    let clients: (Dial) -> [any LoadCaller] = { dial in
      var dial = dial
      if role.isAnonymous { dial.token = nil }
      let highest = LevelCurve(role.stages ?? self.scenario.stages).highest
      return (0..<role.connections).map { _ in dial.caller(connections: Int(highest.rounded(.up))) }
    }
    let timeout = max(role.timeoutSeconds, dial.retrySeconds ?? 0)
    switch role.work {
    case .mix(let calls):
      var all: [PreparedCall] = []
      for call in calls {
        all.append(try prepared(call, of: role.name, timeoutSeconds: timeout))
      }
      return PreparedRole(role: role) { [all] in MixWork(role, $0, all, clients($1)) }
    case .sequence(let steps):
      let all = try self.steps(steps, of: role.name, timeoutSeconds: timeout)
      return PreparedRole(role: role) { SequenceWork(role, $0, all, clients($1)) }
    case .scorers(let wholeEnds, let hasAccounts):
      let method = wholeEnds ? Tournament.recordEnd.name : Tournament.recordArrow.name
      let tally = tally(role.name, try directory.method(method).name)
      return PreparedRole(role: role) { context, dial in
        guard let scores = context.scores else { return IdleWork(dial, tally: tally) }
        let own = context.scorerTokens.map { token in
          var dial = dial
          dial.token = token
          return dial.caller()
        }
        return ScorerWork(
          role, context, scores, own.isEmpty ? clients(dial) : own, timeoutSeconds: timeout,
          wholeEnds: wholeEnds, hasAccounts: hasAccounts, tally: tally)
      }
    case .matches: return try matches(role, clients)
    case .subscribers(let call, let areSpectators):
      let call = try prepared(call, of: role.name, timeoutSeconds: timeout, mustStream: true)
      let gateway = areSpectators ? try gateway(of: role) : nil
      return PreparedRole(role: role) { context, dial in
        let own = gateway.map { spectators(of: $0, role.actors, context, dial) }
        return WatchWork(role, context, call, own ?? clients(dial), interval: 0)
      }
    case .slowReaders(let call, let interval):
      let call = try prepared(call, of: role.name, timeoutSeconds: timeout, mustStream: true)
      return PreparedRole(role: role) {
        WatchWork(role, $0, call, clients($1), interval: interval)
      }
    case .idle:
      let tally = tally(role.name, "connect")
      return PreparedRole(role: role) { IdleWork($1, tally: tally) }
    case .reconnectStorm(let call):
      let call = try prepared(call, of: role.name, timeoutSeconds: timeout)
      return PreparedRole(role: role) { StormWork(role, $0, call, $1) }
    case .misbehaving(let deeds):
      let acts = deeds.map { (deed: $0, tally: tally(role.name, $0.rawValue)) }
      return PreparedRole(role: role) {
        MisbehaviourWork(role, $0, $1.endpoints, token: $1.token, acts: acts)
      }
    case .attackers(let settings): return try attackers(role, settings)
    case .gatewayAttackers(let settings): return try gatewayAttackers(role, settings)
    }
  }

  private func gatewayAttackers(
    _ role: Scenario.Role, _ settings: GatewayAttackSettings
  ) throws(Failure) -> PreparedRole {
    let gateway = try gateway(of: role)
    let server = dial.endpoints.addresses[0]
    guard gateway.isLoopback, !settings.attack.reachesServer || server.isLoopback else {
      throw Failure(
        .usage,
        "\(role.path): attackers reach only this machine, and \(gateway) or \(server) is none of"
          + " 127.0.0.0/8 and no Unix socket")
    }
    let tally = tally(role.name, GatewayAttackWork.request)
    return PreparedRole(role: role) {
      GatewayAttackWork(role, settings, $0, $1, gateway, tally)
    }
  }

  private func gateway(of role: Scenario.Role) throws(Failure) -> GatewayAddress {
    guard let gateway = dial.gateway else {
      throw Failure(
        .usage,
        "\(role.path) calls a gateway: give its address, as in --gateway http://127.0.0.1:7480")
    }
    return gateway
  }

  private func matches(
    _ role: Scenario.Role, _ clients: @escaping (Dial) -> [any LoadCaller]
  ) throws(Failure) -> PreparedRole {
    let tallies = (
      reads: tally(role.name, try directory.method(Elimination.getBracket.name).name),
      scores: tally(role.name, try directory.method(Elimination.applyMatchOperations.name).name),
      confirmations: tally(
        role.name, try directory.method(Elimination.confirmMatchCard.name).name)
    )
    return PreparedRole(role: role) { context, dial in
      guard let book = context.matches else { return IdleWork(dial, tally: tallies.scores) }
      return MatchWork(
        role, context, book, clients(dial),
        timeoutSeconds: max(role.timeoutSeconds, dial.retrySeconds ?? 0), tallies: tallies)
    }
  }

  private func attackers(
    _ role: Scenario.Role, _ settings: AttackSettings
  ) throws(Failure) -> PreparedRole {
    guard !dial.endpoints.addresses[0].isSecure || settings.attack == .halfOpenHandshakes else {
      throw Failure(
        .usage,
        "\(role.path).attack: \(settings.attack.rawValue) connects without TLS; give --server an"
          + " address without tls://")
    }
    let connect = tally(role.name, AttackWork.connect)
    var methods: [String: Tally] = [:]
    for name in AttackRequests.methods(of: settings.attack) {
      methods[name] = tally(role.name, try directory.method(name).name)
    }
    return PreparedRole(role: role) { [methods] in
      AttackWork(role, settings, $0, $1.endpoints.addresses[0], connect: connect, methods: methods)
    }
  }

  /// Creates the event, and runs the steps of setup.
  private func context(_ setup: [PreparedStep]) async throws(Failure) -> RunContext {
    var variables: [String: JSONValue] = [:]
    var scores: ScoreBook?
    var matches: MatchBook?
    var tokens: [String] = []
    if let event = scenario.event {
      do throws(RPCError) {
        let setup = EventSetup(event: event, client: client)
        let made = try await setup.make()
        (scores, matches, variables) = (made.scores, made.matches, made.variables)
        for role in scenario.roles {
          guard case .scorers(_, true) = role.work else { continue }
          tokens = try await setup.appoint(role.actors, made.scores)
        }
      } catch {
        throw Failure(
          .unreachable, "event could not be made: \(error.code.name): \(error.message)")
      }
    }
    let attackers: [String: [String]]
    do throws(RPCError) {
      attackers = try await AttackAccounts(client: client).create(
        for: scenario.attackersWithAccounts)
    } catch {
      throw Failure(
        .unreachable,
        "accounts of attackers could not be created: \(error.code.name): \(error.message)")
    }
    var scope = TemplateScope(
      variables: variables, actor: 0, seed: scenario.seed, shared: counters)
    try await take(setup, "setup", &scope)
    return RunContext(
      scenario: scenario, counters: counters, variables: scope.variables, scores: scores,
      matches: matches,
      scorerTokens: tokens, attackerTokens: attackers)
  }

  private func take(
    _ steps: [PreparedStep], _ name: String, _ scope: inout TemplateScope
  ) async throws(Failure) {
    gate.open()
    defer { gate.close() }
    for step in steps {
      switch step {
      case .think(let time): await time.wait(&scope.random)
      case .call(let call):
        for _ in 0..<call.repeats {
          guard await call.make(over: client, &scope) else {
            let reason = call.tally.result(series: Series()).firstFailure ?? "it failed"
            throw Failure(.unreachable, "\(name): \(call.method.name): \(reason)")
          }
          scope.iteration += 1
        }
      }
    }
  }

  // MARK: The run and behind it

  private func conduct(
    _ conductor: Conductor, _ serverProcess: Int32?, _ interruption: Interruption,
    _ tell: @escaping @Sendable (Interval, Summary, [(tally: Tally, second: Interval)]) -> Void
  ) async -> Conductor.Result {
    // The conductor sleeps and must not block the threads that tasks share. Only the queue uses it
    // until it is done.
    nonisolated(unsafe) let conductor = conductor
    let queue = DispatchQueue(label: "quiver-load.conductor", qos: .userInteractive)
    return await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: conductor.run(serverProcess: serverProcess, until: interruption, tell))
      }
    }
  }

  private func verify(_ context: RunContext, _ result: inout Result) async {
    var findings: [Finding] = []
    do throws(RPCError) {
      for kind in VerifiedKind.allCases {
        if let book = books[kind] { findings.append(try await book.check(client)) }
      }
      if let scores = context.scores, scenario.needsEvent {
        findings.append(try await ScoreCheck(scores: scores, client: client).finding())
      }
      if let matches = context.matches, scenario.roles.contains(where: \.isOfMatches) {
        findings.append(try await matches.finding(client))
      }
    } catch {
      result.readBackFailure = .notReadBack(error)
    }
    result.findings = findings
  }

  private func tearDown(
    _ steps: [PreparedStep], _ context: RunContext
  ) async throws(Failure) {
    let left = await AttackAccounts.delete(context.attackerTokens, dial)
    var scope = context.scope(scenario.roles[0], actor: 0)
    try await take(steps, "teardown", &scope)
    if let left { throw Failure(.unreachable, left) }
    guard let event = scenario.event, let scores = context.scores else { return }
    do throws(RPCError) {
      try await EventSetup(event: event, client: client).finalise(scores)
    } catch {
      throw Failure(
        .unreachable, "event could not be finalised: \(error.code.name): \(error.message)")
    }
    try await deleteScorers(context)
  }

  /// Deletes the accounts that were created for scorers.
  private func deleteScorers(_ context: RunContext) async throws(Failure) {
    for (number, token) in context.scorerTokens.enumerated() {
      var dial = dial
      dial.token = token
      let name = EventSetup.scorerName(number)
      if let reason = await TemporaryCaller.delete(name, over: dial.client()) {
        throw Failure(.unreachable, "the account of \(name) is left behind: \(reason)")
      }
    }
  }
}

/// Callers of a gateway with a spectator's token each, as pages have them.
private func spectators(
  of gateway: GatewayAddress, _ count: Int, _ context: RunContext, _ dial: Dial
) -> [any LoadCaller] {
  let code = context.variables["event_code"]?.text ?? ""
  return (0..<count).map { _ in
    GatewayCaller(dial.transport, gateway, .spectator(joinCode: code))
  }
}
