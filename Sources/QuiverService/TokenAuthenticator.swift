package import QuiverRPC
package import QuiverStore

/// Judges the token of a HELLO by the tokens of a store.
package struct TokenAuthenticator: Authenticator {
  private let store: Store
  private let failures: FailedTokens
  private let monotonicNanoseconds: @Sendable () -> UInt64

  /// - Parameters:
  ///   - maxFailedTokensPerMinute: refused tokens an address, after which it is turned away.
  ///   - monotonicNanoseconds: the clock of those minutes.
  package init(
    _ store: Store, maxFailedTokensPerMinute: Int,
    monotonicNanoseconds: @escaping @Sendable () -> UInt64 = StoreClock.system
      .monotonicNanoseconds
  ) {
    self.store = store
    failures = FailedTokens(limitPerMinute: maxFailedTokensPerMinute)
    self.monotonicNanoseconds = monotonicNanoseconds
  }

  package func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    guard !token.isEmpty else { return .anonymous }
    let now = monotonicNanoseconds()
    guard !failures.isExhausted(address, now: now) else {
      return .refused("too many bad tokens from this address; wait a minute")
    }
    do throws(StoreError) {
      guard let record = try store.authenticate(token) else {
        failures.note(address, now: now)
        return .refused("the token is unknown, expired or revoked")
      }
      return .caller(QuiverRPC.Caller(record))
    } catch {
      return .refused("tokens cannot be read now; try again later")
    }
  }
}

extension QuiverRPC.Caller {
  init(_ record: TokenRecord) {
    let kind: Kind =
      switch record.principal.kind {
      case .user: .user
      case .service: .service
      case .administrator: .administrator
      }
    self.init(
      principalID: record.principal.id, tokenID: record.id, kind: kind,
      displayName: record.principal.displayName)
  }
}
