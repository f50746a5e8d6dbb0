import QuiverCrypto
import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The content of entries with a client_id", .timeLimit(.minutes(5)))
struct EntryContentTests {
  /// Stores the hash that an earlier version stored for a client_id.
  private struct StoreEarlierHash: Command {
    let clientID: [UInt8]
    let content: [SQLValue]

    private static let update = Query(
      "UPDATE client_object SET content_hash = ?2 WHERE client_id = ?1")

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      var encoding = CanonicalBytes()
      for value in content { encoding.append(value) }
      try transaction.run(Self.update, .blob(clientID), .blob(SHA256.hash(encoding.bytes)))
    }
  }

  @Test(
    "An imported entry is itself again only with all of its content",
    arguments: BothEngines.allCases
  )
  func imported(engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try RoundEvent(in: bench)
      _ = try event.category("R", rounds: 1)
      let line = try event.line(1).id
      let id = try bench.clientID()
      func entry(
        category: String = "R", session: Int64? = nil,
        _ change: (inout EventEntryContent) -> Void = { _ in }
      ) throws -> Int64 {
        var content = EventEntryContent()
        (content.club, content.country, content.licence) = ("Loxley", "SUI", "17")
        change(&content)
        let draft = try ImportEntries.Draft(
          name: "Ann", clientID: id, content, categoryCode: category, session: session ?? line,
          path: "")
        let slice = try ImportEntries.slices(of: [draft], to: event.id)[0]
        return try bench.perform(slice)[0].participant
      }
      let made = try entry()
      #expect(try entry() == made)
      func expectOthersRefused() throws {
        for other in [
          { try entry { $0.club = "Sherwood" } }, { try entry { $0.country = "FRA" } },
          { try entry { $0.licence = "18" } }, { try entry(session: 0) },
        ] {
          let refused = bench.refusal { try other() }
          #expect(refused?.code == .alreadyExists && refused?.field == "entries[0].client_id")
        }
      }
      try expectOthersRefused()
      // A row of an earlier version has a hash of less.
      try bench.perform(
        StoreEarlierHash(
          clientID: id,
          content: [
            .text("event entry"), .integer(event.id), .text("Ann"), .text(""), .text("R"),
          ]))
      #expect(try entry() == made)
      #expect(bench.refusal { try entry(category: "") }?.code == .alreadyExists)
    }
  }

  @Test(
    "An added entry is itself again only with its scorer", arguments: BothEngines.allCases)
  func added(engine: BothEngines) throws {
    try engine.withBench { bench in
      let event = try bench.event()
      let scorers = try ["Will", "Alan"].map { try bench.archer($0) }
      for scorer in scorers {
        try bench.perform(
          try AppointScorer(try bench.code(of: scorer), of: event.head.id, participants: []))
      }
      let ids = [try bench.clientID(), try bench.clientID()]
      func entry(_ id: [UInt8], _ scorer: Int64) throws -> Int64 {
        let draft = try AddEntries.EntryDraft(
          name: "Much", clientID: id, scorer: scorer, path: "entries[0].")
        return try bench.perform(try AddEntries([draft], to: event.head.id))[0].id
      }
      let assigned = try entry(ids[0], scorers[0])
      #expect(try entry(ids[0], scorers[0]) == assigned)
      let free = try entry(ids[1], 0)
      #expect(try entry(ids[1], 0) == free)
      for (id, scorer) in [(ids[0], scorers[1]), (ids[0], 0), (ids[1], scorers[0])] {
        #expect(bench.refusal { try entry(id, scorer) }?.code == .alreadyExists)
      }
      try bench.perform(
        StoreEarlierHash(
          clientID: ids[0], content: [.text("entry"), .integer(event.head.id), .text("Much")]))
      #expect(try entry(ids[0], scorers[0]) == assigned)
    }
  }
}
