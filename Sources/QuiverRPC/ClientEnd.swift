import QuiverProtobuf
package import QuiverWire

/// The client's end of a connection: feeds the machine, delivers outcomes to calls, and tells the
/// carrier when there is something to write.
///
/// Lives on its reactor. ``submit(_:)`` and ``giveUp(_:)`` may be called from anywhere.
// Sendable because it is touched on its reactor alone; others reach it through `submit` and
// `giveUp`, which go there.
package final class ClientEnd: ConnectionEnd, @unchecked Sendable {
  package let connection: UnsafeMutablePointer<ClientConnection>
  package let reactor: any Reactor
  let coder: MessageCoder
  /// Told when output has come about outside a turn of input.
  package weak var carrier: (any EndCarrier)?
  /// Told, on the reactor, when the connection stops to take calls.
  private var onDrainingOrClosed: (@Sendable () -> Void)?
  private var isInTurn = false
  private var hasToldEnd = false

  package init(
    limits: Limits, software: String, token: [UInt8], compressor: (any Compressor)? = nil,
    reactor: any Reactor, coder: ReactorCoder
  ) {
    connection = .allocate(capacity: 1)
    connection.initialize(
      to: ClientConnection(
        limits: limits, software: software, token: token, compressor: compressor,
        now: reactor.nowNanoseconds))
    self.reactor = reactor
    self.coder = coder.coder
  }

  deinit {
    connection.deinitialize(count: 1)
    connection.deallocate()
  }

  // MARK: From anywhere

  /// Starts a call.
  package func submit(_ call: ClientCall) {
    onReactor { end in
      end.connection.pointee.start(call, now: end.reactor.nowNanoseconds)
      end.settleOutsideTurn()
    }
  }

  /// Gives a call up: it ends with `error` here, and the server is told.
  package func giveUp(_ call: ClientCall, _ error: RPCError) {
    onReactor { end in
      end.connection.pointee.cancel(call, error)
      end.settleOutsideTurn()
    }
  }

  /// Sends what `call`, whose request is a stream, has to send; `action` runs on the reactor.
  package func withMachine(_ action: @escaping @Sendable (inout ClientConnection) -> Void) {
    onReactor { end in
      action(&end.connection.pointee)
      end.settleOutsideTurn()
    }
  }

  /// Lets open calls finish, then closes.
  package func shutDown() {
    onReactor { end in
      end.connection.pointee.shutDown()
      end.settleOutsideTurn()
    }
  }

  /// Runs `action`, on the reactor, once the connection takes no more calls; soon if it is so far.
  package func whenUnusable(_ action: @escaping @Sendable () -> Void) {
    onReactor { end in
      if end.hasToldEnd { action() } else { end.onDrainingOrClosed = action }
    }
  }

  private func onReactor(_ action: @escaping @Sendable (ClientEnd) -> Void) {
    if reactor.isCurrent {
      action(self)
    } else {
      reactor.run { action(self) }
    }
  }

  // MARK: For the carrier

  package func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    isInTurn = true
    var offset = 0
    loop: while true {
      switch connection.pointee.next(chunk, at: &offset, now: now) {
      case .needsBytes: break loop
      case .reply:
        connection.pointee.repliedCall?.succeeded(connection.pointee.message, coder: coder)
      case .headers: connection.pointee.repliedCall?.began()
      case .message:
        connection.pointee.repliedCall?.received(
          connection.pointee.message, charge: connection.pointee.messageCharge)
      case .ended: connection.pointee.repliedCall?.finished()
      case .opened, .draining, .closing: break
      }
    }
    deliver()
    connection.pointee.endTurn(now: now, gotInput: true)
    deliver()
    isInTurn = false
  }

  package func wrote(_ byteCount: Int, now: UInt64) {
    connection.pointee.wrote(byteCount, now: now)
    deliver()
  }

  package var output: UnsafeRawBufferPointer { connection.pointee.core.output.bytes }
  package var nextTimer: UInt64 { connection.pointee.core.nextTimer }
  package var wantsInput: Bool { connection.pointee.core.wantsInput }
  package var phase: ConnectionCore.Phase { connection.pointee.core.phase }

  /// Whether calls may still be started here. On the reactor.
  package var takesCalls: Bool { connection.pointee.takesCalls }

  /// Whether a call that this connection did not process may do better on another one: the server
  /// was there, and did not end the connection for cause. On the reactor.
  package var mayRetryElsewhere: Bool {
    guard connection.pointee.serverHello != nil else { return false }
    return (connection.pointee.goAway?.code ?? 0) == ConnectionErrorCode.noError.rawValue
  }

  package func writeBlocked(now: UInt64) {
    connection.pointee.core.writeBlocked(now: now)
  }

  package func lingers(now: UInt64) {
    connection.pointee.core.linger(now: now)
  }

  package func exchangeOutput(_ spare: inout ByteQueue) {
    guard connection.pointee.core.output.isEmpty else { return }
    swap(&connection.pointee.core.output, &spare)
  }

  package func timerFired(now: UInt64) {
    isInTurn = true
    connection.pointee.timerFired(now: now)
    deliver()
    connection.pointee.endTurn(now: now, gotInput: false)
    deliver()
    isInTurn = false
  }

  package func closed(_ reason: String) {
    connection.pointee.peerClosed(reason)
    deliver()
  }

  private func settleOutsideTurn() {
    guard !isInTurn else { return }
    connection.pointee.endTurn(now: reactor.nowNanoseconds, gotInput: false)
    deliver()
    carrier?.hasOutput()
  }

  /// Tells outcomes, and before them that no more calls are taken: who tries again must not come
  /// back here.
  private func deliver() {
    tellEnd()
    while let (call, error) = connection.pointee.nextOutcome() { call.failed(error) }
    while let stream = connection.pointee.core.nextWithRoom() {
      connection.pointee.call(on: stream)?.hasRoom()
    }
  }

  private func tellEnd() {
    guard !hasToldEnd, !connection.pointee.takesCalls else { return }
    hasToldEnd = true
    onDrainingOrClosed?()
    onDrainingOrClosed = nil
  }
}
