import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Scopes of tokens", .timeLimit(.minutes(5)))
struct ScopeTests {
  /// A token and what it may do.
  struct Case: Sendable {
    let kind: PrincipalRecord.Kind
    let scopes: TokenScopes
    let writes: Bool
    let administers: Bool
    let shown: [TokenScope]
  }

  static let cases = [
    Case(kind: .user, scopes: [], writes: true, administers: false, shown: [.read, .write]),
    Case(kind: .user, scopes: .read, writes: false, administers: false, shown: [.read]),
    Case(kind: .user, scopes: .write, writes: true, administers: false, shown: [.read, .write]),
    Case(kind: .service, scopes: .read, writes: false, administers: false, shown: [.read]),
    Case(
      kind: .administrator, scopes: [], writes: true, administers: true,
      shown: [.read, .write, .admin]),
    Case(kind: .administrator, scopes: .read, writes: false, administers: false, shown: [.read]),
    Case(
      kind: .administrator, scopes: .write, writes: true, administers: false,
      shown: [.read, .write]),
    Case(
      kind: .administrator, scopes: .admin, writes: false, administers: true,
      shown: [.read, .admin]),
  ]

  @Test(
    "Every token may read; changes require the scope write, administration requires admin",
    arguments: cases)
  func matrix(_ token: Case) async throws {
    try await TestServer.run { server in
      let principal = try server.principal(token.kind, named: "Robin")
      let client = try server.client(of: principal.id, token.scopes)
      #expect(try await client.call(Account.whoAmI, WhoAmIRequest()).scopes == token.shown)
      _ = try await client.call(Equipment.listItems, ListItemsRequest())
      let before = try server.lastSequence()

      let creating = await client.refusal(Equipment.risers.create, .of(.hoyt))
      #expect(creating?.code == (token.writes ? nil : .permissionDenied))
      let setting = await client.refusal(Account.setPreference, .of("k", "v"))
      #expect(setting?.code == (token.writes ? nil : .permissionDenied))
      #expect(try (server.lastSequence() == before) == !token.writes)

      let listing = await client.refusal(Admin.listPrincipals, ListPrincipalsRequest())
      #expect(listing?.code == (token.administers ? nil : .permissionDenied))
      let inviting = await client.refusal(Admin.createInvite, .of())
      let invites = token.writes && token.administers
      #expect(inviting?.code == (invites ? nil : .permissionDenied))
    }
  }

  @Test("No method that changes something accepts a read-only token")
  func everyMutation() async throws {
    try await TestServer.run { server in
      let principal = try server.principal(.administrator, named: "Sheriff")
      let client = try server.client(of: principal.id, [.read, .admin])
      let before = try server.lastSequence()
      for method in ServiceCatalogue.archery.methods where method.isMutating {
        let call = UnaryMethod<EchoMessage, EchoMessage>(method.name, id: method.id)
        let refusal = await client.refusal(call, EchoMessage())
        #expect(refusal?.code == .permissionDenied, "\(method.name)")
        #expect(refusal?.isNotProcessed == true)
      }
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("Scopes are listed with the token, and unknown scopes are refused")
  func creating() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.principal(named: "Robin")
      var wish = CreateTokenRequest()
      wish.principalID = robin.id
      wish.scopes = [.write, .write]
      let made = try await admin.call(Admin.createToken, wish)
      #expect(made.token?.scopes == [.read, .write])
      let before = try server.lastSequence()
      wish.scopes = [.read, .admin]
      let beyond = await admin.refusal(Admin.createToken, wish)
      #expect(beyond?.code == .invalidArgument && beyond?.message.hasPrefix("scopes: ") == true)
      for scope in [TokenScope.unspecified, TokenScope(rawValue: 4), TokenScope(rawValue: -1)] {
        wish.scopes = [.read, scope]
        let refusal = await admin.refusal(Admin.createToken, wish)
        #expect(refusal?.message.hasPrefix("scopes[1]: ") == true)
      }
      #expect(try server.lastSequence() == before)
    }
  }
}
