import QuiverPostgres
import TestPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PostgresValueTests {
  @Test("values of every kind come back as they were bound, emptiness and NULL included")
  func everyKind() throws {
    let connection = try PostgresServer.shared.connect()
    try connection.execute(
      """
      CREATE TEMPORARY TABLE value (
        a bigint, b double precision, c text, d bytea, e text, f text, g bytea, h bigint)
      """)
    let insert = try connection.statement(
      PostgresText("INSERT INTO value VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"))
    #expect(insert.parameterCount == 8)
    try insert.bind(Int64.min, at: 1)
    try insert.bind(0.1, at: 2)
    try insert.bind("b é🏹", at: 3)
    try insert.bind([0, 255, 0] as [UInt8], at: 4)
    insert.bindNull(at: 5)
    try insert.bind("", at: 6)
    try insert.bind([] as [UInt8], at: 7)
    try insert.bind(Int64.max, at: 8)
    #expect(try connection.run(insert).affectedRowCount == 1)
    let rows = try connection.run(connection.statement(PostgresText("SELECT * FROM value")))
    #expect(rows.rowCount == 1 && rows.columnCount == 8)
    #expect(rows.int64(0, 0) == .min)
    #expect(rows.double(0, 1) == 0.1)
    #expect(rows.text(0, 2) == "b é🏹")
    #expect(rows.bytes(0, 3) == [0, 255, 0])
    #expect(rows.isNull(0, 4) && rows.optionalText(0, 4) == nil)
    #expect(rows.text(0, 5) == "" && !rows.isNull(0, 5))
    #expect(rows.bytes(0, 6) == [] && !rows.isNull(0, 6))
    #expect(rows.int64(0, 7) == .max)
  }

  @Test("numeric, smallint, real and boolean parameters take what fits them")
  func otherParameters() throws {
    let connection = try PostgresServer.shared.connect()
    let statement = try connection.statement(
      PostgresText(
        """
        SELECT CAST(?1 AS numeric) * 2, CAST(?2 AS numeric) * 2, CAST(?3 AS real),
          CAST(?4 AS boolean), CAST(?5 AS text) || 'c', CAST(?6 AS text)
        """))
    try statement.bind(Int64(9_007_199_254_740_992), at: 1)
    try statement.bind(-0.25, at: 2)
    try statement.bind(2.5, at: 3)
    try statement.bind(Int64(1), at: 4)
    try statement.bind("ab", at: 5)
    try statement.bind("d", at: 6)
    let rows = try connection.run(statement)
    #expect(rows.double(0, 0) == 18_014_398_509_481_984)
    #expect(rows.double(0, 1) == -0.5 && rows.double(0, 2) == 2.5 && rows.int64(0, 3) == 1)
    #expect(rows.text(0, 4) == "abc" && rows.text(0, 5) == "d")
  }

  @Test("a value of one run is not bound in the next one")
  func cleared() throws {
    let connection = try PostgresServer.shared.connect()
    let text = PostgresText("SELECT CAST(?1 AS bigint), CAST(?2 AS text)")
    let statement = try connection.statement(text)
    try statement.bind(Int64(5), at: 1)
    try statement.bind("a", at: 2)
    #expect(try connection.run(statement).int64(0, 0) == 5)
    let again = try connection.statement(text)
    #expect(again === statement)
    try again.bind("b", at: 2)
    let rows = try connection.run(again)
    #expect(rows.isNull(0, 0) && rows.text(0, 1) == "b")
  }

  @Test(
    "numbers of other types are read as integers and reals",
    arguments: [
      ("CAST(7 AS smallint)", 7, 7.0), ("CAST(-8 AS integer)", -8, -8.0),
      ("true", 1, 1.0), ("CAST(2.5 AS real)", 2, 2.5), ("CAST(-1.5 AS double precision)", -1, -1.5),
      ("CAST(12345678901234 AS numeric)", 12_345_678_901_234, 12_345_678_901_234.0),
      ("CAST(-40000.25 AS numeric)", -40_000, -40_000.25),
      ("CAST(0.0004 AS numeric)", 0, 0.0004), ("CAST(100000000 AS numeric)", 100_000_000, 1e8),
      ("CAST(9223372036854775807 AS numeric) * 10", Int64.max, 92_233_720_368_547_758_070.0),
      ("CAST('NaN' AS numeric)", 0, 0.0), ("CAST('12' AS text)", 12, 12.0),
      ("CAST('twelve' AS text)", 0, 0.0), ("CAST(1e300 AS double precision)", Int64.max, 1e300),
      ("CAST(NULL AS bigint)", 0, 0.0), ("CAST('5' AS xid8)", 5, 5.0),
    ])
  func numbers(_ expression: String, _ integer: Int64, _ real: Double) throws {
    let connection = try PostgresServer.shared.connect()
    let rows = try connection.run(connection.statement(PostgresText("SELECT \(expression)")))
    #expect(rows.int64(0, 0) == integer)
    #expect(rows.double(0, 0) == real)
  }

  @Test("a sum of bigint columns, which is numeric, is read exactly")
  func sums() throws {
    let connection = try PostgresServer.shared.connect()
    let rows = try connection.run(
      connection.statement(
        PostgresText("SELECT sum(n) FROM generate_series(9007199254740990, 9007199254740993) n")))
    #expect(rows.int64(0, 0) == 36_028_797_018_963_966)
    #expect(rows.text(0, 0) == "36028797018963966")
    #expect(try connection.value("SELECT CAST(2.5 AS numeric)") == "2.5")
  }

  @Test("a column or row that does not exist reads as NULL")
  func outOfRange() throws {
    let connection = try PostgresServer.shared.connect()
    let rows = try connection.run(connection.statement(PostgresText("SELECT CAST(5 AS bigint)")))
    #expect(rows.int64(0, 9) == 0 && rows.text(1, 0) == "" && rows.bytes(-1, 0) == [])
  }

  @Test("a parameter whose type follows from a number in the text takes every 64-bit integer")
  func wideParameters() throws {
    let connection = try PostgresServer.shared.connect()
    let statement = try connection.statement(PostgresText("SELECT ?1 > 0, ?1 + 1"))
    try statement.bind(Int64(5_000_000_000), at: 1)
    let rows = try connection.run(statement)
    #expect(rows.int64(0, 0) == 1)
    #expect(rows.int64(0, 1) == 5_000_000_001)
  }

  @Test("a parameter that does not occur takes any value")
  func unusedParameters() throws {
    let connection = try PostgresServer.shared.connect()
    let statement = try connection.statement(PostgresText("SELECT CAST(?2 AS bigint)"))
    try statement.bind(Int64(1), at: 1)
    try statement.bind(Int64(2), at: 2)
    #expect(try connection.run(statement).int64(0, 0) == 2)
  }

  @Test("a value that the type of a parameter cannot have is refused before it is sent")
  func refused() throws {
    let connection = try PostgresServer.shared.connect()
    try connection.execute(
      "CREATE TEMPORARY TABLE narrow (a smallint, b text, c bytea, d bigint, e boolean)")
    let statement = try connection.statement(
      PostgresText("INSERT INTO narrow VALUES (?1, ?2, ?3, ?4, ?5)"))
    func expectRefusal(_ body: () throws -> Void) {
      let error = #expect(throws: PostgresError.self) { try body() }
      #expect(error?.kind == .invalidValue)
    }
    expectRefusal { try statement.bind("5", at: 4) }
    expectRefusal { try statement.bind(2.5, at: 4) }
    expectRefusal { try statement.bind(Int64(5), at: 2) }
    expectRefusal { try statement.bind([5] as [UInt8], at: 2) }
    expectRefusal { try statement.bind("a\0b", at: 2) }
    expectRefusal { try statement.bind(Int64(2), at: 5) }
    try statement.bind("text", at: 3)
    try statement.bind(2.0, at: 4)
    #expect(try connection.run(statement).affectedRowCount == 1)
  }
}
