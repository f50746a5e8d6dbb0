import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Late operations and other rounds", .timeLimit(.minutes(5)))
struct LateRoundTests {
  /// Gives a participant another round, as earlier versions did beneath late operations.
  private struct ExchangeRound: Command {
    let participant: Int64
    let format: Int64

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      try transaction.setFormat(format, ofParticipant: participant)
    }
  }

  /// Moves an entry to another category.
  private static func move(_ archer: Int64, to category: Int64, _ bench: EventBench) throws
    -> EventEntryRecord
  {
    var change = UpdateEntry.Change()
    change.category = category
    return try bench.perform(UpdateEntry(archer, change))
  }

  @Test(
    "An entry whose operations wait keeps its round, and is moved where the round is the same",
    arguments: BothEngines.allCases)
  func waiting(engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try RoundEvent(in: bench, ends: 2)
      let short = try event.category("S", rounds: 1, ends: 1)
      let archers = try event.enter(["Ann", "Ben"], "")
      try bench.start(event.record)
      let reply = try bench.record(archers[1], 0, 0, "9")
      try bench.replace(try #require(reply.arrows.first?.operationID), of: archers[1], 0, 0, "")
      try bench.finalise(event.record)
      #expect(try bench.record(archers[0], 1, 0, "9").verdict == .late)
      try bench.perform(try ChangeTournamentState(event.id, .reopen, reason: "late"))
      // One waits, the other one was retracted: both are of the round.
      for archer in archers {
        let refused = bench.refusal { try Self.move(archer, to: short.id, bench) }
        #expect(refused?.code == .failedPrecondition && refused?.field == "entry.category_id")
      }
      let fresh = try event.enter(["Cid"], "")[0]
      #expect(try Self.move(fresh, to: short.id, bench).content.category == short.id)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "An operation that the round does not have any more is refused, and the others are admitted",
    arguments: BothEngines.allCases)
  func exchanged(engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try RoundEvent(in: bench, ends: 2)
      let short = try event.category("S", rounds: 1, ends: 1)
      let archer = try event.enter(["Ann"], "")[0]
      try bench.start(event.record)
      try bench.finalise(event.record)
      for (end, arrow) in [(0, 0), (1, 0), (0, 1)] {
        let id = try bench.clientID()
        #expect(try bench.record(archer, end, arrow, "9") { $0.clientID = id }.verdict == .late)
      }
      try bench.perform(ExchangeRound(participant: archer, format: short.format.id))
      let ids = try bench.late(event.record)
      let ruled = try bench.perform(
        try RuleOnOperations(tournament: event.id, ids: ids, admits: true, reason: "seen"))
      #expect(ruled.map(\.outcome.verdict) == [.stored, .refused, .stored])
      #expect(ruled[1].outcome.refusal?.code == .invalidArgument)
      #expect(try bench.tally(archer).total == 18)
      // It waits still, and can be rejected.
      #expect(try bench.late(event.record) == [ids[1]])
      try bench.perform(
        try RuleOnOperations(
          tournament: event.id, ids: [ids[1]], admits: false, reason: "another round"))
      #expect(try bench.late(event.record) == [])
    }
  }

  @Test(
    "An event with acknowledged operations is not deleted, on whichever card they are",
    arguments: BothEngines.allCases)
  func deletion(engine: BothEngines) throws {
    try engine.withBench { bench in
      func refusal(_ event: Int64) -> StoreError? {
        bench.refusal { try bench.perform(DeleteTournament(event)) }
      }
      let second = try CardBench(bench)
      try second.second(second.own, 0, "9 9 9")
      #expect(refusal(second.event.head.id)?.code == .failedPrecondition)
      #expect(try second.card(second.own).ends.count == 1)
      let emptied = try CardBench(bench)
      let draft = try emptied.draft(emptied.own, 0, "9 9 9")
      try emptied.apply(draft)
      try emptied.second(emptied.own, 0, "") {
        ($0.replaces, $0.reason) = (draft.clientID, "another archer's")
      }
      #expect(refusal(emptied.event.head.id)?.code == .failedPrecondition)
      let retracted = try bench.event()
      let archer = try bench.entries(["Much"], retracted)[0].id
      try bench.start(retracted)
      let reply = try bench.record(archer, 0, 0, "9")
      try bench.replace(try #require(reply.arrows.first?.operationID), of: archer, 0, 0, "")
      #expect(refusal(retracted.head.id)?.code == .failedPrecondition)
      let empty = try bench.event()
      _ = try bench.entries(["Much"], empty)
      try bench.start(empty)
      #expect(refusal(empty.head.id) == nil)
      #expect(try bench.store.verify() == [])
    }
  }
}
