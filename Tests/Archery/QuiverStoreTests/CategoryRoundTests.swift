import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Categories with rounds of their own", .timeLimit(.minutes(5)))
struct CategoryRoundTests {
  /// An event of twelve arrows, three an end, with a category of six arrows an end.
  private struct Event {
    let bench: EventBench
    let record: TournamentRecord
    /// In the first category.
    let first: Int64
    /// In the other category.
    let second: Int64

    var id: Int64 { record.head.id }

    init(arrows: UInt32 = 12) throws {
      bench = try EventBench()
      record = try bench.event(arrows: 12)
      var content = EventCategoryContent()
      content.code = "OUT"
      try bench.perform(
        try PutCategory(
          content, in: record.head.id, format: .codename("wa720_70"), arrowLimit: arrows))
      let drafts = try ["", "OUT"].map { code in
        try ImportEntries.Draft(
          name: "E\(code)", clientID: [], EventEntryContent(), categoryCode: code, session: 0,
          path: "")
      }
      let entries = try bench.perform(
        try ImportEntries.slices(of: drafts, to: record.head.id)[0])
      (first, second) = (entries[0].participant, entries[1].participant)
      try bench.start(record)
    }

    /// Six arrows each: two ends of three, and one of six.
    func shoot() throws {
      for index in 0..<6 {
        bench.clock.pass(milliseconds: 1)
        try bench.record(first, index / 3, index % 3, "9")
        bench.clock.pass(milliseconds: 1)
        try bench.record(second, 0, index, "10")
      }
      bench.clock.pass(milliseconds: 1)
    }

    /// The rows of the leaderboard in their order, whole.
    func rows() throws -> [String] {
      try bench.store.leaderboard(id).read { (_, order, _) in
        order.rows(from: 0, limit: 10).entries.map { "\($0)" }
      }
    }
  }

  @Test("The standings as of now are the current ones, whatever rounds the categories have")
  func past() throws {
    let event = try Event()
    try event.shoot()
    let now = try event.bench.store.standings(
      event.id, under: nil, principal: event.bench.organiser, pageSize: 10, pageToken: "")
    let past = try event.bench.store.standings(
      event.id, asOf: .max - 1, under: nil, principal: event.bench.organiser, pageSize: 10,
      pageToken: "")
    #expect(past.rows.entries == now.rows.entries && past.rows.ranks == now.rows.ranks)
    #expect(now.rows.entries.map(\.contender.tally.endsCompleted).sorted() == [1, 2])
  }

  @Test("A leaderboard that is folded again equals the one that was kept then")
  func resumed() throws {
    let event = try Event()
    try event.shoot()
    let (kept, sequence) = (try event.rows(), try event.bench.sequence())
    event.bench.clock.pass(milliseconds: 5)
    try event.bench.record(event.first, 2, 0, "8")
    try event.bench.record(event.second, 1, 0, "8")
    let current = try event.bench.store.leaderboard(event.id).read { (_, order, _) in order }
    var budget = ResumeBudget()
    let past = try #require(
      try event.bench.store.pastLeaderboard(event.id, after: sequence, current, &budget))
    #expect(past.order.rows(from: 0, limit: 10).entries.map { "\($0)" } == kept)
  }

  @Test("Reopening keeps exactly the complete rounds, each by its own format")
  func reopened() throws {
    // The category's round is complete with its six arrows, the event's is not.
    let event = try Event(arrows: 6)
    try event.shoot()
    try event.bench.finalise(event.record)
    try event.bench.perform(try ChangeTournamentState(event.id, .reopen, reason: "a sheet"))
    let connection = try Connection(path: event.bench.directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    let expected = [RoundStatus.inProgress, .completed].map { "\($0.rawValue)" }
    #expect(
      try connection.value(
        "SELECT group_concat(status) FROM (SELECT status FROM round ORDER BY participant_id)")
        == expected.joined(separator: ","))
    #expect(try event.bench.store.verify() == [])
  }

  @Test("A category that is created again is the first one only with the same round")
  func repeated() throws {
    let event = try Event()
    var content = EventCategoryContent()
    content.code = "OUT"
    func create(_ format: FormatChoice?, _ arrows: UInt32) throws -> EventCategoryRecord {
      try event.bench.perform(
        try PutCategory(content, in: event.id, format: format, arrowLimit: arrows))
    }
    let again = try create(.codename("wa720_70"), 12)
    #expect(again.format.format.arrowCount == 12)
    for (format, arrows) in [
      (FormatChoice.codename("wa720_70"), UInt32(6)), (.codename("wa18"), 12), (nil, 0),
    ] {
      let refused = event.bench.refusal { try create(format, arrows) }
      #expect(refused?.code == .alreadyExists)
    }
    content.code = "RM"
    let plain = try create(nil, 0).id
    #expect(try create(nil, 0).id == plain)
    #expect(
      event.bench.refusal { try create(.codename("wa720_70"), 12) }?.code == .alreadyExists)
  }

  @Test("A change of a category keeps the day of its tie policy, unless it changes the policy")
  func policyDay() throws {
    let bench = try EventBench()
    let event = try bench.event().head.id
    var content = EventCategoryContent()
    (content.code, content.tiePolicy) = ("RM", TiePolicy.xFirst.rawValue)
    let made = try bench.perform(try PutCategory(content, in: event, format: nil, arrowLimit: 0))
    func day() throws -> String? {
      let connection = try Connection(path: bench.directory.databasePath, mode: .readOnly)
      defer { connection.close() }
      return try connection.value(
        "SELECT tie_policy_day FROM event_category WHERE id = \(made.id)")
    }
    let first = try day()
    bench.clock.pass(milliseconds: 3 * 86_400_000)
    content.name = "Recurve men"
    let named = try bench.perform(
      try PutCategory(made.id, of: event, revision: made.revision, content))
    #expect(try day() == first)
    content.tiePolicy = 0
    try bench.perform(try PutCategory(made.id, of: event, revision: named.revision, content))
    #expect(try day() != first)
  }
}
