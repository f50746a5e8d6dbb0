import CSQLite
import Foundation
import QuiverCrypto
import QuiverRules
import QuiverStore
import Synchronization

/// The statements of the store for a creation with a key and for a batch of an import, to verify
/// that the peers run the same.
enum StatementTrace {
  private static let traced = Mutex(Traced())

  private struct Traced {
    /// The folder of the store whose connections are traced.
    var folder = ""
    var texts: [String] = []
  }

  /// A peer with its statements in order, and those of the store.
  enum Peer: String, CaseIterable {
    case creation = "store_direct"
    case imported = "lifts_direct"

    /// The statements that the store runs for what the peer does.
    func ofStore() throws -> [String] {
      switch self {
      case .creation: try StatementTrace.ofCreation()
      case .imported: try StatementTrace.ofImport()
      }
    }

    /// What differs between the statements of the program at `path` and those of the store, where
    /// they differ first; nil if they are the same.
    func difference(ofProgramAt path: String) throws -> String? {
      let own = try Programs.output([path, "--statements"]).split(separator: "\0").map(String.init)
      return StatementTrace.difference(of: own, from: try ofStore(), peer: rawValue)
    }
  }

  /// Says which statement of a peer differs first from those of the store; nil if none does.
  static func difference(
    of own: [String], from stored: [String], peer: String
  ) -> String? {
    guard !stored.isEmpty else { return "no statement of the store was traced" }
    let place = zip(own, stored).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let place = place ?? (own.count == stored.count ? nil : min(own.count, stored.count))
    else { return nil }
    func statement(_ texts: [String]) -> String { place < texts.count ? texts[place] : "nothing" }
    return """
      \(peer).c runs other statements than the store; statement \(place + 1) of the peer is \
      \(statement(own)), and that of the store is \(statement(stored))
      """
  }

  /// The texts of the statements of a creation with a key, by a caller with a token, in order and
  /// without BEGIN and COMMIT.
  private static func ofCreation() throws -> [String] {
    try withStore { store, caller in
      let target = Answered()
      // The first creation may also delete old rows.
      for number in 1...2 {
        traced.withLock { $0.texts = [] }
        let key = CommandKey(
          key: [UInt8](repeating: UInt8(number), count: 16),
          requestHash: [UInt8](repeating: 7, count: SHA256.byteCount))
        store.submit(
          try CreateEquipment(
            EquipmentContent(type: .riser, values: [.text("Hoyt"), .text("Formula Xi")])),
          CommandOptions(caller: caller, idempotency: key), target: target,
          encode: { _ in [] }, completion: { _ in })
        target.wait()
      }
    }
  }

  /// The same for a batch of an import with known exercises; repeated statements are listed once.
  private static func ofImport() throws -> [String] {
    try withStore { store, caller in
      let options = CommandOptions(caller: caller)
      let id = try store.perform(BeginLiftImport(replaces: false), options)
      guard let squat = ExerciseName("Squat") else { return }
      let sets = (1...3).map { index in
        LiftSet(day: 1, exercise: squat, repetitions: index, weight: 100, unit: .pound)
      }
      let series = try store.perform(
        AppendLifts(sets, of: id, series: [:], storedCount: 0), options
      ).series
      traced.withLock { $0.texts = [] }
      _ = try store.perform(AppendLifts(sets, of: id, series: series, storedCount: 3), options)
    }.reduce(into: []) { texts, text in
      if texts.last != text { texts.append(text) }
    }
  }

  /// Runs `body` with a traced store and a caller with a token; answers the statements of its last
  /// transaction. The store is deleted afterwards.
  private static func withStore(
    _ body: (Store, CommandCaller) throws -> Void
  ) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The store configures SQLite, which must not have been used: another one is opened first.
    let first = folder.appendingPathComponent("first")
    try FileManager.default.createDirectory(at: first, withIntermediateDirectories: true)
    try Store(.unlimited(first.path)).close()
    let path = folder.appendingPathComponent("traced").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    traced.withLock { $0 = Traced(folder: path) }
    listen()
    let store = try Store(.unlimited(path))
    defer { store.close() }
    stopListening()
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let archer = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), nobody)
    let token = try store.perform(CreateToken(principal: archer.id, label: ""), nobody).record
    try body(store, CommandCaller(principal: archer.id, tokenID: token.id))
    return between(traced.withLock { $0.texts })
  }

  private static func between(_ texts: [String]) -> [String] {
    guard let begin = texts.firstIndex(of: "BEGIN IMMEDIATE"),
      let commit = texts[begin...].firstIndex(of: "COMMIT")
    else { return [] }
    let inGroup = texts[(begin + 1)..<commit]
    let sweeping = inGroup.firstIndex { $0.hasPrefix("SAVEPOINT") } ?? commit
    return Array(inGroup[..<sweeping])
  }

  private static let opened:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
    ) -> Int32 = { connection, _, _ in
      guard let file = sqlite3_db_filename(connection, "main"),
        traced.withLock({ String(cString: file).hasPrefix($0.folder) })
      else { return SQLITE_OK }
      return sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT),
        { _, _, statement, comment in
          // SQLite reports the start of a trigger as a comment; peers run triggers, too.
          let isTrigger = comment.map { UInt8(ascii: "-") == $0.load(as: UInt8.self) } ?? false
          guard !isTrigger, let text = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
          traced.withLock { $0.texts.append(String(cString: text)) }
          return 0
        }, nil)
    }

  // Unsafe as SQLite's declaration: SQLite calls it with these three arguments.
  private static var hook: @convention(c) () -> Void {
    unsafeBitCast(opened, to: (@convention(c) () -> Void).self)
  }

  private static func listen() { sqlite3_auto_extension(hook) }
  private static func stopListening() { sqlite3_cancel_auto_extension(hook) }
}

/// Waits for one completion after the other.
final class Answered: CompletionTarget {
  private let answer = DispatchSemaphore(value: 0)

  func deliver(_ completions: [@Sendable () -> Void]) {
    for completion in completions {
      completion()
      answer.signal()
    }
  }

  func wait() { answer.wait() }
}
