import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Whose the entries of an event are", .timeLimit(.minutes(5)))
struct EntryOwnerTests {
  /// A private event with an entry of its organiser's and one of a co-organiser's.
  private struct Event {
    let bench: EventBench
    let id: Int64
    let tuck: Int64
    let entries: [Int64]

    init() throws {
      bench = try EventBench()
      id = try bench.event().head.id
      tuck = try bench.archer("Tuck")
      try bench.perform(SetOfficial(try bench.code(of: tuck), of: id, role: .organiser))
      entries = try [
        bench.entry("Much", id), bench.entry("Alan", id, clientID: bench.clientID(), as: tuck),
      ]
    }

    func names() throws -> [String?] { try entries.map { try bench.participant($0)?.displayName } }
  }

  @Test("Entries belong to the organiser of the event, whoever imported them")
  func owner() throws {
    let event = try Event()
    for entry in event.entries {
      #expect(try event.bench.participant(entry)?.principal == event.bench.organiser)
    }
    #expect(try event.bench.store.verify() == [])
  }

  @Test("A deleted co-organiser leaves the entries that it imported as they are")
  func deletedOfficial() throws {
    let event = try Event()
    try event.bench.perform(DeleteAccount(confirmation: "Tuck"), as: event.tuck)
    try event.bench.store.awaitErasure()
    #expect(try event.names() == ["Much", "Alan"])
    #expect(try event.bench.store.verify() == [])
  }

  @Test("A deleted organiser takes the names of all entries with it, and the new one owns them")
  func deletedOrganiser() throws {
    let event = try Event()
    try event.bench.perform(DeleteAccount(confirmation: "Sheriff"))
    try event.bench.store.awaitErasure()
    #expect(try event.names() == event.entries.map { "Entry \($0)" })
    for entry in event.entries {
      #expect(try event.bench.participant(entry)?.principal == event.tuck)
    }
    #expect(try event.bench.store.verify() == [])
    #expect(try event.bench.directory.keeps(["Alan"]) == [])
  }

  @Test("A dismissed co-organiser does not see the private event any more")
  func dismissed() throws {
    let event = try Event()
    try event.bench.perform(RemoveOfficial(event.tuck, of: event.id))
    let refused = event.bench.refusal {
      try event.bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.visibleTournament(id: event.id, principal: event.tuck)
      }
    }
    #expect(refused?.code == .notFound)
  }

  @Test("Two drafts of one client_id with different content are refused before anything is stored")
  func sameClientID() throws {
    let bench = try EventBench()
    let event = try bench.event().head.id
    let id = try bench.clientID()
    func draft(_ name: String, _ club: String = "") throws -> ImportEntries.Draft {
      var content = EventEntryContent()
      content.club = club
      return try ImportEntries.Draft(
        name: name, clientID: id, content, categoryCode: "", session: 0, path: "")
    }
    let other = bench.refusal {
      try ImportEntries.slices(of: [try draft("A"), try draft("B")], to: event)
    }
    #expect(other?.code == .invalidArgument && other?.field == "entries[1].client_id")
    let club = bench.refusal {
      try ImportEntries.slices(of: [try draft("A"), try draft("A", "C")], to: event)
    }
    #expect(club?.code == .invalidArgument)
    let slices = try ImportEntries.slices(of: [try draft("A"), try draft("A")], to: event)
    #expect(Set(try bench.perform(slices[0]).map(\.participant)).count == 1)
    let drafts = try ["A", "B"].map {
      try AddEntries.EntryDraft(name: $0, clientID: id, scorer: 0, path: "")
    }
    let added = bench.refusal { try AddEntries.slices(of: drafts, to: event) }
    #expect(added?.code == .invalidArgument && added?.field == "entries[1].client_id")
  }
}
