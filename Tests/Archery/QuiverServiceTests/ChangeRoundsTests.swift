import QuiverStore
import Testing

@testable import QuiverService

@Suite("The rounds in which watches are told of changes", .timeLimit(.minutes(5)))
struct ChangeRoundsTests {
  private typealias Rounds = ChangeRounds<Int>
  private let one = ChangedKey.principal(1)
  private let two = ChangedKey.principal(2)

  private func rounds(_ counts: [ChangedKey: Int]) -> Rounds {
    var rounds = Rounds()
    for (key, count) in counts.sorted(by: { $0.value > $1.value }) {
      for _ in 0..<count { _ = rounds.add(rounds.listenerCount + 1, to: key) }
    }
    return rounds
  }

  /// Calls what may be called at `now`; returns the listeners, and when it goes on.
  private func drain(_ rounds: inout Rounds, now: UInt64) -> (called: [Int], resumes: UInt64?) {
    var called: [Int] = []
    while true {
      switch rounds.next(now: now) {
      case .call(let listeners): called += listeners
      case .wait(let time): return (called, time)
      case .rest: return (called, nil)
      }
    }
  }

  @Test("Every listener is called once for changes before its round, in the order of adding")
  func once() {
    var rounds = rounds([one: 200])
    for _ in 0..<10 { rounds.changed(one, now: 0) }
    let (called, resumes) = drain(&rounds, now: 0)
    #expect(called == Array(1...200))
    #expect(resumes == nil)
    #expect(!rounds.isDue)
  }

  @Test("A key with few listeners has its turn within the round of a key with many")
  func turns() {
    var rounds = rounds([one: 10_000, two: 1])
    rounds.changed(one, now: 0)
    rounds.changed(two, now: 0)
    var called = 0
    while case .call(let listeners) = rounds.next(now: 0), !listeners.contains(10_001) {
      called += listeners.count
    }
    #expect(called == Rounds.listenersPerTurn)
  }

  @Test("A key with many listeners pauses before its next round, and loses no change")
  func pause() {
    let count = Rounds.promptListeners + 1
    var rounds = rounds([one: count])
    var calls = 0
    // A commit each microsecond for a second.
    for now in stride(from: 0 as UInt64, to: 1_000_000_000, by: 1_000) {
      rounds.changed(one, now: now)
      calls += drain(&rounds, now: now).called.count
    }
    let pause = UInt64(count) * Rounds.pauseNanosecondsPerListener
    #expect(calls <= count * Int(1_000_000_000 / pause + 1))
    #expect(calls > count)
    let resumes = drain(&rounds, now: 1_000_000_000).resumes
    guard let resumes else { return #expect(Bool(false), "the last change is lost") }
    #expect(drain(&rounds, now: resumes).called.count == count)
    #expect(drain(&rounds, now: resumes).resumes == nil)
  }

  @Test("A key with few listeners does not pause")
  func prompt() {
    var rounds = rounds([one: Rounds.promptListeners])
    for now in 0..<100 as Range<UInt64> {
      rounds.changed(one, now: now)
      #expect(drain(&rounds, now: now).called.count == Rounds.promptListeners)
    }
  }

  @Test("A pause of one key delays no other key")
  func others() {
    var rounds = rounds([one: 1_000, two: 3])
    rounds.changed(one, now: 0)
    _ = drain(&rounds, now: 0)
    rounds.changed(one, now: 1)
    rounds.changed(two, now: 1)
    let (called, resumes) = drain(&rounds, now: 1)
    #expect(called == [1_001, 1_002, 1_003])
    #expect(resumes == 1_000 * Rounds.pauseNanosecondsPerListener)
  }

  @Test("A change during a round is followed by another round")
  func during() {
    var rounds = rounds([one: Rounds.listenersPerTurn + 1, two: 1])
    rounds.changed(one, now: 0)
    guard case .call = rounds.next(now: 0) else { return #expect(Bool(false)) }
    rounds.changed(one, now: 0)
    let (called, resumes) = drain(&rounds, now: 0)
    #expect(called == [Rounds.listenersPerTurn + 1])
    #expect(drain(&rounds, now: resumes ?? 0).called.count == Rounds.listenersPerTurn + 1)
  }

  @Test("A listener that was removed is not called, and a key without listeners is forgotten")
  func removed() {
    var rounds = rounds([one: 300])
    rounds.changed(one, now: 0)
    guard case .call(let first) = rounds.next(now: 0) else { return #expect(Bool(false)) }
    for number in 1...300 where number % 3 != 0 { rounds.remove(number) }
    let (called, _) = drain(&rounds, now: 0)
    #expect(called == (first.count + 1...300).filter { $0 % 3 == 0 })
    for number in 1...300 { rounds.remove(number) }
    #expect(rounds.listenerCount == 0)
    rounds.changed(one, now: 1_000_000_000)
    #expect(drain(&rounds, now: 1_000_000_000).called.isEmpty)
    #expect(!rounds.isDue)
  }
}
