import Foundation
import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("The erasure of an account", .timeLimit(.minutes(5)))
struct ErasureTests {
  /// Columns of texts that no user sets, or that say nothing of one.
  private static let neutral: Set = [
    "meta.name", "migration.name", "audit.action", "round_format.codename",
    "tournament.join_code",
  ]

  @Test("No text that a user can set is left in a row, in the log or in a copy by VACUUM INTO")
  func texts() throws {
    let bench = try EventBench()
    let planted = try PlantedEvents(bench, try FullAccount(in: bench.store, mark: "GONETEXT"))
    _ = try PlantedEvents(bench, try FullAccount(in: bench.store, mark: "KEPTTEXT"))
    let columns = try TextColumns(bench.directory)
    let before = try columns.counts(of: "GONETEXT")
    let kept = try columns.counts(of: "KEPTTEXT")
    // A column that is new needs a text here, and a step of the erasure.
    #expect(columns.texts.subtracting(before.keys).subtracting(Self.neutral) == [])
    #expect(before.values.reduce(0, +) >= 100)
    #expect(try bench.directory.holds(Array("GONETEXT".utf8)))

    try bench.perform(DeleteAccount(confirmation: "GONETEXT Robin"), as: planted.principal)
    try bench.store.awaitErasure()
    #expect(try columns.counts(of: "GONETEXT") == [:])
    #expect(try columns.counts(of: "KEPTTEXT") == kept)
    #expect(try bench.directory.keeps(["GONETEXT", "gonetext"]) == [])
    #expect(try bench.directory.keeps(["KEPTTEXT"]).contains("copy: KEPTTEXT"))
    #expect(try bench.store.verify() == [])
    bench.store.close()
    #expect(try bench.directory.keeps(["GONETEXT", "gonetext"]) == [])
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
    try bench.perform(try ChangeTournamentState(planted.given, .finalise), as: planted.scorer)
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

/// Events of an account, each text of which has its mark.
private struct PlantedEvents {
  let principal: Int64
  /// An event with a scorer.
  let given: Int64
  let scorer: Int64
  let entry: Int64
  /// Events without a scorer.
  let begun: Int64
  let open: Int64
  /// An event of another organiser, and a participant that the account scores there.
  let other: Int64
  let scored: Int64

  init(_ bench: EventBench, _ account: FullAccount) throws {
    let robin = account.principal
    let mark = account.mark
    principal = robin
    func event(_ name: String) throws -> TournamentRecord {
      var content = CreateTournament.Content(.codename("wa18"))
      (content.name, content.arrowLimit) = (mark + " " + name, 30)
      content.clientID = try bench.clientID()
      return try bench.perform(try CreateTournament(content), as: robin)
    }
    func entry(_ event: TournamentRecord, scorer: Int64 = 0) throws -> Int64 {
      let draft = try AddEntries.EntryDraft(
        name: mark + " Much", clientID: try bench.clientID(), scorer: scorer, path: "")
      return try bench.perform(try AddEntries([draft], to: event.head.id), as: robin)[0].id
    }
    let cup = try event("cup")
    scorer = try bench.archer("Marian")
    let tuck = try bench.archer("Tuck")
    try bench.perform(try AppointScorer(scorer, of: cup.head.id, participants: []), as: robin)
    self.entry = try entry(cup, scorer: scorer)
    try Self.plantStructure(bench, cup.head.id, of: robin, mark)
    let own = try bench.join(tuck, cup)
    try bench.perform(try ChangeTournamentState(cup.head.id, .start), as: robin)
    let reply = try bench.record(self.entry, 0, 0, "9", as: robin) { $0.device = mark + " phone" }
    let operation = try #require(reply.arrows.first?.operationID)
    try bench.record(self.entry, 0, 0, "X", as: robin) { content in
      (content.kind, content.replaces) = (.correct, .id(operation))
      content.reason = mark + " misread"
    }
    try bench.perform(
      try ChangeParticipant(own.id, to: .disqualified, reason: mark + " reason"), as: robin)
    try bench.perform(
      try ChangeParticipant(own.id, to: .active, reason: mark + " again"), as: robin)
    try bench.perform(try ChangeTournamentState(cup.head.id, .finalise), as: robin)
    let late = try bench.record(own.id, 0, 0, "9", as: tuck) { $0.device = "Tuck's" }
    #expect(late.verdict == .late)
    let waiting = try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.lateOperations(
        tournament: cup.head.id, principal: robin, pageSize: 0, pageToken: "")
    }.items.map(\.operation.id)
    _ = try bench.perform(
      try RuleOnOperations(
        tournament: cup.head.id, ids: waiting, admits: true, reason: mark + " ruling"), as: robin)
    try bench.perform(
      try ChangeTournamentState(cup.head.id, .reopen, reason: mark + " reopened"), as: robin)
    given = cup.head.id

    let begun = try event("begun")
    let shooting = try entry(begun)
    try bench.perform(try ChangeTournamentState(begun.head.id, .start), as: robin)
    self.begun = begun.head.id
    try Self.plantCards(bench, shooting, of: begun.head.id, by: robin, mark)
    open = try event("open").head.id

    let other = try bench.event()
    scored = try bench.entries(["Alan"], other)[0].id
    try bench.perform(try AppointScorer(robin, of: other.head.id, participants: [scored]))
    _ = try bench.join(robin, other)
    try bench.perform(
      try AddGuest(name: mark + " guest", clientID: try bench.clientID(), to: other.head.id),
      as: robin)
    try bench.start(other)
    try bench.record(scored, 0, 0, "8", as: robin) { $0.device = mark + " phone" }
    self.other = other.head.id
    try Self.plantOthers(bench, of: robin, mark)
    try Self.plantTeams(bench, of: robin, mark)
  }

  /// A ruling on an end in dispute with its reason, the name of a device that leases a target, a
  /// notice, and a pause with its reason.
  private static func plantCards(
    _ bench: EventBench, _ entry: Int64, of event: Int64, by robin: Int64, _ mark: String
  ) throws {
    let nine = (0..<3).map { _ in ArrowScore(value: 9) }
    for index in 0..<3 { try bench.record(entry, 0, index, "9", as: robin) }
    var draft = CardOperationDraft()
    (draft.clientID, draft.participant) = (try bench.clientID(), entry)
    draft.arrows = (0..<3).map { _ in ArrowScore(value: 8) }
    try bench.perform(try ApplyCardOperations([draft]), as: robin)
    try bench.perform(
      try RuleOnEnd(entry, end: 0, arrows: nine, reason: mark + " seen"), as: robin)
    try bench.perform(
      DemandLeases(event: event, isDemanded: true, makesNewCodes: false), as: robin)
    let code = try bench.perform(ReadTargetCode(event: event), as: robin)
    try bench.perform(
      try JoinTarget(code: code, .first, device: mark + " tablet", takesOver: false), as: robin)
    var notice = EventNoticeContent()
    notice.text = mark + " notice"
    try bench.perform(try SendNotice(notice, to: event), as: robin)
    try bench.perform(try PauseShooting(event, reason: mark + " pause"), as: robin)
  }

  /// The names of teams, in an event that nobody has shot.
  private static func plantTeams(
    _ bench: EventBench, of robin: Int64, _ mark: String
  ) throws {
    var content = CreateTournament.Content(.codename("wa18"))
    (content.name, content.arrowLimit) = (mark + " teams", 3)
    let event = try bench.perform(try CreateTournament(content), as: robin).head.id
    let drafts = try (1...6).map { number in
      var content = EventEntryContent()
      content.club = mark + " club \(number % 2)"
      return try ImportEntries.Draft(
        name: mark + " \(number)", clientID: [], content, categoryCode: "", session: 0, path: "")
    }
    var scope = TeamScope()
    scope.event = event
    for slice in try ImportEntries.slices(of: drafts, to: event) {
      scope.category = try bench.perform(slice, as: robin)[0].content.category
    }
    try bench.perform(try ChangeTournamentState(event, .start), as: robin)
    try bench.perform(try ChangeTournamentState(event, .finalise), as: robin)
    let form = try TeamForm(.teamSets, .club)
    try bench.perform(
      try CutTeams(scope, form, size: 2, hasBronzeMatch: false, seed: 1, tie: nil), as: robin)
  }

  /// Texts of a category, a session and an entry.
  private static func plantStructure(
    _ bench: EventBench, _ event: Int64, of robin: Int64, _ mark: String
  ) throws {
    var category = EventCategoryContent()
    (category.code, category.name) = (mark, mark + " category")
    _ = try bench.perform(
      try PutCategory(category, in: event, format: nil, arrowLimit: 0), as: robin)
    var session = EventSessionContent()
    session.name = mark + " line"
    let line = try bench.perform(
      try PutEventSession(0, of: event, revision: 0, session), as: robin)
    var content = EventEntryContent()
    (content.bib, content.club) = (mark + "7", mark + " club")
    (content.country, content.licence) = (mark + " country", mark + " licence")
    let draft = try ImportEntries.Draft(
      name: mark + " Alan", clientID: [], content, categoryCode: mark, session: line.id, path: "")
    for slice in try ImportEntries.slices(of: [draft], to: event) {
      _ = try bench.perform(slice, as: robin)
    }
  }

  /// Texts in a kept reply of another caller, a preference, a staged import, an invite and a
  /// certificate.
  private static func plantOthers(
    _ bench: EventBench, of robin: Int64, _ mark: String
  ) throws {
    let name = Array((mark + " Robin").utf8)
    try bench.store.keep(
      [0x0A, UInt8(name.count)] + name, under: name[0], of: bench.organiser)
    _ = try bench.perform(try SetPreference(key: mark.lowercased() + ".key", value: "v"), as: robin)
    // What an import stages before it is decided.
    let connection = try Connection(path: bench.directory.databasePath, mode: .readWrite)
    try connection.execute(
      """
      INSERT INTO weight_import (principal_id) VALUES (\(robin));
      INSERT INTO weight_import_entry (import_id, principal_id, day, measured_at_ms, thousandths,
        unit, note) VALUES (last_insert_rowid(), \(robin), 1, 1, 80000, 2, '\(mark) staged');
      """)
    _ = try bench.perform(try CreateInvite(label: mark + " club", uses: 1), as: robin)
    try bench.perform(
      BindCertificate(
        principal: robin, name: try CertificateName(.uri, "urn:" + mark), label: mark + " key"))
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
  fileprivate func keep(_ reply: [UInt8], under key: UInt8, of principal: Int64) throws {
    let target = RecordingTarget(expecting: 1)
    let options = CommandOptions.of(
      principal, key: Array(repeating: key, count: 16), hash: 1)
    submit(
      try SetPreference(key: "k\(key)", value: "v"), options, target: target,
      encode: { _ in reply }, completion: { _ in })
    target.wait()
  }
}
