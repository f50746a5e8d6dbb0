import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("What matches count for", .timeLimit(.minutes(5)))
struct MatchQuotaTests {
  private static func rows(_ bench: EventBench, _ principal: Int64) throws -> Int64 {
    try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.usage(principal: principal).rows
    }
  }

  @Test("Operations on matches count for who sent them, and not for the organiser")
  func usage() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let (bench, archer) = (bracket.bench, bracket.archers[0])
    let match = try bracket.match(2, 0).id
    try bracket.apply([try bracket.operation(match, .first, 0, [9, 9, 9])], as: archer)
    let before = (try Self.rows(bench, bench.organiser), try Self.rows(bench, archer))
    let again = try (0..<20).map { _ in try bracket.operation(match, .first, 0, [9, 9, 9]) }
    #expect(try bracket.apply(again, as: archer).allSatisfy { $0.verdict == .same })
    #expect(try Self.rows(bench, bench.organiser) == before.0)
    #expect(try Self.rows(bench, archer) == before.1 + 20)
    #expect(try bench.store.verify() == [])
  }

  @Test("One caller sends a limited number of operations on a match, and others send theirs still")
  func limit() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let archer = bracket.archers[0]
    let match = try bracket.match(2, 0).id
    let limit = Int(StoreLimits.operationsPerMatch)
    var outcomes: [MatchOutcome] = []
    for _ in 0...limit / StoreLimits.operationsPerCommand {
      outcomes += try bracket.apply(
        try (0..<StoreLimits.operationsPerCommand).map { _ in
          try bracket.operation(match, .first, 0, [9, 9, 9])
        }, as: archer)
    }
    #expect(outcomes.prefix(limit).allSatisfy { $0.verdict != .refused })
    let refused = outcomes.dropFirst(limit)
    #expect(!refused.isEmpty && refused.allSatisfy { $0.refusal?.code == .resourceExhausted })
    let organisers = try bracket.operation(match, .first, 1, [9, 9, 9])
    #expect(try bracket.apply([organisers])[0].verdict == .stored)
  }

  @Test("An organiser at its quota dismisses officials, rules over matches and cancels the event")
  func rulings() throws {
    let bracket = try BracketBench(4, in: try EventBench())
    let (bench, event) = (bracket.bench, bracket.event)
    let tuck = try bench.archer("Tuck")
    try bench.perform(SetOfficial(try bench.code(of: tuck), of: event, role: .judge))
    try bench.fill()
    let given = bench.refusal {
      try bench.perform(SetOfficial(try bench.code(of: tuck), of: event, role: .scorer))
    }
    #expect(given?.code == .resourceExhausted)
    try bench.perform(RemoveOfficial(tuck, of: event))
    let match = try bracket.match(4, 0).id
    try bench.perform(try ForfeitMatch(match, .second, reason: "ill"))
    try bench.fill()
    try bench.perform(try ReopenMatch(match, reason: "well", voidsLater: false))
    try bench.fill()
    try bench.perform(try ChangeTournamentState(event, .cancel))
  }

  @Test("What is counted equals what is stored after an event is handed over, and after a deletion")
  func handedOver() throws {
    let bracket = try BracketBench(2, in: try EventBench())
    let (bench, event) = (bracket.bench, bracket.event)
    let tuck = try bench.archer("Tuck")
    try bench.perform(SetOfficial(try bench.code(of: tuck), of: event, role: .organiser))
    let match = try bracket.match(2, 0).id
    for (archer, side) in zip(bracket.archers, MatchSide.allCases) {
      try bracket.apply([try bracket.operation(match, side, 0, [9, 9, 9])], as: archer)
    }
    try bench.perform(DeleteAccount(confirmation: "Sheriff"))
    try bench.store.awaitErasure()
    #expect(try bench.store.verify() == [])
    try bench.perform(DeleteAccount(confirmation: "Archer 1"), as: bracket.archers[0])
    try bench.store.awaitErasure()
    #expect(try bench.store.verify() == [])
  }

  @Test("An event whose matches have scores is not deleted, though no arrow of a round is there")
  func deletion() throws {
    let bracket = try BracketBench(2, shoots: false, in: try EventBench())
    let (bench, event) = (bracket.bench, bracket.event)
    let match = try bracket.match(2, 0).id
    try bracket.apply([try bracket.operation(match, .first, 0, [9, 9, 9])])
    let refused = bench.refusal { try bench.perform(DeleteTournament(event)) }
    #expect(refused?.code == .failedPrecondition)
    #expect(try bracket.match(2, 0).id == match)
  }
}

extension EventBench {
  /// Makes every account store as many rows as it may.
  fileprivate func fill() throws { try store.perform(FillQuotas(), .of(0)) }
}

private struct FillQuotas: Command {
  private static let fill = Query("UPDATE usage SET rows = \(StoreLimits.storedRowsPerPrincipal)")

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.fill)
  }
}
