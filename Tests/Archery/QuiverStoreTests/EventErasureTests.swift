import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Events of an erased account", .timeLimit(.minutes(5)))
struct EventErasureTests {
  private static func codes(_ directory: TemporaryDirectory) throws -> String? {
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    defer { connection.close() }
    return try connection.value(
      "SELECT group_concat(code) FROM (SELECT code FROM event_category ORDER BY id)")
  }

  @Test("The codes of categories become neutral, whatever codes the event has")
  func codes() throws {
    let bench = try EventBench()
    let event = try bench.event().head.id
    let organiser = bench.organiser
    let first = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.categories(event: event, principal: organiser)[0].id
    }
    var content = EventCategoryContent()
    content.code = "C\(first)"
    let second = try bench.perform(
      try PutCategory(content, in: event, format: nil, arrowLimit: 0)
    ).id
    // No client can enter what the erasure stores.
    content.code = "erased category 1"
    let entered = bench.refusal {
      try PutCategory(content, in: event, format: nil, arrowLimit: 0)
    }
    #expect(entered?.code == .invalidArgument)
    try bench.perform(DeleteAccount(confirmation: "Sheriff"))
    try bench.store.awaitErasure()
    #expect(
      try Self.codes(bench.directory) == "erased category \(first),erased category \(second)")
    #expect(try bench.store.verify() == [])
  }

  @Test("A step that always fails runs again only after commits of others")
  func failingStep() throws {
    let bench = try EventBench()
    let event = try bench.event().head.id
    let robin = try bench.archer()
    bench.store.close()
    let connection = try Connection(path: bench.directory.databasePath, mode: .readWrite)
    try connection.execute(
      """
      INSERT INTO erased_event (session_id, principal_id) VALUES (\(event), \(bench.organiser));
      INSERT INTO account_erasure (principal_id, step, position) VALUES (\(bench.organiser), 11, 0);
      CREATE TRIGGER refuse BEFORE UPDATE ON event_category BEGIN
        SELECT RAISE(ABORT, 'refused');
      END;
      """)
    connection.close()
    let store = try bench.directory.open(clock: bench.clock)
    let commits = 20
    for _ in 0..<commits { _ = try store.perform(try CreateEquipment(.riser()), .of(robin)) }
    // Commits that change nothing do not start it again.
    for _ in 0..<200 { try store.perform(ChangeNothing(), .of(0)) }
    let failures = Int(store.statistics.refusedCommands)
    #expect(failures >= 1 && failures <= commits + 1)
    #expect(try Self.codes(bench.directory) == "ALL")
    try store.perform(DropTrigger(), .of(0))
    _ = try store.perform(try CreateEquipment(.riser()), .of(robin))
    try store.awaitErasure()
    #expect(try Self.codes(bench.directory)?.hasPrefix("erased category ") == true)
    store.close()
  }

  @Test("An event of a deleted organiser goes to a co-organiser before a scorer")
  func successor() throws {
    let bench = try EventBench()
    let scorer = try bench.archer("Will")
    let tuck = try bench.archer("Tuck")
    let event = try bench.event().head.id
    try bench.perform(try AppointScorer(try bench.code(of: scorer), of: event, participants: []))
    try bench.perform(SetOfficial(try bench.code(of: tuck), of: event, role: .organiser))
    try bench.perform(try ChangeTournamentState(event, .start, anyway: true))
    try bench.perform(DeleteAccount(confirmation: "Sheriff"))
    try bench.store.awaitErasure()
    let (head, role) = try bench.store.read { (snapshot) throws(StoreError) in
      (try snapshot.tournamentHead(id: event), try snapshot.storedRole(of: tuck, in: event))
    }
    #expect(head?.organiser == tuck && head?.status == .inProgress)
    #expect(role == nil)
    try bench.perform(try ChangeTournamentState(event, .finalise, anyway: true), as: tuck)
    #expect(try bench.store.verify() == [])
  }

  @Test("A co-organiser to whom an event is transferred has its role no longer beside it")
  func transferred() throws {
    let bench = try EventBench()
    let tuck = try bench.archer("Tuck")
    let event = try bench.event().head.id
    try bench.perform(SetOfficial(try bench.code(of: tuck), of: event, role: .organiser))
    let entry = try bench.entry("Much", event)
    try bench.disable(bench.organiser)
    _ = try bench.store.perform(TransferTournament(id: event, organiser: tuck), .of(0))
    let role = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.storedRole(of: tuck, in: event)
    }
    #expect(role == nil)
    #expect(try bench.participant(entry)?.principal == tuck)
    #expect(try bench.store.verify() == [])
  }
}

extension EventBench {
  /// Imports an entry with its bib; returns the id of its participant.
  func entry(
    _ name: String, _ event: Int64, clientID: [UInt8] = [], as principal: Int64? = nil
  ) throws -> Int64 {
    var content = EventEntryContent()
    content.bib = "B-\(name)"
    let draft = try ImportEntries.Draft(
      name: name, clientID: clientID, content, categoryCode: "", session: 0, path: "")
    let slices = try ImportEntries.slices(of: [draft], to: event)
    return try perform(slices[0], as: principal)[0].participant
  }

  /// Disables an account as an administrator would.
  func disable(_ principal: Int64) throws {
    try store.perform(DisableAccount(principal: principal), .of(0))
  }
}

private struct ChangeNothing: Command {
  func apply(in transaction: borrowing Transaction) {}
}

private struct DropTrigger: Command {
  private static let drop = Query("DROP TRIGGER refuse")

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.drop)
  }
}

private struct DisableAccount: Command {
  let principal: Int64

  private static let disable = Query("UPDATE principal SET disabled_at_ms = 1 WHERE id = ?1")

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.disable, .integer(principal))
  }
}
