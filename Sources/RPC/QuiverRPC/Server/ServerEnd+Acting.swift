import QuiverWire

/// A call of a principal for a user that waits until it is known whether it may make it.
// Sendable because it is touched on its connection's reactor alone.
final class ActingCall: HeldCall, @unchecked Sendable {
  let user: Int64
  /// Of the caller that names the user.
  let address: String
  /// As whom the call is made, once it is known.
  var found: Result<Caller, RPCError>?
  /// Whether what was found still holds.
  var isCurrent: @Sendable () -> Bool = { true }

  /// Copies the current call of a connection.
  init(_ call: ServerCall, for user: Int64, from address: String) {
    self.user = user
    self.address = address
    super.init(call)
  }
}

extension ServerEnd {
  /// Starts a call whose metadata may name the user whose call it is, and a position.
  func startCallForUser() {
    guard let extras = connection.pointee.call.head.extras, extras.stated.hasUser else {
      return startAtPosition()
    }
    let named = extras.metadata.values(of: ActingUser.key)
    do throws(RPCError) {
      guard let caller = info.caller else { throw .needsToken }
      let user = try ActingUser.id(in: named)
      let call = ActingCall(connection.pointee.call, for: user, from: info.address)
      try hold(call)
      actingCalls.append(call)
      find(call, caller)
    } catch {
      refuseUnseen(currentStream, error)
    }
  }

  /// Finds as whom a call is made, and starts the calls whose turn it is then.
  private func find(_ call: ActingCall, _ caller: Caller) {
    let method = router.routes[call.route].method
    authenticator.acting(caller, forUser: call.user, calling: method).start {
      [self] found, isCurrent in
      // Never within the turn that asks: the connection is in use there.
      reactor.run { [self] in
        call.found = found
        call.isCurrent = isCurrent
        startActingCalls(caller)
      }
    }
  }

  /// Starts the calls for users that can start. They start in the order in which they came.
  private func startActingCalls(_ caller: Caller) {
    let now = reactor.nowNanoseconds
    isInTurn = true
    while let call = actingCalls.first, let found = call.found {
      if case .success = found, !call.isCancelled, !call.isCurrent() {
        call.found = nil
        find(call, caller)
        break
      }
      actingCalls.removeFirst()
      release(call)
      switch found {
      case _ where call.isCancelled:
        refuseUnseen(call.stream, RPCError(.cancelled, "the call was cancelled"))
      case .failure(let error): refuseUnseen(call.stream, error)
      case .success(let acting): start(call, as: acting)
      }
    }
    finishTurn(now: now, gotInput: false)
    isInTurn = false
    driver?.hasOutput()
  }

  private func start(_ call: ActingCall, as acting: Caller) {
    let caller = ConnectionInfo(id: id, address: call.address, caller: acting, reactor: reactor)
    hasActed = true
    start(call, as: caller) {
      startAtPosition()
      connection.pointee.setActingUser(call.user, on: call.stream)
    }
  }
}
