import CSQLite
import Foundation
import QuiverCrypto
import QuiverRules
import QuiverStore
import Synchronization

/// The statements of the store for a creation with a key and for a batch of an import, to verify
/// that the peers run the same.
enum StatementTrace {
  private static let texts = Mutex<[String]>([])

  /// The texts of a creation's statements in order, without BEGIN and COMMIT.
  ///
  /// It traces every connection that this process opens afterwards; call it once, early.
  static func ofCreation() throws -> [String] {
    try withStore { store in
      let target = Answered()
      // The first creation may also delete old rows.
      for number in 1...2 {
        texts.withLock { $0 = [] }
        let key = CommandKey(
          key: [UInt8](repeating: UInt8(number), count: 16),
          requestHash: [UInt8](repeating: 7, count: SHA256.byteCount))
        store.submit(
          try CreateEquipment(
            EquipmentContent(type: .riser, values: [.text("Hoyt"), .text("Formula Xi")])),
          CommandOptions(caller: CommandCaller(principal: 1), idempotency: key), target: target,
          encode: { _ in [] }, completion: { _ in })
        target.wait()
      }
    }
    return between(texts.withLock { $0 })
  }

  /// The same for a batch of an import with known exercises; repeated statements are listed once.
  static func ofImport() throws -> [String] {
    try withStore { store in
      let options = CommandOptions(caller: CommandCaller(principal: 1))
      let id = try store.perform(BeginLiftImport(replaces: false), options)
      guard let squat = ExerciseName("Squat") else { return }
      let sets = (1...3).map { index in
        LiftSet(day: 1, exercise: squat, repetitions: index, weight: 100, unit: .pound)
      }
      let series = try store.perform(
        AppendLifts(sets, of: id, series: [:], storedCount: 0), options
      ).series
      texts.withLock { $0 = [] }
      _ = try store.perform(AppendLifts(sets, of: id, series: series, storedCount: 3), options)
    }
    return between(texts.withLock { $0 }).reduce(into: []) { texts, text in
      if texts.last != text { texts.append(text) }
    }
  }

  /// Runs `body` with a traced store, which is closed and deleted afterwards.
  private static func withStore(_ body: (Store) throws -> Void) throws {
    listen()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try Store(.unlimited(folder.path))
    defer { store.close() }
    try body(store)
  }

  private static func between(_ texts: [String]) -> [String] {
    guard let begin = texts.firstIndex(of: "BEGIN IMMEDIATE"),
      let commit = texts[begin...].firstIndex(of: "COMMIT")
    else { return [] }
    let inGroup = texts[(begin + 1)..<commit]
    let sweeping = inGroup.firstIndex { $0.hasPrefix("SAVEPOINT") } ?? commit
    return Array(inGroup[..<sweeping])
  }

  private static func listen() {
    let opened:
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        OpaquePointer?
      ) -> Int32 = { connection, _, _ in
        sqlite3_trace_v2(
          connection, UInt32(SQLITE_TRACE_STMT),
          { _, _, statement, comment in
            // SQLite reports the start of a trigger as a comment; peers run triggers, too.
            let isTrigger = comment.map { UInt8(ascii: "-") == $0.load(as: UInt8.self) } ?? false
            guard !isTrigger, let text = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
            StatementTrace.note(String(cString: text))
            return 0
          }, nil)
      }
    // Unsafe as SQLite's declaration: SQLite calls it with these three arguments.
    sqlite3_auto_extension(unsafeBitCast(opened, to: (@convention(c) () -> Void).self))
  }

  private static func note(_ text: String) {
    texts.withLock { $0.append(text) }
  }
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
