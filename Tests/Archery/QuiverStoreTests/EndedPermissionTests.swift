import Dispatch
import QuiverPostgres
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

/// Commands whose callers' permissions have ended, and what other servers learn of the end.
@Suite("Ended permissions", .timeLimit(.minutes(5))) struct EndedPermissionTests {
  /// A permission that a command rests on.
  enum Permission: CaseIterable, Sendable {
    case token
    case certificate
    case grant
    case disabledAccount
    case deletedAccount
  }

  /// A caller and the command that ends its permission.
  private struct Case {
    let caller: CommandOptions
    let end: (Store) throws -> Void
    let code: StoreError.Code

    init(_ permission: Permission, in store: Store) throws {
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
      ).id
      let token = try store.perform(CreateToken(principal: archer, label: "phone"), .of(0)).record
      let withToken = CommandOptions(caller: CommandCaller(principal: archer, tokenID: token.id))
      switch permission {
      case .token:
        (caller, code) = (withToken, .unauthenticated)
        end = { _ = try $0.perform(RevokeToken(id: token.id), .of(0)) }
      case .certificate:
        let binding = try store.perform(
          BindCertificate(principal: archer, name: try CertificateName(.dns, "robin.example")),
          .of(0))
        caller = CommandOptions(
          caller: CommandCaller(principal: archer, certificateBindingID: binding.id))
        code = .unauthenticated
        end = { _ = try $0.perform(UnbindCertificate(id: binding.id), .of(0)) }
      case .grant:
        let service = try store.perform(
          CreatePrincipal(kind: .service, displayName: "Sync"), .of(0)
        ).id
        let own = try store.perform(CreateToken(principal: service, label: ""), .of(0)).record
        _ = try store.perform(GrantActing(service: service, user: archer), .of(0))
        caller = CommandOptions(
          caller: CommandCaller(
            principal: archer, actor: service, tokenID: own.id, actingScopes: .equipment))
        code = .permissionDenied
        end = { _ = try $0.perform(RevokeActing(service: service, user: archer), .of(0)) }
      case .disabledAccount:
        (caller, code) = (withToken, .permissionDenied)
        end = { _ = try $0.perform(SetPrincipalDisabled(id: archer, isDisabled: true), .of(0)) }
      case .deletedAccount:
        (caller, code) = (withToken, .permissionDenied)
        end = { store in
          try store.perform(DeleteAccount(confirmation: "Robin"), .of(archer))
        }
      }
    }
  }

  /// Stores an item, and waits once in its transaction, behind the check of its caller.
  private struct Held: Command {
    let begun = DispatchSemaphore(value: 0)
    let opened = DispatchSemaphore(value: 0)
    let isFirst = FirstRun()

    final class FirstRun: Sendable {
      private let isLeft = Mutex(true)

      func take() -> Bool {
        isLeft.withLock { isLeft in
          defer { isLeft = false }
          return isLeft
        }
      }
    }

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      if isFirst.take() {
        begun.signal()
        opened.wait()
      }
      _ = try CreateEquipment(.riser("Hoyt")).apply(in: transaction)
    }
  }

  private func body(_ engine: BothEngines, _ body: (Store) throws -> Void) throws {
    switch engine {
    case .sqlite: try body(try TemporaryDirectory().open())
    case .postgreSQL:
      let database = try SharedDatabase()
      try body(try database.open())
      withExtendedLifetime(database) {}
    }
  }

  @Test(
    "a command whose caller's permission has ended is refused in its transaction",
    arguments: Permission.allCases, BothEngines.allCases)
  func refusedCommand(permission: Permission, engine: BothEngines) throws {
    try body(engine) { store in
      let tested = try Case(permission, in: store)
      _ = try store.perform(try CreateEquipment(.riser("Hoyt")), tested.caller)
      try tested.end(store)
      let error = #expect(throws: StoreError.self) {
        _ = try store.perform(try CreateEquipment(.riser("Hoyt")), tested.caller)
      }
      #expect(error?.code == tested.code)
      #expect(error?.notProcessed == true)
    }
  }

  @Test(
    "a token that has expired before its command runs is refused", arguments: BothEngines.allCases)
  func expiredToken(engine: BothEngines) throws {
    try body(engine) { store in
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: "Robin"), .of(0)
      ).id
      let token = try store.perform(CreateToken(principal: archer, label: "phone"), .of(0)).record
      let caller = CommandOptions(caller: CommandCaller(principal: archer, tokenID: token.id))
      _ = try store.perform(try RotateToken(overlapMilliseconds: 0), caller)
      let error = #expect(throws: StoreError.self) {
        _ = try store.perform(try CreateEquipment(.riser("Hoyt")), caller)
      }
      #expect(error?.code == .unauthenticated)
    }
  }

  @Test(
    """
    a command that had checked its caller before the end, at a server that is stopped since then, \
    stores nothing once the end was acknowledged
    """, arguments: Permission.allCases)
  func stoppedServer(permission: Permission) throws {
    let database = try SharedDatabase()
    let (first, second) = try (database.open(), database.open())
    let tested = try Case(permission, in: first)
    let held = Held()
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    second.submit(
      held, tested.caller, target: target, encode: { _ in [] },
      completion: { results.set(0, $0) })
    held.begun.wait()
    try tested.end(first)
    held.opened.signal()
    target.wait()
    #expect(results.code(0) == tested.code)
    #expect(
      try database.connect().value("SELECT count(*) FROM equipment WHERE deleted_at_ms IS NULL")
        == "0")
  }

  @Test("a command that is interrupted by the end of another's permission runs again")
  func interruptedCommand() throws {
    let database = try SharedDatabase()
    let (first, second) = try (database.open(), database.open())
    let other = try Case(.token, in: first)
    let archer = try first.perform(
      CreatePrincipal(kind: .user, displayName: "Marian"), .of(0)
    ).id
    let held = Held()
    let target = RecordingTarget(expecting: 1)
    let results = Results()
    second.submit(
      held, .of(archer), target: target, encode: { _ in [] },
      completion: { results.set(0, $0) })
    held.begun.wait()
    try other.end(first)
    held.opened.signal()
    target.wait()
    #expect(results.reply(0) == [])
    #expect(try database.connect().value("SELECT count(*) FROM equipment") == "1")
  }

  /// The permissions that a store has told of.
  private final class Told: Sendable {
    private let changes = Mutex<[PermissionChanges]>([])
    private let ends = Mutex<[TokenEnd]>([])

    func install(_ configuration: inout StoreConfiguration) {
      configuration.hooks.permissionsEnded = { [self] new in changes.withLock { $0.append(new) } }
      configuration.hooks.tokensReplaced = { [self] new in ends.withLock { $0 += new } }
    }

    /// Those that the table told, whichever looks found them.
    var fromTable: PermissionChanges {
      changes.withLock { changes in
        var all = PermissionChanges([])
        for change in changes where change.areFromTable {
          all.tokenIDs += change.tokenIDs
          all.certificateBindingIDs += change.certificateBindingIDs
          all.principalIDs += change.principalIDs
          all.grantUserIDs += change.grantUserIDs
        }
        return all
      }
    }

    var isEmpty: Bool { changes.withLock { $0.isEmpty } }

    func hasEnd(of token: Int64) -> Bool { ends.withLock { $0.contains { $0.id == token } } }
  }

  @Test("ended permissions reach another server while a transaction of another program is open")
  func foreignTransaction() async throws {
    let database = try SharedDatabase()
    let told = Told()
    let (first, second) = try (database.open(), database.open { told.install(&$0) })
    let cases = try Permission.allCases.map { try Case($0, in: first) }
    let rotated = try first.perform(CreatePrincipal(kind: .user, displayName: "Ann"), .of(0)).id
    let old = try first.perform(CreateToken(principal: rotated, label: ""), .of(0)).record.id
    let foreign = try database.connect()
    try foreign.execute("BEGIN")
    _ = try foreign.value("SELECT pg_current_xact_id()")
    for one in cases { try one.end(first) }
    _ = try first.perform(
      try RotateToken(overlapMilliseconds: 60_000),
      CommandOptions(caller: CommandCaller(principal: rotated, tokenID: old)))
    let isTold = await eventually {
      let ended = told.fromTable
      // The tokens of the caller with the revoked one and of both ended accounts.
      return ended.tokenIDs.count >= 3 && ended.certificateBindingIDs.count == 1
        && ended.grantUserIDs.count == 1 && ended.principalIDs.count == 2
        && told.hasEnd(of: old)
    }
    #expect(isTold)
    try foreign.execute("COMMIT")
    withExtendedLifetime(second) {}
  }

  @Test("an end that commits behind a later one is not missed")
  func commitOrder() async throws {
    let database = try SharedDatabase()
    let told = Told()
    let store = try database.open { told.install(&$0) }
    let insertion = """
      INSERT INTO ended_permission (server_id, kind, object_id, owner_id, change, at_ms)
      VALUES (1, \(ObjectKind.token.rawValue), %, 0, \(JournalEntry.Change.deleted.rawValue),
        CAST(extract(epoch FROM now()) * 1000 AS bigint))
      """
    let slow = try database.connect()
    try slow.execute("BEGIN; " + insertion.replacing("%", with: "1001"))
    try database.connect().execute(insertion.replacing("%", with: "1002"))
    #expect(await eventually { told.fromTable.tokenIDs == [1_002] })
    try slow.execute("COMMIT")
    #expect(await eventually { told.fromTable.tokenIDs == [1_002, 1_001] })
    withExtendedLifetime(store) {}
  }

  @Test("after its connections were lost a server learns what ended meanwhile, once")
  func lostConnections() async throws {
    let database = try SharedDatabase()
    let told = Told()
    let (first, second) = try (database.open(), database.open { told.install(&$0) })
    let before = try Case(.token, in: first)
    let between = try Case(.token, in: first)
    try before.end(first)
    #expect(await eventually { told.fromTable.tokenIDs.count == 1 })
    try database.endConnections()
    var isEnded = false
    while !isEnded {
      do {
        try between.end(first)
        isEnded = true
      } catch let error as StoreError where error.code == .unavailable {}
    }
    #expect(await eventually { told.fromTable.tokenIDs.count >= 2 })
    let ids = told.fromTable.tokenIDs
    #expect(Set(ids).count == 2 && ids.count == 2)
    withExtendedLifetime(second) {}
  }
}
