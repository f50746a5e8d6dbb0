import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Pages of standings while rows are added", .timeLimit(.minutes(5)))
struct StandingsPageTests {
  @Test("A page of a category goes on behind the last row, whoever has come above it since")
  func category() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 1)
    let ids = try event.enter((1...7).map { "Archer \($0)" }, "R")
    try event.bench.start(event.record)
    // The last one shoots after the first page.
    for (id, value) in zip(ids, [10, 9, 8, 7, 6, 5]) {
      try event.bench.record(id, 0, 0, "\(value)")
    }
    var filter = Snapshot.EntryFilter()
    filter.category = category.id
    func page(_ token: String) throws -> CategoryStandings {
      try event.bench.store.categoryStandings(
        event.id, filter, principal: event.bench.organiser, pageSize: 3, pageToken: token)
    }
    let first = try page("")
    #expect(first.rows.map(\.entry.participant) == Array(ids[0..<3]) && first.count == 7)
    try event.bench.record(ids[6], 0, 0, "X")
    let second = try page(first.nextPageToken)
    #expect(second.rows.map(\.entry.participant) == Array(ids[3..<6]))
    #expect(second.rows.map(\.rank) == [5, 6, 7] && second.nextPageToken.isEmpty)
    // The row of the token has gone above the page itself.
    try event.bench.record(ids[2], 0, 1, "9")
    #expect(try page(first.nextPageToken).rows.map(\.entry.participant) == Array(ids[3..<6]))
    let other = event.bench.refusal {
      try event.bench.store.categoryStandings(
        event.id, Snapshot.EntryFilter(), principal: event.bench.organiser, pageSize: 3,
        pageToken: first.nextPageToken)
    }
    #expect(other?.code == .invalidArgument && other?.field == "page_token")
  }

  @Test("Pages of a decided tie have each of its archers once")
  func decided() throws {
    let event = try RoundEvent(in: try EventBench())
    let category = try event.category("R", rounds: 1)
    let ids = try event.enter(["Ann", "Ben", "Cid", "Dan"], "R")
    try event.bench.start(event.record)
    for id in ids { try event.end(id, 0, .six("9")) }
    let order = [ids[2], ids[0], ids[3], ids[1]]
    try event.bench.perform(try DecideTie(order, of: category.id, in: event.id, .shootOff))
    var filter = Snapshot.EntryFilter()
    filter.category = category.id
    var (found, token): ([Int64], String) = ([], "")
    repeat {
      let page = try event.bench.store.categoryStandings(
        event.id, filter, principal: event.bench.organiser, pageSize: 1, pageToken: token)
      found += page.rows.map(\.entry.participant)
      token = page.nextPageToken
    } while !token.isEmpty && found.count < 10
    #expect(found == order)
  }

  @Test("A page of moved ranks goes on behind the last row, whoever has come above it since")
  func moves() throws {
    let bench = try EventBench()
    let event = try bench.event { $0.maxParticipants = 20 }
    let ids = try bench.entries((0..<10).map { "Archer \($0)" }, event).map(\.id)
    try bench.start(event)
    // Two archers have each total, and one of them an X: under the score alone they share a rank.
    func shoot(_ pair: Int, _ second: String) throws {
      try bench.record(ids[2 * pair], 0, 0, "X")
      try bench.record(ids[2 * pair + 1], 0, 0, "10")
      for id in [ids[2 * pair], ids[2 * pair + 1]] { try bench.record(id, 0, 1, second) }
    }
    for (pair, second) in ["8", "7", "6", "5"].enumerated() { try shoot(pair, second) }
    func page(_ token: String) throws -> RankMovesPage {
      try bench.store.rankMoves(
        event.head.id, under: .scoreOnly, principal: bench.organiser, pageSize: 2,
        pageToken: token)
    }
    func moved(_ page: RankMovesPage) -> [Int64] { page.moves.map { $0.0.id } }
    let first = try page("")
    let all = try bench.store.rankMoves(
      event.head.id, under: .scoreOnly, principal: bench.organiser, pageSize: 50, pageToken: "")
    #expect(moved(first) == Array(moved(all).prefix(2)) && all.moves.count >= 4)
    try shoot(4, "9")
    let second = try page(first.nextPageToken)
    #expect(moved(second) == Array(moved(all).dropFirst(2).prefix(2)))
  }
}
