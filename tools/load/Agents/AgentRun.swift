import Dispatch
import Glibc
import Synchronization

/// A run whose load comes from several processes, on this machine or others: their histograms are
/// merged, so that one generator is not the limit.
struct AgentRun {
  private let agents: [AgentProcess]
  private let requests: [AgentRequest]

  /// Starts the processes.
  init(commands: [String], requests: [AgentRequest]) throws(Failure) {
    // An agent that has ended is reported, and does not end this process.
    signal(SIGPIPE, SIG_IGN)
    var started: [AgentProcess] = []
    do throws(Failure) {
      for (index, command) in commands.enumerated() {
        started.append(try AgentProcess(number: index + 1, command: command))
      }
    } catch {
      for agent in started { agent.end() }
      throw error
    }
    agents = started
    self.requests = requests
  }

  /// What the threads that read the agents pass on.
  private final class Mailbox: Sendable {
    private let events = Mutex<[(agent: Int, reply: AgentReply?)]>([])
    private let arrived = DispatchSemaphore(value: 0)

    /// `reply`: nil at the end of the agent's output.
    func put(_ agent: Int, _ reply: AgentReply?) {
      events.withLock { $0.append((agent, reply)) }
      arrived.signal()
    }

    func next(by deadline: DispatchTime) -> (agent: Int, reply: AgentReply?)? {
      guard arrived.wait(timeout: deadline) == .success else { return nil }
      return events.withLock { $0.removeFirst() }
    }
  }

  /// How long an agent may take until it is ready; ssh may ask for something.
  private static let readySeconds = 60.0

  /// Runs until every agent has its result; calls `second` with the merged figures of each second.
  func run(
    longestSeconds: Double, until interruption: Interruption, _ second: (Interval, Summary) -> Void
  ) throws(Failure) -> LoadRun.Result {
    defer { for agent in agents { agent.end() } }
    let mailbox = Mailbox()
    for (index, agent) in agents.enumerated() {
      Self.read(agent, index, into: mailbox)
      guard agent.send(AgentLine.text(requests[index])) else { throw Self.ended(agent) }
    }
    var ready: Set<Int> = []
    let readyBy = DispatchTime.now() + Self.readySeconds
    while ready.count < agents.count {
      let (index, reply) = try next(mailbox, readyBy)
      guard reply.isReady else { throw Self.wrong(agents[index]) }
      ready.insert(index)
    }
    for agent in agents where !agent.send("start\n") { throw Self.ended(agent) }
    var merged = MergedSeconds(agentCount: agents.count)
    var results: [Int: AgentResult] = [:]
    var isEnding = false
    let endBy = DispatchTime.now() + longestSeconds
    while results.count < agents.count {
      let (index, reply) = try next(mailbox, endBy)
      // Each agent has news once a second.
      if interruption.isOn, !isEnding {
        isEnding = true
        for (index, agent) in agents.enumerated() where results[index] == nil {
          _ = agent.send("stop\n")
        }
      }
      if let news = reply.second {
        for done in merged.add(news) { second(done.interval, done.summary) }
      } else if let result = reply.result {
        results[index] = result
      } else {
        throw Self.wrong(agents[index])
      }
    }
    for done in merged.rest() { second(done.interval, done.summary) }
    var result = Self.merged(Array(results.values), merged.series)
    result.isInterrupted = interruption.isOn
    return result
  }

  private static func read(_ agent: AgentProcess, _ index: Int, into mailbox: Mailbox) {
    DispatchQueue(label: "quiver-load.agent.\(index)").async {
      var reader = LineReader(agent.output)
      while let line = reader.next() {
        // A reply without content is refused by whoever waits for one.
        let reply = AgentLine.value(AgentReply.self, line) ?? AgentReply()
        mailbox.put(index, reply)
        // Its end after the result is no news, while others still send.
        if reply.result != nil { return }
      }
      mailbox.put(index, nil)
    }
  }

  private func next(
    _ mailbox: Mailbox, _ deadline: DispatchTime
  ) throws(Failure) -> (index: Int, reply: AgentReply) {
    while true {
      guard let (index, reply) = mailbox.next(by: deadline) else {
        throw Failure(.unreachable, "an agent did not answer in time")
      }
      guard let reply else { throw Self.ended(agents[index]) }
      if let failure = reply.failure {
        let code = reply.code.flatMap { Failure.Code(rawValue: $0) } ?? .unreachable
        throw Failure(code, "\(agents[index].name): \(failure)")
      }
      return (index, reply)
    }
  }

  private static func ended(_ agent: AgentProcess) -> Failure {
    Failure(.unreachable, "\(agent.name) ended without a result")
  }

  private static func wrong(_ agent: AgentProcess) -> Failure {
    Failure(.unreachable, "\(agent.name) does not answer like quiver-load agent")
  }

  private static func merged(_ results: [AgentResult], _ series: Series) -> LoadRun.Result {
    var result = LoadRun.Result()
    result.series = series
    for agent in results {
      result.summary.merge(agent.summary)
      result.summary.seconds = max(result.summary.seconds, agent.summary.seconds)
      result.summary.generatorSeconds += agent.summary.generatorSeconds
      result.firstMessages.merge(agent.firstMessages)
      result.gaps.merge(agent.gaps)
    }
    return result
  }
}

/// Seconds of several agents, which are merged when each agent has told its own.
struct MergedSeconds {
  private let agentCount: Int
  private var open: [Int: [AgentSecond]] = [:]
  private(set) var series = Series()

  /// One second of all agents.
  typealias Second = (interval: Interval, summary: Summary)

  init(agentCount: Int) { self.agentCount = agentCount }

  /// Adds a second of one agent; returns the seconds that are complete with it, in order.
  mutating func add(_ second: AgentSecond) -> [Second] {
    open[second.number, default: []].append(second)
    guard open[second.number]?.count == agentCount else { return [] }
    // An agent tells its seconds in order, so that earlier ones miss nothing any more.
    return close(upTo: second.number)
  }

  /// The seconds that not every agent has told.
  mutating func rest() -> [Second] { close(upTo: .max) }

  private mutating func close(upTo last: Int) -> [Second] {
    let numbers = open.keys.filter { $0 <= last }.sorted()
    return numbers.map { number in
      let parts = open.removeValue(forKey: number) ?? []
      var summary = Summary()
      for part in parts { summary.merge(part.summary) }
      let interval = Interval(
        number: number, isWarmUp: parts.contains(where: \.isWarmUp), summary: summary,
        openCalls: parts.reduce(0) { $0 + $1.openCalls },
        generatorShare: parts.map(\.generatorShare).max() ?? 0)
      if !interval.isWarmUp { series.append(interval) }
      return (interval, summary)
    }
  }
}
