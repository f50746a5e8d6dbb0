import QuiverPostgres
import TestPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PostgresErrorTests {
  @Test(
    "the SQLSTATE of a server's error tells its kind",
    arguments: [
      ("40001", PostgresError.Kind.serializationFailure), ("40P01", .deadlock),
      ("55P03", .lockTimeout), ("25006", .readOnly), ("53100", .diskFull),
      ("53200", .outOfMemory), ("53300", .tooManyConnections), ("57P01", .connectionLost),
      ("57P03", .connectionLost), ("08006", .connectionLost), ("28000", .authenticationFailed),
      ("XX001", .damaged), ("XX000", .other), ("23514", .constraintViolation(constraint: "")),
      ("57014", .statementTimeout), ("22012", .other), ("P0001", .other),
    ])
  func states(_ state: String, _ kind: PostgresError.Kind) throws {
    let connection = try PostgresServer.shared.connect()
    let error = #expect(throws: PostgresError.self) {
      try connection.execute(
        "DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '\(state)'; END $$")
    }
    #expect(error?.kind == kind)
    #expect(error?.sqlState == state)
  }

  @Test("an error names the constraint, and no value")
  func constraints() throws {
    let connection = try PostgresServer.shared.connect()
    try connection.execute(
      """
      CREATE TEMPORARY TABLE person (
        id bigint PRIMARY KEY, name text NOT NULL, age bigint CONSTRAINT adult CHECK (age > 17))
      """)
    try connection.execute("INSERT INTO person VALUES (4711, 'Robin', 20)")
    let cases: [(String, PostgresError.Kind)] = [
      ("(4711, 'Robin', 20)", .uniqueViolation(constraint: "person_pkey")),
      ("(4712, 'Robin', 4)", .constraintViolation(constraint: "adult")),
      ("(4712, NULL, 20)", .constraintViolation(constraint: "")),
      ("(4712, 'Robin', CAST('Robin' AS bigint))", .other),
    ]
    for (values, kind) in cases {
      let error = #expect(throws: PostgresError.self) {
        try connection.execute("INSERT INTO person VALUES \(values)")
      }
      #expect(error?.kind == kind)
      let text = error.map { "\($0)" } ?? ""
      #expect(!text.contains("Robin") && !text.contains("471"), "\(text)")
    }
  }

  @Test("of two transactions that each read what the other writes one has to run again")
  func serialization() throws {
    let server = try PostgresServer.shared
    let name = try server.makeDatabase()
    let (first, second) = (
      try server.connect(database: name), try server.connect(database: name)
    )
    try first.execute("CREATE TABLE duty (id bigint PRIMARY KEY, is_on bigint)")
    try first.execute("INSERT INTO duty VALUES (1, 1), (2, 1)")
    let count = PostgresText("SELECT count(*) FROM duty WHERE is_on = 1")
    let update = PostgresText("UPDATE duty SET is_on = 0 WHERE id = ?1")
    for (id, connection) in [(Int64(1), first), (2, second)] {
      try connection.begin(.serializable)
      #expect(try connection.run(connection.statement(count)).int64(0, 0) == 2)
      let statement = try connection.statement(update)
      try statement.bind(id, at: 1)
      #expect(try connection.run(statement).affectedRowCount == 1)
    }
    try first.commit()
    let error = #expect(throws: PostgresError.self) { try second.commit() }
    #expect(error?.kind == .serializationFailure)
    #expect(error?.isRetryable == true)
    try second.rollback()
    #expect(try second.run(second.statement(count)).int64(0, 0) == 1)
  }

  @Test("a change in a read-only transaction is refused")
  func readOnly() throws {
    let connection = try PostgresServer.shared.connect()
    try connection.begin(.snapshot)
    let error = #expect(throws: PostgresError.self) {
      try connection.run(control: "CREATE TABLE never (id bigint)")
    }
    #expect(error?.kind == .readOnly)
    try connection.rollback()
  }

  @Test("a lock that another transaction holds ends the wait at the lock timeout")
  func lockTimeout() throws {
    let (holder, waiter) = try lockedPair()
    try waiter.begin(.serializable, lockMilliseconds: 50)
    let error = #expect(throws: PostgresError.self) {
      try waiter.run(control: "UPDATE locked SET value = 2")
    }
    #expect(error?.kind == .lockTimeout)
    try waiter.rollback()
    try holder.rollback()
  }

  @Test("a statement that waits past the deadline is ended by the server, and the connection stays")
  func statementTimeout() throws {
    let (holder, waiter) = try lockedPair()
    waiter.deadline = .after(milliseconds: 100)
    try waiter.begin(.serializable)
    let error = #expect(throws: PostgresError.self) {
      try waiter.run(control: "UPDATE locked SET value = 2")
    }
    #expect(error?.kind == .statementTimeout)
    #expect(error?.endsConnection == false)
    waiter.deadline = .never
    try waiter.rollback()
    try holder.commit()
    #expect(try waiter.value("SELECT value FROM locked") == "1")
  }

  @Test("a cancellation from another thread ends the statement, and is told from a timeout")
  func cancellation() async throws {
    let (holder, waiter) = try lockedPair()
    let cancellation = waiter.cancellation
    let processID = waiter.processID
    let monitor = try PostgresServer.shared.connect()
    let waiting = """
      SELECT count(*) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND pid = \(processID)
      """
    // Cancels once the statement waits for the lock.
    let thread = Task.detached {
      while try monitor.value(waiting) != "1" {}
      return cancellation.cancel()
    }
    try waiter.begin(.serializable)
    let error = #expect(throws: PostgresError.self) {
      try waiter.run(control: "UPDATE locked SET value = 2")
    }
    #expect(try await thread.value)
    #expect(error?.kind == .cancelled)
    try waiter.rollback()
    try holder.rollback()
    #expect(try waiter.value("SELECT 5") == "5")
  }

  /// Two connections to a database in which the first one has locked the row of `locked`.
  private func lockedPair() throws -> (PostgresConnection, PostgresConnection) {
    let server = try PostgresServer.shared
    let name = try server.makeDatabase()
    let (holder, waiter) = (
      try server.connect(database: name), try server.connect(database: name)
    )
    try holder.execute("CREATE TABLE locked (value bigint); INSERT INTO locked VALUES (0)")
    try holder.begin(.serializable)
    try holder.run(control: "UPDATE locked SET value = 1")
    return (holder, waiter)
  }
}
