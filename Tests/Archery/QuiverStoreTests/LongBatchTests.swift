import Dispatch
import QuiverStore
import TestSupport
import Testing

@Suite("The time of a commit batch", .timeLimit(.minutes(5))) struct LongBatchTests {
  @Test("Commands that take long are committed one by one, in order and none lost or repeated")
  func longCommands() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let before = store.statistics
    let gate = store.closeGate()
    let order = Order()
    let target = RecordingTarget(expecting: 21)
    // Imports of one principal and a single command of another, which comes last.
    for number in 0..<20 {
      submit(store, Slow(order: order, principal: 1, number: number, clock: clock), target)
    }
    submit(store, Slow(order: order, principal: 2, number: 0, clock: clock), target)
    gate.opened.signal()
    target.wait()
    let after = store.statistics
    #expect(order.list.filter { $0.principal == 1 }.map(\.number) == Array(0..<20))
    #expect(order.list.firstIndex { $0.principal == 2 } == 1)
    #expect(after.committedCommands - before.committedCommands >= 21)
    #expect(after.committedBatches - before.committedBatches >= 21)
  }

  private func submit(_ store: Store, _ command: Slow, _ target: RecordingTarget) {
    store.submit(
      command, .of(command.principal), target: target, encode: { _ in [] },
      completion: { _ in })
  }

  /// A command that takes longer than a batch may.
  private struct Slow: Command {
    let order: Order
    let principal: Int64
    let number: Int
    let clock: TestClock

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      order.append(principal, number)
      clock.pass(milliseconds: Int64(StoreLimits.batchMilliseconds))
    }
  }
}
