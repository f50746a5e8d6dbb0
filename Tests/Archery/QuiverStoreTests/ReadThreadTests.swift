import Dispatch
import Testing

@testable import QuiverStore

@Suite("The threads of reads", .timeLimit(.minutes(5)))
struct ReadThreadTests {
  private static func scheduler(
    _ change: (inout ReadScheduler.Limits) -> Void
  ) -> ReadScheduler {
    var limits = ReadScheduler.Limits.short
    change(&limits)
    return ReadScheduler(limits)
  }

  private static func submit(
    _ reads: ReadScheduler, _ principal: Int64, _ body: @escaping @Sendable () -> Void
  ) -> StoreError? {
    reads.submit(of: .principal(principal), CommandCancellation()) { _ in body() }
  }

  /// Gives other threads a moment: one that only asks again keeps them from the lock.
  private static func pause() {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
  }

  /// Runs a read, and waits until its thread waits for the next one.
  private static func runRead(_ reads: ReadScheduler) {
    let ended = DispatchSemaphore(value: 0)
    #expect(submit(reads, 1) { ended.signal() } == nil)
    ended.wait()
    while reads.threadCounts.idle == 0 && reads.threadCounts.all > 0 { pause() }
  }

  @Test("A thread that waits takes the next read, and none is started for it")
  func idleThread() {
    let reads = Self.scheduler { $0.threads = 2 }
    Self.runRead(reads)
    // A thread that is not woken waits for ten seconds.
    for _ in 0..<100 {
      Self.runRead(reads)
      #expect(reads.threadCounts.all <= 1)
    }
  }

  @Test("A thread that has taken a read does not wait, and another one is started")
  func busyThread() {
    let reads = Self.scheduler { $0.threads = 2 }
    let (begun, gate, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Self.runRead(reads)
    let first = Self.submit(reads, 1) {
      begun.signal()
      gate.wait()
    }
    #expect(first == nil)
    begun.wait()
    #expect(reads.threadCounts == (1, 0))
    #expect(Self.submit(reads, 2) { ended.signal() } == nil)
    #expect(reads.threadCounts.all == 2)
    gate.signal()
    ended.wait()
  }

  @Test("Threads that wait end when the scheduler is stopped")
  func stop() {
    // A thread that is not woken waits for ten seconds.
    for _ in 0..<40 {
      let reads = Self.scheduler { $0.threads = 2 }
      Self.runRead(reads)
      reads.stop()
      while reads.threadCounts.all > 0 { Self.pause() }
      #expect(reads.threadCounts == (0, 0))
    }
  }

  @Test("There are at most as many threads as the limit says")
  func threadLimit() {
    let reads = Self.scheduler { $0.threads = 1 }
    let (begun, gate, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let first = Self.submit(reads, 1) {
      begun.signal()
      gate.wait()
      ended.signal()
    }
    #expect(first == nil)
    begun.wait()
    #expect(Self.submit(reads, 2) { ended.signal() } == nil)
    #expect(reads.threadCounts.all == 1)
    gate.signal()
    ended.wait()
    ended.wait()
  }

  @Test("As many reads of all owners may wait as the limit says")
  func waitingLimit() {
    let reads = Self.scheduler {
      $0.threads = 1
      $0.waiting = 3
    }
    let (begun, gate, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let first = Self.submit(reads, 1) {
      begun.signal()
      gate.wait()
      ended.signal()
    }
    #expect(first == nil)
    begun.wait()
    for owner: Int64 in 2...4 { #expect(Self.submit(reads, owner) { ended.signal() } == nil) }
    #expect(Self.submit(reads, 5) { ended.signal() }?.code == .resourceExhausted)
    gate.signal()
    for _ in 1...4 { ended.wait() }
  }
}
