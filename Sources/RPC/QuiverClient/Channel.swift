import QuiverRPC
import QuiverWire
import Synchronization

/// What a client's calls go out by: a small pool of connections that are made when calls need them,
/// made anew with a growing wait when they are lost, and closed when they are idle.
///
/// May be used from any thread. Nothing is called while its lock is held but the transport's
/// `connect`, which calls nothing back.
final class Channel: CallRoute, ClientEndObserver {
  let limits: ChannelLimits
  let carrier: ChannelCarrier
  let budget: RetryBudget
  let state: Mutex<ChannelState>

  /// What calls fail with once the client is closed.
  static let closed = RPCError(
    .unavailable, "this client is closed", isNotProcessed: true, origin: .client)

  init(_ limits: ChannelLimits, _ carrier: ChannelCarrier) {
    self.limits = limits
    self.carrier = carrier
    budget = RetryBudget(limits)
    state = Mutex(ChannelState(limits, carrier))
    state.withLock { $0.observer = self }
  }

  deinit {
    for lane in state.withLock({ $0.lanes }) { lane.end.shutDown() }
  }

  /// Takes no more calls; open ones finish.
  func close() { change { $0.close() } }

  /// Ends the back-off: the next connection is tried at once.
  func reconnect() { change { $0.reconnect() } }

  /// Connections that take calls, those that are being made included.
  var connectionCount: Int { state.withLock { $0.lanes.count } }

  // MARK: CallRoute

  func send(_ call: ClientCall) {
    // The way of nearly every call: a connection has room, and nothing else is to be done.
    let end = state.withLock { state -> ClientEnd? in
      guard state.heldCount == 0, !state.isClosed, case .unsent = call.place,
        let end = state.pick()
      else { return nil }
      call.place = .at(end)
      return end
    }
    if let end {
      call.placed(on: end)
      end.submit(call)
    } else {
      change { $0.admit(call) }
    }
  }

  func send(_ call: ClientCall, atNanoseconds due: UInt64) {
    carrier.schedule(due) { self.send(call) }
  }

  func giveUp(_ call: ClientCall, _ error: RPCError) {
    var end: ClientEnd?
    change { end = $0.withdraw(call, error) }
    end?.giveUp(call, error)
  }

  func succeeded() { budget.succeeded() }

  // MARK: ClientEndObserver

  func opened(_ end: ClientEnd) { change { $0.opened(end) } }

  func hasRoom(_ end: ClientEnd) { change { $0.provide() } }

  func unusable(_ end: ClientEnd, _ ending: ClientEnding) { change { $0.lost(end, ending) } }

  // MARK: Carrying out

  /// Changes the state, then does what that has decided.
  private func change(_ body: (inout ChannelState) -> Void) {
    let todo = state.withLock { state in
      body(&state)
      defer { state.todo = [] }
      return state.todo
    }
    for step in todo { carryOut(step) }
  }

  private func carryOut(_ step: ChannelState.Todo) {
    switch step {
    case .submit(let call, let end):
      call.placed(on: end)
      end.submit(call)
    case .fail(let call, let error): call.failed(error)
    case .shutDown(let end): end.shutDown()
    case .schedule(let due, let timer):
      carrier.schedule(due) { [weak self] in self?.change { $0.fired(timer) } }
    }
  }
}
