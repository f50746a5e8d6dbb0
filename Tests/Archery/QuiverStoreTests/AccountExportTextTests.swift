import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The texts of an export", .timeLimit(.minutes(5)))
struct AccountExportTextTests {
  /// Columns of texts that no user sets, or that are in no export.
  private static let omitted = Table.unerasedTexts.union(
    Table.texts { column in if case .omitted = column.export { true } else { false } })

  private static func export(_ store: Store, of principal: Int64) throws -> String {
    try AccountExportTests.pages(of: principal, pageSize: 500, store).flatMap(\.items)
      .map(AccountExportTests.text).joined(separator: "\n")
  }

  @Test("It has every text of the account, from each column that can have one")
  func complete() throws {
    let bench = try EventBench()
    let robin = try PlantedEvents(bench, try FullAccount(in: bench.store, mark: "Locksley"))
    // The other riser is deleted, and only an old version of a setup has it.
    _ = try bench.perform(
      try CreateEquipment(.marked(.riser, "Locksley")), as: robin.principal)
    _ = try FullAccount(in: bench.store, mark: "Gisborne")
    bench.store.close()
    let texts = try MarkedTexts(in: bench.directory, mark: "Locksley", of: robin.principal)
    #expect(texts.columns.subtracting(texts.byColumn.keys).subtracting(Self.omitted) == [])
    let store = try bench.directory.open(clock: bench.clock)
    defer { store.close() }
    let exported = try Self.export(store, of: robin.principal)
    for (column, found) in texts.byColumn where !Self.omitted.contains(column) {
      for text in found { #expect(exported.contains(text), "\(column)") }
    }
    #expect(!exported.contains("Gisborne"))
  }

  @Test(
    "A reason is exported to who gave it and to whom it is about, a device only to who used it",
    arguments: BothEngines.allCases)
  func reasons(engine: BothEngines) throws {
    try engine.withBench { bench in
      let cards = try CardBench(bench)
      for end in 0..<2 { try cards.first(cards.own, end, "9 9 9") }
      let first = try cards.draft(cards.own, 0, "9 9 8") { $0.device = "tablet of Will" }
      try cards.apply(first)
      try cards.second(cards.own, 0, "9 9 7") { draft in
        (draft.replaces, draft.reason) = (first.clientID, "misheard by Will")
        draft.device = "tablet of Will"
      }
      try bench.perform(
        try RuleOnEnd(cards.own, end: 0, arrows: CardBench.arrows("9 9 7"), reason: "seen by Tuck"),
        as: cards.judge)
      try bench.perform(
        try ChangeParticipant(cards.own, to: .disqualified, reason: "shot late"), as: cards.judge)
      try bench.perform(try ChangeParticipant(cards.own, to: .active, reason: "in time"))
      try bench.perform(
        try ChangeParticipant(cards.entry, to: .disqualified, reason: "absent"))
      try bench.finalise(cards.event)
      try bench.perform(
        try ChangeTournamentState(cards.event.head.id, .reopen, reason: "two cards are missing"))
      let texts = [
        "tablet of Will", "misheard by Will", "seen by Tuck", "shot late", "in time", "absent",
        "two cards are missing",
      ]
      func found(_ principal: Int64) throws -> [String] {
        let exported = try Self.export(bench.store, of: principal)
        return texts.filter { exported.contains($0) }
      }
      #expect(try found(cards.archer) == Array(texts[1...4]))
      #expect(try found(cards.scorer) == Array(texts[0...1]))
      #expect(try found(cards.judge) == Array(texts[2...3]))
      #expect(try found(bench.organiser) == Array(texts[4...6]))

      // What was said about an archer goes with its account, and nothing else.
      try bench.perform(DeleteAccount(confirmation: "Robin"), as: cards.archer)
      try bench.store.awaitErasure()
      #expect(try found(cards.scorer) == [texts[0]])
      #expect(try found(cards.judge) == [])
      #expect(try found(bench.organiser) == Array(texts[5...6]))
      #expect(try bench.store.verify() == [])
    }
  }
}

/// The texts with a mark in a database, each of which it makes different from all others.
private struct MarkedTexts {
  /// The columns that are declared as TEXT, as `table.column`.
  private(set) var columns: Set<String> = []
  private(set) var byColumn: [String: [String]] = [:]

  init(in directory: TemporaryDirectory, mark: String, of principal: Int64) throws {
    let connection = try Connection(path: directory.databasePath, mode: .readWrite)
    defer { connection.close() }
    let statement = try connection.prepare(
      """
      SELECT t.name, c.name, (
        SELECT group_concat(k.name, ' || ''.'' || ') FROM pragma_table_info(t.name) k
        WHERE k.pk > 0)
      FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND c.type = 'TEXT'
      """)
    var found: [(table: String, column: String, key: String)] = []
    while try statement.step() {
      found.append((statement.text(0), statement.text(1), statement.text(2)))
    }
    for (table, column, key) in found {
      let name = table + "." + column
      columns.insert(name)
      let marked = """
        instr(lower("\(column)"), '\(mark.lowercased())') > 0
          AND NOT (\(Self.elsewhere(table, principal)))
        """
      try connection.execute(
        """
        UPDATE \(table) SET "\(column)" = "\(column)" || '-in-\(name)-' || \(key) || '-'
        WHERE \(marked)
        """)
      let rows = try connection.prepare("SELECT \"\(column)\" FROM \(table) WHERE \(marked)")
      while try rows.step() { byColumn[name, default: []].append(rows.text(0)) }
    }
  }

  /// Rows of a table whose texts an export does not have, or from another row: deleted items, what
  /// the audit has of operations on own cards, operations on the cards of others, and the names of
  /// devices in their accounts and leases.
  private static func elsewhere(_ table: String, _ principal: Int64) -> String {
    let own = "(SELECT id FROM participant WHERE principal_id = \(principal))"
    return switch table {
    case "audit": "substr(action, 1, 6) = 'arrow.' AND object_id IN \(own)"
    case "scoring_operation": "participant_id NOT IN \(own) AND ruling = ''"
    case "principal": "id <> \(principal)"
    case "event_lease": "principal_id <> \(principal)"
    case "equipment": "deleted_at_ms IS NOT NULL"
    case _ where EquipmentKind.all.contains(where: { $0.name == table }):
      "id IN (SELECT id FROM equipment WHERE deleted_at_ms IS NOT NULL)"
    default: "false"
    }
  }
}
