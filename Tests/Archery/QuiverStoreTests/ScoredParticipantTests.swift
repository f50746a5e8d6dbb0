import Testing

@testable import QuiverStore

@Suite("Participants whom a caller scores", .timeLimit(.minutes(5)))
struct ScoredParticipantTests {
  private static func ids(
    _ line: DeviceLine, _ principal: Int64, pageSize: UInt32 = 100
  ) throws -> [Int64] {
    var (found, token): ([Int64], String) = ([], "")
    repeat {
      let event = line.line.event
      let page = try line.bench.store.read { [token] (snapshot) throws(StoreError) in
        try snapshot.participantPage(
          tournament: event, principal: principal, mineOnly: true, pageSize: pageSize,
          pageToken: token)
      }
      #expect(page.items.count <= Int(pageSize))
      found += page.items.map(\.id)
      token = page.nextPageToken
    } while !token.isEmpty
    return found
  }

  @Test("A device has those of its targets, until its lease ends, in pages of any size")
  func leased() throws {
    let line = try DeviceLine()
    let cards = line.line.cards
    let phone = try #require(try line.join(1).lease).principal
    let empty = try #require(try line.join(2, target: 2).lease).principal
    let both = [cards.own, cards.entry].sorted()
    #expect(try Self.ids(line, phone) == both)
    #expect(try Self.ids(line, phone, pageSize: 1) == both)
    #expect(try Self.ids(line, empty) == [])
    #expect(try Self.ids(line, cards.archer) == [cards.own])
    try line.bench.perform(ExpireLeases())
    // Without a lease it does not see the event.
    #expect(line.bench.refusal { try Self.ids(line, phone) }?.code == .notFound)
    // Whoever holds the lease on its own target has itself once.
    let other = try DeviceLine()
    let archer = other.line.cards.archer
    try other.line.join(try other.line.code(), "own", as: archer)
    let all = [other.line.cards.own, other.line.cards.entry].sorted()
    #expect(try Self.ids(other, archer, pageSize: 1) == all)
  }

  @Test("A scorer of the event has all, and the other officials have their own")
  func role() throws {
    let line = try DeviceLine()
    let cards = line.line.cards
    #expect(try Self.ids(line, cards.scorer, pageSize: 1) == [cards.own, cards.entry].sorted())
    #expect(try Self.ids(line, cards.judge) == [])
  }
}
