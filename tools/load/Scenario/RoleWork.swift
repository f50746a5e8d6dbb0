import QuiverClient
import QuiverJSON
import QuiverRPC
import QuiverRules
import QuiverWire
import Synchronization

/// The work of a role's actors.
protocol RoleWork: Sendable {
  /// Its counts.
  var tallies: [Tally] { get }

  /// Runs as one actor until it is stopped.
  func live(_ life: ActorLife) async

  /// Sends one pass of an open loop that was due at `intended`; returns at once.
  func feed(intended: UInt64)
}

extension RoleWork {
  func feed(intended: UInt64) {}
}

/// One actor of a role, from its start until it is stopped.
final class ActorLife: Sendable {
  /// Starts at 0 within the role.
  let number: Int
  private let isStopping = Atomic(false)
  private let hasEnded = Atomic(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// The longest wait before an actor checks whether it should stop.
  private static let slice = 0.1

  init(number: Int) { self.number = number }

  var shallStop: Bool { isStopping.load(ordering: .relaxed) }
  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  func start(_ work: any RoleWork) {
    let started = Task {
      await work.live(self)
      hasEnded.store(true, ordering: .releasing)
    }
    task.withLock { $0 = started }
  }

  /// Asks it to stop after its current work.
  func stop() { isStopping.store(true, ordering: .relaxed) }

  /// Cancels its work.
  func cancel() {
    stop()
    task.withLock { $0 }?.cancel()
  }

  /// Waits for some seconds, or until it should stop.
  func wait(seconds: Double) async {
    var rest = seconds
    while rest > 0, !shallStop, !Task.isCancelled {
      let part = min(rest, Self.slice)
      try? await Task.sleep(for: .nanoseconds(Int64(part * 1e9)))
      rest -= part
    }
  }
}

/// What all roles of a run share.
struct RunContext: Sendable {
  let scenario: Scenario
  let counters: TemplateCounters
  /// The values of setup and event.
  let variables: [String: JSONValue]
  /// The scenario's event; nil if there is none.
  let scores: ScoreBook?
  /// The matches of its bracket; nil if there is none.
  var matches: MatchBook?
  /// The scorers' tokens, by number, if they have accounts.
  var scorerTokens: [String] = []
  /// Of the attackers with accounts, by role, then by number.
  var attackerTokens: [String: [String]] = [:]

  /// The values for the bodies of an actor, or of a pass of an open loop.
  func scope(_ role: Scenario.Role, actor: Int, pass: Int = 0) -> TemplateScope {
    let seed = scenario.seed(of: role) ^ UInt64(actor) << 40 ^ UInt64(pass)
    return TemplateScope(variables: variables, actor: actor, seed: seed, shared: counters)
  }
}

/// Calls of several methods by their weights.
final class MixWork: RoleWork {
  let tallies: [Tally]
  private let role: Scenario.Role
  private let context: RunContext
  private let calls: [PreparedCall]
  private let clients: [any LoadCaller]
  private let passes: OpenPasses

  init(
    _ role: Scenario.Role, _ context: RunContext, _ calls: [PreparedCall],
    _ clients: [any LoadCaller]
  ) {
    self.role = role
    self.context = context
    self.calls = calls
    self.clients = clients
    passes = OpenPasses(role)
    tallies = calls.map(\.tally)
  }

  func live(_ life: ActorLife) async {
    var scope = context.scope(role, actor: life.number)
    let client = clients[life.number % clients.count]
    while !life.shallStop, !Task.isCancelled {
      let call = pick(&scope.random)
      if await !call.make(over: client, &scope) { await life.wait(seconds: 0.01) }
      scope.iteration += 1
      await life.wait(seconds: role.think.seconds(&scope.random))
    }
  }

  func feed(intended: UInt64) {
    let number = passes.next()
    var scope = context.scope(role, actor: number % role.actors, pass: number)
    scope.iteration = number / role.actors
    let call = pick(&scope.random)
    guard passes.begin() else { return call.tally.notSent() }
    let client = clients[number % clients.count]
    Task { [passes, scope] in
      var scope = scope
      _ = await call.make(over: client, intended: intended, &scope)
      passes.end()
    }
  }

  private func pick(_ random: inout SplitMix64) -> PreparedCall {
    var rest = random.unit() * calls.reduce(0) { $0 + $1.weight }
    for call in calls.dropLast() {
      rest -= call.weight
      if rest < 0 { return call }
    }
    return calls[calls.count - 1]
  }
}

/// Calls and pauses in order, repeatedly.
final class SequenceWork: RoleWork {
  let tallies: [Tally]
  private let role: Scenario.Role
  private let context: RunContext
  private let steps: [PreparedStep]
  private let clients: [any LoadCaller]
  private let passes: OpenPasses

  init(
    _ role: Scenario.Role, _ context: RunContext, _ steps: [PreparedStep],
    _ clients: [any LoadCaller]
  ) {
    self.role = role
    self.context = context
    self.steps = steps
    self.clients = clients
    passes = OpenPasses(role)
    var tallies: [Tally] = []
    for case .call(let call) in steps where !tallies.contains(where: { $0 === call.tally }) {
      tallies.append(call.tally)
    }
    self.tallies = tallies
  }

  func live(_ life: ActorLife) async {
    var scope = context.scope(role, actor: life.number)
    let client = clients[life.number % clients.count]
    while !life.shallStop, !Task.isCancelled {
      if await !pass(over: client, nil, &scope, life) { await life.wait(seconds: 0.01) }
      scope.iteration += 1
      await life.wait(seconds: role.think.seconds(&scope.random))
    }
  }

  func feed(intended: UInt64) {
    let number = passes.next()
    guard passes.begin() else { return tallies.first?.notSent() ?? () }
    let client = clients[number % clients.count]
    Task { [self] in
      var scope = context.scope(role, actor: number % role.actors, pass: number)
      scope.iteration = number / role.actors
      _ = await pass(over: client, intended, &scope, nil)
      passes.end()
    }
  }

  /// One pass; the calls after a failed one are skipped, since they may need its captures.
  private func pass(
    over client: any LoadCaller, _ intended: UInt64?, _ scope: inout TemplateScope,
    _ life: ActorLife?
  ) async -> Bool {
    var intended = intended
    for step in steps {
      switch step {
      case .call(let call):
        for _ in 0..<call.repeats {
          guard !(life?.shallStop ?? false) else { return true }
          guard await call.make(over: client, intended: intended, &scope) else { return false }
          // The next call is due when the earlier ones are done.
          intended = nil
        }
      case .think(let time):
        let seconds = time.seconds(&scope.random)
        if let life {
          await life.wait(seconds: seconds)
        } else if seconds > 0 {
          try? await Task.sleep(for: .nanoseconds(Int64(seconds * 1e9)))
        }
      }
    }
    return true
  }
}

/// A validated step of a sequence.
enum PreparedStep: Sendable {
  case call(PreparedCall)
  case think(ThinkTime)
}

/// The passes of an open loop: their numbers, and how many are in progress.
final class OpenPasses: Sendable {
  private let latest = Atomic(0)
  private let open = Atomic(0)
  private let limit: Int

  init(_ role: Scenario.Role) { limit = role.maxInFlight }

  func next() -> Int { latest.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// Whether another pass may start.
  func begin() -> Bool {
    guard open.load(ordering: .relaxed) < limit else { return false }
    open.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  func end() { open.wrappingSubtract(1, ordering: .relaxed) }
}
