import TestSupport
import Testing

@testable import QuiverStore

@Suite("Scopes of grants", .timeLimit(.minutes(5)))
struct ActingScopeTests {
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
