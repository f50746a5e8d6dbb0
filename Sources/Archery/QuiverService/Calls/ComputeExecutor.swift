import Dispatch
import QuiverRPC
import QuiverStore
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs long computations on dedicated threads, so that neither the shards nor the shared task
/// threads wait for them.
///
/// At most one computation fewer than there are cores runs at a time, and one of each principal;
/// the others wait, and principals take turns.
final class ComputeExecutor: Sendable {
  static let shared = ComputeExecutor(
    threads: max(1, ProcessInfo.processInfo.activeProcessorCount - 1))

  /// The executor of one principal's computations.
  private final class Turns: TaskExecutor {
    private let owner: Int64
    private let executor: ComputeExecutor

    init(_ owner: Int64, _ executor: ComputeExecutor) {
      self.owner = owner
      self.executor = executor
    }

    func enqueue(_ job: consuming ExecutorJob) {
      executor.append(Work(job: UnownedJob(job), executor: self), of: owner)
    }
  }

  private struct Work {
    let job: UnownedJob
    /// Kept for as long as the job runs on it.
    let executor: Turns
  }

  /// The work of one principal; what is before `head` was taken.
  private struct Waiting {
    var list: [Work] = []
    var head = 0
    var isRunning = false
    var count: Int { list.count - head }

    mutating func take() -> Work {
      defer {
        head += 1
        if head > list.count / 2 {
          list.removeFirst(head)
          head = 0
        }
      }
      return list[head]
    }
  }

  private struct State {
    var owners: [Int64: Waiting] = [:]
    /// Principals of which a computation may start, in the order of their turns.
    var turns: [Int64] = []
    var firstTurn = 0
    var threads = 0

    mutating func append(_ work: Work, of owner: Int64) {
      owners[owner, default: Waiting()].list.append(work)
      guard let waiting = owners[owner], waiting.count == 1, !waiting.isRunning else { return }
      turns.append(owner)
    }

    /// The next computation; nil if the thread must end. `last` is whose computation has ended.
    mutating func next(after last: Int64?) -> (owner: Int64, work: Work)? {
      if let last, var waiting = owners.removeValue(forKey: last) {
        waiting.isRunning = false
        if waiting.count > 0 {
          owners[last] = waiting
          turns.append(last)
        }
      }
      guard firstTurn < turns.count else {
        threads -= 1
        return nil
      }
      let owner = turns[firstTurn]
      firstTurn += 1
      if firstTurn > turns.count / 2 {
        turns.removeFirst(firstTurn)
        firstTurn = 0
      }
      guard var waiting = owners.removeValue(forKey: owner) else {
        preconditionFailure("A principal without a computation has a turn.")
      }
      let work = waiting.take()
      waiting.isRunning = true
      owners[owner] = waiting
      return (owner, work)
    }
  }

  private let threads: Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "quiver.compute", attributes: .concurrent)

  init(threads: Int) { self.threads = threads }

  /// The executor for one more computation of a principal; throws RESOURCE_EXHAUSTED if
  /// `StoreLimits.waitingLongReadsPerOwner` of them wait.
  func executor(of owner: Int64) throws(RPCError) -> any TaskExecutor {
    let count = state.withLock { $0.owners[owner]?.count ?? 0 }
    guard count < StoreLimits.waitingLongReadsPerOwner else {
      throw RPCError(
        StoreError.reached(
          .waitingLongReadsPerOwner, "too many comparisons of this principal wait; try again later",
          retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds))
    }
    return Turns(owner, self)
  }

  private func append(_ work: Work, of owner: Int64) {
    let needsThread = state.withLock { state in
      state.append(work, of: owner)
      guard state.threads < threads else { return false }
      state.threads += 1
      return true
    }
    if needsThread { queue.async { self.run() } }
  }

  private func run() {
    var last: Int64?
    while let (owner, work) = state.withLock({ $0.next(after: last) }) {
      work.job.runSynchronously(on: work.executor.asUnownedTaskExecutor())
      last = owner
    }
  }
}
