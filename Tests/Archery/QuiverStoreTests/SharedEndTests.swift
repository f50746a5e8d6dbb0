import QuiverPostgres
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

/// What a server learns of what ended at another one, or was removed.
@Suite(.timeLimit(.minutes(5))) struct SharedEndTests {
  @Test("a token that is replaced at one server has its expiry at the other one")
  func replacedToken() async throws {
    let database = try SharedDatabase()
    let ends = Mutex<[TokenEnd]>([])
    let (first, second) = try (
      database.open(),
      database.open { configuration in
        configuration.hooks.tokensReplaced = { new in ends.withLock { $0 += new } }
      }
    )
    let archer = try first.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
    ).id
    let token = try first.perform(
      CreateToken(principal: archer, label: "phone"), .of(0)
    ).record.id
    let caller = CommandCaller(principal: archer, tokenID: token)
    let rotated = try first.perform(
      try RotateToken(overlapMilliseconds: 60_000), CommandOptions(caller: caller))
    let expected = TokenEnd(
      id: token, expiresAtMilliseconds: rotated.old.expiresAtMilliseconds ?? 0)
    #expect(await eventually { ends.withLock { $0.contains(expected) } })
    withExtendedLifetime(second) {}
  }

  @Test("a server whose next rows of the journal were removed does not go on")
  func removedRows() async throws {
    let database = try SharedDatabase()
    let failures = Mutex<[StoreError]>([])
    let store = try database.open { configuration in
      configuration.hooks.fatal = { error in failures.withLock { $0.append(error) } }
    }
    _ = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    try await Task.sleep(for: .milliseconds(1_500))
    #expect(failures.withLock { $0.isEmpty })
    try database.connect().execute(
      """
      UPDATE meta SET value = convert_to(CAST(journal_horizon() AS text), 'UTF8')
      WHERE name = '\(JournalPosition.startName)'
      """)
    #expect(await eventually { failures.withLock { $0.first?.code == .dataLoss } })
  }

  @Test("old rows of the journal are removed by their number, and readers of the last one go on")
  func removedByNumber() async throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let archer = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
    ).id
    for _ in 0..<4 { _ = try store.perform(try CreateEquipment(.riser("Hoyt")), .of(archer)) }
    // Readers see a row once no earlier transaction runs, also of other databases.
    let newest = try database.connect().value("SELECT max(sequence) FROM journal")
    var before: [Int64] = []
    let isSeen = try await eventually {
      before = try store.read { (snapshot) throws(StoreError) in
        try snapshot.journal(after: 0, limit: 100).map(\.sequence)
      }
      return before.last.map(String.init) == newest
    }
    try #require(isSeen && before.count > 2)
    let session = Session(try database.connect())
    try session.inTransaction { (session) throws(StoreError) in
      for part in Expirer.parts {
        _ = try part.run(
          ExpiryContext(
            session: session, oldest: { -$0 }, isIdle: true,
            firstKeptPosition: before[before.count - 2]))
      }
    }
    let (after, first) = try store.read { (snapshot) throws(StoreError) in
      (try snapshot.journal(after: 0, limit: 100).map(\.sequence), try snapshot.firstSequence())
    }
    #expect(after == Array(before.suffix(2)))
    #expect(first == before[before.count - 3] + 1)
  }
}
