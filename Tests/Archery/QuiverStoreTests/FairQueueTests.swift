import Dispatch
import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite("Fairness of the writer's queue", .timeLimit(.minutes(5))) struct FairQueueTests {
  @Test("A principal with many commands delays those of others by one turn only")
  func turns() throws {
    var configuration = StoreConfiguration(directory: try TemporaryDirectory().path)
    configuration.commandsPerBatch = 2
    // Each command counts alike, whatever else the machine does.
    configuration.clock = TestClock().clock
    let store = try Store(configuration)
    let gate = store.closeGate()
    let order = Order()
    let target = RecordingTarget(expecting: 23)
    for number in 0..<20 { submit(store, 1, number, order, target) }
    for number in 0..<3 { submit(store, 2, number, order, target) }
    gate.opened.signal()
    target.wait()
    // Each batch of two has one command of each, as long as both have some.
    #expect(
      order.list.prefix(6).map(\.principal) == [1, 2, 1, 2, 1, 2]
        && order.list.filter { $0.principal == 1 }.map(\.number) == Array(0..<20)
        && order.list.filter { $0.principal == 2 }.map(\.number) == Array(0..<3))
  }

  @Test("A principal that fills its share is refused with a retry delay, and others are not")
  func share() throws {
    let store = try TemporaryDirectory().open(queuedCommands: 1_600)
    let gate = store.closeGate()
    let order = Order()
    let results = Results()
    let target = RecordingTarget(expecting: 202)
    for number in 0..<201 {
      submit(store, 1, number, order, target) { results.set(number, $0) }
    }
    submit(store, 2, 0, order, target) { results.set(1_000, $0) }
    guard case .failure(let refusal)? = results[200] else {
      Issue.record("the command beyond the share was accepted")
      return
    }
    #expect(refusal.code == .resourceExhausted && refusal.notProcessed)
    #expect(refusal.retryAfterMilliseconds == StoreLimits.queueRetryMilliseconds)
    gate.opened.signal()
    target.wait()
    #expect((0..<200).allSatisfy { results.reply($0) != nil } && results.reply(1_000) != nil)
  }

  private func submit(
    _ store: Store, _ principal: Int64, _ number: Int, _ order: Order, _ target: RecordingTarget,
    completion: @escaping @Sendable (Result<[UInt8], StoreError>) -> Void = { _ in }
  ) {
    store.submit(
      Noted(order: order, principal: principal, number: number), .of(principal), target: target,
      encode: { _ in [] }, completion: completion)
  }
}
