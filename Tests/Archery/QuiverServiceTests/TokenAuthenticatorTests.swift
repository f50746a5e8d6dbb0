import Dispatch
import QuiverAPI
import QuiverService
import QuiverStore
import QuiverWire
import Synchronization
import Testing

@testable import QuiverRPC

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

  /// Whether the token of each verdict was good, in their order.
  private final class Answers: Sendable {
    let order = Mutex<[Bool]>([])
  }

  /// The verdict of an authenticator that looks tokens up on threads.
  private static func verdict(
    _ authenticator: TokenAuthenticator, _ token: [UInt8], address: String
  ) async -> AuthenticationVerdict {
    let verdict = authenticator.authenticate(
      token: token, peer: ConnectionPeer(address: address))
    guard case .deferred(let deferred) = verdict else { return verdict }
    return await withCheckedContinuation { continuation in
      deferred.start { verdict, _ in continuation.resume(returning: verdict) }
    }
  }

  private static func isCaller(_ verdict: AuthenticationVerdict) -> Bool {
    if case .caller = verdict { true } else { false }
  }

  /// A good token of a new principal.
  private static func goodToken(_ server: TestServer) throws -> [UInt8] {
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let principal = try server.store.perform(
      CreatePrincipal(kind: .service, displayName: "Sync"), nobody)
    let token = try server.store.perform(
      try CreateToken(principal: principal.id, label: ""), nobody)
    return Array(token.secret.utf8)
  }

  @Test("A valid token is accepted while more tokens of its address wait than reads of a caller")
  func manyWaitingTokens() async throws {
    try await TestServer.run { server in
      let authenticator = TokenAuthenticator(server.store, maxFailedTokensPerMinute: 2)
      let token = try Self.goodToken(server)
      let gate = DispatchSemaphore(value: 0)
      for _ in 0..<StoreLimits.readThreads {
        #expect(
          server.store.reads.submit(of: .server, CommandCancellation()) { _ in gate.wait() } == nil)
      }
      let verdicts = await withTaskGroup(of: (Bool, AuthenticationVerdict).self) { group in
        for number in 0..<2 * StoreLimits.waitingReadsPerOwner {
          group.addTask {
            (false, await Self.verdict(authenticator, Array("qv_\(number)".utf8), address: "a"))
          }
        }
        group.addTask { (true, await Self.verdict(authenticator, token, address: "a")) }
        // Most of them wait by now; how many does not matter for the result.
        for _ in 0..<1_000 { await Task.yield() }
        for _ in 0..<StoreLimits.readThreads { gate.signal() }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(verdicts.filter { $0.0 }.allSatisfy { Self.isCaller($0.1) })
      // On a busy machine a lookup may end because no reader came free in time; that one is not
      // refused, but no caller either.
      let bad = verdicts.filter { !$0.0 }
      #expect(bad.allSatisfy { !Self.isCaller($0.1) })
      let isRefused = { (verdict: AuthenticationVerdict) in
        if case .refused = verdict { true } else { false }
      }
      #expect(bad.count { isRefused($0.1) } > bad.count / 2)
    }
  }

  @Test("A valid token is accepted at once while refusals of its address are delayed")
  func delayedRefusals() async throws {
    try await TestServer.run { server in
      let authenticator = TokenAuthenticator(server.store, maxFailedTokensPerMinute: 2)
      let token = try Self.goodToken(server)
      let answers = Answers()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            let bad = Array("qv_\(number)".utf8)
            _ = await Self.verdict(authenticator, bad, address: "a")
            answers.order.withLock { $0.append(false) }
          }
        }
        while answers.order.withLock({ $0.count }) < 5 { await Task.yield() }
        let verdict = await Self.verdict(authenticator, token, address: "a")
        #expect(Self.isCaller(verdict))
        answers.order.withLock { $0.append(true) }
      }
      #expect(answers.order.withLock { $0.count } == 21)
      #expect(answers.order.withLock { $0.last } == false)
    }
  }
}
