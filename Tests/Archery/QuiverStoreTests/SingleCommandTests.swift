import Testing

@testable import QuiverStore

@Suite("Single commands beside bulk commands", .timeLimit(.minutes(5)))
struct SingleCommandTests {
  private final class NoTarget: CompletionTarget {
    func deliver(_ completions: [@Sendable () -> Void]) {}
  }

  private static func command(_ principal: Int64, isBulk: Bool) -> QueuedCommand {
    QueuedCommand(
      options: .of(principal), keepsReply: true, isBulk: isBulk, storesContent: true,
      apply: { _ in [] }, target: NoTarget(), completion: { _ in })
  }

  @Test("A single command waits from when it is added or put back until it is taken")
  func waiting() {
    var queue = FairQueue()
    queue.append(Self.command(1, isBulk: true))
    #expect(!queue.hasSingle)
    queue.append(Self.command(2, isBulk: false))
    #expect(queue.hasSingle)
    let taken = queue.take(atMost: 2)
    #expect(taken.count == 2 && !queue.hasSingle)
    queue.putBack(taken[...])
    #expect(queue.hasSingle)
    #expect(queue.take(atMost: 2).count == 2)
    #expect(!queue.hasSingle)
    queue.append(Self.command(1, isBulk: true))
    #expect(!queue.hasSingle)
  }
}
