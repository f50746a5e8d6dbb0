import QuiverRPC
import Synchronization

/// A reactor whose clock and jobs the test controls.
// Sendable because its state is behind a lock.
final class ManualReactor: Reactor, @unchecked Sendable {
  private let state = Mutex(State())

  private struct State {
    var now: UInt64 = 1_000_000_000
    var jobs: [Job] = []
    var isRunning = false
  }

  private enum Job {
    case closure(@Sendable () -> Void)
    case task(UnownedJob)
  }

  var isCurrent: Bool { true }
  var nowNanoseconds: UInt64 {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  func run(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(.closure(job)) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(.task(job)) }
  }

  func runJobs() {
    while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      switch job {
      case .closure(let closure): closure()
      case .task(let task): task.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }
}
