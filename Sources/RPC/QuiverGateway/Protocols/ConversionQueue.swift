import Dispatch
import QuiverPlatform
import Synchronization

/// Converts large messages on threads of its own, so that no event loop waits for them.
///
/// Callers take turns by the time that their conversions have taken: the next one is of the caller
/// who has used least. May be used from any thread.
final class ConversionQueue: Sendable {
  /// The conversions of one caller. Belongs to the state, behind its lock.
  private final class CallerQueue {
    var waiting: [Conversion] = []
    /// How many of them may be refused.
    var refusableCount = 0
    /// What its conversions have taken in nanoseconds; a caller who returns begins where the others
    /// are.
    var used: UInt64

    init(used: UInt64) { self.used = used }
  }

  private struct State {
    var queues: [String: CallerQueue] = [:]
    /// The conversions in all queues that may be refused.
    var refusableCount = 0
    /// What the caller of the latest turn had used.
    var used: UInt64 = 0
    /// How many queues there may be before those of idle callers are removed.
    var sweepAt = 64
    var threadCount = 0
    var isStopped = false
  }

  private let limits: GatewayLimits
  private let mostThreads: Int
  private let state = Mutex(State())
  private let ready = DispatchSemaphore(value: 0)

  /// How much lower the priority of the threads is than that of the event loops (nice(2)).
  private static let niceness: Int32 = 5

  /// - Parameter threadCount: how many convert at a time; they start with the first conversion.
  init(_ limits: GatewayLimits, threadCount: Int = max(1, Platform.usableCoreCount() / 2)) {
    self.limits = limits
    mostThreads = threadCount
  }

  /// Conversions of requests that wait for their turn.
  var waitingCount: Int { state.withLock { $0.refusableCount } }

  /// Runs a conversion in the caller's turn, or refuses it where the caller has as many waiting as
  /// one may. Where all have, the latest of the caller who has most is refused instead, if that is
  /// another one.
  func submit(_ conversion: Conversion, of caller: String) {
    let (refused, mustStart) = state.withLock { state -> (Conversion?, Bool) in
      let queue = Self.queue(of: caller, &state)
      var refused: Conversion?
      if conversion.isRefusable {
        guard queue.refusableCount < limits.maxWaitingConversionsPerCaller else {
          return (conversion, false)
        }
        if state.refusableCount >= limits.maxWaitingConversions {
          guard let latest = Self.displaced(by: queue, &state) else { return (conversion, false) }
          refused = latest
        }
        queue.refusableCount += 1
        state.refusableCount += 1
      }
      queue.waiting.append(conversion)
      let mustStart = state.threadCount < mostThreads
      if mustStart { state.threadCount += 1 }
      return (refused, mustStart)
    }
    if let refused { refused.refuse() }
    guard refused !== conversion else { return }
    ready.signal()
    guard mustStart, !Platform.startThread({ [self] in work() }) else { return }
    // Without a thread it is done here.
    state.withLock { $0.threadCount -= 1 }
    runNext()
  }

  /// Ends the threads; what waits is not done.
  func stop() {
    let count = state.withLock { state in
      state.isStopped = true
      return state.threadCount
    }
    for _ in 0..<count { ready.signal() }
  }

  private static func queue(of caller: String, _ state: inout State) -> CallerQueue {
    if let queue = state.queues[caller] {
      if queue.waiting.isEmpty { queue.used = max(queue.used, state.used) }
      return queue
    }
    if state.queues.count >= state.sweepAt {
      let used = state.used
      state.queues = state.queues.filter { !$0.value.waiting.isEmpty || $0.value.used > used }
      state.sweepAt = max(64, 2 * state.queues.count)
    }
    let queue = CallerQueue(used: state.used)
    state.queues[caller] = queue
    return queue
  }

  /// Removes the latest conversion of the caller who has most; nil: `queue` would have as many.
  private static func displaced(by queue: CallerQueue, _ state: inout State) -> Conversion? {
    guard let longest = state.queues.values.max(by: { $0.refusableCount < $1.refusableCount }),
      longest.refusableCount > queue.refusableCount + 1,
      let index = longest.waiting.lastIndex(where: \.isRefusable)
    else { return nil }
    longest.refusableCount -= 1
    state.refusableCount -= 1
    return longest.waiting.remove(at: index)
  }

  private func work() {
    Platform.lowerThreadPriority(by: Self.niceness)
    while !state.withLock({ $0.isStopped }) {
      ready.wait()
      runNext()
    }
  }

  /// Runs the next conversion, if there is one.
  private func runNext() {
    let next = state.withLock { state -> (caller: String, Conversion)? in
      guard !state.isStopped,
        let (caller, queue) = state.queues.filter({ !$0.value.waiting.isEmpty })
          .min(by: { $0.value.used < $1.value.used })
      else { return nil }
      state.used = max(state.used, queue.used)
      let conversion = queue.waiting.removeFirst()
      if conversion.isRefusable {
        queue.refusableCount -= 1
        state.refusableCount -= 1
      }
      return (caller, conversion)
    }
    guard let (caller, conversion) = next else { return }
    let start = DispatchTime.now().uptimeNanoseconds
    conversion.run()
    let time = DispatchTime.now().uptimeNanoseconds - start
    state.withLock { $0.queues[caller]?.used += time }
  }
}
