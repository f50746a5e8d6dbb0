import Testing

@testable import QuiverService

@Suite("Counting failed tokens", .timeLimit(.minutes(5)))
struct FailedTokensTests {
  private static let minute: UInt64 = 60_000_000_000

  @Test("Attempts in progress count, and successful ones are subtracted")
  func taking() {
    let tries = FailedTokens(limitPerMinute: 2)
    #expect(tries.take("a", now: 1) && tries.take("a", now: 2))
    #expect(!tries.take("a", now: 3) && tries.take("b", now: 3))
    tries.giveBack("a", now: 4)
    #expect(tries.take("a", now: 5) && !tries.take("a", now: 6))
    #expect(tries.take("a", now: 1 + Self.minute))
  }

  @Test("Concurrent attempts have the same limit as sequential ones")
  func concurrent() async {
    let tries = FailedTokens(limitPerMinute: 10)
    let taken = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { tries.take("a", now: 1) } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(taken == 10)
  }
}
