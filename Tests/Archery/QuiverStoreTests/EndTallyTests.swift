import QuiverRules
import Testing

@testable import QuiverStore

/// Ends that are recorded at once, beside the same arrows one by one.
@Suite(.timeLimit(.minutes(5))) struct EndTallyTests {
  @Test("An end that is recorded at once leaves what its arrows leave one by one")
  func leavesTheSame() throws {
    let bench = try EventBench()
    let event = try bench.event(arrows: 6)
    let ids = try bench.entries(["Robin", "Marian"], event).map(\.id)
    try bench.start(event)
    let ends = [["X", "10", "M"], ["9", "6", "X"]]
    for (index, texts) in ends.enumerated() {
      for (arrow, text) in texts.enumerated() { try bench.record(ids[0], index, arrow, text) }
      let reply = try Self.record(texts, of: ids[1], index, bench)
      let (alone, together) = (try Self.place(ids[0], bench), try Self.place(ids[1], bench))
      #expect(reply.tally == together.participant.tally)
      #expect(together.participant.tally == alone.participant.tally)
      #expect(together.participant.nextEnd == alone.participant.nextEnd)
      #expect(
        together.participant.lastActiveAtMilliseconds
          == alone.participant.lastActiveAtMilliseconds)
      #expect(together.operationCount == alone.operationCount)
      #expect(together.firstShotMilliseconds == alone.firstShotMilliseconds)
      #expect(together.roundStatus == alone.roundStatus)
    }
    #expect(try Self.place(ids[1], bench).roundStatus == .completed)
    #expect(try bench.store.verify() == [])
  }

  @Test("The reply to an arrow has the participant as it is stored then")
  func repliesWithStored() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    for (end, arrow) in [(0, 1), (0, 0), (0, 2), (1, 0)] {
      let reply = try bench.record(id, end, arrow, "9")
      #expect(reply.next?.id == id)
      #expect(try reply.next == bench.participant(id))
      #expect(reply.tally == reply.next?.tally)
    }
    let partial = try Self.record(["9", "8"], of: id, 1, bench)
    #expect(partial.turn.kind == .arrow && partial.turn.slot.arrowIndex == 2)
    #expect(try partial.next == bench.participant(id))
    #expect(partial.arrows.map(\.score.value) == [9, 8])
    #expect(partial.tally.arrowCount == 5)
  }

  @Test("An end that is recorded at once has one row in the journal, and a row for each operation")
  func journalsOnce() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    let before = try bench.sequence()
    let audited = try bench.store.auditCount()
    try Self.record(["X", "10", "M"], of: id, 0, bench)
    let rows = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.journal(after: before, limit: 100)
    }
    #expect(rows.map(\.kind) == [.participant])
    #expect(rows.first?.objectID == id && rows.first?.topic == event.head.id)
    #expect(try Self.place(id, bench).operationCount == 3)
    #expect(try bench.store.auditCount() == audited + 3)
  }

  @Test("Repeated arrows of an end count once, and an operation with a name of its own is kept")
  func repeated() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    try bench.record(id, 0, 1, "10")
    let mixed = try Self.record(["X", "10", "9"], of: id, 0, bench, named: true)
    #expect(mixed.verdict == .stored && mixed.tally.total == 29)
    #expect(mixed.tally.endsCompleted == 1 && mixed.tally.arrowCount == 3)
    // The repeated arrow has a row, too, because it has a name.
    #expect(try Self.place(id, bench).operationCount == 4)
    #expect(try Self.place(id, bench).participant.nextEnd == 1)
    let again = try Self.record(["X", "10", "9"], of: id, 0, bench)
    #expect(again.verdict == .same && again.tally == mixed.tally)
    #expect(try Self.place(id, bench).operationCount == 4)
    #expect(try bench.store.verify() == [])
  }

  @discardableResult
  private static func record(
    _ texts: [String], of id: Int64, _ end: Int, _ bench: EventBench, named: Bool = false
  ) throws -> ScoringReply {
    let drafts = try texts.enumerated().map { arrow, text in
      let name = try named ? bench.clientID() : []
      return try bench.operation(id, end, arrow, text) { $0.clientID = name }
    }
    return try bench.perform(try RecordArrows(end: drafts, path: "operations"))
  }

  private static func place(_ id: Int64, _ bench: EventBench) throws -> ScoringPlace {
    try #require(
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.scoringPlace(participant: id)
      })
  }
}

extension Store {
  private static let audited = Query("SELECT count(*) FROM audit")

  fileprivate func auditCount() throws -> Int64 {
    try read { (snapshot) throws(StoreError) in
      try snapshot.first(Self.audited) { row in row.int64(0) } ?? 0
    }
  }
}
