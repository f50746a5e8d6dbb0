import Dispatch
import QuiverAPI
import QuiverService
import QuiverStore
import Synchronization
import TestSupport
import Testing

@testable import QuiverRPC

@Suite("Verdicts and the permissions on which they rest", .timeLimit(.minutes(5)))
struct VerdictTests {
  private static let nobody = CommandOptions(caller: CommandCaller(principal: 0))

  /// Says whether a verdict still holds, once there is one.
  private final class Check: Sendable {
    private let isCurrent = Mutex<(@Sendable () -> Bool)?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ body: @escaping @Sendable () -> Bool) {
      isCurrent.withLock { $0 = body }
      isThere.signal()
    }

    func wait() { isThere.wait() }

    func callAsFunction() -> Bool? { isCurrent.withLock { $0 }?() }
  }

  @Test("A verdict, and the caller of a service's call, hold until any permission has ended")
  func endedPermission() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(StoreConfiguration(directory: directory.path))
    let authenticator = TokenAuthenticator(store, maxFailedTokensPerMinute: 10)
    let service = try store.perform(
      CreatePrincipal(kind: .service, displayName: "Sync"), Self.nobody)
    let token = try store.perform(
      try CreateToken(principal: service.id, label: ""), Self.nobody)
    let other = try store.perform(
      try CreateToken(principal: service.id, label: ""), Self.nobody)
    let (connection, call) = (Check(), Check())
    guard
      case .deferred(let verdict) = authenticator.authenticate(
        token: Array(token.secret.utf8), peer: ConnectionPeer(address: "a"))
    else {
      Issue.record("the token was not looked up")
      return
    }
    verdict.start { verdict, isCurrent in
      guard case .caller = verdict else { return }
      connection.set(isCurrent)
    }
    let caller = Caller(
      principalID: service.id, tokenID: 1, kind: .service, displayName: "Sync")
    authenticator.acting(caller, forUser: 7, calling: Equipment.listItems.info)
      .start { _, isCurrent in call.set(isCurrent) }
    connection.wait()
    call.wait()
    #expect(connection() == true && call() == true)
    _ = try store.perform(RevokeToken(id: other.record.id), Self.nobody)
    #expect(connection() == false && call() == false)
    store.close()
  }

  @Test("The user of a Unix socket is nobody while its principal is disabled")
  func disabledPrincipal() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(StoreConfiguration(directory: directory.path))
    let robin = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), Self.nobody)
    let authenticator = TokenAuthenticator(
      store, maxFailedTokensPerMinute: 10, unixPrincipals: [1_000: robin.id])
    func isKnown() -> Bool {
      let peer = ConnectionPeer(address: "unix", unixUserID: 1_000)
      if case .caller = authenticator.verdict(token: [], peer: peer) { return true }
      return false
    }
    #expect(isKnown())
    _ = try store.perform(SetPrincipalDisabled(id: robin.id, isDisabled: true), Self.nobody)
    #expect(!isKnown())
    _ = try store.perform(SetPrincipalDisabled(id: robin.id, isDisabled: false), Self.nobody)
    #expect(isKnown())
    store.close()
  }
}
