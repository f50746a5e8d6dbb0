import QuiverRPC
import QuiverStore
import Synchronization
import Testing

@testable import QuiverService

@Suite("Completions on a reactor", .timeLimit(.minutes(5)))
struct ReactorTargetsTests {
  @Test("All completions of a commit batch arrive in one job, in order")
  func oneJob() {
    let reactor = CountingReactor()
    let order = Recorder()
    let target = ReactorTargets().target(of: reactor)
    target.deliver((0..<5).map { number in { order.append(number) } })
    #expect(reactor.jobCount == 1)
    #expect(order.numbers == [0, 1, 2, 3, 4])
  }

  @Test("Each reactor has exactly one target")
  func identity() {
    let targets = ReactorTargets()
    let (one, other) = (CountingReactor(), CountingReactor())
    #expect(targets.target(of: one) === targets.target(of: one))
    #expect(targets.target(of: one) !== targets.target(of: other))
  }
}

/// A reactor that runs each job at once and counts them.
private final class CountingReactor: Reactor {
  private let jobs = Mutex(0)

  var jobCount: Int { jobs.withLock { $0 } }
  var isCurrent: Bool { true }
  var nowNanoseconds: UInt64 { 1 }

  func run(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0 += 1 }
    job()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

private final class Recorder: Sendable {
  private let list = Mutex<[Int]>([])

  var numbers: [Int] { list.withLock { $0 } }

  func append(_ number: Int) { list.withLock { $0.append(number) } }
}
