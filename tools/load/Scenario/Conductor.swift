import Dispatch
import QuiverWire

/// Runs a scenario's time: starts and stops actors, sends the passes of open loops according to the
/// stages, and closes the seconds.
final class Conductor {
  private let scenario: Scenario
  private let roles: [Part]
  private let gate: Tally.Gate
  private var series: [Series]
  private var all = Series()
  private var stages: [StageResult]
  private var total = Summary()
  /// How long the last replies are awaited.
  private let patienceSeconds: Double
  /// The start of the current second.
  private var lastTurn: UInt64 = 0

  /// A running role.
  fileprivate final class Part {
    let role: Scenario.Role
    let work: any RoleWork
    let curve: LevelCurve
    var arrivals: CurvedArrivals?
    var actors: [ActorLife] = []
    /// Actors that were told to stop and have not ended.
    var leaving: [ActorLife] = []

    init(_ role: Scenario.Role, _ work: any RoleWork, _ scenario: Scenario) {
      self.role = role
      self.work = work
      curve = LevelCurve(role.stages ?? scenario.stages)
      arrivals = scenario.arrivals(of: role)
    }

    /// Calls that are meant to wait for replies do not count in the totals.
    var countsInTotal: Bool {
      switch role.work {
      case .mix, .sequence, .scorers, .matches, .reconnectStorm: true
      case .subscribers, .slowReaders, .idle, .misbehaving, .attackers, .gatewayAttackers: false
      }
    }
  }

  /// The interval of adjusting the number of actors, in nanoseconds.
  private static let beat: UInt64 = 10_000_000
  /// Calls that are due within this time are sent together.
  private static let grain: UInt64 = 500_000

  init(
    _ scenario: Scenario, _ works: [(role: Scenario.Role, work: any RoleWork)],
    _ gate: Tally.Gate, patienceSeconds: Double = LoadRun.patience
  ) {
    self.patienceSeconds = patienceSeconds
    self.scenario = scenario
    self.gate = gate
    roles = works.map { role, work in
      Part(role, work, scenario)
    }
    series = works.flatMap { $0.work.tallies.map { _ in Series() } }
    stages = scenario.stages.map { StageResult(stage: $0) }
  }

  /// The result of a run.
  struct Result: Sendable {
    var total = Summary()
    var series = Series()
    var stages: [StageResult] = []
    var tallies: [Tally.Result] = []
    /// The server's processor time; nil if it was not requested or cannot be read.
    var serverSeconds: Double?
    /// Whether an ``Interruption`` ended it before its time.
    var isInterrupted = false
  }

  /// The result of one stage, for all roles that count in the totals.
  struct StageResult: Sendable {
    let stage: Stage
    var summary = Summary()
    /// The memory of this process, and of the server if it is known, at the stage's end.
    var residentBytes = 0
    var serverBytes: Int?
    var residentBytesBefore = 0
    var serverBytesBefore: Int?
  }

  /// Runs all stages on this thread, and waits for the last replies; reports each second.
  func run(
    serverProcess: Int32?, until interruption: Interruption,
    _ tell: (Interval, Summary, [(tally: Tally, second: Interval)]) -> Void
  ) -> Result {
    let start = Clock.nanoseconds()
    let end = start &+ LoadRun.nanoseconds(scenario.seconds)
    let warm = start &+ LoadRun.nanoseconds(scenario.warmUpSeconds)
    var (nextSecond, number) = (start &+ 1_000_000_000, 1)
    var cpu = Clock.processorSeconds()
    var used = ProcessorTimes(serverProcess)
    var isCounting = false
    var stage = 0
    enter(stage, serverProcess)
    while true {
      let now = Clock.nanoseconds()
      if !isCounting, now >= warm {
        isCounting = true
        gate.open(from: warm)
        used = ProcessorTimes(serverProcess)
        lastTurn = warm
      }
      let time = Double(now &- start) / 1e9
      for part in roles { adjust(part, at: time) }
      if now >= nextSecond {
        let spent = Clock.processorSeconds()
        turn(number, isWarmUp: !isCounting, stage, spent - cpu, now, tell)
        (cpu, number, nextSecond) = (spent, number + 1, nextSecond &+ 1_000_000_000)
        let reached = self.stage(at: time)
        if reached != stage {
          leave(stage, serverProcess)
          stage = reached
          enter(stage, serverProcess)
        }
      }
      guard now < end, !interruption.isOn else { break }
      feed(start, until: min(end, nextSecond, now &+ Self.beat, isCounting ? .max : warm))
    }
    let over = Clock.nanoseconds()
    drain(over)
    used = ProcessorTimes(serverProcess).since(used)
    turn(number, isWarmUp: !isCounting, stage, Clock.processorSeconds() - cpu, over) { _, _, _ in }
    leave(stage, serverProcess)
    var result = Result()
    total.seconds = LoadRun.seconds(from: warm, to: over)
    total.generatorSeconds = used.own
    result.serverSeconds = used.server
    result.total = total
    result.series = all
    result.stages = stages
    result.isInterrupted = interruption.isOn
    let tallies = roles.flatMap(\.work.tallies)
    result.tallies = zip(tallies, series).map { $0.result(series: $1) }
    let counted = roles.filter(\.countsInTotal).flatMap { $0.work.tallies.map(\.role) }
    for tally in result.tallies where counted.contains(tally.role) {
      result.total.outageSeconds = max(
        result.total.outageSeconds, tally.counts.summary.outageSeconds)
    }
    return result
  }

  // MARK: Stages

  private func stage(at seconds: Double) -> Int {
    var end = 0.0
    for (index, stage) in scenario.stages.enumerated() {
      end += stage.seconds
      if seconds < end { return index }
    }
    return scenario.stages.count - 1
  }

  private func enter(_ stage: Int, _ serverProcess: Int32?) {
    stages[stage].residentBytesBefore = Clock.residentBytes(of: nil) ?? 0
    stages[stage].serverBytesBefore = serverProcess.flatMap { Clock.residentBytes(of: $0) }
  }

  private func leave(_ stage: Int, _ serverProcess: Int32?) {
    stages[stage].residentBytes = Clock.residentBytes(of: nil) ?? 0
    stages[stage].serverBytes = serverProcess.flatMap { Clock.residentBytes(of: $0) }
  }

  // MARK: Actors and passes

  /// Starts and stops actors until their number matches the level.
  private func adjust(_ part: Part, at seconds: Double) {
    part.leaving.removeAll(where: \.isOver)
    guard part.arrivals == nil else { return }
    let wanted = Int((part.curve.level(at: seconds) * Double(part.role.actors)).rounded(.up))
    while part.actors.count > wanted, let last = part.actors.popLast() {
      part.dismiss(last)
    }
    while part.actors.count < wanted {
      let life = ActorLife(number: part.actors.count)
      part.actors.append(life)
      life.start(part.work)
    }
  }

  /// Sends calls that are due before `wake`, and returns then.
  private func feed(_ start: UInt64, until wake: UInt64) {
    while true {
      let now = Clock.nanoseconds()
      guard now < wake else { return }
      var next = wake
      for part in roles {
        guard let due = part.send(dueBy: now, start) else { continue }
        next = min(next, due)
      }
      Clock.sleep(untilNanoseconds: min(wake, max(next, now &+ Self.grain)))
    }
  }

  /// Sends nothing after `over`, and waits for earlier calls; counts those without a reply.
  private func drain(_ over: UInt64) {
    gate.rest(from: over)
    for part in roles {
      while let life = part.actors.popLast() { part.dismiss(life) }
    }
    let end = over &+ LoadRun.nanoseconds(patienceSeconds)
    let tallies = roles.flatMap(\.work.tallies)
    while tallies.contains(where: \.isWaiting), Clock.nanoseconds() < end {
      Clock.sleep(untilNanoseconds: Clock.nanoseconds() &+ Self.beat)
    }
    let now = Clock.nanoseconds()
    for tally in tallies { tally.giveUp(at: now) }
    gate.close()
  }

  /// Ends what the actors still do, which does not count.
  func finish() async {
    for life in roles.flatMap(\.leaving) { life.cancel() }
    while roles.contains(where: { !$0.leaving.allSatisfy(\.isOver) }) {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  // MARK: Seconds

  private func turn(
    _ number: Int, isWarmUp: Bool, _ stage: Int, _ share: Double, _ now: UInt64,
    _ tell: (Interval, Summary, [(tally: Tally, second: Interval)]) -> Void
  ) {
    var second = Summary()
    var openCalls = 0
    var told: [(tally: Tally, second: Interval)] = []
    var index = 0
    for part in roles {
      for tally in part.work.tallies {
        let (counts, open) = tally.turn()
        let row = Interval(
          number: number, isWarmUp: isWarmUp, summary: counts.summary, openCalls: open,
          generatorShare: 0)
        if !isWarmUp { series[index].append(row) }
        told.append((tally, row))
        openCalls += open
        if part.countsInTotal, counts.summary.ended &+ counts.summary.unsent > 0 {
          second.merge(counts.summary)
        }
        index += 1
      }
    }
    let row = Interval(
      number: number, isWarmUp: isWarmUp, summary: second, openCalls: openCalls,
      generatorShare: share)
    if !isWarmUp {
      all.append(row)
      total.merge(second)
      stages[stage].summary.merge(second)
      stages[stage].summary.seconds += Double(now &- lastTurn) / 1e9
      lastTurn = now
    }
    tell(row, second, told)
  }
}

extension Conductor.Part {
  /// Tells an actor to stop. One that waits for messages is ended at once.
  fileprivate func dismiss(_ life: ActorLife) {
    switch role.work {
    case .subscribers, .slowReaders: life.cancel()
    default: life.stop()
    }
    leaving.append(life)
  }

  /// Sends the passes that are due; returns when the next one is, nil if there is none.
  fileprivate func send(dueBy now: UInt64, _ start: UInt64) -> UInt64? {
    guard var arrivals else { return nil }
    defer { self.arrivals = arrivals }
    while arrivals.next.isFinite {
      let due = start &+ UInt64(arrivals.next * 1e9)
      guard due <= now else { return due }
      work.feed(intended: due)
      arrivals.advance()
    }
    return nil
  }
}
