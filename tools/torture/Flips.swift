import Foundation
import QuiverRules
import QuiverStore
import ServerPrograms

/// Inverts single bits of a stored database, and tells what comes of each: in turns of a database
/// that is opened afterwards, and of one that a store has open.
struct Flips {
  let scratch: ScratchDirectory
  var seed: UInt64

  /// How many flips were met in which way.
  struct Outcome {
    /// The store did not open.
    var refused = 0
    /// `verify` found something, and every row reads as before.
    var verified = 0
    /// Some read failed.
    var failed = 0
    /// Every row reads as before, and `verify` found nothing.
    var harmless = 0
    /// Rows were read that differ from those stored, by table.
    var wrong: [String: Int] = [:]

    var wrongCount: Int { wrong.values.reduce(0, +) }
    var count: Int { refused + verified + failed + harmless + wrongCount }

    /// Counts rows that differ from those that were stored; returns whether there are some.
    mutating func noteWrong(_ found: [String: [String]], _ stored: [String: [String]]) -> Bool {
      guard let table = stored.keys.sorted().first(where: { stored[$0] != found[$0] }) else {
        return false
      }
      wrong[table, default: 0] += 1
      return true
    }
  }

  func run(_ count: Int) throws -> Outcome {
    let source = scratch.make()
    try Self.fill(source)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: source + "/quiver.db"))
    let queries = try Self.queries(source)
    guard case .rows(let rows) = try Self.look(source, queries) else {
      throw Complaint("the database is not whole before any flip")
    }
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    for index in 0..<count {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let flipped = bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)
      let data = scratch.make()
      let file = URL(fileURLWithPath: data + "/quiver.db")
      try bytes.write(to: file)
      let invert = {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seek(toOffset: UInt64(place))
        try handle.write(contentsOf: Data([flipped]))
        try handle.close()
      }
      let isOpen = index % 2 == 1
      if !isOpen { try invert() }
      switch try Self.look(data, queries, whenOpen: isOpen ? invert : {}) {
      case .refused: outcome.refused += 1
      case .failed: outcome.failed += 1
      case .verified(let found):
        if !outcome.noteWrong(found, rows) { outcome.verified += 1 }
      case .rows(let found):
        if !outcome.noteWrong(found, rows) { outcome.harmless += 1 }
      }
      try? FileManager.default.removeItem(atPath: data)
    }
    return outcome
  }

  private enum Look {
    case refused
    case verified([String: [String]])
    case failed
    case rows([String: [String]])
  }

  /// Opens a store, reads every row of every table, and verifies it.
  private static func look(
    _ directory: String, _ queries: [String: Query], whenOpen: () throws -> Void = {}
  ) throws -> Look {
    let store: Store
    do {
      store = try Store(configuration(directory))
    } catch {
      return .refused
    }
    defer { store.close() }
    try whenOpen()
    do {
      var rows: [String: [String]] = [:]
      for (table, query) in queries {
        rows[table] = try store.read { (snapshot) throws(StoreError) in
          try snapshot.all(query) { row in row.text(0) }
        }
      }
      // What was read before is compared in any case: verification does not excuse wrong data.
      let isDamaged = try !store.verify().isEmpty
      return isDamaged ? .verified(rows) : .rows(rows)
    } catch {
      return .failed
    }
  }

  /// For each table a query that returns its rows as texts.
  private static func queries(_ directory: String) throws -> [String: Query] {
    let store = try Store(configuration(directory))
    defer { store.close() }
    let texts = try store.read { (snapshot) throws(StoreError) in
      try snapshot.all(
        Query(
          """
          SELECT m.name, 'SELECT ' || group_concat('quote("' || c.name || '")', ' || '','' || ')
            || ' FROM "' || m.name || '"'
          FROM sqlite_schema m JOIN pragma_table_info(m.name) c
          WHERE m.type = 'table' AND m.name NOT IN ('store_time', 'time_gap') GROUP BY m.name
          """)
      ) { row in (row.text(0), row.text(1)) }
    }
    return Dictionary(uniqueKeysWithValues: texts.map { ($0.0, Query($0.1)) })
  }

  private static func configuration(_ directory: String) -> StoreConfiguration {
    var configuration = StoreConfiguration(directory: directory)
    configuration.clockPolicy = .ignore
    return configuration
  }

  /// Stores equipment, rounds with arrows, body weights and sets.
  private static func fill(_ directory: String) throws {
    let run = WriterRun(directory: directory, numbers: Array(1...200))
    guard try run.run(History()) == .closed else { throw Complaint("nothing could be stored") }
    let store = try Store(configuration(directory))
    defer { store.close() }
    let options = CommandOptions(caller: CommandCaller(principal: Operation.principal))
    for _ in 0..<5 {
      let session = try store.perform(
        CreateSession(CreateSession.Content(.codename("wa720_70"))), options)
      guard let participant = session.rounds.first?.participant.id else { continue }
      for arrow: UInt32 in 0..<36 {
        var content = OperationDraft.Content(.id(participant))
        content.endIndex = arrow / 6
        content.arrowIndex = arrow % 6
        content.value = arrow % 11
        content.scoredAtMilliseconds = 1_700_000_000_000 + Int64(arrow)
        content.device = "phone"
        _ = try store.perform(
          RecordArrows(try OperationDraft(content, path: "operation.")), options)
      }
    }
    for day: Int32 in 0..<200 {
      var draft = WeightEntryDraft()
      draft.day = 19_000 + day
      draft.thousandths = 150_000 + Int64(day)
      draft.unit = .pound
      draft.note = "day \(day)"
      _ = try store.perform(CreateWeightEntry(draft), options)
    }
  }
}
