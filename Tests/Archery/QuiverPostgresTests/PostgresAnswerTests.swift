import Foundation
import QuiverPostgres
import TestPostgres
import Testing

/// That each answer reaches its own statement, whatever fails and wherever.
@Suite(.timeLimit(.minutes(5))) struct PostgresAnswerTests {
  private static let number = PostgresText("SELECT CAST(?1 AS bigint)")
  private static let pair = PostgresText("SELECT CAST(?1 AS bigint), CAST('b' AS text)")
  private static let insert = PostgresText("INSERT INTO row (id) VALUES (?1)")
  private static let returning = PostgresText("INSERT INTO row (id) VALUES (?1) RETURNING id")
  private static let count = PostgresText("SELECT count(*) FROM row")
  private static let sleep = PostgresText("SELECT CAST(pg_sleep(60) AS text)")

  private func connect() throws -> PostgresConnection {
    let connection = try PostgresServer.shared.connect()
    try connection.execute("CREATE TEMPORARY TABLE row (id bigint PRIMARY KEY)")
    return connection
  }

  private func statement(
    _ text: PostgresText, _ value: Int64, _ connection: PostgresConnection
  ) throws -> PostgresStatement {
    let statement = try connection.statement(text)
    try statement.bind(value, at: 1)
    return statement
  }

  private func rowCount(_ connection: PostgresConnection) throws -> Int64 {
    try connection.run(connection.statement(Self.count)).int64(0, 0)
  }

  @Test("answers are taken in any order, and each has the rows of its own statement")
  func anyOrder() throws {
    let connection = try connect()
    let before = connection.roundTripCount
    var received: [Int64] = []
    // Preparing is a round trip for each text.
    for text in [Self.number, Self.pair, Self.insert, Self.returning] {
      _ = try connection.statement(text)
    }
    let prepared = connection.roundTripCount
    let first = try connection.send(try statement(Self.number, 1, connection))
    try connection.enqueue(try statement(Self.insert, 1, connection))
    let second = try connection.send(try statement(Self.pair, 2, connection))
    try connection.send(try statement(Self.returning, 3, connection)) { rows in
      received.append(rows.int64(0, 0))
    }
    let last = try connection.send(try statement(Self.number, 4, connection))
    #expect(connection.queuedCount == 5 && first.isAwaited && received.isEmpty)
    #expect(try connection.rows(of: last).int64(0, 0) == 4)
    #expect(try connection.rows(of: first).int64(0, 0) == 1)
    #expect(try connection.rows(of: second).text(0, 1) == "b")
    #expect(received == [3] && connection.queuedCount == 0)
    #expect(connection.roundTripCount == prepared + 1 && prepared == before + 4)
  }

  @Test("an error at each place of a pipeline ends what is behind it, and reaches nobody before it")
  func everyPlace() throws {
    let connection = try connect()
    try connection.execute("INSERT INTO row VALUES (1000)")
    let length = 6
    for text in [Self.insert, Self.returning] { _ = try connection.statement(text) }
    for failing in 0..<length {
      try connection.begin(.serializable)
      var received: [Int64] = []
      var answers: [PostgresAnswer] = []
      for place in 0..<length {
        let id = place == failing ? 1_000 : Int64(place)
        switch place % 3 {
        case 0: try connection.enqueue(try statement(Self.insert, id, connection))
        case 1:
          try connection.send(try statement(Self.returning, id, connection)) { rows in
            received.append(rows.int64(0, 0))
          }
        default:
          answers.append(try connection.send(try statement(Self.returning, id, connection)))
        }
      }
      let error = #expect(throws: PostgresError.self) { try connection.commit() }
      #expect(error?.kind == .uniqueViolation(constraint: "row_pkey"), "place \(failing)")
      #expect(!connection.isCommitUnknown)
      #expect(received == [1, 4].filter { $0 < failing }, "place \(failing)")
      for (answer, id) in zip(answers, [2, 5]) {
        if id < failing {
          #expect(try connection.rows(of: answer).int64(0, 0) == Int64(id))
        } else {
          #expect(throws: PostgresError.self) { try connection.rows(of: answer) }
        }
      }
      #expect(connection.transactionState == .failed)
      try connection.rollback()
      #expect(try rowCount(connection) == 1)
    }
  }

  @Test("an error that nobody waited for is thrown by the next use, whatever that is")
  func nextUse() throws {
    let connection = try connect()
    let uses: [(String, (PostgresConnection) throws -> Void)] = [
      ("enqueue", { try $0.enqueue($0.statement(Self.count)) }),
      ("send", { try $0.send($0.statement(Self.count)) }),
      ("run", { _ = try $0.run($0.statement(Self.count)) }),
      ("value", { _ = try $0.value("SELECT 5") }),
      ("synchronize", { try $0.synchronize() }),
      ("commit", { try $0.commit() }),
      ("execute", { try $0.execute("SELECT 5") }),
    ]
    for (name, use) in uses {
      try connection.begin(.serializable)
      let answer = try connection.send(try statement(Self.number, 7, connection))
      try connection.enqueue(try statement(Self.insert, 1, connection))
      try connection.enqueue(try statement(Self.insert, 1, connection))
      // It receives all answers, and its own is not the error.
      #expect(try connection.rows(of: answer).int64(0, 0) == 7)
      let error = #expect(throws: PostgresError.self, "\(name)") { try use(connection) }
      #expect(error?.kind == .uniqueViolation(constraint: "row_pkey"), "\(name)")
      try connection.rollback()
      #expect(try connection.value("SELECT 5") == "5", "\(name)")
    }
  }

  @Test("a segment that fails keeps no other segment from running")
  func segments() throws {
    let connection = try connect()
    let first = try connection.send(try statement(Self.returning, 1, connection))
    try connection.endSegment()
    try connection.enqueue(control: "SELECT no_such_column")
    let skipped = try connection.send(try statement(Self.returning, 2, connection))
    try connection.endSegment()
    let last = try connection.send(try statement(Self.returning, 3, connection))
    #expect(try connection.rows(of: first).int64(0, 0) == 1)
    #expect(try connection.rows(of: last).int64(0, 0) == 3)
    let error = #expect(throws: PostgresError.self) { try connection.rows(of: skipped) }
    #expect(error?.sqlState == "42703")
    // The statements of a segment outside of a transaction are one.
    #expect(try rowCount(connection) == 2)
  }

  @Test("an error at the end of a segment is thrown, and the answers behind it stay in step")
  func deferredConstraint() throws {
    let connection = try connect()
    try connection.execute(
      """
      CREATE TEMPORARY TABLE child (id bigint REFERENCES row (id) DEFERRABLE INITIALLY DEFERRED)
      """)
    let orphan = PostgresText("INSERT INTO child (id) VALUES (?1) RETURNING id")
    for text in [orphan, Self.number] { _ = try connection.statement(text) }
    // The constraint is checked when the implicit transaction ends, behind the answer.
    let answer = try connection.send(try statement(orphan, 5, connection))
    try connection.endSegment()
    let next = try connection.send(try statement(Self.number, 6, connection))
    #expect(try connection.rows(of: next).int64(0, 0) == 6)
    #expect(try connection.rows(of: answer).int64(0, 0) == 5)
    let error = #expect(throws: PostgresError.self) { try connection.synchronize() }
    #expect(error?.sqlState == "23503")
    #expect(try connection.value("SELECT 5") == "5")
  }

  @Test("a read that has ended without waiting leaves its answer to the next use, with any error")
  func endedReading() throws {
    let connection = try connect()
    // COMMIT is prepared at its first use.
    try connection.begin(.snapshot)
    try connection.commit()
    try connection.begin(.snapshot)
    #expect(try connection.run(try statement(Self.number, 1, connection)).int64(0, 0) == 1)
    let before = connection.roundTripCount
    try connection.endReading()
    #expect(connection.queuedCount == 1 && connection.roundTripCount == before)
    try connection.begin(.snapshot)
    #expect(try connection.run(try statement(Self.number, 2, connection)).int64(0, 0) == 2)
    #expect(throws: PostgresError.self) { try connection.run(control: "SELECT 1 / 0") }
    try connection.endReading()
    #expect(try connection.run(try statement(Self.number, 3, connection)).int64(0, 0) == 3)
    #expect(connection.transactionState == .idle)
  }

  @Test("a connection that ends within a pipeline tells whether the COMMIT may have had an effect")
  func terminated() throws {
    let server = try PostgresServer.shared
    let name = try server.makeDatabase()
    try server.connect(database: name).execute("CREATE TABLE row (id bigint PRIMARY KEY)")
    let terminate = PostgresText("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)")
    for place in 0...3 {
      let connection = try server.connect(database: name)
      for text in [Self.insert, Self.returning, terminate] { _ = try connection.statement(text) }
      try connection.begin(.serializable)
      var answers: [PostgresAnswer] = []
      for number in 0...3 {
        if number == place {
          try connection.enqueue(connection.statement(terminate))
        } else {
          answers.append(
            try connection.send(try statement(Self.returning, Int64(number), connection)))
        }
      }
      let error = #expect(throws: PostgresError.self) { try connection.commit() }
      #expect(error?.kind == .connectionLost, "place \(place)")
      // The server said at which statement it ended, which is before the COMMIT.
      #expect(!connection.isCommitUnknown, "place \(place)")
      for (index, answer) in answers.enumerated() {
        #expect(!answer.isAwaited)
        if index < place {
          #expect(try connection.rows(of: answer).rowCount == 1)
        } else {
          #expect(throws: PostgresError.self) { try connection.rows(of: answer) }
        }
      }
      #expect(throws: PostgresError.self) { try connection.rollback() }
      #expect(!connection.isAlive && !connection.isUsable)
      #expect(try server.connect(database: name).value("SELECT count(*) FROM row") == "0")
    }
  }

  @Test("a connection that ends within COMMIT leaves open whether it had an effect")
  func terminatedCommit() throws {
    let server = try PostgresServer.shared
    let name = try server.makeDatabase()
    let other = try server.connect(database: name)
    try other.execute(
      """
      CREATE TABLE row (id bigint PRIMARY KEY);
      CREATE FUNCTION end_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid());
        PERFORM pg_sleep(60);
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER end_commit AFTER INSERT ON row
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_commit();
      """)
    let connection = try server.connect(database: name)
    try connection.begin(.serializable)
    try connection.enqueue(try statement(Self.insert, 1, connection))
    let error = #expect(throws: PostgresError.self) { try connection.commit() }
    #expect(error?.kind == .connectionLost && connection.isCommitUnknown)
    // The same by a process that is killed without a word.
    let silent = try server.connect(database: name)
    silent.sessionLimits.statementMilliseconds = 1_000
    for text in [Self.insert, Self.number] { _ = try silent.statement(text) }
    try silent.begin(.serializable)
    try silent.commit()
    try silent.begin(.serializable)
    try silent.enqueue(try statement(Self.insert, 2, silent))
    silent.deadline = .after(milliseconds: 1)
    server.signal(SIGSTOP, processID: silent.processID)
    defer { server.signal(SIGCONT, processID: silent.processID) }
    let lost = #expect(throws: PostgresError.self) { try silent.commit() }
    #expect(lost?.endsConnection == true && silent.isCommitUnknown)
  }

  @Test("a cancellation within a pipeline fails its statement and those behind it")
  func cancelled() async throws {
    let connection = try connect()
    let monitor = try PostgresServer.shared.connect()
    let (cancellation, processID) = (connection.cancellation, connection.processID)
    _ = try connection.statement(Self.sleep)
    try connection.begin(.serializable)
    let before = try connection.send(try statement(Self.returning, 1, connection))
    let sleeping = try connection.send(connection.statement(Self.sleep))
    let behind = try connection.send(try statement(Self.returning, 2, connection))
    let thread = Task.detached {
      let waiting = """
        SELECT count(*) FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND pid = \(processID)
        """
      while try monitor.value(waiting) != "1" {}
      return cancellation.cancel()
    }
    let error = #expect(throws: PostgresError.self) { try connection.rows(of: sleeping) }
    #expect(try await thread.value)
    #expect(error?.kind == .cancelled)
    #expect(try connection.rows(of: before).int64(0, 0) == 1)
    #expect(throws: PostgresError.self) { try connection.rows(of: behind) }
    try connection.rollback()
    #expect(try rowCount(connection) == 0)
  }

  @Test("a queued write that conflicts is a serialization failure of the COMMIT behind it")
  func serialization() throws {
    let server = try PostgresServer.shared
    let name = try server.makeDatabase()
    let (first, second) = try (server.connect(database: name), server.connect(database: name))
    try first.execute("CREATE TABLE duty (id bigint PRIMARY KEY, is_on bigint)")
    try first.execute("INSERT INTO duty VALUES (1, 1), (2, 1)")
    let onDuty = PostgresText("SELECT count(*) FROM duty WHERE is_on = 1")
    let leave = PostgresText("UPDATE duty SET is_on = 0 WHERE id = ?1")
    // The same row: the update fails. Different rows: the commit does.
    for ids in [(Int64(1), Int64(1)), (1, 2)] {
      try first.execute("UPDATE duty SET is_on = 1")
      for connection in [first, second] {
        try connection.begin(.serializable)
        #expect(try connection.run(connection.statement(onDuty)).int64(0, 0) == 2)
      }
      try first.enqueue(try statement(leave, ids.0, first))
      try first.commit()
      try second.enqueue(try statement(leave, ids.1, second))
      let error = #expect(throws: PostgresError.self) { try second.commit() }
      #expect(error?.kind == .serializationFailure && !second.isCommitUnknown)
      try second.rollback()
      #expect(try second.run(second.statement(onDuty)).int64(0, 0) == 1)
    }
  }

  @Test("a session's own limits save the statements that set them, and shorter ones are set")
  func limits() throws {
    let connection = try connect()
    try connection.execute("SET statement_timeout = 10000; SET lock_timeout = 2000")
    connection.sessionLimits = PostgresConnection.SessionLimits(
      statementMilliseconds: 10_000, lockMilliseconds: 2_000)
    for (milliseconds, limits) in [
      (UInt64(10_000), "10s 2s"), (9_900, "10s 2s"), (9_000, "9s 2s"), (1_100, "1250ms 1250ms"),
      (60_000, "1min 2s"),
    ] {
      connection.deadline = .after(milliseconds: milliseconds)
      try connection.begin(.serializable, lockMilliseconds: 2_000)
      let found = try connection.value(
        "SELECT current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')")
      #expect(found == limits)
      try connection.commit()
    }
  }
}
