import QuiverAPI
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Scopes of services that act for users", .timeLimit(.minutes(5)))
struct ActingScopeTests {
  /// The scope that each service's methods need: those that change something, and the others.
  private static let services: [String: (changing: ActingScopes, reading: ActingScopes)] = [
    "Equipment": (.equipment, .read), "Comparison": (.equipment, .read),
    "Rounds": (.scoring, .read), "Tournament": (.scoring, .read), "Logbook": (.logbook, .read),
    "Account": (.account, .read), "Health": ([], []), "Reflection": ([], []),
    "Diagnostics": ([], []), "Events": (.scoring, .read), "Elimination": (.scoring, .read),
  ]
  /// What no grant includes, besides Admin.
  private static let never: Set = [
    "Account/RotateToken", "Account/RedeemInvite", "Account/ShareData",
    "Account/CreateShareInvite", "Account/AcceptShareInvite", "Account/GetSquad",
  ]

  /// The scope that a method needs; nil if no grant includes it.
  private static func needed(_ method: MethodInfo) throws -> ActingScopes? {
    let name = method.name.replacing("quiver.v1.", with: "")
    if name == "Account/ExportMyData" { return .account }
    guard !name.hasPrefix("Admin/"), !never.contains(name) else { return nil }
    let service = try #require(
      services[String(name.prefix { $0 != "/" })], "\(name) has no scope")
    return method.isMutating ? service.changing : service.reading
  }

  @Test("A grant of one scope includes the methods of that scope and those that read, no others")
  func everyMethod() async throws {
    try await TestServer.run { server in
      let nobody = CommandOptions(caller: CommandCaller(principal: 0))
      let service = try server.principal(.service)
      let caller = Caller(
        principalID: service.id, tokenID: 1, kind: .service, displayName: "Sync")
      let all: [ActingScopes] = [.read, .equipment, .scoring, .logbook, .account, .all, []]
      for scopes in all {
        let user = try server.principal()
        _ = try server.store.perform(
          GrantActing(service: service.id, user: user.id, scopes: scopes), nobody)
        let granted: ActingScopes =
          scopes.isEmpty ? [.read, .equipment, .scoring, .logbook] : scopes.union(.read)
        for method in ServiceCatalogue.archery.methods {
          let needed = try Self.needed(method)
          let lookup = server.assembly.authenticator.acting(
            caller, forUser: user.id, calling: method)
          let isAllowed = await withCheckedContinuation { continuation in
            lookup.start { found, _ in
              continuation.resume(returning: (try? found.get()) != nil)
            }
          }
          #expect(
            isAllowed == (needed.map(granted.isSuperset(of:)) ?? false),
            "\(method.name) with \(scopes.rawValue)")
        }
      }
    }
  }

  @Test("A service deletes the account of a user only with the scope for that")
  func deletion() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator)
      let user = try server.principal(.user, named: "Robin")
      let service = try server.principal(.service)
      let sync = try server.client(of: service.id, [.read, .write])
      var grant = GrantActingRequest()
      grant.serviceID = service.id
      grant.userID = user.id
      let standard = try await admin.call(Admin.grantActing, grant)
      #expect(standard.scopes == [.read, .equipment, .scoring, .logbook])
      var deletion = DeleteMyAccountRequest()
      deletion.confirmation = "Robin"
      let metadata: Metadata = ["quiver-user": "\(user.id)"]
      let refusal = await sync.refusal(Account.deleteMyAccount, deletion, metadata: metadata)
      #expect(refusal?.code == .permissionDenied)
      _ = try await sync.call(Equipment.risers.create, .of(.hoyt), metadata: metadata)
      _ = try await sync.call(Account.whoAmI, WhoAmIRequest(), metadata: metadata)

      grant.scopes = [.account]
      #expect(try await admin.call(Admin.grantActing, grant).scopes == [.read, .account])
      let riser = await sync.refusal(Equipment.risers.create, .of(.hoyt), metadata: metadata)
      #expect(riser?.code == .permissionDenied)
      _ = try await sync.call(Account.deleteMyAccount, deletion, metadata: metadata)
    }
  }

  @Test("A scope that does not exist is refused")
  func unknown() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator)
      var grant = GrantActingRequest()
      grant.serviceID = try server.principal(.service).id
      grant.userID = try server.principal().id
      grant.scopes = [.read, ActingScope(rawValue: 77)]
      let refusal = await admin.refusal(Admin.grantActing, grant)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("scopes[1]:") == true)
    }
  }
}
