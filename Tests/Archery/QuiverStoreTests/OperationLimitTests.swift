import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

/// The number of scoring operations on a participant.
@Suite(.timeLimit(.minutes(5))) struct OperationLimitTests {
  private struct SetCount: Command {
    let participant: Int64
    let count: Int64

    private static let update = Query("UPDATE participant SET operation_count = ?2 WHERE id = ?1")

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      try transaction.run(Self.update, .integer(participant), .integer(count))
    }
  }

  private static let counts = Query(
    """
    SELECT p.operation_count, count(o.id) FROM participant p
    LEFT JOIN scoring_operation o ON o.participant_id = p.id WHERE p.id = ?1
    GROUP BY p.id, p.operation_count
    """)

  private func counts(_ participant: Int64, _ bench: EventBench) throws -> [Int64] {
    try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.first(Self.counts, .integer(participant)) { row in
        [row.int64(0), row.int64(1)]
      } ?? []
    }
  }

  @Test("A participant takes 10,000 operations; the next is refused and changes nothing")
  func limit() throws {
    let bench = try EventBench()
    var content = CreateSession.Content(.codename("wa18"))
    content.arrowLimit = 6
    let own = try bench.perform(try CreateSession(content)).rounds[0].participant.id
    let limit = StoreLimits.operationsPerParticipant
    let name = try bench.clientID()
    let first = try bench.record(own, 0, 0, "9") { $0.clientID = name }
    #expect(try counts(own, bench) == [1, 1])
    try bench.perform(SetCount(participant: own, count: limit - 1))
    try bench.replace(first.arrows[0].operationID, of: own, 0, 0, "8")
    let tally = try bench.tally(own)
    let sequence = try bench.sequence()
    let refused = bench.refusal { try bench.record(own, 0, 1, "9") }
    #expect(refused?.code == .resourceExhausted && refused?.message.contains("10000") == true)
    let outcomes = try bench.perform(
      try ApplyOperations([.success(try bench.operation(own, 0, 1, "9"))], path: "operations"))
    #expect(outcomes.map { $0.refusal?.code } == [.resourceExhausted])
    #expect(try bench.tally(own) == tally && bench.sequence() == sequence)
    #expect(try counts(own, bench) == [limit, 2])
    // What has a row already, or needs none, is answered as before.
    #expect(try bench.record(own, 0, 0, "9") { $0.clientID = name }.verdict == .same)
    #expect(try bench.record(own, 0, 0, "8").verdict == .same)
    let findings = try bench.store.verify()
    #expect(findings.map(\.message).contains { $0.contains("2 operations, where 10000 are kept") })
    try bench.perform(SetCount(participant: own, count: 2))
    #expect(try bench.store.verify().isEmpty)
  }

  @Test("Late, rejected and repeated operations count, each once")
  func late() throws {
    let bench = try EventBench()
    let event = try bench.event(arrows: 6)
    let entry = try bench.entries(["Robin"], event)[0]
    try bench.start(event)
    try bench.record(entry.id, 0, 0, "9")
    let name = try bench.clientID()
    try bench.record(entry.id, 0, 0, "9") { $0.clientID = name }
    #expect(try counts(entry.id, bench) == [2, 2])
    try bench.finalise(event)
    let late = try bench.perform(
      try ApplyOperations(
        [.success(try bench.operation(entry.id, 0, 1, "9"))], path: "operations"))
    #expect(late.map(\.verdict) == [.late])
    #expect(try counts(entry.id, bench) == [3, 3])
    let rulings = try late.map { outcome in
      try bench.perform(
        try RuleOnOperations(
          tournament: event.head.id, ids: [outcome.operationID], admits: true, reason: "seen"))
    }
    #expect(rulings.count == 1)
    #expect(try counts(entry.id, bench) == [3, 3] && bench.store.verify().isEmpty)
  }
}
