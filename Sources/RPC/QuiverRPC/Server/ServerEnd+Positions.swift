import QuiverWire

/// A call that waits until the store has come to the position that it states.
// Sendable because it is touched on its connection's reactor alone.
final class PositionedCall: HeldCall, @unchecked Sendable {
  let caller: ConnectionInfo
  /// Whether it was started or ended.
  var isOver = false
  var onCancel: () -> Void = {}

  init(_ call: ServerCall, _ caller: ConnectionInfo) {
    self.caller = caller
    super.init(call)
  }

  override func cancel() {
    super.cancel()
    onCancel()
    onCancel = {}
  }
}

extension ServerEnd {
  /// Starts the current call, which has metadata: at once, or when the store has come to the
  /// position that the call states.
  func startAtPosition() {
    let route = connection.pointee.call.route
    guard let positions = router.positions, router.needsCaller(route),
      let extras = connection.pointee.call.head.extras, extras.stated.hasPosition
    else { return router.routes[route].body(self) }
    let values = extras.metadata.values(of: StorePosition.key)
    do throws(RPCError) {
      let position = try StorePosition(statedBy: values)
      switch positions.admission(of: position, info, timeLeftMilliseconds: timeLeft) {
      case .admitted: router.routes[route].body(self)
      case .waits(let start): try wait(start)
      }
    } catch {
      refuseUnseen(currentStream, error)
    }
  }

  /// The time until the deadline of the current call; nil: it has none.
  private var timeLeft: UInt32? {
    let deadline = connection.pointee.call.deadlineNanoseconds
    guard deadline != 0 else { return nil }
    let now = reactor.nowNanoseconds
    return deadline > now ? UInt32(clamping: (deadline - now) / 1_000_000) : 0
  }

  private func wait(
    _ start: (@escaping @Sendable (RPCError?) -> Void) -> Void
  ) throws(RPCError) {
    let call = PositionedCall(connection.pointee.call, info)
    try hold(call)
    // Neither within the turn that asks nor within the one that cancels: the connection is in use.
    call.onCancel = { [self, unowned call] in
      reactor.run { [self, call] in end(call, nil) }
    }
    start { [self] refusal in reactor.run { [self] in end(call, refusal) } }
  }

  /// Starts a call that waited, or ends it.
  private func end(_ call: PositionedCall, _ refusal: RPCError?) {
    guard !call.isOver else { return }
    call.isOver = true
    call.onCancel = {}
    let now = reactor.nowNanoseconds
    isInTurn = true
    release(call)
    if call.isCancelled {
      refuseUnseen(call.stream, RPCError(.cancelled, "the call was cancelled"))
    } else if let refusal {
      refuseUnseen(call.stream, refusal)
    } else {
      start(call, as: call.caller) { router.routes[call.route].body(self) }
    }
    finishTurn(now: now, gotInput: false)
    isInTurn = false
    driver?.hasOutput()
  }
}
