import Foundation
import QuiverRules
import QuiverStore
import TestSupport
import Testing

@Suite("Checksums and paths of backups", .timeLimit(.minutes(5))) struct BackupChecksumTests {
  @Test("A backup has its SHA-256 beside it, and a changed one is not restored")
  func changed() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    let path = directory.path + "/copy.db"
    let backup = try store.backup(to: path)
    let hex = backup.sha256.map { String(format: "%02x", $0) }.joined()
    #expect(try String(contentsOfFile: path + ".sha256", encoding: .utf8) == hex + "  copy.db\n")
    #expect(try directory.run("sha256sum --check --status copy.db.sha256") == 0)
    _ = try Store.restore(path, into: directory.path + "/a", sha256: hex.uppercased())
    let wrong = #expect(throws: StoreError.self) {
      try Store.restore(
        path, into: directory.path + "/b", sha256: String(repeating: "0", count: 64))
    }
    #expect(wrong?.code == .dataLoss)
    // One bit in the unused part of the last page: SQLite sees nothing wrong.
    #expect(try directory.run("printf '%064d  copy.db\\n' 7 > copy.db.sha256") == 0)
    let changed = #expect(throws: StoreError.self) {
      try Store.restore(path, into: directory.path + "/c")
    }
    #expect(changed?.code == .dataLoss && changed?.message.contains("copy.db.sha256") == true)
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/c/quiver.db"))
    #expect(try directory.run("rm copy.db.sha256") == 0)
    _ = try Store.restore(path, into: directory.path + "/c")
  }

  @Test(
    "A path that the server uses for its own files, or with a NUL, is refused",
    arguments: [
      "quiver.db-journal", "quiver.db-wal", "quiver.db-shm", "quiver.db.unfinished",
      "quiver.clean", "quiver.lock", "admin.token", "admin.token.new", "x\0y",
      "../data/quiver.db-journal", "./quiver.db-journal",
    ])
  func ownFiles(name: String) throws {
    let outer = try TemporaryDirectory()
    let store = try Store(StoreConfiguration(directory: outer.path + "/data"))
    let error = #expect(throws: StoreError.self) {
      try store.backup(to: outer.path + "/data/" + name)
    }
    #expect(error?.code == .invalidArgument && error?.field == "file")
    #expect(try outer.run("ln -s data link") == 0)
    let linked = #expect(throws: StoreError.self) {
      try store.backup(to: outer.path + "/link/" + name)
    }
    #expect(linked?.code == .invalidArgument)
    store.close()
  }
}
