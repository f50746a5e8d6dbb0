import Dispatch
import Glibc
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A run against a server: warm-up, then the measured time.
///
/// A call counts by the time at which it was due. Calls that are open at the end have
/// ``Settings/patienceSeconds`` to end; those without a reply then count as unanswered.
final class LoadRun: Sendable {
  let settings: Settings
  private let connections: [LoadConnection]
  private let recorders: [Recorder]
  private let budget: CallBudget?
  private let isStream: Bool

  /// The settings of a run.
  struct Settings: Sendable {
    /// Calls per second; nil for a closed loop of ``concurrency`` calls.
    var rate: Double?
    var arrivals = Arrivals.Shape.constant
    var seed: UInt64 = 1
    /// The open calls of a closed loop.
    var concurrency = 1
    var connections = 1
    var threads = 1
    var seconds = 10.0
    var warmUpSeconds = 1.0
    /// The number of calls, after which the run ends; nil if it ends by time.
    var count: UInt64?
    /// A call that is sent later than this after its due time counts as late.
    var lateNanoseconds = Recorder.lateNanoseconds
    /// The number of open calls above which an open loop counts further ones as unsent.
    var maxOpen = 10_000
    /// How long the run waits at the end for missing replies.
    var patienceSeconds = LoadRun.patience
  }

  /// Longer than the default timeout of a call.
  static let patience = 12.0

  /// Connects to each of the endpoints in turn; the calls start with ``run(_:)``.
  init<Carrier: Transport>(
    _ settings: Settings, _ plan: Plan, over transport: Carrier,
    to endpoints: Rotation<Carrier.Endpoint>, _ options: ConnectOptions
  ) {
    self.settings = settings
    budget = settings.count.map { CallBudget($0) }
    isStream = plan.method.kind.serverStreams
    var connections: [LoadConnection] = []
    var recorders: [ObjectIdentifier: Recorder] = [:]
    let isClosed = settings.rate == nil
    let share = (settings.maxOpen + settings.connections - 1) / settings.connections
    for number in 0..<settings.connections {
      let end = transport.connect(to: endpoints.next(), options)
      let recorder =
        recorders[ObjectIdentifier(end.reactor)]
        ?? Recorder(reactor: end.reactor, lateNanoseconds: settings.lateNanoseconds)
      recorders[ObjectIdentifier(end.reactor)] = recorder
      connections.append(
        LoadConnection(
          plan, number: number, end, recorder, isClosedLoop: isClosed,
          maxOpen: isClosed ? .max : share, budget: budget
        ) { transport.connect(to: endpoints.next(), options) })
    }
    self.connections = connections
    self.recorders = Array(recorders.values)
  }

  /// Runs on this thread until the end; calls `second` after each second with its figures and its
  /// summary.
  ///
  /// - Parameters:
  ///   - serverProcess: the process whose processor time is measured too.
  ///   - interruption: ends the run early.
  func run(
    serverProcess: Int32? = nil, until interruption: Interruption = Interruption(),
    _ second: (Interval, Summary) -> Void
  ) -> Result {
    let start = Clock.nanoseconds()
    let warm = start &+ Self.nanoseconds(settings.warmUpSeconds)
    let end = warm &+ Self.nanoseconds(settings.seconds)
    onReactors { $0.countStart = warm }
    if settings.rate == nil { beginClosedLoop() }
    var feeder = settings.rate.map { rate in
      Feeder(
        connections, Arrivals(settings.arrivals, rate: rate, seed: settings.seed), start: start)
    }
    var result = Result()
    var nextSecond = start &+ 1_000_000_000
    var before = Total()
    var isCounting = settings.warmUpSeconds <= 0
    var used = ProcessorTimes(serverProcess)
    var cpuBefore = used.own
    while true {
      let now = Clock.nanoseconds()
      if !isCounting, now >= warm {
        isCounting = true
        used = ProcessorTimes(serverProcess)
      }
      if now >= nextSecond {
        let total = totals()
        let cpu = Clock.processorSeconds()
        let summary = total.since(before)
        let report = Interval(
          number: Int((now &- start) / 1_000_000_000), isWarmUp: !isCounting,
          summary: summary, openCalls: total.openCalls, generatorShare: (cpu - cpuBefore))
        if isCounting { result.series.append(report) }
        second(report, summary)
        (before, cpuBefore) = (total, cpu)
        nextSecond = nextSecond &+ 1_000_000_000
        look(now)
      }
      guard now < end, budget?.isSpent != true, !interruption.isOn else { break }
      var wake = min(end, nextSecond, isCounting ? .max : warm)
      if budget != nil { wake = min(wake, now &+ Self.budgetCheckNanoseconds) }
      if feeder == nil {
        Clock.sleep(untilNanoseconds: wake)
      } else {
        feeder?.feed(until: wake)
      }
    }
    let sent = Clock.nanoseconds()
    drain()
    let total = totals()
    // A run with a number of calls ends with the last of them.
    let over = budget == nil ? sent : Clock.nanoseconds()
    result.summary = total.summary
    result.firstMessages = total.firstMessages
    result.gaps = total.gaps
    result.summary.seconds = Self.seconds(from: warm, to: over)
    result.isInterrupted = interruption.isOn
    if !isStream {
      let shortest = AnswerTimeline.shortestOutage(
        rate: settings.rate,
        medianMicroseconds: result.summary.service.microseconds(at: 0.5))
      result.summary.outageSeconds = total.answers.outageSeconds(until: over, shortest: shortest)
    }
    used = ProcessorTimes(serverProcess).since(used)
    result.summary.generatorSeconds = used.own
    result.serverSeconds = used.server
    finish()
    return result
  }

  static func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(max(0, seconds) * 1e9) }

  /// Zero where the counted time had not begun at the end.
  static func seconds(from start: UInt64, to end: UInt64) -> Double {
    end > start ? Double(end - start) / 1e9 : 0
  }

  private func beginClosedLoop() {
    for number in 0..<settings.concurrency {
      let connection = connections[number % connections.count]
      connection.recorder.reactor.run {
        let now = Clock.nanoseconds()
        connection.send(intended: now, now: now)
      }
    }
  }

  private func look(_ now: UInt64) {
    for connection in connections { connection.recorder.reactor.run { connection.look(now: now) } }
  }

  /// Sends nothing more and waits for open calls; counts those without a reply.
  private func drain() {
    for connection in connections { connection.recorder.reactor.run { connection.rest() } }
    let end = Clock.nanoseconds() &+ Self.nanoseconds(settings.patienceSeconds)
    while totals().waiting > 0, Clock.nanoseconds() < end {
      Clock.sleep(untilNanoseconds: Clock.nanoseconds() &+ Self.lookNanoseconds)
    }
    for connection in connections {
      connection.recorder.reactor.run { connection.countUnanswered() }
    }
  }

  /// The interval of checks whether all calls have a reply.
  private static let lookNanoseconds: UInt64 = 2_000_000
  /// How often a run with a number of calls checks whether all were sent.
  private static let budgetCheckNanoseconds: UInt64 = 5_000_000

  /// Runs `action` with each recorder on its reactor, and waits for all.
  private func onReactors(_ action: @escaping @Sendable (Recorder) -> Void) {
    let group = DispatchGroup()
    for recorder in recorders {
      group.enter()
      recorder.reactor.run {
        action(recorder)
        group.leave()
      }
    }
    group.wait()
  }

  private func totals() -> Total {
    let box = Box()
    onReactors { recorder in box.add(recorder) }
    return box.total
  }

  private func finish() {
    for connection in connections {
      connection.recorder.reactor.run {
        connection.stop()
        connection.close()
      }
    }
  }

  /// The counts of all recorders at one time.
  struct Total: Sendable {
    var summary = Summary()
    var firstMessages = Histogram()
    var gaps = Histogram()
    var answers = AnswerTimeline()
    var openCalls = 0
    var waiting = 0

    /// The difference, without the extremes.
    func since(_ earlier: Total) -> Summary {
      var result = Summary()
      result.latency = summary.latency.since(earlier.summary.latency)
      result.service = summary.service.since(earlier.summary.service)
      result.lag = summary.lag.since(earlier.summary.lag)
      result.succeeded = summary.succeeded &- earlier.summary.succeeded
      for (code, count) in summary.failures {
        let difference = count &- earlier.summary.failures[code, default: 0]
        if difference > 0 { result.failures[code] = difference }
      }
      result.late = summary.late &- earlier.summary.late
      result.unsent = summary.unsent &- earlier.summary.unsent
      result.messages = summary.messages &- earlier.summary.messages
      result.seconds = 1
      return result
    }
  }

  // Sendable because the lock guards all of it.
  private final class Box: @unchecked Sendable {
    private let lock = DispatchSemaphore(value: 1)
    private(set) var total = Total()

    func add(_ recorder: Recorder) {
      lock.wait()
      total.summary.merge(recorder.total)
      total.firstMessages.merge(recorder.firstMessages)
      total.gaps.merge(recorder.gaps)
      total.answers.merge(recorder.answers)
      total.openCalls += recorder.openCalls
      total.waiting += recorder.waiting
      lock.signal()
    }
  }

  /// The result of a run.
  struct Result: Sendable {
    var summary = Summary()
    var firstMessages = Histogram()
    var gaps = Histogram()
    var series = Series()
    /// The server's processor time; nil if it was not requested or cannot be read.
    var serverSeconds: Double?
    /// Whether it ended before its time, as asked by an ``Interruption``.
    var isInterrupted = false
  }
}

/// Sends the calls of an open loop at their times, on its thread.
private struct Feeder {
  private let connections: [LoadConnection]
  private var arrivals: Arrivals
  private let start: UInt64
  private var nextConnection = 0
  private var batches: [[UInt64]]

  /// Calls that are due within this time are sent together: a sleeping thread's clock is no finer.
  private static let grainNanoseconds: UInt64 = 50_000

  init(_ connections: [LoadConnection], _ arrivals: Arrivals, start: UInt64) {
    self.connections = connections
    self.arrivals = arrivals
    self.start = start
    batches = Array(repeating: [], count: connections.count)
  }

  /// Sends due calls, and returns at `wake`.
  mutating func feed(until wake: UInt64) {
    while true {
      let now = Clock.nanoseconds()
      guard now < wake else { return }
      send(dueBy: now)
      let due = start &+ UInt64(arrivals.nextNanoseconds)
      Clock.sleep(untilNanoseconds: min(wake, max(due, now &+ Self.grainNanoseconds)))
    }
  }

  private mutating func send(dueBy now: UInt64) {
    var hasAny = false
    while true {
      let due = start &+ UInt64(arrivals.nextNanoseconds)
      guard due <= now else { break }
      batches[nextConnection].append(due)
      nextConnection = (nextConnection + 1) % connections.count
      arrivals.advance()
      hasAny = true
    }
    guard hasAny else { return }
    for index in connections.indices where !batches[index].isEmpty {
      let (connection, batch) = (connections[index], batches[index])
      batches[index].removeAll(keepingCapacity: true)
      connection.recorder.reactor.run {
        let now = Clock.nanoseconds()
        for intended in batch { connection.send(intended: intended, now: now) }
      }
    }
  }
}
