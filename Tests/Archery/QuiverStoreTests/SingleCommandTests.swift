import TestSupport
import Testing

@testable import QuiverStore

@Suite("Single commands beside bulk commands", .timeLimit(.minutes(5)))
struct SingleCommandTests {
  private final class NoTarget: CompletionTarget {
    func deliver(_ completions: [@Sendable () -> Void]) {}
  }

  private static func command(
    _ principal: Int64, _ number: UInt64 = 0, isBulk: Bool
  ) -> QueuedCommand {
    QueuedCommand(
      options: .of(principal, deadline: number), keepsReply: true, isBulk: isBulk,
      storesContent: true,
      apply: { _ in [] }, target: NoTarget(), completion: { _ in })
  }

  @Test("A single command waits from when it is added or put back until it is taken")
  func waiting() {
    var queue = FairQueue()
    queue.append(Self.command(1, isBulk: true))
    #expect(!queue.hasSingle)
    queue.append(Self.command(2, isBulk: false))
    #expect(queue.hasSingle)
    #expect(queue.take(atMost: 2).map(\.isBulk) == [true])
    #expect(queue.hasSingle)
    let taken = queue.take(atMost: 2)
    #expect(taken.map(\.isBulk) == [false] && !queue.hasSingle)
    queue.putBack(taken[...])
    #expect(queue.hasSingle)
    #expect(queue.take(atMost: 2).count == 1)
    #expect(!queue.hasSingle)
    queue.append(Self.command(1, isBulk: true))
    #expect(!queue.hasSingle)
  }

  @Test("A commit has bulk commands or single ones, and each principal's commands keep their order")
  func separate() {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    var queue = FairQueue()
    var waiting: [Int64: [UInt64]] = [:]
    var number: UInt64 = 0
    for _ in 0..<2_000 {
      if Bool.random(using: &random) {
        let principal = Int64.random(in: 1...5, using: &random)
        number += 1
        queue.append(
          Self.command(principal, number, isBulk: Int.random(in: 0..<4, using: &random) == 0))
        waiting[principal, default: []].append(number)
      } else {
        var taken = queue.take(atMost: Int.random(in: 1...6, using: &random))
        if Bool.random(using: &random) {
          queue.putBack(taken.suffix(taken.count / 2))
          taken.removeLast(taken.count / 2)
        }
        #expect(taken.isEmpty == waiting.values.allSatisfy(\.isEmpty), "seed \(seed)")
        #expect(Set(taken.map(\.isBulk)).count <= 1, "seed \(seed)")
        for command in taken {
          let principal = command.options.caller.principal
          let number = command.options.deadlineNanoseconds
          #expect(waiting[principal]?.removeFirst() == number, "seed \(seed)")
        }
      }
    }
    var left = 0
    while !queue.take(atMost: 8).isEmpty { left += 1 }
    #expect(queue.count == 0 && left > 0, "seed \(seed)")
  }

  @Test("A queue that fails returns all commands, bulk or not")
  func failure() {
    let queue = WriterQueue(capacity: 100, batchSize: 8)
    for number in 0..<12 {
      let refusal = queue.append(
        Self.command(Int64(number % 3), UInt64(number), isBulk: number % 4 == 1))
      #expect(refusal == nil)
    }
    let waiting = queue.fail(StoreError(.unavailable, "the disk failed"))
    #expect(Set(waiting.map(\.options.deadlineNanoseconds)) == Set(0..<12))
    #expect(waiting.count == 12 && queue.count == 0)
  }
}
