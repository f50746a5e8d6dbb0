import Glibc
import QuiverRPC
import Synchronization

/// The reactor of loopback ends: jobs in order, and timers on a virtual clock or the machine's.
///
/// A manual reactor does nothing until ``runReady()`` or ``advance(byNanoseconds:)`` is called, and
/// then runs on the caller's thread: the same calls give the same events. On a dedicated thread it
/// works like a shard, so that tasks may wait for its jobs.
// Sendable because its state is behind a lock; jobs run one at a time, under `isDriven`.
package final class LoopbackReactor: Reactor, @unchecked Sendable {
  private let state: Mutex<State>
  private let currentThread = Atomic<UInt>(0)
  private let thread: LoopbackThread?
  /// Only the ends on this reactor use it.
  let coder = ReactorCoder()

  /// What runs the jobs.
  package enum Drive: Sendable {
    /// The caller, with a clock that starts here and that only `advance` moves.
    case manual(startNanoseconds: UInt64)
    /// A dedicated thread, until the transport ends.
    case ownThread
  }

  private enum Job {
    case closure(@Sendable () -> Void)
    case task(UnownedJob)
  }

  private struct State {
    var ready: [Job] = []
    var head = 0
    var timers = TimerHeap()
    /// The virtual time; not used with the machine's clock.
    var now: UInt64
    var isStopped = false
  }

  package init(_ drive: Drive) {
    switch drive {
    case .manual(let start):
      state = Mutex(State(now: start))
      thread = nil
    case .ownThread:
      state = Mutex(State(now: 0))
      thread = LoopbackThread()
    }
    thread?.start { [self] in loop() }
  }

  // MARK: Reactor

  package var isCurrent: Bool {
    currentThread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// The caller drives a manual reactor, which has no thread.
  package var permitsAccess: Bool { thread == nil || isCurrent }

  package var nowNanoseconds: UInt64 {
    thread == nil ? state.withLock { $0.now } : LoopbackThread.monotonicNanoseconds()
  }

  package func run(_ job: @escaping @Sendable () -> Void) { post(.closure(job)) }

  package func enqueue(_ job: consuming ExecutorJob) { post(.task(UnownedJob(job))) }

  /// Runs `job` at the time `due`; jobs with the same time run in the order of the calls.
  package func schedule(atNanoseconds due: UInt64, _ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.timers.insert(due, job) }
    if !isCurrent { thread?.wake() }
  }

  private func post(_ job: Job) {
    state.withLock { $0.ready.append(job) }
    if !isCurrent { thread?.wake() }
  }

  // MARK: Manual

  /// Runs ready jobs, and the jobs that they post, without moving the clock.
  package func runReady() {
    let outer = currentThread.exchange(UInt(pthread_self()), ordering: .relaxed)
    while let job = takeReady() {
      switch job {
      case .closure(let closure): closure()
      case .task(let task): task.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
    currentThread.store(outer, ordering: .relaxed)
  }

  /// Advances the clock, and runs each timer on the way.
  package func advance(byNanoseconds span: UInt64) {
    let target = nowNanoseconds &+ span
    runReady()
    while let due = nextDue, due <= target {
      moveClock(to: due)
      runReady()
    }
    moveClock(to: target)
  }

  /// Advances the clock from timer to timer until `isDone`; returns false if there is no further
  /// timer, or none within `span`.
  package func advance(
    upToNanoseconds span: UInt64, until isDone: () -> Bool
  ) -> Bool {
    let target = nowNanoseconds &+ span
    runReady()
    while !isDone() {
      guard let due = nextDue, due <= target else { return false }
      moveClock(to: due)
      runReady()
    }
    return true
  }

  /// The time of the next timer; nil if there is none.
  package var nextDue: UInt64? { state.withLock { $0.timers.earliest } }

  private func moveClock(to time: UInt64) {
    precondition(thread == nil, "the clock of a reactor with a thread is the machine's")
    state.withLock { $0.now = max($0.now, time) }
  }

  private func takeReady() -> Job? {
    let machineNow = thread == nil ? 0 : LoopbackThread.monotonicNanoseconds()
    // Released after the lock, because releasing a job may post further jobs.
    var finished: [Job] = []
    defer { finished.removeAll() }
    return state.withLock { state in
      while let job = state.timers.take(dueBy: max(state.now, machineNow)) {
        state.ready.append(.closure(job))
      }
      guard state.head < state.ready.count else {
        swap(&finished, &state.ready)
        state.head = 0
        return nil
      }
      state.head += 1
      return state.ready[state.head - 1]
    }
  }

  // MARK: On its thread

  /// Runs `job` and the jobs that it posts, then ends the thread and drops the timers.
  package func end(_ job: @escaping @Sendable () -> Void) {
    run(job)
    guard let thread else {
      runReady()
      return forget()
    }
    state.withLock { $0.isStopped = true }
    thread.wake()
  }

  /// Drops waiting jobs, which refer to the ends and to the reactor itself. Dropping them may post
  /// further jobs.
  private func forget() {
    while true {
      let dropped = state.withLock { state in
        let dropped = (state.timers, state.ready)
        state.timers = TimerHeap()
        state.ready = []
        state.head = 0
        return dropped
      }
      if dropped.0.earliest == nil, dropped.1.isEmpty { return }
    }
  }

  private func loop() {
    repeat {
      thread?.wait(untilNanoseconds: nextDue)
      runReady()
    } while !state.withLock({ $0.isStopped })
    runReady()
    forget()
  }
}
