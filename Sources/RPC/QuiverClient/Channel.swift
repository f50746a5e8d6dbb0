import QuiverRPC
import QuiverWire
import Synchronization

/// A pool of connections to one service: opened when calls need them, opened again with a growing
/// delay when they are lost, and closed when they are idle.
///
/// May be used from any thread. While its lock is held it calls nothing but the transport's
/// `connect`, which calls nothing back.
final class Channel: CallRoute, ClientEndObserver {
  let limits: ChannelLimits
  let transport: ChannelTransport
  let budget: RetryBudget
  let positions: KnownPosition
  let state: Mutex<ChannelState>

  /// How calls fail once the client is closed.
  static let closed = RPCError(
    .unavailable, "this client is closed", isNotProcessed: true, origin: .client)
  /// How calls end that are open when the grace period of a close is over.
  private static let cutShort = RPCError(
    .cancelled, "this client was closed before the call had ended", origin: .client)

  init(
    _ limits: ChannelLimits, _ transport: ChannelTransport,
    positions: KnownPosition = KnownPosition()
  ) {
    self.limits = limits
    self.positions = positions
    self.transport = transport
    budget = RetryBudget(limits)
    state = Mutex(ChannelState(limits, transport))
    state.withLock { $0.observer = self }
  }

  deinit {
    for connection in state.withLock({ $0.connections }) { connection.end.shutDown() }
  }

  /// Takes no more calls, and returns when the last connection is closed.
  ///
  /// Open calls may end by themselves within the grace period; after it, or when the task is
  /// cancelled, they end CANCELLED.
  func close(gracePeriod: Duration) async {
    change { $0.close() }
    let due = transport.now() &+ gracePeriod.clampedNanoseconds
    transport.schedule(due) { [weak self] in self?.cancelCalls() }
    await withTaskCancellationHandler {
      await waitUntilClosed()
    } onCancel: {
      cancelCalls()
    }
  }

  /// Waits until the channel is closed and has no connection left, whichever task closes it.
  private func waitUntilClosed() async {
    await withUnsafeContinuation { continuation in
      let isDone = state.withLock { state in
        guard !state.isDone else { return true }
        state.closeWaiters.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Waits until the channel begins to close, or the task is cancelled.
  func waitForClose() async {
    let waiter = Waiter()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        let isClosed = state.withLock { state in
          if !state.isClosed { state.runners.append(waiter) }
          return state.isClosed
        }
        if isClosed { waiter.resume() }
      }
    } onCancel: {
      waiter.resume()
    }
  }

  private func cancelCalls() {
    for end in state.withLock({ $0.ends }) { end.cancelCalls(Self.cutShort) }
  }

  /// Ends the back-off: the next connection is tried at once.
  func reconnect() { change { $0.reconnect() } }

  /// Whether a call that failed for want of a connection is not repeated: see
  /// ``ChannelState/meetsOthers``.
  var meetsOthers: Bool { state.withLock { $0.meetsOthers } }

  /// How many connections take calls or are being made.
  var connectionCount: Int { state.withLock { $0.connections.count } }

  // MARK: CallRoute

  func send(_ call: ClientCall) {
    // Nearly every call takes this path: a connection has a free stream, and nothing else is
    // needed.
    let end = state.withLock { state -> ClientEnd? in
      guard state.waitingCount == 0, !state.isClosed, case .unsent = call.place,
        let end = state.takeConnection()
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
    transport.schedule(due) { self.send(call) }
  }

  func giveUp(_ call: ClientCall, _ error: RPCError) {
    var end: ClientEnd?
    change { end = $0.withdraw(call, error) }
    end?.giveUp(call, error)
  }

  func succeeded() { budget.succeeded() }

  func received(trailing: Metadata) {
    if let stated = StorePosition(in: trailing) { positions.received(stated) }
  }

  // MARK: ClientEndObserver

  func opened(_ end: ClientEnd) {
    let software = end.serverSoftware
    change { state in
      state.serverSoftware = software
      state.opened(end)
    }
  }

  func hasRoom(_ end: ClientEnd) { change { $0.sendWaiting() } }

  func unusable(_ end: ClientEnd, _ ending: ClientEnding) {
    if ending.reason.code == .unauthenticated { transport.token.refresh() }
    change { $0.lost(end, ending) }
  }

  func closed(_ end: ClientEnd) { change { $0.closed(end) } }

  // MARK: Actions

  /// Changes the state, then performs the actions that it asks for.
  private func change(_ body: (inout ChannelState) -> Void) {
    let actions = state.withLock { state in
      body(&state)
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { perform(action) }
  }

  private func fired(_ timer: ChannelState.Timer) {
    if case .token = timer { transport.token.refresh() }
    change { $0.fired(timer) }
  }

  private func perform(_ action: ChannelState.Action) {
    switch action {
    case .submit(let call, let end):
      call.placed(on: end)
      end.submit(call)
    case .fail(let call, let error): call.failed(error)
    case .shutDown(let end): end.shutDown()
    case .schedule(let due, let timer):
      transport.schedule(due) { [weak self] in self?.fired(timer) }
    case .resume(let continuation): continuation.resume()
    case .wake(let waiter): waiter.resume()
    }
  }
}
