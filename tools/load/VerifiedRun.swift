import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// A run of writes that are read back at its end.
///
/// Through the client library as users have it, retries and all, and so without the speed of a
/// plain run.
final class VerifiedRun: Sendable {
  private let settings: LoadRun.Settings
  private let writes: WriteBook
  private let client: RPCClient
  private let request: [UInt8]
  private let recorded = Mutex(Summary())
  private let open = Atomic(0)
  private let silence = Mutex(Silence())
  /// nil: the calls have no deadline.
  private let timeout: Duration?
  private let interruption: Interruption

  /// Whether, and since when, the server answers nothing; times are in nanoseconds.
  private struct Silence {
    private var lastAnswer: UInt64 = 0
    private var since: UInt64?
    private(set) var isOver = false

    mutating func answered() {
      lastAnswer = Clock.nanoseconds()
      since = nil
    }

    /// A call that was sent at a time got no answer; it may have taken `timeout`.
    mutating func unanswered(sent: UInt64, _ timeout: Duration) {
      let start = since ?? max(sent, lastAnswer)
      since = start
      if .nanoseconds(Clock.nanoseconds() &- start) >= timeout { isOver = true }
    }
  }

  /// - Parameter request: encoded; the number of each write is written into it.
  init(
    _ settings: LoadRun.Settings, _ writes: WriteBook, over client: RPCClient,
    request: [UInt8], timeout: Duration? = nil, until interruption: Interruption = Interruption()
  ) {
    self.interruption = interruption
    self.timeout = timeout
    self.settings = settings
    self.writes = writes
    self.client = client
    self.request = request
  }

  /// Whether the run was ended because the server answered nothing for the timeout of a call.
  var isSilent: Bool { silence.withLock { $0.isOver } }

  /// Whether no further write is sent.
  private var isOver: Bool { isSilent || interruption.isOn }

  func run() async -> LoadRun.Result {
    let start = Clock.nanoseconds()
    let cpu = Clock.processorSeconds()
    if let rate = settings.rate {
      await openLoop(rate, start)
    } else {
      await closedLoop()
    }
    var result = LoadRun.Result()
    result.summary = recorded.withLock { $0 }
    result.isInterrupted = interruption.isOn
    result.summary.seconds = Double(Clock.nanoseconds() &- start) / 1e9
    result.summary.generatorSeconds = Clock.processorSeconds() - cpu
    return result
  }

  private func openLoop(_ rate: Double, _ start: UInt64) async {
    var arrivals = Arrivals(settings.arrivals, rate: rate, seed: settings.seed)
    let end = LoadRun.nanoseconds(settings.seconds)
    var count: UInt64 = 0
    await withDiscardingTaskGroup { group in
      while UInt64(arrivals.nextNanoseconds) < end, count < settings.count ?? .max, !isOver {
        let intended = start &+ UInt64(arrivals.nextNanoseconds)
        await wait(until: intended)
        guard !isOver else { break }
        if open.load(ordering: .relaxed) < settings.maxOpen {
          open.wrappingAdd(1, ordering: .relaxed)
          group.addTask {
            await self.write(intended: intended)
            self.open.wrappingSubtract(1, ordering: .relaxed)
          }
        } else {
          recorded.withLock { $0.unsent &+= 1 }
        }
        arrivals.advance()
        count += 1
      }
      // Each has a deadline.
      while open.load(ordering: .relaxed) > 0, !isSilent {
        try? await Task.sleep(for: .milliseconds(5))
      }
      if isSilent { group.cancelAll() }
    }
  }

  private func closedLoop() async {
    await withTaskGroup(of: Void.self) { group in
      let share = (settings.count ?? 0) / UInt64(settings.concurrency)
      let rest = (settings.count ?? 0) % UInt64(settings.concurrency)
      for number in 0..<settings.concurrency {
        group.addTask {
          for _ in 0..<share + (UInt64(number) < rest ? 1 : 0) {
            // Not as `where`, with which the rest of the calls would be counted one by one.
            guard !self.isOver else { break }
            await self.write(intended: nil)
          }
        }
      }
      while await group.next() != nil {
        if isSilent { group.cancelAll() }
      }
    }
  }

  /// Sleeps until a time, or until the run is ended.
  private func wait(until time: UInt64) async {
    while !isOver {
      let now = Clock.nanoseconds()
      guard time > now else { return }
      try? await Task.sleep(for: .nanoseconds(min(time - now, 50_000_000)))
    }
  }

  private func write(intended: UInt64?) async {
    let number = writes.next()
    let bytes = writes.stamped(request, number)
    let sent = Clock.nanoseconds()
    var code: StatusCode?
    do throws(RPCError) {
      let options = CallOptions(timeout: timeout)
      let reply = try await client.callEncoded(writes.kind.method, bytes, options: options)
      writes.acknowledged(number, sent: sent, answered: Clock.nanoseconds(), reply: reply.message)
      silence.withLock { $0.answered() }
    } catch {
      code = error.code
      writes.failed(number, error)
      silence.withLock { silence in
        // The runtime of a server ends calls in time of which nothing else answers.
        if error.origin == .server, error.code != .deadlineExceeded {
          silence.answered()
        } else if let timeout {
          silence.unanswered(sent: sent, timeout)
        }
      }
    }
    let now = Clock.nanoseconds()
    recorded.withLock { [code] summary in
      if sent &- (intended ?? sent) > settings.lateNanoseconds { summary.late &+= 1 }
      guard code == nil else { return summary.fail(code ?? .unknown) }
      summary.latency.record(nanoseconds: now &- (intended ?? sent))
      summary.service.record(nanoseconds: now &- sent)
      summary.succeeded &+= 1
    }
  }
}
