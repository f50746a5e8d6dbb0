import Foundation
import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct OpeningTests {
  @Test("A second server on the same directory is refused, with the directory and the process id")
  func secondServer() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains(directory.path) == true)
    #expect(error?.message.contains("\(getpid())") == true)
    store.close()
    try directory.open().close()
  }

  @Test("The lock of a process that died does not block the next one")
  func staleLock() throws {
    let directory = try TemporaryDirectory()
    try "4194999\n".write(
      toFile: directory.path + "/quiver.lock", atomically: false, encoding: .utf8)
    let store = try directory.open()
    #expect(store.epoch != 0)
  }

  @Test(
    "A directory that cannot be created or written is refused with its path",
    arguments: ["/proc/quiver/data", "/dev/null/data", "/dev/null"])
  func unwritable(path: String) throws {
    let error = #expect(throws: StoreError.self) { try Store(StoreConfiguration(directory: path)) }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains(path) == true)
  }

  @Test("A missing directory is created with its parents")
  func madeDirectory() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/a/b"
    try Store(StoreConfiguration(directory: path)).close()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o700)
  }

  @Test("A lock file that is a link is refused, and the file that it names stays")
  func linkedLock() throws {
    let directory = try TemporaryDirectory()
    let target = directory.path + "/target"
    let lock = directory.path + "/quiver.lock"
    for makesLink in [symlink, link] {
      try "mine".write(toFile: target, atomically: false, encoding: .utf8)
      #expect(makesLink(target, lock) == 0)
      let error = #expect(throws: StoreError.self) { try directory.open() }
      #expect(error?.code == .failedPrecondition && error?.message.contains(lock) == true)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
      #expect(unlink(lock) == 0)
    }
    #expect(mkfifo(lock, 0o600) == 0)
    #expect(throws: StoreError.self) { try directory.open() }
  }

  @Test(
    "A directory that others can write is refused unless it has the sticky bit",
    arguments: [
      (0o700, true), (0o755, true), (0o1777, true), (0o770, false), (0o702, false),
      (0o777, false),
    ] as [(mode_t, Bool)])
  func writableByOthers(_ mode: mode_t, _ isAllowed: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/data"
    #expect(mkdir(path, 0o700) == 0 && chmod(path, mode) == 0)
    guard !isAllowed else { return try Store(StoreConfiguration(directory: path)).close() }
    let error = #expect(throws: StoreError.self) { try Store(StoreConfiguration(directory: path)) }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("chmod go-w \(path)") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
  }

  @Test("Stored files are readable by their owner only")
  func fileModes() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    _ = try store.perform(CreateEquipment(.riser()), .of(1))
    for name in ["quiver.db", "quiver.db-wal", "quiver.lock"] {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: directory.path + "/" + name)
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
    }
  }

  @Test("Each database has its own epoch, which a restart keeps")
  func epoch() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let epoch = store.epoch
    #expect(epoch != 0)
    store.close()
    #expect(try directory.open().epoch == epoch)
    #expect(try TemporaryDirectory().open().epoch != epoch)
  }

  @Test("A database of another program is refused and not changed")
  func foreignDatabase() throws {
    let directory = try TemporaryDirectory()
    do {
      let foreign = try Connection(path: directory.databasePath, mode: .readWriteCreate)
      try foreign.execute("CREATE TABLE photos (a)")
    }
    let before = try Data(contentsOf: URL(filePath: directory.databasePath))
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("another program") == true)
    #expect(try Data(contentsOf: URL(filePath: directory.databasePath)) == before)
  }

  @Test("A file that is not a database is refused and not changed")
  func noDatabase() throws {
    let directory = try TemporaryDirectory()
    let text = String(repeating: "not a database\n", count: 1_000)
    try text.write(toFile: directory.databasePath, atomically: false, encoding: .utf8)
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.message.contains("is not a database") == true)
    #expect(try String(contentsOfFile: directory.databasePath, encoding: .utf8) == text)
  }

  @Test("A database of a newer Quiver is refused with what to do")
  func newerSchema() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    do {
      let connection = try Connection(path: directory.databasePath, mode: .readWrite)
      try connection.execute("PRAGMA user_version = 999")
    }
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("schema 999 of a newer Quiver") == true)
  }

  @Test("A database with different migrations is refused")
  func anotherChecksum() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    do {
      let connection = try Connection(path: directory.databasePath, mode: .readWrite)
      try connection.execute("UPDATE migration SET checksum = x'00'")
    }
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.message.contains("another step 44 of the schema") == true)
  }

  @Test("A database that another process has locked is refused without waiting")
  func heldByAnother() throws {
    let directory = try TemporaryDirectory()
    try directory.open().close()
    let other = try Connection(path: directory.databasePath, mode: .readWrite)
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    let error = #expect(throws: StoreError.self) { try directory.open() }
    #expect(error?.code == .unavailable)
  }

  @Test("Acknowledged changes are there after the store ended without closing")
  func leftOpen() throws {
    let directory = try TemporaryDirectory()
    let copy = try TemporaryDirectory()
    let store = try directory.open()
    let made = try store.perform(CreateEquipment(.riser()), .of(1))
    for name in ["quiver.db", "quiver.db-wal"] {
      try FileManager.default.copyItem(
        atPath: directory.path + "/" + name, toPath: copy.path + "/" + name)
    }
    let found = try copy.open().read { (snapshot) throws(StoreError) in
      try snapshot.equipment(.riser, .id(made.id), principal: 1)
    }
    #expect(found == made)
  }
}
