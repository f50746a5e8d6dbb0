import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct StandingsTests {
  /// Records arrows from the first slot on.
  private func shoot(
    _ bench: EventBench, _ id: Int64, _ texts: String, from first: Int = 0
  ) throws {
    for (index, text) in texts.split(separator: " ").enumerated() {
      let place = first + index
      try bench.record(id, place / 3, place % 3, String(text))
    }
  }

  @Test("Full ties share a rank, and only the id orders their rows")
  func ties() throws {
    let bench = try EventBench()
    let event = try bench.event(arrows: 3)
    let ids = try bench.entries(["A", "B", "C", "D", "E"], event).map(\.id)
    try bench.start(event)
    for (id, texts) in zip(ids, ["9 9 9", "X 10 10", "10 10 10", "X 10 10", "9 9 9"]) {
      try shoot(bench, id, texts)
    }
    #expect(
      try bench.standings(event) == [
        "1 B 30 1 3", "1 D 30 1 3", "3 C 30 0 3", "4 A 27 0 0", "4 E 27 0 0",
      ])
    #expect(
      try bench.standings(event, under: .waIndoor) == [
        "1 B 30 1 3", "1 C 30 0 3", "1 D 30 1 3", "4 A 27 0 0", "4 E 27 0 0",
      ])
    let moves = try bench.store.rankMoves(
      event.head.id, under: .waIndoor, principal: bench.organiser, pageSize: 0, pageToken: "")
    #expect(moves.moves.map(\.entry.displayName) == ["C"] && moves.count == 1)
    #expect(moves.moves.map(\.rankBefore) == [3] && moves.moves.map(\.rank) == [1])
    let (why, one, other) = try bench.store.explainRank(
      event.head.id, ids[1], over: ids[2], under: nil, principal: bench.organiser)
    #expect(why.text(one.displayName, other.displayName) == "B is above C by X: 1 against 0")
  }

  @Test(
    "More completed ends rank higher while the event is in progress, but not when it is finalised"
  )
  func inProgress() throws {
    let bench = try EventBench()
    let event = try bench.event(arrows: 6)
    let ids = try bench.entries(["A", "B"], event).map(\.id)
    try bench.start(event)
    try bench.record(ids[0], 0, 0, "9")
    try bench.record(ids[0], 1, 0, "9")
    try shoot(bench, ids[1], "9 9 M")
    #expect(try bench.standings(event) == ["1 B 18 0 0", "2 A 18 0 0"])
    try bench.finalise(event)
    #expect(try bench.standings(event) == ["1 A 18 0 0", "1 B 18 0 0"])
  }

  @Test("Withdrawn and then disqualified participants are last and not ranked")
  func unranked() throws {
    let bench = try EventBench()
    let event = try bench.event(arrows: 3)
    let ids = try bench.entries(["A", "B", "C"], event).map(\.id)
    try bench.start(event)
    for (id, texts) in zip(ids, ["X X X", "X X 9", "9 9 9"]) { try shoot(bench, id, texts) }
    #expect(try bench.standings(event).first == "1 A 30 3 3")
    try bench.perform(try ChangeParticipant(ids[0], to: .disqualified, reason: "late"))
    try bench.perform(try ChangeParticipant(ids[1], to: .withdrawn, reason: ""))
    #expect(try bench.standings(event) == ["1 C 27 0 0", "0 B 29 2 2", "0 A 30 3 3"])
  }

  @Test("Past standings follow the commit order, whatever the clients' clocks")
  func past() throws {
    let bench = try EventBench()
    let event = try bench.event(arrows: 6)
    let ids = try bench.entries(["A", "B"], event).map(\.id)
    try bench.start(event)
    func later(_ seconds: Int64) {
      bench.clock.set(wallMilliseconds: 1_700_000_000_000 + seconds * 1_000)
    }
    func asOf(_ seconds: Int64) throws -> [String] {
      let page = try bench.store.standings(
        event.head.id, asOf: 1_700_000_000_000 + seconds * 1_000, under: nil,
        principal: bench.organiser, pageSize: 0, pageToken: "")
      return zip(page.rows.entries, page.rows.ranks).map { entry, rank in
        "\(rank) \(entry.displayName) \(entry.contender.tally.total)"
      }
    }
    later(10)
    try bench.record(ids[1], 0, 0, "9") { $0.scoredAtMilliseconds = 1 }
    later(20)
    let reply = try bench.record(ids[0], 0, 0, "X")
    later(30)
    try bench.replace(reply.arrows.first?.operationID ?? 0, of: ids[0], 0, 0, "5")
    later(40)
    try bench.perform(try ChangeParticipant(ids[1], to: .withdrawn, reason: ""))
    #expect(try asOf(-1) == [])
    #expect(try asOf(9) == ["1 A 0", "1 B 0"])
    #expect(try asOf(10) == ["1 B 9", "2 A 0"])
    #expect(try asOf(25) == ["1 A 10", "2 B 9"])
    #expect(try asOf(30) == ["1 B 9", "2 A 5"])
    #expect(try asOf(40) == ["1 A 5", "0 B 9"])
  }

  @Test("An event keeps the tie policy under which it was shot")
  func policyKept() throws {
    let bench = try EventBench()
    bench.clock.set(wallMilliseconds: 20_000 * 86_400_000)
    let event = try bench.event { $0.tiePolicy = TiePolicy.waOutdoorLegacy.rawValue }
    #expect(event.head.tiePolicyDay == 20_000)
    var change = UpdateTournament.Change()
    change.tiePolicy = TiePolicy.waIndoor.rawValue
    try bench.start(event)
    let refused = bench.refusal {
      try bench.perform(try UpdateTournament(event.head.id, revision: 2, change))
    }
    #expect(refused?.code == .failedPrecondition && refused?.field == "tournament.tie_policy")
    bench.clock.set(wallMilliseconds: 30_000 * 86_400_000)
    let page = try bench.store.standings(
      event.head.id, under: nil, principal: bench.organiser, pageSize: 0, pageToken: "")
    #expect(page.form.policy == .waOutdoorLegacy && page.form.keys == [.score, .count(10), .x])
  }

  @Test("Pages have no gap or repetition, and a token is valid only for its list")
  func pages() throws {
    let bench = try EventBench()
    let event = try bench.event { $0.maxParticipants = 500 }
    let ids = try bench.entries((0..<103).map { "E\($0)" }, event).map(\.id)
    try bench.start(event)
    for (place, id) in ids.enumerated() { try bench.record(id, 0, 0, "\(1 + place % 10)") }
    var token = ""
    var seen: [Int64] = []
    var ranks: [Int] = []
    repeat {
      let page = try bench.store.standings(
        event.head.id, under: nil, principal: bench.organiser, pageSize: 10, pageToken: token)
      seen += page.rows.entries.map(\.id)
      ranks += page.rows.ranks
      token = page.nextPageToken
      // Somebody who was shown already climbs meanwhile; nobody is shown twice for it.
      if seen.count == 50 { try bench.record(seen[3], 0, 1, "X") }
    } while !token.isEmpty
    #expect(seen.count == 103 && Set(seen).count == 103)
    #expect(ranks == ranks.sorted())
    let other = bench.refusal {
      try bench.store.standings(
        event.head.id, under: .scoreOnly, principal: bench.organiser, pageSize: 10,
        pageToken: try bench.store.standings(
          event.head.id, under: nil, principal: bench.organiser, pageSize: 10, pageToken: ""
        ).nextPageToken)
    }
    #expect(other?.field == "page_token")
  }

  @Test("After any changes the order in memory equals a new sort of all rows", arguments: 0..<6)
  func inMemory(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = try EventBench()
    let event = try bench.event(arrows: 6)
    let ids = try bench.entries((0..<12).map { "E\($0)" }, event).map(\.id)
    try bench.start(event)
    for step in 0..<120 {
      let id = ids.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        _ = try? bench.perform(try ChangeParticipant(id, to: .withdrawn, reason: ""))
      case 1, 2:
        _ = try? bench.perform(try ChangeParticipant(id, to: .active, reason: "back"))
      default:
        let (end, arrow) = (
          Int.random(in: 0..<2, using: &random), Int.random(in: 0..<3, using: &random)
        )
        let text = ["X", "10", "9", "M"].randomElement(using: &random) ?? "M"
        _ = try? bench.record(id, end, arrow, text)
      }
      if step % 7 == 0 || step == 119 {
        let shown = try bench.standings(event)
        let anew = try Self.anew(event, bench)
        #expect(shown == anew, "seed \(seed), step \(step)")
      }
    }
  }

  /// The standings as a leaderboard that is read for the first time has them.
  private static func anew(_ event: TournamentRecord, _ bench: EventBench) throws -> [String] {
    let entries = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.participants(session: event.head.id, limit: 1_000).map(LeaderboardEntry.init)
    }
    let order = LeaderboardOrder(
      ranking: Ranking(event.head.form(of: event.head.tiePolicy), inProgress: true), entries)
    let rows = order.rows(from: 0, limit: 1_000)
    let ranks = order.ranking.ranks(ofOrdered: rows.entries.map(\.contender))
    #expect(rows.ranks == ranks)
    return zip(rows.entries, ranks).map { entry, rank in
      let tally = entry.contender.tally
      return "\(rank) \(entry.displayName) \(tally.total) \(tally.xCount) \(tally.tenCount)"
    }
  }
}
