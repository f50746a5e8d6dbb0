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

  @Test("A principal whose commands take long waits until others have used as much time")
  func usedTime() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let gate = store.closeGate()
    let order = Order()
    let target = RecordingTarget(expecting: 40)
    for number in 0..<20 {
      submit(store, Slow(order: order, principal: 1, number: number, clock: clock), target)
      let quick = Slow(
        order: order, principal: 2, number: number, clock: clock, milliseconds: 1)
      submit(store, quick, target)
    }
    gate.opened.signal()
    target.wait()
    #expect(order.list.filter { $0.principal == 1 }.map(\.number) == Array(0..<20))
    #expect(order.list.filter { $0.principal == 2 }.map(\.number) == Array(0..<20))
    // One command of five milliseconds for five commands of one.
    let slow = order.list.prefix(24).count { $0.principal == 1 }
    #expect((4...5).contains(slow), "\(slow) of the first 24 commands were slow")
  }

  @Test("A batch of one principal ends early when another principal has a command")
  func newPrincipal() throws {
    let clock = TestClock()
    let store = try TemporaryDirectory().open(clock: clock)
    let gate = store.closeGate()
    let order = Order()
    let target = RecordingTarget(expecting: 21)
    let single = Slow(order: order, principal: 2, number: 0, clock: clock, milliseconds: 0)
    for number in 0..<20 {
      let command = Slow(
        order: order, principal: 1, number: number, clock: clock, milliseconds: 1
      ) {
        guard number == 0 else { return }
        self.submit(store, single, target)
      }
      submit(store, command, target)
    }
    gate.opened.signal()
    target.wait()
    let place = try #require(order.list.firstIndex { $0.principal == 2 })
    #expect(place <= 2, "it came after \(place) commands of the other principal")
    #expect(order.list.filter { $0.principal == 1 }.map(\.number) == Array(0..<20))
  }

  private func submit(_ store: Store, _ command: Slow, _ target: RecordingTarget) {
    store.submit(
      command, .of(command.principal), target: target, encode: { _ in [] },
      completion: { _ in })
  }

  /// A command that takes some time, as long as a batch may take unless said otherwise.
  private struct Slow: Command {
    let order: Order
    let principal: Int64
    let number: Int
    let clock: TestClock
    var milliseconds = Int64(StoreLimits.batchMilliseconds)
    var meanwhile: @Sendable () -> Void = {}

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      order.append(principal, number)
      clock.pass(milliseconds: milliseconds)
      meanwhile()
    }
  }
}
