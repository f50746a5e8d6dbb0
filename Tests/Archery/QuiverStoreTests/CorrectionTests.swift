import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Corrections of arrows", .timeLimit(.minutes(5))) struct CorrectionTests {
  private static let now: Int64 = 1_700_000_000_000
  private static let earlier = now - 40 * 86_400_000

  @Test("A correction keeps the time of the arrow, and its operation has its own time")
  func recordTime() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let id = try bench.entries(["Robin"], event)[0].id
    try bench.start(event)
    let made = try bench.record(id, 0, 0, "9") { $0.scoredAtMilliseconds = Self.earlier }
    let first = try #require(made.arrows.first?.operationID)
    let corrected = try bench.replace(first, of: id, 0, 0, "10")
    let arrow = try #require(corrected.arrows.first)
    #expect(arrow.scoredAtMilliseconds == Self.earlier)
    let emptied = try bench.replace(arrow.operationID, of: id, 0, 0, "")
    let head = try #require(emptied.arrows.first)
    #expect(head.scoredAtMilliseconds == Self.earlier && head.isRetracted)
    let restored = try bench.replace(head.operationID, of: id, 0, 0, "8")
    #expect(restored.arrows.first?.scoredAtMilliseconds == Self.earlier)
    let card = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.scorecard(.id(id), principal: bench.organiser, withHistory: true)
    }
    #expect(card.arrows.map(\.scoredAtMilliseconds) == [Self.earlier])
    #expect(
      card.history.map(\.scoredAtMilliseconds) == [Self.earlier, Self.now, Self.now, Self.now])
    // A new record into a slot that was emptied is a new arrow.
    let last = try #require(restored.arrows.first?.operationID)
    try bench.replace(last, of: id, 0, 0, "")
    let shotAgain = try bench.record(id, 0, 0, "7")
    #expect(shotAgain.arrows.first?.scoredAtMilliseconds == Self.now)
    #expect(try bench.store.verify().isEmpty)
  }

  @Test("A corrected arrow stays in its date range, and its round keeps its handicap")
  func dateRange() throws {
    let bench = try EventBench()
    var draft = BowSetupDraft()
    draft.name = "A"
    let setup = try bench.perform(CreateBowSetup(draft))
    var content = CreateSession.Content(.codename("wa18"))
    content.arrowLimit = 30
    content.setup = SetupChoice(.id(setup.id), version: 0)
    let session = try bench.perform(try CreateSession(content))
    let participant = try #require(session.rounds.first).participant.id
    var operations: [Int64] = []
    for end in 0..<10 {
      for arrow in 0..<3 {
        let made = try bench.record(participant, end, arrow, "8") {
          $0.scoredAtMilliseconds = Self.earlier
        }
        operations.append(try #require(made.arrows.first?.operationID))
      }
    }
    try bench.replace(operations[4], of: participant, 1, 1, "9")
    let span = ShotSpan(start: Self.earlier, end: Self.earlier + 1)
    let rounds = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.comparedRounds(
        .setup(setup.id, version: 0), span, includesUnfinished: true, withHandicaps: true)
    }
    #expect(Performance(rounds).counts.score == 241)
    #expect(rounds.count == 1 && rounds.first?.handicap != nil)
    #expect(try bench.store.verify().isEmpty)
  }

  @Test("A client_id names one operation of a principal, whichever participant it is for")
  func clientIDs() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let entries = try bench.entries(["Robin", "Marian"], event)
    try bench.start(event)
    let name = try bench.clientID()
    try bench.record(entries[0].id, 0, 0, "9") { $0.clientID = name }
    let before = try bench.sequence()
    let other = bench.refusal {
      try bench.record(entries[1].id, 0, 0, "9") { $0.clientID = name }
    }
    #expect(other?.code == .alreadyExists && other?.field == "operation.client_id")
    #expect(try bench.sequence() == before)
    #expect(try bench.tally(entries[1].id).arrowCount == 0)
  }

  @Test("Two principals may use one client_id, and a correction finds the operation of its caller")
  func clientIDsOfTwo() throws {
    let bench = try EventBench()
    let event = try bench.event()
    let robin = try bench.archer()
    let entry = try bench.join(robin, event)
    try bench.start(event)
    let name = try bench.clientID()
    try bench.record(entry.id, 0, 0, "9", as: robin) { $0.clientID = name }
    let second = try bench.record(entry.id, 0, 1, "8") { $0.clientID = name }
    #expect(second.verdict == .stored)
    let corrected = try bench.record(entry.id, 0, 1, "7") { content in
      content.kind = .correct
      content.replaces = .clientID(name)
      content.reason = "misread"
    }
    #expect(corrected.verdict == .stored && corrected.tally.total == 16)
  }
}
