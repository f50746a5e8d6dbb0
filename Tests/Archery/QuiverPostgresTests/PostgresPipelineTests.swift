import QuiverPostgres
import TestPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PostgresPipelineTests {
  private let connection: PostgresConnection
  private static let insert = PostgresText("INSERT INTO row (id, name) VALUES (?1, ?2)")
  private static let select = PostgresText("SELECT id, name FROM row ORDER BY id")

  init() throws {
    connection = try PostgresServer.shared.connect()
    try connection.execute("CREATE TEMPORARY TABLE row (id bigint PRIMARY KEY, name text)")
  }

  private func enqueueInsert(_ id: Int64, _ name: String = "") throws {
    let statement = try connection.statement(Self.insert)
    try statement.bind(id, at: 1)
    try statement.bind(name, at: 2)
    try connection.enqueue(statement)
  }

  @Test("queued statements run in their order before the one that is awaited")
  func order() throws {
    try enqueueInsert(1, "a")
    try enqueueInsert(2, "b")
    #expect(connection.queuedCount == 2)
    let rows = try connection.run(connection.statement(Self.select))
    #expect(connection.queuedCount == 0)
    #expect(rows.rowCount == 2 && rows.text(0, 1) == "a" && rows.int64(1, 0) == 2)
  }

  @Test("more statements than may be queued, with more bytes than the sockets hold, all run")
  func many() throws {
    let name = String(repeating: "🏹", count: 5_000)
    try connection.begin(.serializable)
    for id in 1...1_000 { try enqueueInsert(Int64(id), name) }
    try connection.commit()
    let rows = try connection.run(connection.statement(Self.select))
    #expect(rows.rowCount == 1_000)
    #expect(
      (0..<1_000).allSatisfy { rows.int64($0, 0) == Int64($0 + 1) && rows.text($0, 1) == name })
  }

  @Test("large answers of queued statements do not block the statements behind them")
  func largeAnswers() throws {
    let answer = PostgresText("SELECT repeat('a', 1000000)")
    for id in 1...50 {
      try connection.enqueue(connection.statement(answer))
      try enqueueInsert(Int64(id), String(repeating: "b", count: 100_000))
      _ = try connection.run(connection.statement(answer))
    }
    #expect(try connection.run(connection.statement(Self.select)).rowCount == 50)
  }

  @Test("the first error of a pipeline is thrown, and nothing behind it runs")
  func firstError() throws {
    try connection.begin(.serializable)
    try enqueueInsert(1)
    try enqueueInsert(1)
    try connection.enqueue(control: "SELECT no_such_column")
    let error = #expect(throws: PostgresError.self) { try connection.commit() }
    #expect(error?.kind == .uniqueViolation(constraint: "row_pkey"))
    #expect(connection.transactionState == .failed)
    try connection.rollback()
    #expect(connection.transactionState == .idle)
    #expect(try connection.run(connection.statement(Self.select)).rowCount == 0)
  }

  @Test("COMMIT of a failed transaction is an error")
  func failedCommit() throws {
    try connection.begin(.serializable)
    try enqueueInsert(1)
    #expect(throws: PostgresError.self) { try connection.run(control: "SELECT 1 / 0") }
    let error = #expect(throws: PostgresError.self) { try connection.commit() }
    #expect(error?.kind == .other)
    #expect(connection.transactionState == .idle)
    #expect(try connection.run(connection.statement(Self.select)).rowCount == 0)
  }

  @Test("a rollback discards what is queued and open, and does nothing where nothing is")
  func rollback() throws {
    try connection.rollback()
    try connection.begin(.serializable)
    try enqueueInsert(1)
    try connection.rollback()
    #expect(try connection.run(connection.statement(Self.select)).rowCount == 0)
  }

  @Test("scripts and pipelines alternate on one connection")
  func scripts() throws {
    try enqueueInsert(1)
    try connection.execute("INSERT INTO row VALUES (2, 'b'); INSERT INTO row VALUES (3, 'c')")
    try enqueueInsert(4)
    #expect(try connection.run(connection.statement(Self.select)).rowCount == 4)
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("INSERT INTO row VALUES (5, 'e'); INSERT INTO row VALUES (1, 'a')")
    }
    #expect(error?.kind == .uniqueViolation(constraint: "row_pkey"))
    #expect(try connection.run(connection.statement(Self.select)).rowCount == 4)
  }

  @Test("a connection that has prepared its maximum of statements forgets them and goes on")
  func preparedStatements() throws {
    for number in 0...PostgresConnection.maximumPreparedStatements {
      let statement = try connection.statement(PostgresText("SELECT CAST(\(number) AS bigint)"))
      #expect(try connection.run(statement).int64(0, 0) == Int64(number))
    }
    #expect(
      try connection.value("SELECT count(*) FROM pg_prepared_statements") == "1")
  }
}
