import Foundation
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverSession

@Suite("The local file", .timeLimit(.minutes(5)))
struct LocalFileTests {
  /// A file that is none of ours.
  enum Foreign: CaseIterable { case text, otherDatabase, newer, damaged }

  @Test("A file of another program is refused and not changed", arguments: Foreign.allCases)
  func foreign(_ kind: Foreign) async throws {
    try await inDirectory { directory in
      let path = "\(directory)/store.db"
      switch kind {
      case .text: try Data("a letter, and no database at all".utf8).write(to: URL(filePath: path))
      case .otherDatabase:
        let connection = try Connection(path: path, mode: .readWriteCreate)
        try connection.execute("CREATE TABLE letters(text)")
      case .newer:
        try open(path).close()
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute("PRAGMA user_version = 99")
      case .damaged:
        try open(path).close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(0..<64, with: Data(repeating: 7, count: 64))
        try bytes.write(to: URL(filePath: path))
      }
      let before = try Data(contentsOf: URL(filePath: path))
      let error = #expect(throws: SessionError.self) { try open(path) }
      #expect(error?.code == .unusableFile)
      #expect(try Data(contentsOf: URL(filePath: path)).count == before.count)
    }
  }

  @Test("A file can be open in one session at a time")
  func inUse() async throws {
    try await inDirectory { directory in
      let first = try open("\(directory)/store.db")
      let error = #expect(throws: SessionError.self) { try open("\(directory)/store.db") }
      #expect(error?.code == .unusableFile && error?.message.contains("in use") == true)
      first.close()
      try open("\(directory)/store.db").close()
      let closed = #expect(throws: SessionError.self) { try first.read { _ in } }
      #expect(closed?.code == .closed)
    }
  }

  @Test("A transaction stores all its changes or none")
  func transactions() async throws {
    try await inDirectory { directory in
      let file = try open("\(directory)/store.db")
      #expect(throws: SessionError.self) {
        try file.write { (transaction) throws(SessionError) in
          var object = LocalObject(kind: CachedKind.all[0])
          try transaction.save(&object)
          throw SessionError(.notPossible, "given up")
        }
      }
      let count = try file.read { (transaction) throws(SessionError) in
        try transaction.objectCount()
      }
      #expect(count == 0)
      file.close()
    }
  }

  @Test("A file has its identity, and no token")
  func directory() async throws {
    try await inDirectory { path in
      let directory = try await SessionDirectory.open(path: path)
      let print = try await directory.fingerprint(server: "here:1", token: "qv_secret")
      #expect(try await directory.fingerprint(server: "here:1", token: "qv_secret") == print)
      #expect(try await directory.fingerprint(server: "here:2", token: "qv_secret") != print)
      #expect(try await directory.fingerprint(server: "here:1", token: "qv_secreT") != print)
      let old = StoreIdentity(storeEpoch: 0xAB, principalID: 7)
      let new = StoreIdentity(storeEpoch: .max, principalID: 7)
      #expect(old.fileName == "quiver-00000000000000ab-7.db")
      try await directory.remember(print, old, shownName: "Robin", at: 1)
      try await directory.remember(print, new, shownName: "Robin", at: 2)
      #expect(try await directory.current(print)?.identity == new)
      #expect(try await directory.former(print) == [old])
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        let bytes = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
        #expect(bytes.range(of: Data("qv_secret".utf8)) == nil)
      }
    }
  }

  @discardableResult
  private func open(_ path: String) throws(SessionError) -> LocalFile {
    try LocalFile(
      path: path, applicationID: LocalSchema.storeApplicationID, migrations: LocalSchema.store)
  }

  private func inDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    try await body(directory.path)
    withExtendedLifetime(directory) {}
  }
}
