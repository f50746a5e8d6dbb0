import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Administration", .timeLimit(.minutes(5)))
struct AdminServiceTests {
  @Test("An administrator creates a user and a token, which is valid until it is revoked")
  func tokens() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      var request = CreatePrincipalRequest()
      request.kind = .user
      request.displayName = " Robin "
      let robin = try await admin.call(Admin.createPrincipal, request)
      #expect(robin.displayName == "Robin" && robin.kind == .user)

      var wish = CreateTokenRequest()
      wish.principalID = robin.id
      wish.label = "bow"
      let made = try await admin.call(Admin.createToken, wish)
      let token = try #require(made.token)
      #expect(made.secret.hasPrefix("qv_") && made.secret.count == 46)
      #expect(token.principalName == "Robin" && token.label == "bow")

      let user = try server.client(token: made.secret)
      _ = try await user.call(Equipment.risers.create, .of(.hoyt))

      var listing = ListTokensRequest()
      listing.principalID = robin.id
      #expect(try await admin.call(Admin.listTokens, listing).tokens == [token])

      var revocation = RevokeTokenRequest()
      revocation.id = token.id
      let revoked = try await admin.call(Admin.revokeToken, revocation)
      #expect(revoked.revokedAtMilliseconds != nil)
      let later = try server.client(token: made.secret)
      let refusal = await later.refusal(Equipment.listItems, ListItemsRequest())
      #expect(refusal?.code == .unauthenticated)
    }
  }

  @Test("Pages of principals are ordered by id, lowest first")
  func principals() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      for name in ["Robin", "Marian", "Tuck"] { _ = try server.client(named: name) }
      var request = ListPrincipalsRequest()
      request.pageSize = 3
      let first = try await admin.call(Admin.listPrincipals, request)
      request.pageToken = first.nextPageToken
      let second = try await admin.call(Admin.listPrincipals, request)
      let names = (first.principals + second.principals).map(\.displayName)
      #expect(names == ["Sheriff", "Robin", "Marian", "Tuck"])
      #expect(second.nextPageToken.isEmpty)
    }
  }

  @Test("A repeated call with the same key does not return a token's secret again")
  func secretsAreNotKept() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let key = IdempotencyKey.random()
      var wish = CreateTokenRequest()
      wish.principalID = 1
      _ = try await admin.call(Admin.createToken, wish, key: key)
      let refusal = await admin.refusal(Admin.createToken, wish, key: key)
      #expect(refusal?.code == .failedPrecondition)
    }
  }

  @Test("Only an administrator may call these methods", arguments: [true, false])
  func permission(isService: Bool) async throws {
    try await TestServer.run { server in
      let client = try server.client(isService ? .service : .user)
      let before = try server.lastSequence()
      var request = CreatePrincipalRequest()
      request.kind = .administrator
      request.displayName = "Prince John"
      let refusals = [
        await client.refusal(Admin.createPrincipal, request),
        await client.refusal(Admin.listPrincipals, ListPrincipalsRequest()),
        await client.refusal(Admin.createToken, CreateTokenRequest()),
        await client.refusal(Admin.listTokens, ListTokensRequest()),
        await client.refusal(Admin.revokeToken, RevokeTokenRequest()),
      ]
      #expect(refusals.allSatisfy { $0?.code == .permissionDenied })
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("A value that is not valid fails with the name of its field and stores nothing")
  func badInput() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let before = try server.lastSequence()
      var principal = CreatePrincipalRequest()
      principal.kind = .user
      for name in ["  ", String(repeating: "x", count: 51)] {
        principal.displayName = name
        let refusal = await admin.refusal(Admin.createPrincipal, principal)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix("display_name: ") == true)
      }
      principal.displayName = "Tuck"
      for kind: Int32 in [0, 4, -1] {
        principal.kind = PrincipalKind(rawValue: kind)
        let refusal = await admin.refusal(Admin.createPrincipal, principal)
        #expect(refusal?.message.hasPrefix("kind: ") == true)
      }
      var token = CreateTokenRequest()
      token.principalID = 99
      let unknown = await admin.refusal(Admin.createToken, token)
      #expect(unknown?.code == .notFound)
      token.principalID = 1
      token.expiresAtMilliseconds = 1
      let past = await admin.refusal(Admin.createToken, token)
      #expect(past?.message.hasPrefix("expires_at_ms: ") == true)
      var revocation = RevokeTokenRequest()
      revocation.id = 99
      let missing = await admin.refusal(Admin.revokeToken, revocation)
      #expect(missing?.code == .notFound)
      #expect(try server.lastSequence() == before)
    }
  }
}
