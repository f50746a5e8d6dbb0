import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Rounds of lists, without arrows", .timeLimit(.minutes(5)))
struct PastRoundTests {
  private static func content(
    _ total: Int, at milliseconds: Int64, _ change: (inout CreateSession.Content) -> Void = { _ in }
  ) -> CreateSession.Content {
    var content = CreateSession.Content(.codename("wa18"))
    content.past = PastRoundDraft(
      TypedScore(total: total, hits: 60, golds: 20), shotAtMilliseconds: milliseconds,
      status: .record)
    change(&content)
    return content
  }

  @Test(
    "It is completed when it was shot, counts as a round, and has no arrows for statistics",
    arguments: BothEngines.allCases)
  func counted(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let robin = try bench.archer()
      let day = bench.store.nowMilliseconds - 86_400_000 * 400
      let session = try bench.perform(
        try CreateSession(Self.content(540, at: day) { $0.bow = .barebow }), as: robin)
      let round = try #require(session.rounds.first)
      #expect(round.status == .completed && round.shootStatus == .record && round.bow == .barebow)
      #expect(round.startedAtMilliseconds == day && round.completedAtMilliseconds == day)
      #expect(round.participant.tally.total == 540 && round.participant.tally.missing.contains(.x))
      let (rounds, days) = try bench.store.read { (snapshot) throws(StoreError) in
        (
          try snapshot.completedRounds(principal: robin, before: .max).rounds,
          try snapshot.shotRounds(
            Int32(day / 86_400_000)...Int32(day / 86_400_000), principal: robin)
        )
      }
      #expect(rounds.map(\.score) == [540] && rounds.map(\.firstShotAtMilliseconds) == [day])
      #expect(days.map(\.tally.total) == [540])
      let arrows = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.first(Query("SELECT count(*) FROM scored_arrow")) { $0.int64(0) }
      }
      #expect(arrows == 0)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("It takes no arrows, is stored once by its client_id, and goes with its session")
  func closed() throws {
    let bench = try EventBench()
    let robin = try bench.archer()
    let id = try bench.clientID()
    let day = bench.store.nowMilliseconds - 86_400_000
    let command = try CreateSession(Self.content(500, at: day) { $0.clientID = id })
    let session = try bench.perform(command, as: robin)
    #expect(try bench.perform(command, as: robin).id == session.id)
    let participant = try #require(session.rounds.first?.participant.id)
    let refused = bench.refusal { try bench.record(participant, 0, 0, "9", as: robin) }
    #expect(refused?.code == .failedPrecondition && refused?.message.contains("no arrows") == true)
    try bench.perform(DeleteSession(.id(session.id)), as: robin)
    let rounds = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.completedRounds(principal: robin, before: .max).rounds
    }
    #expect(rounds.isEmpty)
    #expect(try bench.store.verify() == [])
  }

  @Test("Sums that cannot be, a day to come and guests are refused with their field")
  func refused() throws {
    let bench = try EventBench()
    let robin = try bench.archer()
    let now = bench.store.nowMilliseconds
    func refusal(
      _ total: Int, at milliseconds: Int64,
      _ change: (inout CreateSession.Content) -> Void = { _ in }
    ) -> StoreError? {
      bench.refusal {
        try bench.perform(
          try CreateSession(Self.content(total, at: milliseconds, change)), as: robin)
      }
    }
    #expect(refusal(601, at: now)?.field == "past.sums.total")
    #expect(refusal(540, at: now) { $0.past?.score.golds = 61 }?.field == "past.sums.golds")
    #expect(refusal(540, at: now + 86_400_000)?.field == "past.shot_at_ms")
    #expect(refusal(540, at: 0)?.field == "past.shot_at_ms")
    let guest = try SessionGuestDraft(name: "Much", clientID: [], path: "")
    #expect(refusal(540, at: now) { $0.guests = [guest] }?.field == "guests")
    let sessions = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.sessions(
        principal: robin, includesTournaments: false, pageSize: 0, pageToken: ""
      ).items
    }
    #expect(sessions.isEmpty)
  }
}
