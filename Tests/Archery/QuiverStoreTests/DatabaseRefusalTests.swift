import QuiverPostgres
import QuiverRules
import Testing

@testable import QuiverStore

/// What a command is answered if the database refuses one of its statements.
@Suite(.timeLimit(.minutes(5))) struct DatabaseRefusalTests {
  @Test("a correction of a match whose reason cannot be stored fails as a whole")
  func correction() throws {
    let database = try SharedDatabase()
    let bracket = try BracketBench(4, in: try EventBench(in: try database.open()))
    let match = try bracket.match(4, 0).id
    let first = try bracket.operation(match, .first, 0, [9, 9, 9])
    try bracket.apply([first])
    let before = try bracket.match(4, 0)
    let correction = try bracket.operation(match, .first, 0, [10, 9, 9]) { draft in
      (draft.replaces, draft.reason) = (first.clientID, "mis\u{0}read")
    }
    let error = #expect(throws: StoreError.self) { try bracket.apply([correction]) }
    #expect(error?.code == .invalidArgument)
    let after = try bracket.match(4, 0)
    #expect(after.revision == before.revision)
    #expect(after.operations[first.place]?.clientID == first.clientID)
  }

  @Test("a command that goes on after an error of the database stores nothing, and has that error")
  func swallowedError() throws {
    let performer = try PostgresPerformer()
    let archer = try performer.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
    ).id
    for statement in [Swallowing.unbindable, Swallowing.failing] {
      let command = Swallowing(statement, then: try CreateEquipment(.riser("Hoyt")))
      let error = #expect(throws: StoreError.self) { try performer.perform(command, .of(archer)) }
      #expect(error?.code == statement.code)
    }
    #expect(try performer.connection.value("SELECT count(*) FROM riser") == "0")
  }
}

/// A command that takes an error of the database for something else, and goes on.
private struct Swallowing: Command {
  let statement: Statement
  let command: CreateEquipment

  struct Statement {
    let query: Query
    let value: SQLValue
    let code: StoreError.Code
  }

  static let unbindable = Statement(
    query: Query("SELECT 1 FROM equipment WHERE brand = ?1"), value: .text("a\u{0}b"),
    code: .invalidArgument)
  static let failing = Statement(
    query: Query(onlyPostgreSQL: "SELECT 1 / ?1"), value: .integer(0), code: .internalError)

  init(_ statement: Statement, then command: CreateEquipment) {
    (self.statement, self.command) = (statement, command)
  }

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> EquipmentRecord {
    _ = try? transaction.snapshot.first(statement.query, statement.value) { _ in true }
    return try command.apply(in: transaction)
  }
}
