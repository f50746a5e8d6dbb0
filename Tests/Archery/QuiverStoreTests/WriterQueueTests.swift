import Dispatch
import Glibc
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The queue of the writer", .timeLimit(.minutes(5)))
struct WriterQueueTests {
  private final class NoTarget: CompletionTarget {
    func deliver(_ completions: [@Sendable () -> Void]) {}
  }

  private static func command(_ principal: Int64) -> QueuedCommand {
    QueuedCommand(
      options: .of(principal), keepsReply: true, isBulk: false, storesContent: true,
      apply: { _ in [] }, target: NoTarget(), completion: { _ in })
  }

  private static func principals(_ commands: [QueuedCommand]) -> [Int64] {
    commands.map(\.options.caller.principal)
  }

  @Test("As many commands wait as the capacity says")
  func capacity() {
    let queue = WriterQueue(capacity: 4, batchSize: 8)
    for principal: Int64 in 1...4 { #expect(queue.append(Self.command(principal)) == nil) }
    #expect(queue.append(Self.command(5))?.code == .resourceExhausted)
    #expect(queue.count == 4)
  }

  /// Runs `body` while a thread waits in the queue without a time limit; returns when that ends.
  private static func whileWaiting(_ queue: WriterQueue, _ body: () -> Void) {
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      begun.signal()
      _ = queue.next(waitingMilliseconds: nil)
      ended.signal()
    }
    begun.wait()
    // It needs a moment to begin to wait.
    for _ in 0..<100 { sched_yield() }
    body()
    ended.wait()
  }

  @Test("A command and a stop wake a writer that waits")
  func waking() {
    for _ in 0..<200 {
      let queue = WriterQueue(capacity: 4, batchSize: 8)
      Self.whileWaiting(queue) { #expect(queue.append(Self.command(1)) == nil) }
      Self.whileWaiting(queue) { queue.stop() }
      #expect(queue.append(Self.command(1))?.code == .unavailable)
    }
  }

  @Test("A principal that begins to wait shares the time with those that have waited")
  func newPrincipal() {
    var queue = FairQueue()
    for _ in 0..<200 { queue.append(Self.command(1)) }
    for _ in 0..<100 {
      #expect(queue.take(atMost: 1).count == 1)
      queue.charge([1: .init(count: 1, nanoseconds: FairQueue.leastNanoseconds)])
    }
    for _ in 0..<20 { queue.append(Self.command(2)) }
    let count = Self.principals(queue.take(atMost: 10)).count { $0 == 2 }
    #expect((4...6).contains(count), "\(count) of 10")
  }

  @Test("Commands that are put back keep the order of their principals")
  func putBack() {
    for _ in 0..<20 {
      var queue = FairQueue()
      for principal: Int64 in 1...8 { queue.append(Self.command(principal)) }
      let taken = queue.take(atMost: 8)
      #expect(Self.principals(taken) == Array(1...8))
      queue.putBack(taken[...])
      #expect(Self.principals(queue.take(atMost: 8)) == Array(1...8))
    }
  }

  @Test("Commands count as if they took some time at least")
  func shortCommands() {
    var queue = FairQueue()
    var counts: [Int64: Int] = [:]
    for _ in 0..<50 {
      for principal: Int64 in 1...2 {
        while queue.count(of: principal) < 20 { queue.append(Self.command(principal)) }
      }
      var charges: [Int64: FairQueue.Charge] = [:]
      for principal in Self.principals(queue.take(atMost: 10)) {
        counts[principal, default: 0] += 1
        charges[principal, default: .init()].count += 1
        charges[principal, default: .init()].nanoseconds +=
          principal == 1 ? 1 : FairQueue.leastNanoseconds
      }
      queue.charge(charges)
    }
    #expect((240...260).contains(counts[1] ?? 0), "\(counts)")
  }

  @Test("A batch is awaited by who has a single command in it beside several of another")
  func awaited() {
    var queue = FairQueue()
    for _ in 0..<3 { queue.append(Self.command(1)) }
    queue.append(Self.command(2))
    #expect(queue.take(atMost: 4).count == 4)
    #expect(queue.isBatchAwaited)
    queue.append(Self.command(1))
    queue.append(Self.command(2))
    #expect(queue.take(atMost: 4).count == 2)
    #expect(!queue.isBatchAwaited)
  }

  @Test("Hooks learn that storing has changed only when it has")
  func storingChanged() throws {
    let calls = DispatchSemaphore(value: 0)
    var hooks = StoreHooks()
    hooks.storingChanged = { _ in calls.signal() }
    let store = try TemporaryDirectory().open(hooks: hooks)
    for _ in 0..<3 { _ = try store.perform(CreateEquipment(.riser()), .of(1)) }
    store.close()
    #expect(calls.wait(timeout: .now()) == .timedOut)
  }
}
