import QuiverAPI
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Rotation of tokens", .timeLimit(.minutes(5)))
struct TokenRotationTests {
  @Test("A caller replaces its token, and the reply says when the old one ends")
  func rotate() async throws {
    try await TestServer.run { server in
      let robin = try server.principal()
      let client = try server.client(of: robin.id, [.read, .write])
      let before = try await client.call(Account.whoAmI, WhoAmIRequest())
      var request = RotateTokenRequest()
      request.overlapMilliseconds = 60_000
      let rotated = try await client.call(Account.rotateToken, request)
      #expect(rotated.oldToken?.id == before.tokenID)
      let now = StoreClock.system.wallMilliseconds()
      let end = try #require(rotated.oldToken?.expiresAtMilliseconds)
      #expect((1...60_000).contains(end - now))
      #expect(rotated.token?.principalID == robin.id)
      #expect(rotated.token?.expiresAtMilliseconds == nil)
      let other = try server.client(token: rotated.secret)
      let after = try await other.call(Account.whoAmI, WhoAmIRequest())
      #expect(after.tokenID == rotated.token?.id && after.scopes == before.scopes)
      // Both are valid during the overlap.
      _ = try await client.call(Account.whoAmI, WhoAmIRequest())
      let actions = try server.store.read { (snapshot) throws(StoreError) in
        try snapshot.all(Query("SELECT action FROM audit ORDER BY sequence")) { $0.text(0) }
      }
      #expect(actions.last == "token.rotate")
    }
  }

  @Test("Without an overlap in the request the old token stays valid for one hour")
  func standardOverlap() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let rotated = try await client.call(Account.rotateToken, RotateTokenRequest())
      let end = try #require(rotated.oldToken?.expiresAtMilliseconds)
      let start = try #require(rotated.token?.createdAtMilliseconds)
      #expect(end - start == 3_600_000)
    }
  }

  @Test("Connections of a rotated token that had no expiry are closed at the end of its overlap")
  func connectionsEnd() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let old = try await client.call(Account.whoAmI, WhoAmIRequest()).tokenID
      let tokens = server.assembly.expiringTokens
      var request = RotateTokenRequest()
      request.overlapMilliseconds = 60_000
      let rotated = try await client.call(Account.rotateToken, request)
      let end = try #require(rotated.oldToken?.expiresAtMilliseconds)
      #expect(tokens.takeExpired(at: end - 1).isEmpty)
      #expect(tokens.takeExpired(at: end) == [old])
    }
  }

  @Test("An old token without an overlap ends at once, after the reply")
  func noOverlap() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var request = RotateTokenRequest()
      request.overlapMilliseconds = 0
      let rotated = try await client.call(Account.rotateToken, request)
      var refusal: RPCError?
      // The connection may still answer calls that come before it is closed.
      while refusal == nil { refusal = await client.refusal(Account.whoAmI, WhoAmIRequest()) }
      #expect(refusal?.code == .unauthenticated)
      let other = try server.client(token: rotated.secret)
      _ = try await other.call(Account.whoAmI, WhoAmIRequest())
    }
  }

  @Test("A repeated rotation says that the token was not stored, and another key rotates again")
  func repeated() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let key = IdempotencyKey(Array(0..<16))
      _ = try await client.call(Account.rotateToken, RotateTokenRequest(), key: key)
      let refusal = await client.refusal(Account.rotateToken, RotateTokenRequest(), key: key)
      #expect(refusal?.code == .failedPrecondition)
      #expect(refusal?.message.hasPrefix("idempotency_key:") == true)
      let again = try await client.call(Account.rotateToken, RotateTokenRequest())
      _ = try await server.client(token: again.secret).call(Account.whoAmI, WhoAmIRequest())
    }
  }

  @Test(
    "An overlap beyond the limits is refused and changes nothing", arguments: [-1, 604_800_001])
  func invalidOverlap(milliseconds: Int64) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      _ = try await client.call(Account.whoAmI, WhoAmIRequest())
      let before = try server.lastSequence()
      var request = RotateTokenRequest()
      request.overlapMilliseconds = milliseconds
      let refusal = await client.refusal(Account.rotateToken, request)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("overlap_ms:") == true)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("A service that acts for a user, and a caller without a token, cannot rotate")
  func otherCallers() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator)
      let user = try server.principal()
      let bot = try server.principal(.service)
      var grant = GrantActingRequest()
      grant.serviceID = bot.id
      grant.userID = user.id
      _ = try await admin.call(Admin.grantActing, grant)
      let service = try server.client(of: bot.id, [.read, .write])
      let refusal = await service.refusal(
        Account.rotateToken, RotateTokenRequest(), metadata: ["quiver-user": "\(user.id)"])
      #expect(refusal?.code == .permissionDenied)
      let nobody = try server.nobody()
      let anonymous = await nobody.refusal(Account.rotateToken, RotateTokenRequest())
      #expect(anonymous?.code == .unauthenticated)
    }
  }
}
