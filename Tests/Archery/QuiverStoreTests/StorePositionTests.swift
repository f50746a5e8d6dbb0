import QuiverPostgres
import Synchronization
import TestPostgres
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Positions of a store on PostgreSQL", .timeLimit(.minutes(5))) struct StorePositionTests {
  private func archer(_ store: Store, _ name: String = "Robin") throws -> Int64 {
    try store.perform(CreatePrincipal(kind: .user, displayName: name), .of(0)).id
  }

  /// Answers to calls that wait for a position.
  private final class Answers: Sendable {
    private let answers = Mutex<[StorePositions.Answer]>([])

    func note(_ answer: StorePositions.Answer) { answers.withLock { $0.append(answer) } }

    var all: [StorePositions.Answer] { answers.withLock { $0 } }

    func count(_ isCounted: (StorePositions.Answer) -> Bool) -> Int {
      all.count { isCounted($0) }
    }
  }

  @Test("each command has a position, which another server reaches as soon as it is asked")
  func commands() async throws {
    let database = try SharedDatabase()
    let (first, second) = try (database.open(), database.open())
    let positions = try #require(first.positions)
    let archer = try archer(first)
    var last = positions.latest
    #expect(last > 1)
    for brand in ["Hoyt", "Win&Win", "Kinetic"] {
      _ = try first.perform(try CreateEquipment(.riser(brand)), .of(archer))
      #expect(positions.latest > last)
      last = positions.latest
    }
    let answers = Answers()
    let other = try #require(second.positions)
    other.wait(for: last, of: archer, milliseconds: .max) { answers.note($0) }
    #expect(await eventually { answers.all.count == 1 })
    guard case .reached? = answers.all.first else {
      Issue.record("the position was not reached: \(answers.all)")
      return
    }
    #expect(other.latest >= last)
  }

  @Test("a command without a row of the journal, and a repeated one, have a position too")
  func withoutRows() throws {
    let database = try SharedDatabase()
    let (first, second) = try (database.open(), database.open())
    let archer = try archer(first)
    let positions = try #require(second.positions)
    // Behind the position at which the second store was opened: it learns of it by a command.
    let key = Array(repeating: UInt8(7), count: 16)
    _ = try first.call(try CreateEquipment(.riser("Hoyt")), .of(archer, key: key), reply: [1])
    let written = try #require(first.positions).latest
    #expect(
      try second.call(try CreateEquipment(.riser("Hoyt")), .of(archer, key: key), reply: [2]) == [1]
    )
    #expect(positions.latest >= written)
    let before = positions.latest
    try second.perform(Nothing(), .of(archer))
    #expect(positions.latest >= before)
    try second.perform(OnlyUsage(), .of(archer))
    #expect(positions.latest > before)
  }

  @Test("a command takes no round trip more for its position")
  func roundTrips() throws {
    let performer = try PostgresPerformer()
    let archer = try performer.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
    ).id
    try performer.perform(OnlyUsage(), .of(archer))
    let before = performer.connection.roundTripCount
    try performer.perform(OnlyUsage(), .of(archer))
    // What every command reads, and the COMMIT with the statement and the question.
    #expect(performer.connection.roundTripCount - before <= 2)
  }

  @Test("a position that the store does not reach is refused after the time that the call has")
  func unreached() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let positions = try #require(store.positions)
    let answers = Answers()
    for position in [Int64.max, positions.latest + (1 << 50)] {
      positions.wait(for: position, of: 1, milliseconds: .max) { answers.note($0) }
    }
    #expect(await eventually { answers.all.count == 2 })
    let notReached = answers.count { if case .notReached = $0 { true } else { false } }
    #expect(notReached == 2, "\(answers.all)")
    #expect(positions.latest < Int64.max / 2 && positions.waitingCount == 0)
  }

  @Test("a position is reached while a call waits for it")
  func reachedLater() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let positions = try #require(store.positions)
    let connection = try database.connect()
    // The number that this transaction gets is behind the position of the store.
    try connection.execute("BEGIN")
    let own = Int64(try connection.value("SELECT pg_current_xact_id()::text") ?? "") ?? 0
    let answers = Answers()
    positions.wait(
      for: own * JournalPosition.perTransaction, of: 1, milliseconds: .max
    ) { answers.note($0) }
    try connection.execute("COMMIT")
    #expect(await eventually { answers.all.count == 1 })
    let reached = answers.count { if case .reached = $0 { true } else { false } }
    #expect(reached == 1, "\(answers.all)")
  }

  @Test("a position of numbers of transactions that a crash has given back is reached")
  func lostNumbers() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let positions = try #require(store.positions)
    let answers = Answers()
    let ahead = positions.latest + 20 * JournalPosition.perTransaction
    positions.wait(for: ahead, of: 1, milliseconds: .max) { answers.note($0) }
    #expect(await eventually { answers.all.count == 1 })
    let reached = answers.count { if case .reached = $0 { true } else { false } }
    #expect(reached == 1, "\(answers.all)")
  }

  @Test(
    "so many calls may wait for a position in all and of one principal, and all end at the stop")
  func limits() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let positions = try #require(store.positions)
    let answers = Answers()
    for _ in 0..<StoreLimits.positionWaitsPerPrincipal {
      positions.wait(for: .max, of: 1, milliseconds: .max) { answers.note($0) }
    }
    #expect(answers.all.isEmpty)
    positions.wait(for: .max, of: 1, milliseconds: .max) { answers.note($0) }
    let refused = answers.count { if case .tooMany = $0 { true } else { false } }
    #expect(refused == 1)
    var principal: Int64 = 1
    var most = 0
    // Those that wait for too long end meanwhile.
    while answers.count({ if case .tooMany = $0 { true } else { false } }) < 2, principal < 50_000 {
      principal += 1
      positions.wait(for: .max, of: principal, milliseconds: .max) { answers.note($0) }
      most = max(most, positions.waitingCount)
    }
    #expect(most == StoreLimits.positionWaits)
    store.close()
    #expect(positions.waitingCount == 0)
    #expect(answers.all.count == StoreLimits.positionWaitsPerPrincipal + Int(principal))
  }

  @Test("a call ends in time while the database is silent, and that says nothing of the store")
  func silentDatabase() async throws {
    let server = try SilentServer()
    let connector = PostgresConnector(
      PostgresConfiguration(try PostgresAddress(server.address)),
      monotonicNanoseconds: StoreClock.system.monotonicNanoseconds)
    let positions = StorePositions(connector, from: 5)
    try positions.start()
    let answers = Answers()
    positions.wait(for: 6, of: 1, milliseconds: 50) { answers.note($0) }
    #expect(await eventually { answers.all.count == 1 })
    let unanswered = answers.count { if case .unanswered = $0 { true } else { false } }
    #expect(unanswered == 1, "\(answers.all)")
    positions.note(7)
    #expect(positions.latest == 7)
    withExtendedLifetime(server) {}
  }
}

/// A command that changes nothing.
private struct Nothing: Command {
  func apply(in transaction: borrowing Transaction) throws(StoreError) {}
}

/// A command that changes a row and has no row of the journal.
private struct OnlyUsage: Command {
  private static let change = Query("UPDATE usage SET rows = rows WHERE principal_id = ?1")

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(Self.change, .integer(transaction.caller.principal))
  }
}
