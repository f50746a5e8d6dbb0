import QuiverAPI
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Authentication by token", .timeLimit(.minutes(5)))
struct TokenAuthenticatorTests {
  @Test("Without a token only the health check succeeds, and the connection stays open")
  func anonymous() async throws {
    try await TestServer.run { server in
      let nobody = try server.nobody()
      for _ in 0..<2 {
        let health = try await nobody.call(Health.check, HealthCheckRequest())
        #expect(health.status == .serving)
        let refusals = [
          await nobody.refusal(Equipment.listItems, ListItemsRequest()),
          await nobody.refusal(Reflection.describe, DescribeRequest()),
          await nobody.refusal(Diagnostics.echo, EchoMessage()),
          await nobody.refusal(Admin.listTokens, ListTokensRequest()),
        ]
        #expect(refusals.allSatisfy { $0?.code == .unauthenticated })
      }
    }
  }

  @Test(
    "An unknown token ends the connection with UNAUTHENTICATED",
    arguments: ["x", "qv_", "qv_" + String(repeating: "A", count: 43), "qv_\u{0}"])
  func badToken(_ token: String) async throws {
    try await TestServer.run { server in
      let client = try server.client(token: token)
      let refusal = await client.refusal(Health.check, HealthCheckRequest())
      #expect(refusal?.code == .unauthenticated)
    }
  }

  @Test("A valid token is accepted from an address that sent too many bad tokens")
  func manyBadTokens() async throws {
    try await TestServer.run { server in
      let clock = HeldClock()
      let authenticator = TokenAuthenticator(
        server.store, maxFailedTokensPerMinute: 2,
        clock: clock.clock)
      let nobody = CommandOptions(caller: CommandCaller(principal: 0))
      let principal = try server.store.perform(
        CreatePrincipal(kind: .service, displayName: "Sync"), nobody)
      let good = try server.store.perform(
        try CreateToken(principal: principal.id, label: ""), nobody)
      let token = Array(good.secret.utf8)
      let bad = Array("bad".utf8)
      func refusal(_ token: [UInt8]) -> String? {
        guard case .refused(let reason) = authenticator.authenticate(token: token, address: "a")
        else { return nil }
        return "\(reason)"
      }
      for _ in 0..<2 {
        #expect(refusal(bad) == "the token is unknown, expired or revoked")
        #expect(refusal(token) == nil)
      }
      for _ in 0..<5 {
        #expect(refusal(bad)?.hasPrefix("too many bad tokens") == true)
        #expect(refusal(token) == nil)
      }
      clock.advance(milliseconds: 60_000)
      #expect(refusal(bad) == "the token is unknown, expired or revoked")
    }
  }
}
