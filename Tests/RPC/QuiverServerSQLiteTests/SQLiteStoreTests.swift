import Foundation
import QuiverServer
import QuiverServerSQLite
import Testing

@Suite(.timeLimit(.minutes(1))) struct SQLiteStoreTests {
  /// A file name that no other test has.
  static func path() -> String {
    FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  }

  static let schema = "CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL UNIQUE)"

  static func call(_ key: IdempotencyKey?, _ request: [UInt8] = [1], by principal: String = "p")
    -> KeyedCall
  {
    KeyedCall(principal: principal, method: "notes/Add", key: key, request: request)
  }

  static func add(_ store: SQLiteStore, _ call: KeyedCall, _ text: String) async throws -> [UInt8] {
    try await store.perform(call) { connection in
      try connection.execute("INSERT INTO notes VALUES (?)", .text(text))
      guard text != "bad" else { throw RPCError(.invalidArgument, "text: is bad") }
      return Array(text.utf8)
    }
  }

  static func count(_ store: SQLiteStore) async throws -> Int64? {
    try await store.read { try $0.rows("SELECT count(*) FROM notes")[0][0].integer }
  }

  @Test("A key and the change of its work are in one transaction, also after a restart")
  func aKeyAndTheChange()
    async throws
  {
    let path = Self.path()
    let key = IdempotencyKey.random()
    do {
      let store = try SQLiteStore(path: path, schema: Self.schema)
      let reply = try await Self.add(store, Self.call(key), "a")
      #expect(reply == Array("a".utf8))
    }
    let store = try SQLiteStore(path: path, schema: Self.schema)
    // The insert would fail if it ran again.
    let again = try await Self.add(store, Self.call(key), "a")
    #expect(again == Array("a".utf8))
    #expect(try await Self.count(store) == 1)
    unlink(path)
  }

  @Test("Work that throws changes nothing, and its key stays free")
  func workThatThrowsChangesNothing() async throws {
    let path = Self.path()
    let store = try SQLiteStore(path: path, schema: Self.schema)
    let key = IdempotencyKey.random()
    await #expect(throws: RPCError.self) { try await Self.add(store, Self.call(key), "bad") }
    #expect(try await Self.count(store) == 0)
    _ = try await Self.add(store, Self.call(key), "good")
    #expect(try await Self.count(store) == 1)
    unlink(path)
  }

  @Test("A key belongs to one request of one principal")
  func aKeyBelongsToOne() async throws {
    let path = Self.path()
    let store = try SQLiteStore(path: path, schema: Self.schema)
    let key = IdempotencyKey.random()
    _ = try await Self.add(store, Self.call(key), "a")
    await #expect(throws: KeyedCall.otherRequest) {
      try await Self.add(store, Self.call(key, [2]), "b")
    }
    _ = try await Self.add(store, Self.call(key, by: "other"), "c")
    _ = try await Self.add(store, Self.call(nil), "d")
    #expect(try await Self.count(store) == 3)
    unlink(path)
  }

  @Test("The oldest keys are removed above the limit of a principal")
  func theOldestKeysAreRemoved() async throws {
    let path = Self.path()
    var retention = KeyRetention()
    retention.maxKeysPerPrincipal = 3
    let store = try SQLiteStore(path: path, schema: Self.schema, retention: retention)
    for number in 0..<6 { _ = try await Self.add(store, Self.call(.random()), "\(number)") }
    let kept = try await store.read {
      try $0.rows("SELECT count(*) FROM quiver_idempotency_keys")[0][0].integer
    }
    #expect(kept == 3)
    unlink(path)
  }

  @Test("A reader cannot write, and errors state nothing of the data")
  func aReaderCannotWriteAnd() async throws {
    let path = Self.path()
    let store = try SQLiteStore(path: path, schema: Self.schema)
    await #expect(throws: RPCError.self) {
      try await store.read { try $0.execute("INSERT INTO notes VALUES ('x')") }
    }
    _ = try await Self.add(store, Self.call(nil), "secret")
    do {
      _ = try await Self.add(store, Self.call(nil), "secret")
    } catch let error as RPCError {
      #expect(error.code == .failedPrecondition)
      #expect(!error.message.contains("secret"))
    }
    unlink(path)
  }

  @Test(
    "Work cannot end or begin a transaction, and changes nothing then",
    arguments: ["COMMIT", "ROLLBACK", "END", "BEGIN"])
  func workCannotEndOrBegin(_ statement: String) async throws {
    let path = Self.path()
    let store = try SQLiteStore(path: path, schema: Self.schema)
    let key = IdempotencyKey.random()
    await #expect(throws: RPCError.self) {
      try await store.perform(Self.call(key)) { connection in
        try connection.execute("INSERT INTO notes VALUES ('half')")
        try connection.execute(statement)
        return []
      }
    }
    #expect(try await Self.count(store) == 0)
    _ = try await Self.add(store, Self.call(key), "whole")
    #expect(try await Self.count(store) == 1)
    unlink(path)
  }

  @Test("Work goes no further once a statement has rolled its transaction back")
  func workGoesNoFurtherOnce() async throws {
    let path = Self.path()
    let store = try SQLiteStore(path: path, schema: Self.schema)
    _ = try await Self.add(store, Self.call(nil), "kept")
    await #expect(throws: RPCError.self) {
      try await store.perform(Self.call(.random())) { connection in
        try connection.execute("INSERT INTO notes VALUES ('first half')")
        // It conflicts with the entry that is there.
        _ = try? connection.execute("INSERT OR ROLLBACK INTO notes VALUES ('kept')")
        try connection.execute("INSERT INTO notes VALUES ('second half')")
        return []
      }
    }
    #expect(try await Self.count(store) == 1)
    unlink(path)
  }

  @Test(
    "A text of several statements, of none, or with other values is refused",
    arguments: [
      "INSERT INTO notes VALUES ('a'); INSERT INTO notes VALUES ('b')",
      "INSERT INTO notes VALUES ('a'); ; -- and\n INSERT INTO notes VALUES ('b')",
      "INSERT INTO notes VALUES (?)", "SELECT FROM", "", "-- nothing",
    ])
  func aTextOfSeveralStatements(_ text: String) async throws {
    let path = Self.path()
    let store = try SQLiteStore(path: path, schema: Self.schema)
    await #expect(throws: RPCError.self) {
      try await store.write { try $0.execute(text) }
    }
    #expect(try await Self.count(store) == 0)
    // Spaces and a comment behind a statement are none.
    try await store.write { _ = try $0.execute("INSERT INTO notes VALUES ('c') ; -- c\n") }
    #expect(try await Self.count(store) == 1)
    unlink(path)
  }

  @Test("Values of each type are returned as they were stored")
  func valuesOfEachType() async throws {
    let path = Self.path()
    let store = try SQLiteStore(path: path, schema: Self.schema)
    let values: [SQLiteValue] = [
      nil, 7, .integer(.min), .real(1.5), "", "ä \u{0} €", .blob([]), .blob([0, 255]),
    ]
    for value in values {
      let read = try await store.read { try $0.rows("SELECT ?", value)[0][0] }
      #expect(read == value)
    }
    unlink(path)
  }

  @Test("Two stores of one database run calls with one key once")
  func twoStoresOfOneDatabase() async throws {
    let path = Self.path()
    let stores = try (0..<2).map { _ in try SQLiteStore(path: path, schema: Self.schema) }
    let keys = (0..<20).map { _ in IdempotencyKey.random() }
    await withTaskGroup { group in
      for (number, key) in keys.enumerated() {
        for store in stores {
          group.addTask {
            let reply = try? await Self.add(store, Self.call(key), "note \(number)")
            #expect(reply == Array("note \(number)".utf8))
          }
        }
      }
    }
    #expect(try await Self.count(stores[0]) == 20)
    unlink(path)
  }
}
