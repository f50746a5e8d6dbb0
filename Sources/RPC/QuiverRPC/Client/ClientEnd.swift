import QuiverProtobuf
package import QuiverWire
import Synchronization

/// The client's end of a connection: feeds the state machine, delivers outcomes to calls, and
/// notifies the driver when there is output.
///
/// Lives on its reactor. ``submit(_:)`` and ``giveUp(_:)`` may be called from anywhere.
// Sendable because it is touched on its reactor alone; others reach it through `submit` and
// `giveUp`, which go there.
package final class ClientEnd: ConnectionEnd, @unchecked Sendable {
  package let connection: UnsafeMutablePointer<ClientConnection>
  package let reactor: any Reactor
  /// The token of the HELLO; empty: none.
  package let token: [UInt8]
  let coder: MessageCoder
  /// Notified when there is output outside of a turn of input. Released when the end is closed: a
  /// weak reference would make each use of a driver slower.
  @exclusivity(unchecked)
  package var driver: (any ConnectionDriver)?
  /// Receives the connection's states, on the reactor.
  private weak var observer: (any ClientEndObserver)?
  private var isInTurn = false
  private var hasReportedUnusable = false
  /// Calls that its channel has given to this end and that have not ended.
  private let load = Atomic<Int>(0)
  /// How many calls the server takes at once, as far as is known.
  private let capacity: Atomic<Int>
  /// Somebody waits until ``load`` falls below ``capacity``.
  private let isRoomWanted = Atomic<Bool>(false)
  /// The server has answered a call of this connection, or begun to.
  package private(set) var hasAnswered = false

  package init(
    limits: Limits, software: String, token: [UInt8], gatewayToken: [UInt8] = [],
    compressor: (any Compressor)? = nil,
    reactor: any Reactor, coder: ReactorCoder
  ) {
    connection = .allocate(capacity: 1)
    connection.initialize(
      to: ClientConnection(
        limits: limits, software: software, token: token, gatewayToken: gatewayToken,
        compressor: compressor, now: reactor.nowNanoseconds))
    self.reactor = reactor
    self.token = token
    self.coder = coder.coder
    capacity = Atomic(connection.pointee.core.peer.maxConcurrentStreams)
  }

  deinit {
    connection.deinitialize(count: 1)
    connection.deallocate()
  }

  // MARK: From anywhere

  /// Starts a call.
  package func submit(_ call: ClientCall) {
    // A program that drives many calls from the reactor pays for no closure.
    guard !reactor.isCurrent else { return startHere(call) }
    reactor.run { self.startHere(call) }
  }

  private func startHere(_ call: ClientCall) {
    reactor.preconditionOnReactor()
    connection.pointee.start(call, now: reactor.nowNanoseconds)
    flushOutsideTurn()
  }

  /// Cancels a call: it ends with `error` here, and CANCEL is sent.
  package func giveUp(_ call: ClientCall, _ error: RPCError) {
    onReactor { end in
      end.connection.pointee.cancel(call, error)
      end.flushOutsideTurn()
    }
  }

  /// Sends what `call`, whose request is a stream, has to send; `action` runs on the reactor.
  package func withMachine(_ action: @escaping @Sendable (inout ClientConnection) -> Void) {
    onReactor { end in
      action(&end.connection.pointee)
      end.flushOutsideTurn()
    }
  }

  /// Lets open calls finish, then closes.
  package func shutDown() {
    onReactor { end in
      end.connection.pointee.shutDown()
      end.flushOutsideTurn()
    }
  }

  /// Sets the observer of the connection's states.
  package func observe(by observer: any ClientEndObserver) {
    onReactor { [weak observer] end in
      end.observer = observer
      if end.hasReportedUnusable {
        observer?.unusable(end, end.ending)
        if end.phase == .closed { observer?.closed(end) }
      } else if end.connection.pointee.serverHello != nil {
        // The connection may be made, and isHelloQueued, before this has come to the reactor.
        observer?.opened(end)
      }
    }
  }

  /// Takes room for one more call; false if the server takes no more at once.
  package func takeRoom() -> Bool {
    // One channel asks, under its lock; others only give room back.
    guard
      load.load(ordering: .sequentiallyConsistent)
        < capacity.load(ordering: .relaxed)
    else { return false }
    load.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  /// Calls that have room here and have not ended.
  package var callCount: Int { load.load(ordering: .relaxed) }

  /// Whether the observer is notified when there is room again. Call ``takeRoom()`` once more after
  /// setting it.
  package func setRoomWanted(_ isWanted: Bool) {
    isRoomWanted.store(isWanted, ordering: .sequentiallyConsistent)
  }

  private func onReactor(_ action: @escaping @Sendable (ClientEnd) -> Void) {
    if reactor.isCurrent {
      action(self)
    } else {
      reactor.run { action(self) }
    }
  }

  // MARK: For the driver

  package func receive(_ chunk: UnsafeRawBufferPointer, now: UInt64) {
    reactor.preconditionOnReactor()
    isInTurn = true
    var offset = 0
    loop: while true {
      switch connection.pointee.next(chunk, at: &offset, now: now) {
      case .needsBytes: break loop
      case .reply:
        callEnded(byServer: true)
        connection.pointee.repliedCall?.succeeded(connection.pointee.message, coder: coder)
      case .headers:
        hasAnswered = true
        connection.pointee.repliedCall?.began()
      case .message:
        hasAnswered = true
        connection.pointee.repliedCall?.received(
          connection.pointee.message, charge: connection.pointee.messageCharge)
      case .ended:
        callEnded(byServer: true)
        connection.pointee.repliedCall?.finished()
      case .opened: opened()
      case .draining, .closing: break
      }
    }
    deliver()
    notifyRoom()
    connection.pointee.endTurn(now: now, gotInput: true)
    deliver()
    isInTurn = false
    notifyRoom()
  }

  package func wrote(_ byteCount: Int, now: UInt64) {
    reactor.preconditionOnReactor()
    connection.pointee.wrote(byteCount, now: now)
    deliver()
    notifyRoom()
  }

  package var output: UnsafeRawBufferPointer { connection.pointee.core.egress.output.bytes }
  package var nextTimer: UInt64 { connection.pointee.core.nextTimer }
  package var wantsInput: Bool { connection.pointee.core.wantsInput }
  package var phase: ConnectionCore.Phase { connection.pointee.core.phase }

  /// The software of the server by its HELLO; nil before it has come. On the reactor.
  package var serverSoftware: String? { connection.pointee.serverHello?.software }

  /// Whether calls may still be started here. On the reactor.
  package var takesCalls: Bool { connection.pointee.takesCalls }

  /// How the connection stands with its server, for those who may try elsewhere. On the reactor.
  package var ending: ClientEnding {
    let goAway = connection.pointee.goAway
    return ClientEnding(
      hasOpened: connection.pointee.serverHello != nil, hasAnswered: hasAnswered,
      isDrained: goAway?.code == ConnectionErrorCode.noError.rawValue,
      isForCause: (goAway?.code ?? 0) != ConnectionErrorCode.noError.rawValue,
      isOtherPeer: connection.pointee.isOtherPeer,
      reason: connection.pointee.refusal)
  }

  package func writeBlocked(now: UInt64) {
    connection.pointee.core.writeBlocked(now: now)
  }

  package func didHalfClose(now: UInt64) {
    connection.pointee.core.linger(now: now)
  }

  package func transportHolds(_ byteCount: Int) {
    connection.pointee.core.transportByteCount = byteCount
    connection.pointee.core.reportHeld()
  }

  package func exchangeOutput(_ spare: inout ByteQueue) {
    guard connection.pointee.core.egress.output.isEmpty else { return }
    swap(&connection.pointee.core.egress.output, &spare)
  }

  package func timerFired(now: UInt64) {
    reactor.preconditionOnReactor()
    isInTurn = true
    connection.pointee.timerFired(now: now)
    deliver()
    notifyRoom()
    connection.pointee.endTurn(now: now, gotInput: false)
    deliver()
    isInTurn = false
    notifyRoom()
  }

  package func closed(_ reason: String) {
    reactor.preconditionOnReactor()
    let isUngreeted = reason == SecureEnd.peerClosed && phase < .open
    connection.pointee.peerClosed(isUngreeted ? Self.closedUngreeted : reason)
    deliver()
    observer?.closed(self)
    driver = nil
  }

  /// The most frequent cause is a client without TLS at a port with TLS.
  private static let closedUngreeted =
    "the server closed the connection before its HELLO: is it a port with TLS (tls://)?"

  /// The connection may not be made, which will not change by trying again: closed, it fails its
  /// calls FAILED_PRECONDITION. On the reactor.
  package func forbid() { connection.pointee.lostCode = .failedPrecondition }

  private func flushOutsideTurn() {
    reactor.preconditionOnReactor()
    guard !isInTurn else { return }
    connection.pointee.endTurn(now: reactor.nowNanoseconds, gotInput: false)
    deliver()
    notifyRoom()
    driver?.hasOutput()
  }

  /// Tells outcomes, and before them that no more calls are taken: who tries again must not come
  /// back here.
  private func deliver() {
    notifyUnusable()
    while let (call, error) = connection.pointee.nextOutcome() {
      callEnded(byServer: error.origin == .server)
      call.failed(error)
    }
    while let stream = connection.pointee.core.nextWithRoom() {
      connection.pointee.call(on: stream)?.hasRoom()
    }
  }

  @inline(__always)
  private func callEnded(byServer: Bool) {
    load.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    if byServer, !hasAnswered { hasAnswered = true }
  }

  /// The server has stated its limits.
  private func opened() {
    capacity.store(connection.pointee.core.peer.maxConcurrentStreams, ordering: .relaxed)
    observer?.opened(self)
  }

  /// Calls that wait elsewhere are handed over before the turn's output is framed, and once more
  /// behind it: framing may have ended others.
  private func notifyRoom() {
    guard isRoomWanted.load(ordering: .sequentiallyConsistent), !hasReportedUnusable else { return }
    guard load.load(ordering: .relaxed) < capacity.load(ordering: .relaxed) else { return }
    observer?.hasRoom(self)
  }

  private func notifyUnusable() {
    guard !hasReportedUnusable, !connection.pointee.takesCalls else { return }
    hasReportedUnusable = true
    observer?.unusable(self, ending)
  }
}

/// Observes the states of connections, on their reactors.
package protocol ClientEndObserver: AnyObject, Sendable {
  /// The server has isHelloQueued: its limits are known.
  func opened(_ end: ClientEnd)

  /// Calls have ended while room was wanted.
  func hasRoom(_ end: ClientEnd)

  /// The connection accepts no more calls; called once, before the calls that it did not accept
  /// fail.
  func unusable(_ end: ClientEnd, _ ending: ClientEnding)

  /// The connection is closed, and all of its calls have ended.
  func closed(_ end: ClientEnd)
}

/// How a connection ended, or is about to.
package struct ClientEnding: Sendable {
  /// The server has sent its HELLO.
  package let hasOpened: Bool
  /// The server has answered a call.
  package let hasAnswered: Bool
  /// The server has announced that it drains.
  package let isDrained: Bool
  /// The server ended the connection because of an error or a limit of this client.
  package let isForCause: Bool
  /// The peer is no Quiver server of this version: it will be none at the next attempt either.
  package let isOtherPeer: Bool
  /// As which calls fail that come too late.
  package let reason: RPCError
}
