import QuiverPostgres
import TestPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PostgresStatementTests {
  @Test("a connection whose prepared statements are gone has ended")
  func lostStatements() throws {
    let connection = try PostgresServer.shared.connect()
    let text = PostgresText("SELECT CAST(?1 AS bigint)")
    let statement = try connection.statement(text)
    try statement.bind(Int64(3), at: 1)
    #expect(try connection.run(statement).int64(0, 0) == 3)
    try connection.execute("DEALLOCATE ALL")
    let error = #expect(throws: PostgresError.self) {
      try connection.run(try connection.statement(text))
    }
    #expect(error?.endsConnection == true)
    #expect(!connection.isAlive)
  }
}
