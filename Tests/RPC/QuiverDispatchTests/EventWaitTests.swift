import Testing

@testable import QuiverDispatch

@Suite("When a shard waits for the next event", .timeLimit(.minutes(5)))
struct EventWaitTests {
  private static let millisecond: UInt64 = 1_000_000
  /// Of a clock that has run for a while.
  private let start: UInt64 = 1_000 * millisecond

  private func waiting() -> EventWait {
    var wait = EventWait()
    wait.begin(at: start)
    wait.begin(at: start + Self.millisecond / 2)
    return wait
  }

  @Test("A turn waits after events that came less than a millisecond apart")
  func close() {
    var wait = EventWait()
    wait.begin(at: start)
    #expect(!wait.isWanted(at: start))
    wait.begin(at: start + Self.millisecond - 1)
    #expect(wait.isWanted(at: start + Self.millisecond - 1))
    wait.begin(at: start + 2 * Self.millisecond - 1)
    #expect(!wait.isWanted(at: start + 2 * Self.millisecond - 1))
  }

  @Test("Events that came while a turn waited count for the next turn")
  func goingOn() {
    var wait = waiting()
    wait.goOn(at: start + 3 * Self.millisecond)
    wait.begin(at: start + 3 * Self.millisecond + 1)
    #expect(wait.isWanted(at: start + 3 * Self.millisecond + 1))
  }

  @Test("No turn waits for 100 ms after several sockets were ready at once")
  func several() {
    var wait = waiting()
    let now = start + Self.millisecond
    wait.foundSeveral(at: now)
    wait.begin(at: now)
    #expect(!wait.isWanted(at: now) && !wait.isWanted(at: now + 100 * Self.millisecond - 1))
    #expect(wait.isWanted(at: now + 100 * Self.millisecond))
  }

  @Test("A read of more than 192 bytes says that a caller is not alone")
  func largeReads() {
    var wait = waiting()
    let now = start + Self.millisecond / 2
    wait.read(192, at: now)
    #expect(wait.isWanted(at: now))
    wait.read(193, at: now)
    #expect(!wait.isWanted(at: now))
  }
}
