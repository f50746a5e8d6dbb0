import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Scopes of grants", .timeLimit(.minutes(5)))
struct ActingScopeTests {
  @Test("Grants from before there were scopes have all but those of the account")
  func migrated() throws {
    let connection = try Connection(path: ":memory:", mode: .readWriteCreate)
    for migration in Migration.all where migration.name != "scopes of acting" {
      try connection.execute(migration.script)
    }
    try connection.execute(
      """
      INSERT INTO acting_grant (id, service_id, user_id, granted_by, granted_at_ms)
      VALUES (1, 2, 3, 4, 5)
      """)
    try connection.execute(Migration.actingScopes)
    let scopes = try connection.value("SELECT scopes FROM acting_grant")
    #expect(scopes == "\(ActingScopes.standard.rawValue)")
  }

  @Test("A command of a service whose grant was narrowed meanwhile is refused")
  func narrowed() throws {
    let store = try TemporaryDirectory().open()
    let service = try store.perform(
      CreatePrincipal(kind: .service, displayName: "Sync"), .of(0))
    let user = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    _ = try store.perform(
      GrantActing(service: service.id, user: user.id, scopes: .scoring), .of(0))
    let caller = CommandOptions(
      caller: CommandCaller(principal: user.id, actor: service.id, actingScopes: .equipment))
    let refusal = #expect(throws: StoreError.self) {
      try store.perform(try CreateEquipment(.riser()), caller)
    }
    #expect(refusal?.code == .permissionDenied)
    _ = try store.perform(
      GrantActing(service: service.id, user: user.id, scopes: .equipment), .of(0))
    _ = try store.perform(try CreateEquipment(.riser()), caller)
  }
}
