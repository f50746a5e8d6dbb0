import QuiverWire

extension ServerEnd {
  /// Finds who the peer is by its HELLO.
  func authenticate() {
    let hello = connection.pointee.hello
    var peer = peer
    peer.gatewayToken = hello.gatewayToken
    authenticated(authenticator.authenticate(token: hello.authToken, peer: peer))
  }

  private func authenticated(_ verdict: AuthenticationVerdict) {
    switch verdict {
    case .caller(let caller): identified(caller, countedAs: caller.principalID)
    case .gateway(let known, let caller):
      gateway = known
      identified(caller, countedAs: (caller ?? known).principalID)
    case .anonymous:
      guard driver?.admitsAnonymous() ?? true else {
        return connection.pointee.authenticationFailed(.tooManyConnections)
      }
      connection.pointee.authenticated(isKnown: false)
    case .refused(let reason): connection.pointee.authenticationFailed(reason)
    case .unavailable(let reason):
      connection.pointee.authenticationFailed(reason, code: .internalError)
    case .deferred(let verdict): wait(for: verdict)
    }
  }

  private func identified(_ caller: Caller?, countedAs principal: Int64) {
    info = ConnectionInfo(id: id, address: address, caller: caller, reactor: reactor)
    guard driver?.admits(principal: principal) ?? true else {
      return connection.pointee.authenticationFailed(.tooManyOfPrincipal)
    }
    admittedPrincipal = principal
    if let budget = connection.pointee.core.share?.budget {
      connection.pointee.core.move(to: budget.share(for: .principal(principal)))
    }
    connection.pointee.authenticated(
      isKnown: caller != nil, mayMutate: caller?.mayMutate ?? true, isGateway: gateway != nil,
      methods: caller?.methods)
  }

  /// Takes no input until the verdict is there.
  private func wait(for deferred: DeferredVerdict) {
    deferred.start { [self] verdict, isCurrent in
      // Never within the turn that asks: the connection is in use there.
      reactor.run { [self] in
        guard connection.pointee.core.phase == .authenticating else { return }
        guard isCurrent() else { return wait(for: deferred) }
        let now = reactor.nowNanoseconds
        isInTurn = true
        authenticated(verdict)
        finishTurn(now: now, gotInput: false)
        isInTurn = false
        if !deferredInput.isEmpty, connection.pointee.core.phase != .authenticating {
          receive(UnsafeRawBufferPointer(start: nil, count: 0), now: now)
        }
        driver?.hasOutput()
      }
    }
  }
}
