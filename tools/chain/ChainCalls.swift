import QuiverServer
import Synchronization

/// What calls at the front of a chain have ended with.
final class ChainCalls: Sendable {
  private let client: BalancedClient
  private let probe: TimerProbe
  private let state = Mutex(State())

  struct State {
    var sent: Set<String> = []
    var acknowledged: Set<String> = []
    var endings: [StatusCode: Int] = [:]
    /// The latest end after its deadline, and for how long of this bare timers were overdue.
    var latest = (call: Duration.zero, overdue: Duration.zero)
    /// The most that a call was late without the time in which bare timers were overdue.
    var mostBeyondTimers = Duration.zero
    var late = 0
  }

  init(_ client: BalancedClient, _ probe: TimerProbe) {
    self.client = client
    self.probe = probe
  }

  var counts: State { state.withLock { $0 } }

  /// What was sent beyond the first attempt of each call.
  var retries: Int { client.attemptCounts.retries }

  /// Makes a call; answers how it ended.
  private func ending(
    _ method: UnaryMethod<Entry, Entry>, _ entry: Entry, _ options: CallOptions,
    lateAfter tolerance: Duration
  ) async -> StatusCode {
    let start = ContinuousClock.now
    var code = StatusCode.ok
    do throws(RPCError) {
      _ = try await client.call(method, entry, options: options)
    } catch {
      code = error.code
    }
    let end = ContinuousClock.now
    let deadline = start + (options.timeout ?? .zero)
    let over = deadline.duration(to: end)
    let overdue = over > .zero ? probe.overdue(from: deadline, to: end) : .zero
    state.withLock { state in
      state.endings[code, default: 0] += 1
      if over > state.latest.call { state.latest = (over, overdue) }
      state.mostBeyondTimers = max(state.mostBeyondTimers, over - overdue)
      if over - overdue > tolerance { state.late += 1 }
    }
    return code
  }

  /// Adds an entry, with one key, until a call of it succeeds or the time is over.
  func add(
    _ text: String, until end: ContinuousClock.Instant, within timeout: Duration,
    lateAfter tolerance: Duration
  ) async {
    state.withLock { _ = $0.sent.insert(text) }
    let options = CallOptions(timeout: timeout, idempotencyKey: .random())
    while ContinuousClock.now < end {
      let code = await ending(
        Chain.add, .with { $0.text = text }, options, lateAfter: tolerance)
      if code == .ok {
        state.withLock { _ = $0.acknowledged.insert(text) }
        return
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Makes calls of Get, some at a time.
  func get(_ count: Int, at once: Int, within timeout: Duration, lateAfter tolerance: Duration)
    async
  {
    await withTaskGroup { group in
      for _ in 0..<once {
        group.addTask {
          for _ in 0..<count / once {
            _ = await self.ending(
              Chain.get, Entry(), CallOptions(timeout: timeout), lateAfter: tolerance)
          }
        }
      }
    }
  }
}
