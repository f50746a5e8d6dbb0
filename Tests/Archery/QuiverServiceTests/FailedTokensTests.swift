import Testing

@testable import QuiverService

@Suite("Tries that are counted", .timeLimit(.minutes(5)))
struct FailedTokensTests {
  private static let minute: UInt64 = 60_000_000_000

  @Test("Tries that are under way count, and those that were good are given back")
  func taking() {
    let tries = FailedTokens(limitPerMinute: 2)
    #expect(tries.take("a", now: 1) && tries.take("a", now: 2))
    #expect(!tries.take("a", now: 3) && tries.take("b", now: 3))
    tries.giveBack("a", now: 4)
    #expect(tries.take("a", now: 5) && !tries.take("a", now: 6))
    #expect(tries.take("a", now: 1 + Self.minute))
  }

  @Test("Many at once are no more than one after the other")
  func concurrent() async {
    let tries = FailedTokens(limitPerMinute: 10)
    let taken = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 { group.addTask { tries.take("a", now: 1) } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(taken == 10)
  }
}
