import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Services that act for users, in the store", .timeLimit(.minutes(5)))
struct ActingTests {
  @Test("The audit names the calling service and the user")
  func audit() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let service = try store.perform(CreatePrincipal(kind: .service, displayName: "Sync"), .of(0))
    let user = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    _ = try store.perform(GrantActing(service: service.id, user: user.id), .of(0))
    let acting = CommandOptions(caller: CommandCaller(principal: user.id, actor: service.id))
    var change = UpdateProfile.Change()
    change.displayName = "Robin Hood"
    _ = try store.perform(UpdateProfile(revision: 1, change), acting)
    _ = try store.perform(CreateToken(principal: user.id, label: "by the service"), acting)
    store.close()
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    let line = try connection.value(
      "SELECT actor_id || ' for ' || principal_id FROM audit ORDER BY sequence DESC LIMIT 1")
    #expect(line == "\(service.id) for \(user.id)")
  }

  @Test("A command is refused if its grant ends before the writer runs it")
  func late() throws {
    let store = try TemporaryDirectory().open()
    let service = try store.perform(CreatePrincipal(kind: .service, displayName: "Sync"), .of(0))
    let user = try store.perform(CreatePrincipal(kind: .user, displayName: "Robin"), .of(0))
    _ = try store.perform(GrantActing(service: service.id, user: user.id), .of(0))
    let acting = CommandOptions(caller: CommandCaller(principal: user.id, actor: service.id))
    _ = try store.perform(SetPreference(key: "a", value: "b"), acting)
    _ = try store.perform(RevokeActing(service: service.id, user: user.id), .of(0))
    let error = #expect(throws: StoreError.self) {
      try store.perform(SetPreference(key: "a", value: "c"), acting)
    }
    #expect(error?.code == .permissionDenied)
  }
}
