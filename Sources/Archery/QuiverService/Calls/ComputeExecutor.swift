import Dispatch
import FoundationEssentials
import Synchronization

/// Runs long computations on dedicated threads, so that neither the shards nor the shared task
/// threads wait for them.
///
/// At most one computation fewer than there are cores runs at a time; the others wait in order.
final class ComputeExecutor: TaskExecutor {
  static let shared = ComputeExecutor(
    threads: max(1, ProcessInfo.processInfo.activeProcessorCount - 1))

  private let threads: Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "quiver.compute", attributes: .concurrent)

  private struct State {
    var waiting: [UnownedJob] = []
    var head = 0
    var threads = 0

    mutating func next() -> UnownedJob? {
      guard head < waiting.count else {
        threads -= 1
        waiting.removeAll(keepingCapacity: true)
        head = 0
        return nil
      }
      let job = waiting[head]
      head += 1
      if head >= 1_024 {
        waiting.removeFirst(head)
        head = 0
      }
      return job
    }
  }

  init(threads: Int) { self.threads = threads }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isShort = state.withLock { state in
      state.waiting.append(job)
      guard state.threads < threads else { return false }
      state.threads += 1
      return true
    }
    if isShort { queue.async { self.work() } }
  }

  private func work() {
    while let job = state.withLock({ $0.next() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
