import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Rounds that categories share", .timeLimit(.minutes(5)))
struct SharedRoundTests {
  private static func categories(_ event: RoundEvent) throws -> [EventCategoryRecord] {
    let (id, organiser) = (event.id, event.bench.organiser)
    return try event.bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: id, principal: organiser)
    }
  }

  @Test(
    "A change of a shared round changes the revision of the event and of all who share it",
    arguments: BothEngines.allCases)
  func revisions(engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try RoundEvent(in: bench)
      var content = EventCategoryContent()
      content.code = "P"
      let plain = try bench.perform(
        try PutCategory(content, in: event.id, format: nil, arrowLimit: 0))
      let own = try event.category("O", rounds: 1)
      let first = try Self.categories(event)[0]
      let position = try bench.sequence()
      let changed = try event.add(to: plain)
      #expect(changed.rounds.count == 2 && changed.revision == plain.revision + 1)
      let after = try Self.categories(event)
      #expect(after.map(\.rounds.count) == [2, 2, 1])
      #expect(
        after.map(\.revision) == [first.revision + 1, plain.revision + 1, own.revision])
      let head = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.tournamentHead(id: event.id)
      }
      #expect(head?.revision == event.record.head.revision + 1)
      let entries = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.journal(after: position, limit: 100)
      }
      let noted = entries.filter { $0.kind == .eventCategory }.map(\.objectID)
      #expect(Set(noted) == [first.id, plain.id])
      #expect(entries.contains { $0.kind == .tournament && $0.objectID == event.id })
      // Who has read the other category before would add one more round to what it has not seen.
      let stale = bench.refusal { try event.add(to: first) }
      #expect(stale?.code == .aborted && stale?.field == "revision")
      #expect(try event.add(to: after[0]).rounds.count == 3)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "A change of rounds moves the archers of the category alone, complete or not",
    arguments: BothEngines.allCases)
  func archers(engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try RoundEvent(in: bench)
      var category = try event.category("R", rounds: 1)
      _ = try event.category("O", rounds: 1)
      let ids = try event.enter(["Ann", "Ben"], "R") + event.enter(["Cid"], "O")
      try bench.start(event.record)
      for id in [ids[0], ids[2]] { try event.end(id, 0, .six("9")) }
      func open(_ id: Int64) throws -> RoundStatus? {
        try bench.store.read { (snapshot) throws(StoreError) in
          try snapshot.scoringPlace(participant: id)?.roundStatus
        }
      }
      #expect(try ids.map(open) == [.completed, .planned, .completed])
      category = try event.add(to: category)
      #expect(try ids.map(open) == [.inProgress, .planned, .completed])
      let rows = try event.standings(category.id).rows
      #expect(rows.map { $0.rounds.map(\.total) } == [[54, 0], [0, 0]])
      category = try event.remove(2, of: category)
      #expect(try ids.map(open) == [.completed, .planned, .completed])
      let refused = bench.refusal { try event.add(to: category, before: 1) }
      #expect(refused?.message == "participant \(ids[0]) has arrows in round 1, which would move")
      #expect(try bench.store.verify() == [])
    }
  }

  #if DEBUG
    /// Changes rounds, and counts the statements for it.
    private struct Counted: Command {
      let command: ChangeQualification

      func apply(
        in transaction: borrowing Transaction
      ) throws(StoreError) -> (category: EventCategoryRecord, statements: Int) {
        let before = transaction.snapshot.session.statementCount
        let category = try command.apply(in: transaction)
        return (category, transaction.snapshot.session.statementCount - before)
      }
    }

    @Test("Rounds of a category with many archers change with as many statements as with few")
    func statements() throws {
      let event = try RoundEvent(in: try EventBench())
      var category = try event.category("R", rounds: 1)
      func counted() throws -> Int {
        let found = try event.bench.perform(
          Counted(
            command: try ChangeQualification(
              .add(.codename("wa720_70"), arrowLimit: 6, before: 0), of: category.id,
              in: event.id, revision: category.revision)))
        category = found.category
        return found.statements
      }
      _ = try event.enter(["Ann"], "R")
      let few = try counted()
      _ = try event.enter((0..<200).map { "Archer \($0)" }, "R")
      #expect(try counted() <= few + 10)
    }
  #endif

  @Test("The totals of more archers than one statement adds up are those of each")
  func manyTotals() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 2)
    let ids = try event.enter((0..<120).map { "Archer \($0)" }, "R")
    try event.bench.start(event.record)
    for (index, id) in ids.enumerated() where index % 40 == 0 {
      try event.bench.record(id, 0, 0, "\(index / 40 + 1)")
      try event.bench.record(id, 1, 0, "10")
    }
    let rows = try event.standings(category.id).rows
    #expect(rows.count == 120 && rows.allSatisfy { $0.rounds.map(\.round) == [1, 2] })
    let shot = rows.filter { $0.rounds.contains { $0.arrowCount > 0 } }
    #expect(Set(shot.map { $0.rounds.map(\.total) }) == [[1, 10], [2, 10], [3, 10]])
  }
}
