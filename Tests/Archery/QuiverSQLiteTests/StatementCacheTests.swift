import QuiverSQLite
import Testing

@Suite(.timeLimit(.minutes(5))) struct StatementCacheTests {
  @Test("the same text is prepared once for a connection, and anew for another")
  func preparedOnce() throws {
    let database = try TemporaryDatabase()
    let text = SQLText("SELECT ?1")
    let first = try database.open()
    let second = try database.open()
    #expect(try first.statement(text) === first.statement(text))
    #expect(try first.statement(text) !== second.statement(text))
  }

  @Test("past its bound the cache lets the longest unused statement go and keeps working")
  func bound() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    let kept = SQLText("SELECT 'kept'")
    let identity = ObjectIdentifier(try connection.statement(kept))
    for number in 0..<(2 * Connection.maximumCachedStatements) {
      let statement = try connection.statement(SQLText("SELECT \(number)"))
      #expect(try statement.step())
      #expect(statement.int64(0) == Int64(number))
      statement.reset()
      #expect(ObjectIdentifier(try connection.statement(kept)) == identity)
    }
  }

  @Test("the statement that exceeds the bound replaces the longest unused one")
  func exactBound() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    let texts = (0...Connection.maximumCachedStatements).map { SQLText("SELECT \($0)") }
    let first = try connection.statement(texts[0])
    let second = try connection.statement(texts[1])
    for text in texts.dropFirst(2) { _ = try connection.statement(text) }
    #expect(try connection.statement(texts[1]) === second)
    #expect(try connection.statement(texts[0]) !== first)
  }

  @Test("a statement that failed can be run again")
  func afterFailure() throws {
    let database = try TemporaryDatabase()
    let connection = try database.open()
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
    let insert = SQLText("INSERT INTO t VALUES (?1)")
    for number in [1, 1, 2] as [Int64] {
      let statement = try connection.statement(insert)
      try statement.bind(number, at: 1)
      try? statement.run()
    }
    #expect(try connection.value("SELECT count(*) FROM t") == "2")
  }
}
