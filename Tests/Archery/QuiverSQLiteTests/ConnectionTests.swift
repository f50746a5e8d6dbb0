import QuiverSQLite
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
  @Test("values of every kind come back as they were bound, embedded NULs and emptiness included")
  func everyKind() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    let statement = try connection.prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7")
    #expect(statement.parameterCount == 7)
    try statement.bind(Int64.min, at: 1)
    try statement.bind(0.1, at: 2)
    try statement.bind("a\0b é🏹", at: 3)
    try statement.bind([0, 255, 0] as [UInt8], at: 4)
    try statement.bindNull(at: 5)
    try statement.bind("", at: 6)
    try statement.bind([] as [UInt8], at: 7)
    #expect(try statement.step())
    #expect(statement.columnCount == 7)
    #expect(statement.int64(0) == .min)
    #expect(statement.double(1) == 0.1)
    #expect(statement.text(2) == "a\0b é🏹")
    #expect(statement.bytes(3) == [0, 255, 0])
    #expect(statement.isNull(4))
    #expect(statement.text(5) == "" && !statement.isNull(5))
    #expect(statement.bytes(6) == [] && !statement.isNull(6))
    #expect(try !statement.step())
  }

  @Test("reading a column as another kind converts it and never traps")
  func otherKinds() throws {
    let database = try TemporaryDatabase()
    let statement = try database.open().prepare(
      "SELECT 'twelve', CAST(x'FFFE' AS TEXT), 1e300, NULL")
    #expect(try statement.step())
    #expect(statement.int64(0) == 0)
    #expect(statement.text(1).contains("\u{FFFD}"))
    #expect(statement.int64(2) == .max)
    #expect(statement.text(3) == "" && statement.int64(3) == 0 && statement.bytes(3) == [])
    #expect(statement.int64(99) == 0)
  }

  @Test("an error carries the extended code")
  func extendedCode() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    try connection.execute("CREATE TABLE t (a INTEGER UNIQUE); INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO t VALUES (1)")
    }
    #expect(error?.code == .constraintUnique)
    #expect(error?.code.primary == .constraint)
  }

  @Test("a read-only connection reads what is committed and writes nothing")
  func readOnly() throws {
    let database = try TemporaryDatabase()
    let writer = try database.open()
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    let reader = try database.open(.readOnly)
    #expect(try reader.value("SELECT a FROM t") == "7")
    let error = #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM t") }
    #expect(error?.code.primary == .readOnly)
  }

  @Test("a directory that is not there gives an error, not a file")
  func missingDirectory() throws {
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: "/proc/quiver/none.db", mode: .readWriteCreate)
    }
    #expect(error?.code.primary == .cannotOpen)
  }

  @Test("the log grows by commits, is counted, and a checkpoint copies all of it")
  func checkpoint() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    try connection.execute("PRAGMA journal_mode = WAL")
    connection.observeWAL()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(connection.walFrameCount > 0)
    let checkpoint = try connection.checkpoint(.truncate)
    #expect(!checkpoint.wasBusy)
    #expect(checkpoint.logFrameCount == checkpoint.copiedFrameCount)
  }

  @Test("a checkpoint that a reader holds back says so and waits no longer than it may")
  func busyCheckpoint() throws {
    let database = try TemporaryDatabase()
    let writer = try database.open()
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let reader = try database.open(.readOnly)
    try reader.execute("BEGIN")
    #expect(try reader.value("SELECT a FROM t") == "1")
    try writer.execute("UPDATE t SET a = 2")
    #expect(try writer.checkpoint(.restart).wasBusy)
    #expect(try reader.value("SELECT a FROM t") == "1")
    try reader.execute("COMMIT")
    #expect(try !writer.checkpoint(.restart).wasBusy)
    #expect(try reader.value("SELECT a FROM t") == "2")
  }
}
