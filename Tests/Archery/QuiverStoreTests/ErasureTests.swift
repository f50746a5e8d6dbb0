import Foundation
import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The erasure of an account", .timeLimit(.minutes(5)))
struct ErasureTests {
  @Test("No text that a user can set is left in a row, in the log or in a copy by VACUUM INTO")
  func texts() throws {
    let bench = try EventBench()
    let planted = try PlantedEvents(bench, try FullAccount(in: bench.store, mark: "GONETEXT"))
    _ = try PlantedEvents(bench, try FullAccount(in: bench.store, mark: "KEPTTEXT"))
    let columns = try TextColumns(bench.directory)
    let before = try columns.counts(of: "GONETEXT")
    let kept = try columns.counts(of: "KEPTTEXT")
    // A column that is new needs a text in the planted account.
    #expect(columns.texts.subtracting(before.keys) == Table.unerasedTexts)
    #expect(before.values.reduce(0, +) >= 100)
    #expect(try bench.directory.holds(Array("GONETEXT".utf8)))

    try bench.perform(DeleteAccount(confirmation: "GONETEXT Robin"), as: planted.principal)
    try bench.store.awaitErasure()
    let left = try columns.counts(of: "GONETEXT")
    #expect(left == [:])
    #expect(try columns.counts(of: "KEPTTEXT") == kept)
    #expect(try bench.directory.keeps(["GONETEXT", "gonetext"]) == [])
    #expect(try bench.directory.keeps(["KEPTTEXT"]).contains("copy: KEPTTEXT"))
    #expect(try bench.store.verify() == [])
    bench.store.close()
    #expect(try bench.directory.keeps(["GONETEXT", "gonetext"]) == [])
  }

  @Test("Each step has a number of its own, and those that need what others kept come last")
  func numbers() {
    let numbers = ErasureStep.all.map(\.number)
    #expect(numbers == Set(numbers).sorted())
    // Words are looked up in the replies, then events and words are forgotten: a step that comes
    // later finds no event, and its words stay in the replies.
    #expect(numbers.suffix(3) == [997, 998, 999])
  }

  @Test("An event of a deleted organiser goes to a scorer, or is closed")
  func events() throws {
    let bench = try EventBench()
    let planted = try PlantedEvents(bench, try FullAccount(in: bench.store, mark: "Locksley"))
    try bench.perform(DeleteAccount(confirmation: "Locksley Robin"), as: planted.principal)
    try bench.store.awaitErasure()
    func head(_ id: Int64) throws -> TournamentHead {
      try #require(
        try bench.store.read { (snapshot) throws(StoreError) in
          try snapshot.tournamentHead(id: id)
        })
    }
    let given = try head(planted.given)
    #expect(given.organiser == planted.scorer && given.status == .inProgress)
    #expect(given.name == "Tournament \(planted.given)")
    #expect(try head(planted.begun).status == .completed)
    #expect(try head(planted.open).status == .cancelled)
    let standings = try bench.store.standings(
      planted.given, under: nil, principal: planted.scorer, pageSize: 0, pageToken: "")
    #expect(
      Set(standings.rows.entries.map(\.displayName))
        == ["Tuck", "Entry \(planted.entry)", "Entry \(planted.entry + 1)"])
    // The new organiser has all rights, and the change counts for its quota.
    try bench.perform(
      try ChangeTournamentState(planted.given, .finalise, anyway: true), as: planted.scorer)
    let exported = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.export(principal: planted.scorer, pageSize: 500, pageToken: "").items
    }
    #expect(
      exported.contains { item in
        if case .tournament(let event) = item { event.head.id == planted.given } else { false }
      })
    // In the event of another organiser, nobody is assigned to the deleted scorer.
    #expect(try bench.participant(planted.scored)?.scorer == 0)
    let scorers = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.scorers(tournament: planted.other, principal: bench.organiser)
    }
    #expect(scorers.isEmpty)
    #expect(try bench.store.verify() == [])
  }

  @Test("A restart continues an erasure, in commands of bounded work")
  func restarted() throws {
    let directory = try TemporaryDirectory()
    var store = try directory.open()
    let robin = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    let count = 20_000
    let batch = StoreLimits.weightsPerImportBatch
    for start in stride(from: 0, to: count, by: batch) {
      let drafts = (start..<start + batch).map { number in
        WeightEntryContent(
          day: Int32(number), thousandths: 80_000, unit: .kilogram, note: "GONETEXT \(number)")
      }
      _ = try store.importWeights(drafts, of: robin.id)
    }
    try store.perform(DeleteAccount(confirmation: "Robin"), .of(robin.id))
    store.close()
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    let left = Int(try connection.value("SELECT count(*) FROM weight_entry") ?? "") ?? 0
    #expect(left > 0 && left < count)
    #expect(try connection.value("SELECT count(*) FROM account_erasure") == "1")
    connection.close()

    store = try directory.open()
    let asked = try store.awaitErasure()
    #expect(try directory.keeps(["GONETEXT"]) == [])
    let commands = Int(store.statistics.committedCommands) - asked
    #expect(commands >= left / Int(StoreLimits.erasedRowsPerCommand))
    #expect(try store.verify() == [])
    store.close()
  }

  @Test("A reply of another caller stays unless it has a name of the deleted principal")
  func replies() throws {
    let bench = try EventBench()
    let robin = try bench.archer("Robin")
    let john = try bench.archer("John")
    let replies: [[UInt8]] = [
      [0x08, 0x01, 0x12, 0x07, 0x0A, 0x05] + Array("Robin".utf8),
      [0x0A, 0x06] + Array("Robina".utf8), [], [0x0A, 0xFF, 0xFF],
    ]
    for (index, reply) in replies.enumerated() {
      try bench.store.keep(reply, under: UInt8(index + 1), of: john)
    }
    try bench.perform(DeleteAccount(confirmation: "Robin"), as: robin)
    try bench.store.awaitErasure()
    let connection = try Connection(path: bench.directory.databasePath, mode: .readOnly)
    let statement = try connection.prepare(
      "SELECT reply IS NULL FROM idempotency_key WHERE principal_id = ?1 ORDER BY sequence")
    try statement.bind(john, at: 1)
    var erased: [Int64] = []
    while try statement.step() { erased.append(statement.int64(0)) }
    #expect(erased == [1, 0, 0, 0])
    #expect(try bench.store.verify() == [])
  }
}

extension Table {
  /// The columns of texts that no user sets, or that say nothing of one, as `table.column`.
  static var unerasedTexts: Set<String> {
    texts { column in if case .none = column.erasure { true } else { false } }
  }

  static func texts(where isMeant: (Column) -> Bool) -> Set<String> {
    Set(
      all.flatMap { table in
        table.columns.filter { $0.type == .text && isMeant($0) }.map { table.name + "." + $0.name }
      })
  }
}

extension TemporaryDirectory {
  /// Where one of these texts is kept: in a file beside the database file, for example the log, or
  /// in a copy of the database by VACUUM INTO, which has all rows and entries of indexes.
  ///
  /// The database file itself is not searched: with `secure_delete = ON`, SQLite 3.40.1 can keep a
  /// few stale copies of deleted cells in unused bytes of its pages (docs/known-limits.md). A copy
  /// by VACUUM INTO has none of these.
  func keeps(_ texts: [String]) throws -> Set<String> {
    let outer = try TemporaryDirectory()
    let copy = outer.path + "/copy"
    let connection = try Connection(path: databasePath, mode: .readOnly)
    try connection.execute("VACUUM INTO '\(copy)'")
    connection.close()
    var files = [copy]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      let file = path + "/" + name
      if file != databasePath { files.append(file) }
    }
    var found: Set<String> = []
    for file in files {
      let data = try Data(contentsOf: URL(filePath: file))
      for text in texts where data.range(of: Data(text.utf8)) != nil {
        found.insert("\(URL(filePath: file).lastPathComponent): \(text)")
      }
    }
    return found
  }
}

/// The columns of a database, and where they hold a text.
private struct TextColumns {
  /// The columns that are declared as TEXT, as `table.column`.
  let texts: Set<String>
  private let columns: [(table: String, column: String)]
  private let connection: Connection

  init(_ directory: TemporaryDirectory) throws {
    connection = try Connection(path: directory.databasePath, mode: .readOnly)
    let statement = try connection.prepare(
      """
      SELECT s.name, c.name, c.type FROM sqlite_schema s, pragma_table_info(s.name) c
      WHERE s.type = 'table'
      """)
    var texts: Set<String> = []
    var columns: [(table: String, column: String)] = []
    while try statement.step() {
      let name = (table: statement.text(0), column: statement.text(1))
      columns.append(name)
      if statement.text(2) == "TEXT" { texts.insert(name.table + "." + name.column) }
    }
    self.texts = texts
    self.columns = columns
  }

  /// How many rows hold the text, as it is or in small letters, by column.
  func counts(of text: String) throws -> [String: Int] {
    var found: [String: Int] = [:]
    for (table, column) in columns {
      let count = try connection.value(
        """
        SELECT count(*) FROM \(table)
        WHERE instr(CAST("\(column)" AS BLOB), CAST('\(text)' AS BLOB)) > 0
          OR instr(CAST("\(column)" AS BLOB), CAST('\(text.lowercased())' AS BLOB)) > 0
        """)
      if let count = count.flatMap({ Int($0) }), count > 0 { found[table + "." + column] = count }
    }
    return found
  }
}

/// Asks which accounts are not erased completely.
private struct UnfinishedErasures: Command {
  func apply(in transaction: borrowing Transaction) throws(StoreError) -> [Int64] {
    try EraseAccount.unfinished(in: transaction.snapshot)
  }
}

extension Store {
  /// Waits until no deleted account has anything left to erase; returns how many commands asked.
  ///
  /// Each waits for its turn between the commands of the erasure.
  @discardableResult
  func awaitErasure() throws -> Int {
    for count in 1...1_000_000 where try perform(UnfinishedErasures(), .of(0)).isEmpty {
      return count
    }
    Issue.record("an account is not erased")
    return 0
  }

  /// Stores a reply under an idempotency key.
  func keep(_ reply: [UInt8], under key: UInt8, of principal: Int64) throws {
    let target = RecordingTarget(expecting: 1)
    let options = CommandOptions.of(
      principal, key: Array(repeating: key, count: 16), hash: 1)
    submit(
      try SetPreference(key: "k\(key)", value: "v"), options, target: target,
      encode: { _ in reply }, completion: { _ in })
    target.wait()
  }
}
