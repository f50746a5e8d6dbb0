import Dispatch
import Glibc
import Testing

@testable import QuiverService
@testable import QuiverStore

@Suite("The reads of watches", .timeLimit(.minutes(5)))
struct WatchReadTests {
  /// A read that waits for the test.
  private final class HeldRead: Sendable {
    let begun = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)

    func submit(to reads: WatchReads) {
      reads.submit(of: .principal(1)) { _ in
        self.begun.signal()
        self.gate.wait()
      }
    }
  }

  @Test("A principal has no more of them in the scheduler than may run, whatever ends first")
  func share() {
    var limits = ReadScheduler.Limits.short
    limits.threads = StoreLimits.readThreadsPerOwner
    let scheduler = ReadScheduler(limits)
    let reads = WatchReads(scheduler, crowded: scheduler)
    let held = (0..<StoreLimits.readThreadsPerOwner + 3).map { _ in HeldRead() }
    let full = StoreLimits.readThreadsPerOwner
    for read in held.prefix(full) { read.submit(to: reads) }
    for read in held.prefix(full) { read.begun.wait() }
    // One that waits takes the place of the first, and the second ends with nothing behind it.
    held[full].submit(to: reads)
    held[0].gate.signal()
    held[full].begun.wait()
    held[1].gate.signal()
    while scheduler.threadCounts.idle == 0 && scheduler.threadCounts.all == full { sched_yield() }
    held[full + 1].submit(to: reads)
    held[full + 1].begun.wait()
    held[full + 2].submit(to: reads)
    #expect(scheduler.waitingCount == 0)
    for read in held.dropFirst(2) { read.gate.signal() }
    held[full + 2].begun.wait()
  }
}
