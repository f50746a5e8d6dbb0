import QuiverRPC
import TestSupport

/// One end of a loopback connection with its unread bytes: takes the place of a socket and its
/// shard.
// Sendable because it is touched on its reactor alone.
final class LoopbackSide: ConnectionDriver, @unchecked Sendable {
  let end: any ConnectionEnd
  private let reactor: LoopbackReactor
  private let link: LoopbackLink
  private var random: SeededGenerator
  private var peer: LoopbackSide?
  private(set) var isClosed = false
  /// No bytes arrive any more; this side does not know.
  var isSilenced = false
  var onClose: (() -> Void)?

  /// Received chunks that were not read; nil is the end.
  private var inbox: [[UInt8]?] = []
  private var inboxHead = 0
  /// The number of bytes that this side wrote and the peer has not read.
  private var bytesInFlight = 0
  private var lastArrival: UInt64 = 0
  private var isLingering = false
  private var hasSentEnd = false
  private var isInTurn = false
  private var isTurnWanted = false
  /// The time of the earliest timer; 0 if there is none.
  private var armedFor: UInt64 = 0

  init(_ end: any ConnectionEnd, _ link: LoopbackLink, seed: UInt64, _ reactor: LoopbackReactor) {
    self.end = end
    self.link = link
    self.reactor = reactor
    random = SeededGenerator(seed: seed)
  }

  /// Connects two sides.
  static func join(_ a: LoopbackSide, _ b: LoopbackSide) {
    a.peer = b
    b.peer = a
    a.turn()
    b.turn()
  }

  func hasOutput() {
    guard !isTurnWanted, !isInTurn else { return }
    isTurnWanted = true
    reactor.run { self.turn() }
  }

  /// Ends this side at once, as a reset does; the peer notices after it has read the bytes in
  /// flight.
  func close(_ reason: String) {
    guard !isClosed else { return }
    isClosed = true
    sendEnd()
    inbox = []
    inboxHead = 0
    peer = nil
    end.closed(reason)
    onClose?()
    onClose = nil
  }

  // MARK: Turns

  /// Writes and reads until neither makes progress.
  private func turn() {
    isTurnWanted = false
    guard !isClosed, peer != nil, !isInTurn else { return }
    isInTurn = true
    repeat { flush() } while takeInput()
    isInTurn = false
    reconcile()
  }

  private func flush() {
    let now = reactor.nowNanoseconds
    while !end.output.isEmpty {
      let room = link.capacityBytes - bytesInFlight
      guard room > 0, !hasSentEnd else {
        end.writeBlocked(now: now)
        return
      }
      let chunk = Int.random(in: link.chunkBytes, using: &random)
      let bytes = Array(end.output.prefix(min(room, chunk)))
      bytesInFlight += bytes.count
      send(bytes)
      end.wrote(bytes.count, now: now)
    }
  }

  private func takeInput() -> Bool {
    guard !isClosed, end.wantsInput, inboxHead < inbox.count else { return false }
    let next = inbox[inboxHead]
    inboxHead += 1
    if inboxHead == inbox.count {
      inbox.removeAll(keepingCapacity: true)
      inboxHead = 0
    }
    guard let chunk = next else {
      close("the peer closed the connection")
      return false
    }
    peer?.delivered(chunk.count)
    chunk.withUnsafeBytes { end.receive($0, now: reactor.nowNanoseconds) }
    return true
  }

  private func reconcile() {
    guard !isClosed else { return }
    let now = reactor.nowNanoseconds
    switch end.phase {
    case .closing:
      if end.output.isEmpty, !isLingering {
        isLingering = true
        sendEnd()
        end.didHalfClose(now: now)
      }
    case .closed: return close("the connection was closed")
    default: break
    }
    armTimer()
  }

  // MARK: The way to the peer

  private func send(_ bytes: [UInt8]?) {
    guard let peer else { return }
    let travel = UInt64.random(in: link.delayNanoseconds, using: &random)
    lastArrival = max(lastArrival, reactor.nowNanoseconds &+ travel)
    reactor.schedule(atNanoseconds: lastArrival) { peer.arrived(bytes) }
  }

  private func sendEnd() {
    guard !hasSentEnd else { return }
    hasSentEnd = true
    send(nil)
  }

  private func arrived(_ bytes: [UInt8]?) {
    guard !isClosed, !isSilenced else { return }
    inbox.append(bytes)
    turn()
  }

  private func delivered(_ byteCount: Int) {
    bytesInFlight -= byteCount
    hasOutput()
  }

  // MARK: Time

  private func armTimer() {
    let next = end.nextTimer
    guard next != 0, armedFor == 0 || next < armedFor else { return }
    armedFor = next
    reactor.schedule(atNanoseconds: next) { self.timerDue(next) }
  }

  private func timerDue(_ due: UInt64) {
    guard armedFor == due else { return }
    armedFor = 0
    guard !isClosed else { return }
    let now = reactor.nowNanoseconds
    if end.nextTimer != 0, end.nextTimer <= now { end.timerFired(now: now) }
    turn()
  }
}
