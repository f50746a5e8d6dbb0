import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Equal operations of two devices", .timeLimit(.minutes(5)))
struct EqualOperationTests {
  /// All orders of three operations.
  private static let orders = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  /// Sends operations in an order, those that are NOT_YET again; answers the other verdicts.
  private static func send<Operation>(
    _ operations: [Operation], in order: [Int],
    _ apply: (Operation) throws -> ScoringOutcome.Verdict
  ) throws -> [ScoringOutcome.Verdict] {
    var verdicts: [Int: ScoringOutcome.Verdict] = [:]
    var waiting = order
    for _ in 0..<order.count {
      for index in waiting { verdicts[index] = try apply(operations[index]) }
      waiting.removeAll { verdicts[$0] != .notYet }
    }
    return operations.indices.compactMap { verdicts[$0] }
  }

  @Test(
    "Whoever was second to send equal ends of a second card corrects them all the same",
    arguments: BothEngines.allCases)
  func cards(engine: BothEngines) throws {
    try engine.withBench { bench in
      for order in Self.orders {
        let cards = try CardBench(bench)
        let one = try cards.draft(cards.own, 0, "10 9 8")
        let other = try cards.draft(cards.own, 0, "10 9 8")
        let correction = try cards.draft(cards.own, 0, "10 9 7") {
          ($0.replaces, $0.reason) = (other.clientID, "misread")
        }
        let verdicts = try Self.send(
          [(one, cards.scorer), (other, bench.organiser), (correction, bench.organiser)], in: order
        ) { try cards.apply($0.0, as: $0.1).verdict }
        // What was first is stored, and equal arrows that come after the correction conflict.
        #expect(verdicts.last == .stored, "\(order) \(verdicts)")
        #expect(!verdicts.contains(.notYet) && !verdicts.contains(.refused), "\(order)")
        let ends = try cards.card(cards.own).ends
        #expect(ends.map(\.arrows) == [CardBench.arrows("10 9 7")], "\(order)")
        // The head is the correction: one that replaces what it replaced conflicts still.
        let stale = try cards.draft(cards.own, 0, "1 1 1") {
          ($0.replaces, $0.reason) = (other.clientID, "misread")
        }
        #expect(try cards.apply(stale).verdict == .conflict)
      }
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "Whoever was second to send equal ends of a match corrects them all the same",
    arguments: BothEngines.allCases)
  func matches(engine: BothEngines) throws {
    try engine.withBench { bench in
      for order in Self.orders {
        let bracket = try BracketBench(2, in: bench)
        let match = try bracket.match(2, 0)
        let judge = try bench.archer("Tuck")
        try bench.perform(SetOfficial(try bench.code(of: judge), of: bracket.event, role: .judge))
        let one = try bracket.operation(match.id, .first, 0, [10, 9, 8])
        let other = try bracket.operation(match.id, .first, 0, [10, 9, 8])
        let correction = try bracket.operation(match.id, .first, 0, [10, 9, 7]) {
          ($0.replaces, $0.reason) = (other.clientID, "misread")
        }
        let verdicts = try Self.send(
          [(one, judge), (other, bench.organiser), (correction, bench.organiser)], in: order
        ) { draft, caller -> ScoringOutcome.Verdict in
          switch try bracket.apply([draft], as: caller)[0].verdict {
          case .stored: .stored
          case .same: .same
          case .conflict: .conflict
          case .refused: .refused
          case .notYet: .notYet
          case .late: .late
          }
        }
        #expect(verdicts.last == .stored, "\(order) \(verdicts)")
        #expect(!verdicts.contains(.notYet) && !verdicts.contains(.refused), "\(order)")
        let ends = try bracket.match(2, 0).cards[0].ends
        #expect(
          ends[0]?.map(\.value) == [10, 9, 7], "\(order)")
      }
    }
  }
}
