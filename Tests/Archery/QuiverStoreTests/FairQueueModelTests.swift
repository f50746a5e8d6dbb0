import Testing

@testable import QuiverStore

@Suite("The order of the writer's queue", .timeLimit(.minutes(5))) struct FairQueueModelTests {
  /// Numbers that are the same in each run (xorshift64*).
  private struct Random {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % bound
    }
  }

  private final class NoTarget: CompletionTarget {
    func deliver(_ completions: [@Sendable () -> Void]) {}
  }

  private static func command(_ principal: Int64, number: UInt64) -> QueuedCommand {
    QueuedCommand(
      options: .of(principal, deadline: number), keepsReply: true, isBulk: false,
      storesContent: true, apply: { _ in [] }, target: NoTarget(), completion: { _ in })
  }

  @Test(
    "Principals that always have commands get equal time, in order, whatever their commands take",
    arguments: [UInt64(1), 2, 3, 4, 5])
  func equalTime(seed: UInt64) {
    var random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15)
    var queue = FairQueue()
    // Microseconds of a command of each principal, at most.
    let longest: [Int64: Int] = [1: 100, 2: 400, 3: 2_000, 4: 10_000]
    var submitted: [Int64: UInt64] = [:]
    var applied: [Int64: [UInt64]] = [:]
    var used: [Int64: UInt64] = [:]
    for _ in 0..<2_000 {
      for principal in longest.keys.sorted() {
        while queue.count(of: principal) < 200 {
          submitted[principal, default: 0] += 1
          queue.append(Self.command(principal, number: submitted[principal] ?? 0))
        }
      }
      let batch = queue.take(atMost: 128)
      // A batch ends after 5 milliseconds; the rest is put back.
      var charges: [Int64: FairQueue.Charge] = [:]
      var elapsed: UInt64 = 0
      var count = 0
      while count < batch.count, elapsed < 5_000_000 {
        let command = batch[count]
        let principal = command.options.caller.principal
        let most = longest[principal] ?? 1
        let took = UInt64(50 + random.next(below: most)) * 1_000
        charges[principal, default: FairQueue.Charge()].count += 1
        charges[principal, default: FairQueue.Charge()].nanoseconds += took
        used[principal, default: 0] += took
        applied[principal, default: []].append(command.options.deadlineNanoseconds)
        elapsed += took
        count += 1
      }
      queue.putBack(batch[count...])
      queue.charge(charges)
    }
    for (principal, numbers) in applied {
      #expect(numbers == Array(1...UInt64(numbers.count)), "principal \(principal)")
    }
    let least = used.values.min() ?? 0
    let most = used.values.max() ?? 0
    #expect(used.count == 4 && least > 1_000_000_000)
    #expect(Double(most) <= Double(least) * 1.1, "\(used)")
  }

  @Test("A principal that begins to wait has no credit for the time before, and no debt of others")
  func newPrincipal() {
    var queue = FairQueue()
    for number in 1...300 { queue.append(Self.command(1, number: UInt64(number))) }
    for _ in 0..<2 {
      let batch = queue.take(atMost: 100)
      queue.charge([1: .init(count: UInt64(batch.count), nanoseconds: 1_000_000_000)])
    }
    #expect(!queue.isBatchAwaited)
    for number in 1...100 { queue.append(Self.command(2, number: UInt64(number))) }
    #expect(queue.isBatchAwaited)
    // Its estimate is small: it is taken until it has used as much as one of the others.
    let principals = queue.take(atMost: 101).map(\.options.caller.principal)
    #expect(principals.prefix(2).contains(2) && principals.contains(1))
  }
}
