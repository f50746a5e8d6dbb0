import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite(
  "Ends that judges change by rules, exchange and move, in the store", .timeLimit(.minutes(15)))
struct EndChangeTests {
  private static let reason = "seen by the judge"

  /// The arrows of a card with everything that moves with them.
  private static func content(_ participant: Int64, _ cards: CardBench) throws -> [String] {
    try cards.card(participant).arrows.filter { !$0.isRetracted }.map { arrow in
      let place = arrow.position.map { "\($0.x) \($0.y)" } ?? "-"
      return "\(arrow.slot.endIndex).\(arrow.slot.arrowIndex) \(arrow.score) \(place)"
        + " \(arrow.input) \(arrow.shaft) \(arrow.scoredAtMilliseconds)"
    }
  }

  private static func scores(_ participant: Int64, _ cards: CardBench) throws -> String {
    try cards.card(participant).arrows.filter { !$0.isRetracted }.map(\.score).sheetText
  }

  private static func exchange(
    _ cards: CardBench, _ first: Int = 0, _ count: Int = 1
  ) throws -> MoveEnds {
    try MoveEnds(
      cards.own, other: cards.entry, first: first, count: count, isEarlier: false, reason: reason)
  }

  private static func rule(
    _ rule: ApplyEndRule.Rule, _ cards: CardBench, _ end: Int = 0, _ arrows: String = "",
    count: Int = 0
  ) throws -> ApplyEndRule {
    try ApplyEndRule(
      cards.own, end: end, rule, arrows: CardBench.arrows(arrows), count: count, reason: reason)
  }

  @Test(
    "Arrows that are exchanged have their positions, shafts and times with them, and back",
    arguments: BothEngines.allCases)
  func content(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      let start = bench.store.nowMilliseconds - 600_000
      try bench.record(cards.own, 0, 0, "9") { content in
        (content.x, content.y, content.shaft) = (0.15, 0.02, 7)
        content.scoredAtMilliseconds = start
      }
      try bench.record(cards.own, 0, 1, "8") { content in
        (content.shaft, content.scoredAtMilliseconds) = (3, start + 1)
      }
      try bench.record(cards.own, 0, 2, "8") { $0.scoredAtMilliseconds = start + 2 }
      try bench.record(cards.entry, 0, 0, "10") { $0.scoredAtMilliseconds = start + 3 }
      try bench.record(cards.entry, 0, 1, "8") { $0.scoredAtMilliseconds = start + 4 }
      let before = [try Self.content(cards.own, cards), try Self.content(cards.entry, cards)]
      try bench.perform(try Self.exchange(cards), as: cards.judge)
      #expect(try Self.content(cards.own, cards) == before[1])
      #expect(try Self.content(cards.entry, cards) == before[0])
      #expect(try bench.tally(cards.own).total == 18 && bench.tally(cards.entry).total == 25)
      #expect(try bench.store.verify() == [])
      try bench.perform(try Self.exchange(cards), as: cards.judge)
      #expect(try Self.content(cards.own, cards) == before[0])
      #expect(try Self.content(cards.entry, cards) == before[1])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("Of too many arrows those that count stay where they are, and the others have no shaft")
  func lowest() throws {
    let cards = try CardBench(try EventBench())
    for (index, text) in ["10", "9", "9"].enumerated() {
      try cards.bench.record(cards.own, 0, index, text) { $0.shaft = UInt32(index + 1) }
    }
    let kept = try Self.content(cards.own, cards)[1]
    try cards.bench.perform(try Self.rule(.tooManyArrows, cards, 0, "10 9 9 8 7"), as: cards.judge)
    #expect(try Self.scores(cards.own, cards) == "8 9 7")
    #expect(try Self.content(cards.own, cards)[1] == kept)
    #expect(try cards.card(cards.own).arrows.map(\.shaft) == [0, 2, 0])
    // The miss of a shot out of time is still the arrow that was shot.
    try cards.bench.perform(try Self.rule(.outOfTime, cards), as: cards.judge)
    #expect(try Self.scores(cards.own, cards) == "8 M 7")
    #expect(try cards.card(cards.own).arrows.map(\.shaft) == [0, 2, 0])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("A ruling stays where a judge changes the end, and is none of the arrows that come to it")
  func ruled() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "9 9 9")
    try cards.second(cards.own, 0, "9 9 8")
    try cards.first(cards.entry, 0, "7 7 7")
    try cards.second(cards.entry, 0, "9 9 8")
    try cards.bench.perform(
      try RuleOnEnd(cards.own, end: 0, arrows: CardBench.arrows("9 9 8"), reason: "touched"),
      as: cards.judge)
    try cards.bench.perform(try Self.rule(.outOfOrder, cards), as: cards.judge)
    #expect(try cards.states(cards.own) == [.ruled])
    #expect(try Self.scores(cards.own, cards) == "M 9 8")
    #expect(try cards.states(cards.entry) == [.disputed])
    try cards.bench.perform(try Self.exchange(cards), as: cards.judge)
    #expect(try cards.states(cards.own) == [.disputed])
    #expect(try cards.card(cards.own).ends[0].ruledBy == 0)
    #expect(try cards.states(cards.entry) == [.disputed])
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("A single confirmation is taken back, and closed cards and events refuse each change")
  func closed() throws {
    let cards = try CardBench(try EventBench())
    for end in 0..<2 {
      try cards.first(cards.own, end, "9 9 9")
      try cards.first(cards.entry, end, "8 8 8")
    }
    try cards.confirm(cards.own, .archer)
    try cards.bench.perform(try Self.exchange(cards), as: cards.judge)
    #expect(try cards.card(cards.own).summary?.confirmations == [])
    func refusals() throws -> [String] {
      let commands = [
        try cards.refusal {
          try cards.bench.perform(try Self.rule(.outOfTime, cards), as: cards.judge)
        },
        try cards.refusal {
          try cards.bench.perform(try Self.exchange(cards), as: cards.judge)
        },
        try cards.refusal {
          try cards.bench.perform(
            try MoveEnds(
              cards.entry, other: cards.own, first: 0, count: 1, isEarlier: false,
              reason: Self.reason), as: cards.judge)
        },
      ]
      return commands.map { error in
        error?.code == .failedPrecondition ? "\(error?.field ?? ""): \(error?.message ?? "")" : "-"
      }
    }
    func expect(_ text: String) throws {
      let found = try refusals()
      #expect(found.allSatisfy { $0.contains(text) }, "\(found)")
      #expect(found.map { $0.hasPrefix("other_participant_id") } == [false, false, true])
    }
    try cards.confirm(cards.own, .archer)
    try cards.confirm(cards.own, .scorer)
    try expect("reopen")
    try cards.bench.perform(try ReopenScoreCard(cards.own, reason: "again"), as: cards.judge)
    try cards.bench.perform(try ChangeParticipant(cards.own, to: .withdrawn, reason: "ill"))
    try expect("withdrawn")
    try cards.bench.perform(try ChangeParticipant(cards.own, to: .active, reason: "back"))
    var typed = TypedTotalDraft()
    (typed.participant, typed.part, typed.score) = (cards.own, 1, TypedScore(total: 55))
    let record = try cards.bench.perform(try SetTypedTotal(typed), as: cards.judge)
    #expect(try refusals().allSatisfy { $0.contains("typed") })
    try cards.bench.perform(
      try RemoveTypedTotal(record.id, of: cards.own, reason: "wrong paper"), as: cards.judge)
    try cards.bench.finalise(cards.event)
    #expect(try refusals().allSatisfy { $0.contains("finalised") })
    #expect(try cards.bench.store.verify() == [])
  }

  @Test("Ends of another event, of nobody and in two ways at once are not moved")
  func unlike() throws {
    let bench = try EventBench()
    let cards = try CardBench(bench)
    try cards.first(cards.own, 0, "9 9 9")
    let other = try bench.event(arrows: 6)
    let archer = try bench.entries(["Nell"], other)[0].id
    try bench.start(other)
    let error = try cards.refusal {
      try bench.perform(
        try MoveEnds(
          cards.own, other: archer, first: 0, count: 1, isEarlier: false, reason: Self.reason))
    }
    #expect(error?.code == .failedPrecondition && error?.field == "other_participant_id")
    #expect(error?.message.contains("another event") == true)
    let unknown = try cards.refusal {
      try bench.perform(
        try MoveEnds(
          cards.own, other: 9_999, first: 0, count: 1, isEarlier: false, reason: Self.reason))
    }
    #expect(unknown?.code == .notFound && unknown?.field == "other_participant_id")
    let mixed = try cards.refusal {
      try bench.perform(
        try MoveEnds(
          cards.own, other: cards.entry, first: 0, count: 1, isEarlier: true, reason: Self.reason))
    }
    #expect(mixed?.code == .invalidArgument && mixed?.field == "earlier")
  }

  @Test("A change beyond the operations that an archer may have leaves both cards as they were")
  func full() throws {
    let cards = try CardBench(try EventBench())
    try cards.first(cards.own, 0, "9 9 9")
    try cards.first(cards.entry, 0, "8 8 8")
    try cards.bench.perform(
      SetOperationCount(
        participant: cards.entry, count: Int64(StoreLimits.operationsPerParticipant) - 4))
    let error = try cards.refusal {
      try cards.bench.perform(try Self.exchange(cards), as: cards.judge)
    }
    #expect(error?.code == .resourceExhausted)
    #expect(try Self.scores(cards.own, cards) == "9 9 9")
    #expect(try Self.scores(cards.entry, cards) == "8 8 8")
  }

  @Test(
    "Any rules, exchanges and moves leave the cards that an independent count has",
    arguments: BothEngines.allCases)
  func model(_ engine: BothEngines) throws {
    let count = engine == .sqlite ? TestSeed.count ?? 12 : 1
    var changes: [String: Int] = [:]
    for seed in TestSeed.value..<TestSeed.value + UInt64(count) {
      try engine.withBench { bench in
        var model = try EndModel(bench, seed: seed)
        for _ in 0..<60 { changes[try model.step(), default: 0] += 1 }
        #expect(try bench.store.verify() == [], "seed \(seed)")
      }
    }
    for name in ["record", "too many", "highest", "missed", "exchange", "move", "refused"] {
      #expect(changes[name, default: 0] > 0 || engine == .postgreSQL, "\(name) in \(changes)")
    }
  }
}

/// Lets a participant have this many operations.
private struct SetOperationCount: Command {
  let participant: Int64
  let count: Int64

  private static let set = Query("UPDATE participant SET operation_count = ?2 WHERE id = ?1")

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.set, .integer(participant), .integer(count))
  }
}

/// Two archers with four ends of three arrows, and what their cards have to show.
private struct EndModel {
  let bench: EventBench
  let archers: [Int64]
  private let name: String
  private var random: SeededGenerator
  /// The slots of both archers; nil is an empty one.
  private var slots: [[ArrowScore?]] = Array(repeating: Array(repeating: nil, count: 12), count: 2)

  init(_ bench: EventBench, seed: UInt64) throws {
    self.bench = bench
    name = "seed \(seed)"
    random = SeededGenerator(seed: seed)
    let event = try bench.event(arrows: 12)
    archers = try bench.entries(["Ann", "Ben"], event).map(\.id)
    try bench.start(event)
  }

  /// Makes a change and compares both cards; returns what it was.
  mutating func step() throws -> String {
    let before = slots
    let archer = Int.random(in: 0...1, using: &random)
    let end = Int.random(in: 0...3, using: &random)
    let count = Int.random(in: 1...2, using: &random)
    let isEarlier = Bool.random(using: &random)
    let made: String
    switch Int.random(in: 0...9, using: &random) {
    case 0...4: made = try record(archer, end)
    case 5: made = try tooMany(archer, end)
    case 6: made = try highest(archer, end, count)
    case 7: made = try missed(archer, end, count)
    case 8: made = try exchange(archer, end, count)
    default: made = try move(archer, end, count, isEarlier: isEarlier)
    }
    if made == "refused" { slots = before }
    for (index, id) in archers.enumerated() {
      let present = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.comparedCard(participant: id)
      }.arrows.filter { !$0.isRetracted }
      let found = (0..<12).map { slot in
        present.first { $0.slot == ArrowSlot(endIndex: slot / 3, arrowIndex: slot % 3) }?.score
      }
      #expect(found == slots[index], "\(name), \(made) of end \(end)")
      let total = slots[index].reduce(0) { $0 + ($1?.value ?? 0) }
      #expect(try bench.tally(id).total == total, "\(name), \(made) of end \(end)")
    }
    return made
  }

  private mutating func arrow() -> ArrowScore {
    let value = Int.random(in: 0...10, using: &random)
    return ArrowScore(value: value, isX: value == 10 && Bool.random(using: &random))
  }

  private mutating func record(_ archer: Int, _ end: Int) throws -> String {
    for slot in end * 3..<end * 3 + 3 where slots[archer][slot] == nil {
      let score = arrow()
      slots[archer][slot] = score
      try bench.record(archers[archer], end, slot % 3, "\(score)")
    }
    return "record"
  }

  /// Performs a command; returns whether it was not refused.
  private func perform<C: Command>(_ command: C) throws -> Bool {
    guard let error = bench.refusal({ try bench.perform(command) }) else { return true }
    #expect(
      error.code == .failedPrecondition || error.code == .invalidArgument, "\(name): \(error)")
    return false
  }

  private mutating func tooMany(_ archer: Int, _ end: Int) throws -> String {
    let shot = (0..<Int.random(in: 4...6, using: &random)).map { _ in arrow() }
    let range = end * 3..<end * 3 + 3
    var counted = Array(
      shot.sorted { ($0.value, $0.isX ? 1 : 0) < ($1.value, $1.isX ? 1 : 0) }[..<3])
    for slot in range {
      if let score = slots[archer][slot], let index = counted.firstIndex(of: score) {
        counted.remove(at: index)
      } else {
        slots[archer][slot] = nil
      }
    }
    // The others fill the end from the highest one on.
    for slot in range where slots[archer][slot] == nil {
      slots[archer][slot] = counted.removeLast()
    }
    let command = try ApplyEndRule(
      archers[archer], end: end, .tooManyArrows, arrows: shot, count: 0, reason: "four in the face")
    return try perform(command) ? "too many" : "refused"
  }

  private mutating func highest(_ archer: Int, _ end: Int, _ count: Int) throws -> String {
    let range = Array(end * 3..<end * 3 + 3)
    let isFull = range.allSatisfy { slots[archer][$0] != nil }
    if isFull {
      for _ in 0..<count {
        var best = range[0]
        for slot in range.dropFirst() {
          let (a, b) = (slots[archer][slot], slots[archer][best])
          guard let a, let b, (a.value, a.isX ? 1 : 0) > (b.value, b.isX ? 1 : 0) else { continue }
          best = slot
        }
        slots[archer][best] = ArrowScore(value: 0)
      }
    }
    let command = try ApplyEndRule(
      archers[archer], end: end, .outOfTime, arrows: [], count: count, reason: "after the signal")
    let isMade = try perform(command)
    #expect(isMade == isFull, "\(name)")
    return isMade ? "highest" : "refused"
  }

  private mutating func missed(_ archer: Int, _ end: Int, _ count: Int) throws -> String {
    let range = end * 3..<min(12, (end + count) * 3)
    let isDue = end + count <= 4 && slots[archer][range].contains { $0 == nil }
    for slot in range where slots[archer][slot] == nil {
      slots[archer][slot] = ArrowScore(value: 0)
    }
    let command = try ApplyEndRule(
      archers[archer], end: end, .missedEnds, arrows: [], count: count, reason: "came late")
    let isMade = try perform(command)
    #expect(isMade == isDue, "\(name)")
    return isMade ? "missed" : "refused"
  }

  private mutating func exchange(_ archer: Int, _ end: Int, _ count: Int) throws -> String {
    let range = end * 3..<min(12, (end + count) * 3)
    let isDue = end + count <= 4 && slots.contains { $0[range].contains { $0 != nil } }
    for slot in range {
      (slots[0][slot], slots[1][slot]) = (slots[1][slot], slots[0][slot])
    }
    let command = try MoveEnds(
      archers[archer], other: archers[1 - archer], first: end, count: count, isEarlier: false,
      reason: "wrong line")
    let isMade = try perform(command)
    #expect(isMade == isDue, "\(name)")
    return isMade ? "exchange" : "refused"
  }

  private mutating func move(
    _ archer: Int, _ end: Int, _ count: Int, isEarlier: Bool
  ) throws -> String {
    let target = isEarlier ? end - 1 : end + count
    var isDue = end + count <= 4 && (0..<4).contains(target)
    if isDue {
      let moved = Array(slots[archer][end * 3..<(end + count) * 3])
      isDue =
        moved.contains { $0 != nil }
        && slots[archer][target * 3..<target * 3 + 3].allSatisfy { $0 == nil }
      let first = isEarlier ? target : end
      let empty = [ArrowScore?](repeating: nil, count: 3)
      slots[archer].replaceSubrange(
        first * 3..<(first + count + 1) * 3, with: isEarlier ? moved + empty : empty + moved)
    }
    let command = try MoveEnds(
      archers[archer], other: 0, first: end, count: count, isEarlier: isEarlier,
      reason: "one end too late")
    let isMade = try perform(command)
    #expect(isMade == isDue, "\(name)")
    return isMade ? "move" : "refused"
  }
}
