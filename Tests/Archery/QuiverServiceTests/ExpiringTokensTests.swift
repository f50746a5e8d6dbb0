import QuiverService
import QuiverStore
import Synchronization
import Testing

@Suite("Tokens that expire while they are in use", .timeLimit(.minutes(5)))
struct ExpiringTokensTests {
  @Test("Each expired token is returned once, and other tokens never")
  func expiry() async throws {
    try await TestServer.run { server in
      let clock = HeldClock()
      let authenticator = TokenAuthenticator(
        server.store, maxFailedTokensPerMinute: 9, clock: clock.clock)
      let nobody = CommandOptions(caller: CommandCaller(principal: 0))
      let principal = try server.store.perform(
        CreatePrincipal(kind: .user, displayName: "Robin"), nobody)
      let end = StoreClock.system.wallMilliseconds() + 3_600_000
      let ending = try server.store.perform(
        try CreateToken(principal: principal.id, label: "", expiresAtMilliseconds: end), nobody)
      let lasting = try server.store.perform(
        try CreateToken(principal: principal.id, label: ""), nobody)
      for token in [ending, lasting] {
        _ = authenticator.authenticate(token: Array(token.secret.utf8), address: "a")
      }
      clock.set(wallMilliseconds: end - 1)
      #expect(authenticator.expiringTokens.takeExpired().isEmpty)
      clock.set(wallMilliseconds: end)
      #expect(authenticator.expiringTokens.takeExpired() == [ending.record.id])
      #expect(authenticator.expiringTokens.takeExpired().isEmpty)
    }
  }
}
