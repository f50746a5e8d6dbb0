import QuiverWire

/// A call of a service for a user that waits until it is known whether the service may make it.
///
/// It owns the call's stream until its handler does. Lives on its connection's reactor.
// Sendable because it is touched on its connection's reactor alone.
final class ActingCall: Cancellable, @unchecked Sendable {
  let user: Int64
  private var call: ServerCall
  private let request: [UInt8]
  /// Messages that have come meanwhile, which credit limits.
  var messages: [(bytes: [UInt8], charge: UInt64)] = []
  /// Whether no more of them come.
  var hasEnded = false
  private(set) var isCancelled = false
  /// As whom the call is made, once it is known.
  var found: Result<Caller, RPCError>?
  /// Whether what was found still holds.
  var isCurrent: @Sendable () -> Bool = { true }

  /// Copies the current call of a connection.
  init(_ call: ServerCall, for user: Int64) {
    self.call = call
    self.user = user
    request = Array(call.message)
    self.call.isOpen = true
  }

  var stream: UInt32 { call.stream }
  var route: Int { call.route }
  /// Of the request, which the connection's share of memory counts.
  var byteCount: Int { request.count }

  func cancel() { isCancelled = true }

  /// Calls `body` with the call, whose message is valid until that returns.
  func withCall(_ body: (ServerCall) -> Void) {
    request.withUnsafeBytes { bytes in
      call.message = bytes
      body(call)
      call.message = UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }
}

extension ServerEnd {
  /// Starts a call whose metadata may name the user whose call it is.
  func startCallWithMetadata() {
    let route = connection.pointee.call.route
    let named =
      connection.pointee.call.head.extras?.metadata.values(of: ActingUser.key) ?? []
    guard !named.isEmpty else { return router.routes[route].body(self) }
    do throws(RPCError) {
      guard let caller = info.caller else { throw .needsToken }
      let user = try ActingUser.id(in: named)
      let byteCount = connection.pointee.call.message.count
      try connection.pointee.core.checkRoom(for: byteCount)
      connection.pointee.core.untakenBytes += byteCount
      let call = ActingCall(connection.pointee.call, for: user)
      setOwner(call)
      actingCalls.append(call)
      find(call, caller)
    } catch {
      refuseUnseen(currentStream, error)
    }
  }

  /// Ends a call that no interceptor has seen.
  private func refuseUnseen(_ stream: UInt32, _ error: RPCError) {
    fail(stream, error)
    connection.pointee.failures[stream] = nil
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
      connection.pointee.core.untakenBytes -= call.byteCount
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
    guard connection.pointee.owner(of: call.stream) === call else { return }
    let own = info
    info = ConnectionInfo(id: id, address: address, caller: acting, reactor: reactor)
    call.withCall { current in
      connection.pointee.call = current
      connection.pointee.startingStream = current.stream
      connection.pointee.isAnswered = false
      router.routes[current.route].body(self)
      connection.pointee.setActingUser(call.user, on: current.stream)
      openUnlessAnswered()
      connection.pointee.startingStream = 0
    }
    info = own
    guard let stream = connection.pointee.owner(of: call.stream) as? ServerStream else { return }
    for message in call.messages { stream.arrived(message.bytes, charge: message.charge) }
    if call.hasEnded { stream.requestEnded() }
  }
}
