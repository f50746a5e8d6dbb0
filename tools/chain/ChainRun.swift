import Glibc
import QuiverCommandLine
import QuiverServer
import QuiverServerSQLite
import ServerPrograms

/// Three services in a chain, of two processes each, and what is done to them.
struct ChainRun {
  /// How long after its deadline a call may end, beside the time in which bare timers are overdue.
  var lateMilliseconds = 50
  private let seconds: Int
  private let directory: ScratchDirectory
  private let database: String
  private let front: [ChainProcess]
  private let middle: [ChainProcess]
  private let last: [ChainProcess]
  private let probe = TimerProbe()
  private var generator: Generator

  /// The deadline of calls.
  private static let timeout = Duration.seconds(1)
  private static let callers = 16

  /// SplitMix64.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  init(seconds: Int, seed: UInt64) throws {
    self.seconds = seconds
    generator = Generator(state: seed)
    directory = try ScratchDirectory()
    let folder = directory.make()
    database = folder + "/entries.db"
    last = [0, 1].map { [database] in ChainProcess("last-\($0)", in: folder, ["--store", database])
    }
    let toLast = ["--next", last.map(\.address).joined(separator: ",")]
    middle = [0, 1].map { ChainProcess("middle-\($0)", in: folder, toLast) }
    let toMiddle = ["--next", middle.map(\.address).joined(separator: ",")]
    front = [0, 1].map { ChainProcess("front-\($0)", in: folder, toMiddle) }
  }

  private var processes: [ChainProcess] { last + middle + front }
  private var tolerance: Duration { .milliseconds(lateMilliseconds) }

  private func calls() throws -> ChainCalls {
    ChainCalls(try BalancedClient(.init(servers: front.map(\.address))), probe)
  }

  /// Runs all of it; answers whether there were findings, which are printed.
  mutating func findings() async throws -> Bool {
    let probing = Task { [probe] in await probe.run() }
    defer {
      probing.cancel()
      for process in processes { process.signal(SIGKILL) }
    }
    for process in processes { try await process.start() }
    var findings = try await killed()
    findings += try await slowed()
    findings += try await failing()
    for finding in findings { StandardOutput.printOrExit("finding: \(finding)") }
    return !findings.isEmpty
  }

  /// Adds entries while processes are killed; each must be in the database once.
  private mutating func killed() async throws -> [String] {
    let calls = try calls()
    let (timeout, tolerance) = (Self.timeout, tolerance)
    let end = ContinuousClock.now + .seconds(seconds)
    var killCount = 0
    let callers = Task {
      await withTaskGroup { group in
        for caller in 0..<Self.callers {
          group.addTask {
            var number = 0
            while ContinuousClock.now < end {
              number += 1
              // The last entries are sent until they succeed.
              await calls.add(
                "\(caller)-\(number)", until: end + .seconds(60), within: timeout,
                lateAfter: tolerance)
              try? await Task.sleep(for: .milliseconds(10))
            }
          }
        }
      }
    }
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(Int.random(in: 200...600, using: &generator)))
      guard let process = processes.randomElement(using: &generator) else { break }
      // SIGILL is what a trap of a handler ends its process with.
      await process.kill(Bool.random(using: &generator) ? SIGKILL : SIGILL)
      killCount += 1
      try await process.start()
    }
    await callers.value
    let counts = calls.counts
    let kept = try await keptEntries()
    let lost = counts.acknowledged.filter { kept[$0] == nil }
    let doubled = kept.filter { $0.value > 1 }
    StandardOutput.printOrExit(
      """
      kills: \(killCount) of processes, \(counts.acknowledged.count) entries of \
      \(counts.sent.count) acknowledged, \(lost.count) lost, \(doubled.count) doubled; \
      \(summary(counts))
      """)
    var findings = lost.prefix(5).map { "entry \($0) was acknowledged and is lost" }
    findings += doubled.prefix(5).map { "entry \($0.key) is there \($0.value) times" }
    if counts.acknowledged != counts.sent {
      findings.append("\(counts.sent.count - counts.acknowledged.count) entries never succeeded")
    }
    if killCount == 0 || counts.acknowledged.isEmpty { findings.append("nothing was tested") }
    return findings + lateness(counts)
  }

  private func keptEntries() async throws -> [String: Int] {
    let store = try SQLiteStore(path: database, schema: ChainLink.schema)
    let rows = try await store.read {
      try $0.rows("SELECT text, count(*) FROM entries GROUP BY text")
    }
    return Dictionary(
      uniqueKeysWithValues: rows.map { ($0[0].text ?? "", Int($0[1].integer ?? 0)) })
  }

  /// Calls while one of the two processes in the middle answers half of its calls after three
  /// seconds.
  private func slowed() async throws -> [String] {
    await middle[0].kill(SIGKILL)
    try await middle[0].start(["--slow", "50"])
    let calls = try calls()
    await calls.get(800, at: Self.callers, within: .milliseconds(500), lateAfter: tolerance)
    let counts = calls.counts
    StandardOutput.printOrExit("slow middle: \(summary(counts)); \(calls.retries) retries")
    var findings = lateness(counts)
    let others = counts.endings.keys.filter { $0 != .ok && $0 != .deadlineExceeded }
    for code in others { findings.append("\(counts.endings[code] ?? 0) calls ended \(code)") }
    if calls.retries > 0 { findings.append("a call was sent again after its deadline") }
    await middle[0].kill(SIGKILL)
    try await middle[0].start()
    return findings
  }

  /// Calls while half of those of the last service fail.
  private func failing() async throws -> [String] {
    for process in last {
      await process.kill(SIGKILL)
      try await process.start(["--failing", "50"])
    }
    let calls = try calls()
    let count = 1_600
    await calls.get(count, at: Self.callers, within: .seconds(10), lateAfter: tolerance)
    var attempts = 0
    for process in last { attempts += try await process.attemptCount() }
    // Each client adds at most its reserve and a tenth of its calls: one before the front, and one
    // in each of its two processes and of the two in the middle.
    var most = Double(count)
    for clients in [1.0, 2, 2] { most = most * 1.1 + 10 * clients }
    StandardOutput.printOrExit(
      """
      half fail: \(attempts) attempts at the last service for \(count) calls, at most \
      \(Int(most)); \
      \(summary(calls.counts))
      """)
    var findings = lateness(calls.counts)
    if Double(attempts) > most { findings.append("\(attempts) attempts are more than \(most)") }
    return findings
  }

  private func summary(_ counts: ChainCalls.State) -> String {
    let endings = counts.endings.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
    return """
      \(endings); the latest end \(milliseconds(counts.latest.call)) ms after its deadline, timers \
      overdue for \(milliseconds(counts.latest.overdue)) ms of it; without such time at most \
      \(milliseconds(counts.mostBeyondTimers)) ms
      """
  }

  private func lateness(_ counts: ChainCalls.State) -> [String] {
    guard counts.late > 0 else { return [] }
    return [
      """
      \(counts.late) calls ended over \(lateMilliseconds) ms after their deadline, without the \
      time in which bare timers were overdue
      """
    ]
  }
}
