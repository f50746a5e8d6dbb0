import QuiverLoopback
import QuiverRPC
import TestSupport

/// How a seed treats the bytes of one connection; their order is kept.
struct WireHabits: Sendable {
  var chunkBytes: ClosedRange<Int> = 1...65_536
  var delayNanoseconds: ClosedRange<UInt64> = 0...0
  /// The maximum number of bytes in flight; then a writer waits, as for a full socket.
  var capacityBytes = 256 * 1024
}

/// A fault of a connection at some time.
enum Mishap: Sendable {
  /// Both ends learn of it at once; bytes in flight are lost.
  case reset
  /// One end stops writing, and continues to read.
  case halfClose
  /// Bytes are lost without notice.
  case blackHole
  /// Bytes in flight are delayed.
  case pause
  /// One end stops reading for a while.
  case stall
  /// A bit of the next bytes changes, as TCP's checksum does not always notice. Only a secure
  /// channel detects that.
  case corruption

  /// The faults that a connection without TLS survives.
  static let ofPlainWires: [Mishap] = [.reset, .halfClose, .blackHole, .pause, .stall]
}

/// A connection in memory between two real ends, on virtual time.
// Sendable because it is touched on its reactor alone.
final class Wire: @unchecked Sendable {
  let client: WireSide
  let server: WireSide
  /// No bytes were lost, and it did not break.
  private(set) var isWhole = true
  /// Bytes were delayed for longer than the timeouts allow.
  private(set) var wasHeldUp = false

  init(
    client: any ConnectionEnd, server: any ConnectionEnd, _ habits: WireHabits, seed: UInt64,
    on reactor: LoopbackReactor
  ) {
    var random = SeededGenerator(seed: seed)
    self.client = WireSide(client, habits, seed: random.next(), reactor)
    self.server = WireSide(server, habits, seed: random.next(), reactor)
    self.client.peer = self.server
    self.server.peer = self.client
  }

  func open() {
    client.turn()
    server.turn()
  }

  func suffer(_ mishap: Mishap, atServer: Bool, forNanoseconds span: UInt64) {
    let side = atServer ? server : client
    switch mishap {
    case .reset:
      isWhole = false
      client.end("the connection was reset", losing: true)
      server.end("the connection was reset", losing: true)
    case .halfClose:
      isWhole = false
      side.sendEnd()
    case .blackHole:
      isWhole = false
      side.swallows = true
    case .pause:
      wasHeldUp = true
      side.pause(forNanoseconds: span)
    case .stall:
      wasHeldUp = true
      side.stall(forNanoseconds: span)
    case .corruption:
      isWhole = false
      side.corruptsNext = true
    }
  }
}

/// One end of a connection with its unread bytes.
// Sendable because it is touched on its reactor alone.
final class WireSide: ConnectionDriver, @unchecked Sendable {
  let end: any ConnectionEnd
  var peer: WireSide?
  private let reactor: LoopbackReactor
  private let habits: WireHabits
  private var random: SeededGenerator
  private(set) var isClosed = false
  /// Receives the written bytes unchanged.
  var onSend: (([UInt8]) -> Void)?
  /// What this side writes is lost.
  var swallows = false
  /// A bit of the next bytes from this side changes.
  var corruptsNext = false
  /// The largest framed output of the end.
  private(set) var largestOutput = 0
  /// The largest memory of the end, framed or queued.
  private(set) var largestHeld = 0

  private var inbox: [[UInt8]?] = []
  private var inboxHead = 0
  private var bytesInFlight = 0
  private var lastArrival: UInt64 = 0
  private var stalledUntil: UInt64 = 0
  private var isLingering = false
  private var hasSentEnd = false
  private var isInTurn = false
  private var isTurnWanted = false
  private var armedFor: UInt64 = 0

  init(_ end: any ConnectionEnd, _ habits: WireHabits, seed: UInt64, _ reactor: LoopbackReactor) {
    self.end = end
    self.habits = habits
    self.reactor = reactor
    random = SeededGenerator(seed: seed)
  }

  func hasOutput() {
    guard !isTurnWanted, !isInTurn else { return }
    isTurnWanted = true
    reactor.run { self.turn() }
  }

  /// Ends this side at once. The other side learns of it after the bytes in flight have arrived,
  /// unless the end is lost.
  func end(_ reason: String, losing: Bool = false) {
    guard !isClosed else { return }
    isClosed = true
    if !losing { sendEnd() }
    inbox = []
    inboxHead = 0
    end.closed(reason)
  }

  func sendEnd() {
    guard !hasSentEnd else { return }
    hasSentEnd = true
    send(nil)
  }

  func pause(forNanoseconds span: UInt64) {
    lastArrival = max(lastArrival, reactor.nowNanoseconds &+ span)
  }

  func stall(forNanoseconds span: UInt64) {
    stalledUntil = reactor.nowNanoseconds &+ span
    reactor.schedule(atNanoseconds: stalledUntil) { self.turn() }
  }

  /// Writes and reads until neither makes progress.
  func turn() {
    isTurnWanted = false
    guard !isClosed, !isInTurn else { return }
    isInTurn = true
    repeat { flush() } while takeInput()
    isInTurn = false
    updateLifecycle()
  }

  private func flush() {
    let now = reactor.nowNanoseconds
    while !end.output.isEmpty {
      largestOutput = max(largestOutput, end.output.count)
      largestHeld = max(largestHeld, heldByteCount)
      let room = habits.capacityBytes - bytesInFlight
      guard room > 0, !hasSentEnd else { return end.writeBlocked(now: now) }
      let chunk = Int.random(in: habits.chunkBytes, using: &random)
      var bytes = Array(end.output.prefix(min(room, chunk)))
      if corruptsNext {
        corruptsNext = false
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          1
          << UInt8.random(
            in: 0...7, using: &random)
      }
      bytesInFlight += bytes.count
      send(bytes)
      end.wrote(bytes.count, now: now)
    }
  }

  private var heldByteCount: Int { Self.heldByteCount(end) }

  private static func heldByteCount(_ end: any ConnectionEnd) -> Int {
    switch end {
    case let end as ServerEnd: end.connection.pointee.core.outputByteCount
    case let end as ClientEnd: end.connection.pointee.core.outputByteCount
    case let end as SecureEnd: end.output.count + heldByteCount(end.plain)
    default: 0
    }
  }

  private func takeInput() -> Bool {
    guard !isClosed, end.wantsInput, inboxHead < inbox.count,
      reactor.nowNanoseconds >= stalledUntil
    else { return false }
    let next = inbox[inboxHead]
    inboxHead += 1
    if inboxHead == inbox.count {
      inbox.removeAll(keepingCapacity: true)
      inboxHead = 0
    }
    guard let chunk = next else {
      end("the peer closed the connection")
      return false
    }
    peer?.delivered(chunk.count)
    chunk.withUnsafeBytes { end.receive($0, now: reactor.nowNanoseconds) }
    return true
  }

  private func updateLifecycle() {
    guard !isClosed else { return }
    switch end.phase {
    case .closing:
      if end.output.isEmpty, !isLingering {
        isLingering = true
        sendEnd()
        end.didHalfClose(now: reactor.nowNanoseconds)
      }
    case .closed: return end("the connection was closed")
    default: break
    }
    armTimer()
  }

  private func send(_ bytes: [UInt8]?) {
    if let bytes { onSend?(bytes) }
    guard !swallows else { return }
    let travel = UInt64.random(in: habits.delayNanoseconds, using: &random)
    lastArrival = max(lastArrival, reactor.nowNanoseconds &+ travel)
    guard let peer else { return }
    reactor.schedule(atNanoseconds: lastArrival) { peer.arrived(bytes) }
  }

  private func arrived(_ bytes: [UInt8]?) {
    guard !isClosed else { return }
    inbox.append(bytes)
    turn()
  }

  private func delivered(_ byteCount: Int) {
    bytesInFlight -= byteCount
    hasOutput()
  }

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
