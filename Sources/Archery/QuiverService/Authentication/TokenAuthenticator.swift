package import QuiverRPC
package import QuiverStore
import QuiverWire

/// Judges the token of a HELLO by the tokens of a store.
package struct TokenAuthenticator: Authenticator {
  /// Those in use that end by themselves.
  package let expiringTokens: ExpiringTokens
  private let store: Store
  private let failures: FailedTokens
  private let monotonicNanoseconds: @Sendable () -> UInt64

  /// - Parameters:
  ///   - maxFailedTokensPerMinute: refused tokens an address, after which it is turned away.
  ///   - clock: of those minutes, and of the ends of tokens.
  package init(
    _ store: Store, maxFailedTokensPerMinute: Int, clock: StoreClock = .system
  ) {
    self.store = store
    failures = FailedTokens(limitPerMinute: maxFailedTokensPerMinute)
    expiringTokens = ExpiringTokens(wallMilliseconds: clock.wallMilliseconds)
    monotonicNanoseconds = clock.monotonicNanoseconds
  }

  package func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    guard !token.isEmpty else { return .anonymous }
    let now = monotonicNanoseconds()
    guard !failures.isExhausted(address, now: now) else {
      return .refused("too many bad tokens from this address; wait a minute")
    }
    do throws(StoreError) {
      if let event = try store.spectatedTournament(token) { return .caller(.spectator(of: event)) }
      guard let record = try store.authenticate(token) else {
        failures.note(address, now: now)
        return .refused("the token is unknown, expired or revoked")
      }
      expiringTokens.note(record)
      return .caller(QuiverRPC.Caller(record))
    } catch {
      return .unavailable("tokens cannot be read now; try again later")
    }
  }

  package func acting(
    _ caller: QuiverRPC.Caller, forUser user: Int64
  ) throws(RPCError) -> QuiverRPC.Caller {
    let record: PrincipalRecord?
    do throws(StoreError) {
      record =
        caller.kind == .service
        ? try store.actingUser(service: caller.principalID, user: user) : nil
    } catch {
      throw RPCError(.unavailable, "grants cannot be read now; try again", isNotProcessed: true)
    }
    guard let record else { throw ActingUser.denied }
    return QuiverRPC.Caller(
      principalID: record.id, tokenID: caller.tokenID, kind: .user,
      displayName: record.shownName, mayMutate: caller.mayMutate, mayAdminister: false,
      actorID: caller.principalID)
  }
}

extension QuiverRPC.Caller {
  /// Who may watch one event and nothing else: a principal below 0 owns nothing.
  static func spectator(of event: TournamentHead) -> Self {
    Self(
      principalID: SpectatorToken.principal(ofTournament: event.id), tokenID: 0, kind: .user,
      displayName: "spectator", mayMutate: false)
  }

  init(_ record: TokenRecord) {
    let kind: Kind =
      switch record.principal.kind {
      case .user: .user
      case .service: .service
      case .administrator: .administrator
      }
    self.init(
      principalID: record.principal.id, tokenID: record.id, kind: kind,
      displayName: record.principal.shownName, mayMutate: record.scopes.contains(.write),
      mayAdminister: record.scopes.contains(.admin))
  }
}
