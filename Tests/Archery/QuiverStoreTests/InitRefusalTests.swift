import QuiverPostgres
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

/// Databases that cannot become a store, or are one already.
@Suite("Databases that init refuses", .timeLimit(.minutes(2))) struct InitRefusalTests {
  @Test("init in the database of another owner says whose database is wanted")
  func otherOwner() throws {
    let database = try SharedDatabase()
    let administrator = try PostgresServer.shared.connect()
    let role = "guest_of_\(database.name)"
    try administrator.execute("CREATE ROLE \(role) LOGIN")
    let address = PostgresServer.sharedAddress(database: database.name)
      .replacing("//quiver@", with: "//\(role)@")
    let directory = try TemporaryDirectory()
    let error = #expect(throws: StoreError.self) {
      try AdministratorToken.makeStore(dataDirectory: directory.path, database: address)
    }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("name a database that the user owns") == true)
  }

  @Test("init at a second server says that there is a store, and makes no token")
  func secondServer() throws {
    let database = try SharedDatabase()
    let address = PostgresServer.sharedAddress(database: database.name)
    let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
    _ = try AdministratorToken.makeStore(dataDirectory: first.path, database: address)
    let tokens = "SELECT count(*) FROM token"
    let before = try database.connect().value(tokens)
    let error = #expect(throws: StoreError.self) {
      try AdministratorToken.makeStore(dataDirectory: second.path, database: address)
    }
    #expect(error?.code == .alreadyExists)
    #expect(error?.message.contains("there is a store in the database already") == true)
    #expect(try database.connect().value(tokens) == before)
  }
}
