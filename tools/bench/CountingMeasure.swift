import CSQLite
import Foundation
import QuiverCrypto
import QuiverRules
import QuiverStore

/// Instructions of a command with and without a part of the store: the triggers that count what
/// each principal stores, or the checksums of pages.
struct CountingMeasure {
  static let names = MeasuredPart.allCases.flatMap { part in
    CountedCommand.allCases.map { name(part, $0) }
  }
  private static let bound = 1.05
  static let figure = "instructions"
  static let figureOfArrow = "instructions of an arrow"

  let options: Options
  let peers: Peers

  private static func name(_ part: MeasuredPart, _ command: CountedCommand) -> String {
    "\(part.measureName)-\(command.rawValue)"
  }

  func run() -> [Report.Measure] {
    // Both parts are compared with the same count.
    var whole: [CountedCommand: Double] = [:]
    return MeasuredPart.allCases.flatMap { part in
      CountedCommand.allCases.filter { options.wants(Self.name(part, $0)) }.map { command in
        begin(Self.name(part, command))
        return measure(part, command, &whole)
      }
    }
  }

  private func measure(
    _ part: MeasuredPart, _ command: CountedCommand, _ whole: inout [CountedCommand: Double]
  ) -> Report.Measure {
    var measure = Report.Measure(
      name: Self.name(part, command),
      sentence: "instructions of \(command.title), from queue to commit, by callgrind")
    do {
      let with = try whole[command] ?? each(command, "all")
      whole[command] = with
      let without = try each(command, part.rawValue)
      measure.subjects = [
        Report.Subject(name: "with \(part.title)", unit: "", samples: [with]),
        Report.Subject(name: "without \(part.title)", unit: "", samples: [without]),
      ]
      measure.figures = [
        Report.Figure(
          name: "with to without \(part.title)", unit: "", samples: [with / without],
          bound: Self.bound)
      ]
      if part == .triggers {
        measure.figures.append(
          Report.Figure(
            name: command == .end ? Self.figureOfArrow : Self.figure, unit: "",
            samples: [with / Double(command.arrows)]))
      }
    } catch {
      measure.remarks.append(String(describing: error))
    }
    return measure
  }

  private func each(_ command: CountedCommand, _ parts: String) throws -> Double {
    let (few, many) = command == .end ? (20, 60) : (100, 400)
    return try Callgrind.instructionsEach(few: few, many: many) { count in
      [peers.bench, "commands", command.rawValue, "\(count)", parts]
    }
  }
}

/// A part of the store that commands are measured without; its name is an argument of
/// `bench commands`.
enum MeasuredPart: String, CaseIterable {
  case triggers = "without-triggers"
  case checksums = "without-checksums"

  var measureName: String {
    switch self {
    case .triggers: "counting"
    case .checksums: "checksums"
    }
  }

  var title: String {
    switch self {
    case .triggers: "triggers"
    case .checksums: "checksums"
    }
  }
}

/// A command that the parts of the store are measured with.
enum CountedCommand: String, CaseIterable {
  case riser, arrow, end

  var title: String {
    switch self {
    case .riser: "CreateRiser"
    case .arrow: "one arrow of a round"
    case .end: "an end of \(Self.arrowsOfEnd) arrows in one command"
    }
  }

  /// The arrows that one command records; 1 for another command.
  var arrows: Int { self == .end ? Self.arrowsOfEnd : 1 }

  private static let arrowsOfEnd = 12

  /// Runs so many of them on a new store, each with a key and in a commit of its own.
  func run(count: Int, without part: MeasuredPart?) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if part == .checksums { try Self.makeFileWithoutChecksums(folder.path + "/quiver.db") }
    var configuration = StoreConfiguration.unlimited(folder.path)
    // The thread that compares pages works by the clock, and not for the commands.
    configuration.scrubIntervalMilliseconds = 3_600_000
    let store = try Store(configuration)
    defer { store.close() }
    if part == .triggers {
      try store.perform(DropTriggers(), CommandOptions(caller: CommandCaller(principal: 0)))
    }
    let archer = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"),
      CommandOptions(caller: CommandCaller(principal: 0)))
    let caller = CommandCaller(principal: archer.id)
    var drafts: [OperationDraft] = []
    for number in 0..<count {
      switch self {
      case .riser:
        let riser = EquipmentContent(type: .riser, values: [.text("Hoyt"), .text("Formula Xi")])
        try Self.submit(try CreateEquipment(riser), number, caller, store)
      case .arrow:
        if drafts.isEmpty { drafts = try Self.round(.codename("wa18"), 30, 3, caller, store) }
        try Self.submit(RecordArrows(drafts.removeLast()), number, caller, store)
      case .end:
        if drafts.isEmpty {
          let format = try Self.formatOfLongEnds(caller, store)
          drafts = try Self.round(format, 120, Self.arrowsOfEnd, caller, store)
        }
        let end = Array(drafts.suffix(Self.arrowsOfEnd))
        drafts.removeLast(Self.arrowsOfEnd)
        try Self.submit(RecordArrows(end: end, path: "operations"), number, caller, store)
      }
    }
  }

  /// Makes a database file of Quiver whose pages reserve no bytes; the store migrates it.
  private static func makeFileWithoutChecksums(_ path: String) throws {
    var connection: OpaquePointer?
    defer {
      sqlite3_close(connection)
      // The store configures the library, which must not have been used.
      sqlite3_shutdown()
    }
    guard sqlite3_open(path, &connection) == SQLITE_OK,
      sqlite3_exec(
        connection, "PRAGMA application_id = \(0x5156_4552)", nil, nil, nil) == SQLITE_OK
    else { throw Unmeasured("no file without checksums") }
  }

  private static func submit<C: Command>(
    _ command: C, _ number: Int, _ caller: CommandCaller, _ store: Store
  ) throws {
    let answered = Answered()
    let key = withUnsafeBytes(of: (UInt64(7), UInt64(number).bigEndian)) { Array($0) }
    let hash = [UInt8](repeating: 7, count: SHA256.byteCount)
    store.submit(
      command,
      CommandOptions(caller: caller, idempotency: CommandKey(key: key, requestHash: hash)),
      target: answered, encode: { _ in [UInt8](repeating: 0, count: 64) },
      completion: { result in
        if case .failure(let error) = result { progress("a command failed: \(error)") }
      })
    answered.wait()
  }

  /// Creates a format with the longest ends.
  private static func formatOfLongEnds(
    _ caller: CommandCaller, _ store: Store
  ) throws -> FormatChoice {
    let pass = RoundPass(
      arrowCount: 120, arrowsPerEnd: arrowsOfEnd, distance: 18, unit: .metre, face: .tenZone,
      diameterCentimetres: 40)
    let format = RoundFormat(name: "Long ends", location: .indoor, passes: [pass])
    let made = try store.perform(try CreateFormat(format), CommandOptions(caller: caller))
    return .own(.id(made.id))
  }

  /// Creates a round of so many arrows; answers an operation for each of them, the last one first.
  private static func round(
    _ format: FormatChoice, _ arrows: Int, _ arrowsOfEnd: Int, _ caller: CommandCaller,
    _ store: Store
  ) throws -> [OperationDraft] {
    let session = try store.perform(
      CreateSession(CreateSession.Content(format)), CommandOptions(caller: caller))
    guard let participant = session.rounds.first?.participant.id else {
      throw Unmeasured("a session without a round")
    }
    return try (0..<arrows).map { index in
      var content = OperationDraft.Content(.id(participant))
      content.endIndex = UInt32(index / arrowsOfEnd)
      content.arrowIndex = UInt32(index % arrowsOfEnd)
      content.value = UInt32(6 + index % 5)
      return try OperationDraft(content, path: "operation.")
    }
  }
}

/// Removes the triggers that count what principals store.
private struct DropTriggers: Command {
  private static let names = Query(
    """
    SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%#_usage#_%' ESCAPE '#'
    """)

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    let names = try transaction.snapshot.all(Self.names) { row in row.text(0) }
    for name in names { try transaction.run(Query("DROP TRIGGER \(name)")) }
  }
}
