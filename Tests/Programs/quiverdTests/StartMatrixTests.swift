import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

/// Rows 6, 7 and 22 of the fault matrix: starts on damaged, foreign and old directories.
@Suite("quiverd on a directory that is not valid", .serialized, .timeLimit(.minutes(20)))
struct StartMatrixTests {
  /// The fault of the file, and a word of the message.
  enum Fault: String, CaseIterable, Sendable {
    case truncated = "is damaged"
    case zeroedFirstPage = "restore"
    case foreign = "another program"
    case newer = "of a newer Quiver"
    case text = "not a database"
    case lostDatabase = "its log is not"
  }

  @Test(
    "row 6: a database that is not valid is refused and not changed", arguments: Fault.allCases)
  func refused(_ fault: Fault) async throws {
    let server = try RestartableServer()
    let client = try server.client()
    for _ in 0..<50 { _ = try await client.call(Equipment.risers.create, .hoyt) }
    server.stop()
    try Self.apply(fault, server.database)
    let before = try Self.content(server.data)
    let ending = try ServerProcess("--data", server.data, "--listen", "127.0.0.1:0").end()
    #expect(ending.code == 73)
    #expect(ending.log.contains(server.database), "\(ending.log)")
    #expect(ending.log.contains(fault.rawValue), "\(ending.log)")
    #expect(try Self.content(server.data) == before)
  }

  @Test("row 7: a second server on the directory is refused, and the first continues")
  func secondServer() async throws {
    let server = try RestartableServer()
    let client = try server.client()
    let made = try await client.call(Equipment.risers.create, .hoyt)
    let second = try ServerProcess("--data", server.data, "--listen", "127.0.0.1:0").end()
    #expect(second.code == 75)
    #expect(second.log.contains("another server has the data directory"))
    #expect(try await client.call(Equipment.risers.get, .of(made.id)) == made)
    _ = try await client.call(Equipment.risers.create, .hoyt)
    #expect(server.stop().code == 0)
  }

  @Test(
    "row 22: a database of each older schema is copied and migrated",
    arguments: Migration.oldestVersion..<(Migration.older.last?.number ?? 0))
  func older(version: Int64) async throws {
    let server = try RestartableServer { data in try Self.make(data, version: version) }
    let client = try server.client()
    let principals = try await client.call(Admin.listPrincipals, ListPrincipalsRequest())
    #expect(principals.principals.contains { $0.displayName == "Robin of schema" })
    _ = try await client.call(Equipment.risers.create, .hoyt)
    #expect(try await client.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    #expect(server.stop().code == 0)

    let path = "\(server.database).before-migrating-\(version)"
    let copy = try Connection(path: path, mode: .readOnly)
    #expect(try copy.value("PRAGMA user_version") == "\(version)")
    let robins = "SELECT count(*) FROM principal WHERE display_name = 'Robin of schema'"
    #expect(try copy.value(robins) == "1")
    #expect(try copy.value("PRAGMA integrity_check") == "ok")
  }

  private static func make(_ data: String, version: Int64) throws {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let path = data + "/quiver.db"
    try OldStore.write(to: path)
    let token = FileManager.default.createFile(
      atPath: data + "/admin.token", contents: Data(try OldStore.token().utf8),
      attributes: [.posixPermissions: 0o600])
    #expect(token)
    let connection = try Connection(path: path, mode: .readWrite)
    defer { connection.close() }
    try connection.execute("PRAGMA journal_mode = WAL; BEGIN")
    for step in Migration.older where step.number <= version {
      try connection.execute(step.script)
      let row = try connection.prepare("INSERT INTO migration VALUES (?1, ?2, ?3, 1)")
      try row.bind(step.number, at: 1)
      try row.bind(step.name, at: 2)
      try row.bind(step.checksum, at: 3)
      try row.run()
    }
    try connection.execute(
      """
      INSERT INTO principal (kind, display_name, created_at_ms) VALUES (1, 'Robin of schema', 1);
      PRAGMA user_version = \(version);
      COMMIT
      """)
  }

  private static func apply(_ fault: Fault, _ path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    switch fault {
    case .truncated: try file.truncate(atOffset: 12_288)
    case .zeroedFirstPage: try file.write(contentsOf: Data(count: 4_096))
    case .foreign:
      try Connection(path: path, mode: .readWrite).execute("PRAGMA application_id = 7")
    case .newer:
      try Connection(path: path, mode: .readWrite).execute("PRAGMA user_version = 999")
    case .text: try file.write(contentsOf: Data("These are not the pages you look for".utf8))
    case .lostDatabase:
      try FileManager.default.moveItem(atPath: path, toPath: path + "-wal")
    }
  }

  /// The database's files by name, without empty and shared-memory files.
  private static func content(_ data: String) throws -> [String: Data] {
    var content: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: data)
    where name.hasPrefix("quiver.db") && !name.hasSuffix("-shm") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: data + "/" + name))
      if !bytes.isEmpty { content[name] = bytes }
    }
    return content
  }
}
