import QuiverRules
import TestSupport
import Testing

@Suite("Folding scoring operations", .timeLimit(.minutes(5)))
struct ScoreFoldTests {
  private typealias Operation = ScoreOperation<Int>
  private static let slot = ArrowSlot(endIndex: 0, arrowIndex: 0)

  private static func record(_ id: Int, _ text: String, at slot: ArrowSlot = slot) -> Operation {
    Operation(id: id, slot: slot, action: .record(ArrowScore(sheet: text) ?? ArrowScore(value: -1)))
  }

  private static func correct(_ id: Int, _ text: String, _ replaced: Int) -> Operation {
    Operation(
      id: id, slot: slot,
      action: .correct(ArrowScore(sheet: text) ?? ArrowScore(value: -1), replacing: replaced))
  }

  private static func retract(_ id: Int, _ replaced: Int) -> Operation {
    Operation(id: id, slot: slot, action: .retract(replacing: replaced))
  }

  @Test("X counts as X and as 10; an 11 is no ten; golds are of the face's top value")
  func counting() {
    var tally = ScoreTally()
    for text in ["X", "10", "10", "9", "M"] {
      tally.add(ArrowScore(sheet: text) ?? ArrowScore(value: 0), on: .tenZone)
    }
    tally.add(ArrowScore(value: 11), on: .elevenZone)
    tally.add(ArrowScore(value: 9), on: .fiveZone)
    #expect(tally.total == 59 && tally.xCount == 1 && tally.tenCount == 3)
    #expect(tally.arrowCount == 7 && tally.hitCount == 6 && tally.goldCount == 5)
    #expect(tally.count(of: 9) == 2 && tally.count(of: 12) == 0 && tally.count(of: -1) == 0)
    tally.remove(ArrowScore(value: 11), on: .elevenZone)
    #expect(tally.total == 48 && tally.goldCount == 4)
  }

  @Test("Each kind of conflict has its verdict, and changes nothing")
  func conflicts() {
    var fold = ScoreFold<Int>()
    #expect(fold.apply(Self.record(1, "9")) == .stored)
    #expect(fold.apply(Self.record(1, "9")) == .same)
    #expect(fold.apply(Self.record(2, "9")) == .same)
    #expect(fold.apply(Self.record(3, "10")) == .conflict)
    #expect(fold.apply(Self.record(3, "X")) == .conflict)
    #expect(fold.apply(Self.correct(5, "8", 4)) == .notYet)
    #expect(fold.waitingCount == 1)
    // 2 repeated 1, so that it stands for it.
    #expect(fold.apply(Self.correct(6, "X", 2)) == .stored)
    #expect(fold.apply(Self.correct(7, "7", 1)) == .conflict)
    #expect(fold.apply(Self.retract(8, 1)) == .conflict)
    #expect(fold.slots[Self.slot]?.score == ArrowScore(value: 10, isX: true))
    #expect(fold.apply(Self.retract(9, 6)) == .stored)
    #expect(fold.slots[Self.slot]?.score == nil)
    #expect(fold.apply(Self.record(10, "5")) == .stored)
    #expect(fold.slots[Self.slot]?.score == ArrowScore(value: 5))
  }

  @Test("What waits for its forerunner is applied when that has come")
  func chains() {
    var fold = ScoreFold<Int>()
    #expect(fold.apply(Self.correct(4, "7", 3)) == .notYet)
    #expect(fold.apply(Self.retract(3, 2)) == .notYet)
    #expect(fold.apply(Self.correct(2, "X", 1)) == .notYet)
    #expect(fold.slots.isEmpty)
    #expect(fold.apply(Self.record(1, "9")) == .stored)
    #expect(fold.slots[Self.slot] == SlotState(score: ArrowScore(value: 7), head: 4))
    #expect(fold.waitingCount == 0)
  }

  @Test("Any order, repetition and split leaves the same slots and tally", arguments: 0..<50)
  func anyOrder(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let format = try #require(RoundLibrary.format("wa18"))
    var operations: [Operation] = []
    var nextID = 0
    func id() -> Int {
      nextID += 1
      return nextID
    }
    for index in 0..<60 {
      guard let slot = format.slot(ofArrow: index) else { continue }
      func score() -> ArrowScore { ArrowScore(value: Int.random(in: 0...10, using: &random)) }
      var head = id()
      operations.append(Operation(id: head, slot: slot, action: .record(score())))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let next = id()
        let action: Operation.Action =
          Bool.random(using: &random)
          ? .correct(score(), replacing: head) : .retract(replacing: head)
        operations.append(Operation(id: next, slot: slot, action: action))
        head = next
      }
    }
    var inOrder = ScoreFold<Int>()
    for operation in operations { inOrder.apply(operation) }
    var shuffled = ScoreFold<Int>()
    for operation in (operations + operations.prefix(40)).shuffled(using: &random) {
      shuffled.apply(operation)
    }
    #expect(shuffled.slots == inOrder.slots, "seed \(seed)")
    #expect(shuffled.tally(in: format) == inOrder.tally(in: format), "seed \(seed)")
    #expect(shuffled.waitingCount == 0)
  }

  @Test("Slots outside the format do not count, and an end is complete with its last slot")
  func ends() throws {
    let format = try #require(RoundLibrary.format("wa18"))
    var fold = ScoreFold<Int>()
    for arrow in 0..<3 {
      #expect(fold.tally(in: format).endsCompleted == 0)
      fold.apply(Self.record(arrow, "9", at: ArrowSlot(endIndex: 4, arrowIndex: arrow)))
    }
    fold.apply(Self.record(7, "9", at: ArrowSlot(endIndex: 20, arrowIndex: 0)))
    let tally = fold.tally(in: format)
    #expect(tally.endsCompleted == 1 && tally.total == 27)
  }
}
