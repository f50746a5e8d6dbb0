import CEpoll
import Glibc
import QuiverDispatch
import QuiverRPC
import QuiverWire

/// One attacker: all of its connections, on the thread that calls ``run(until:)``.
final class Attacker {
  private let endpoint: Endpoint
  private let settings: AttackSettings
  private let behaviour: any AttackBehaviour
  private let tally: Tally
  private var peers: [AttackPeer?]
  /// When a lost connection is made again, in nanoseconds.
  private var retries: [UInt64]
  private let epoll: Int32

  /// How long one look at all connections waits at most, in milliseconds.
  private static let waitMilliseconds: Int32 = 20
  /// Connections that are made at each look.
  private static let connectsPerTurn = 400
  private static let roomBytes = 262_144

  init(
    _ endpoint: Endpoint, _ settings: AttackSettings, _ behaviour: any AttackBehaviour,
    _ tally: Tally
  ) {
    self.endpoint = endpoint
    self.settings = settings
    self.behaviour = behaviour
    self.tally = tally
    peers = Array(repeating: nil, count: settings.connections)
    retries = Array(repeating: 0, count: settings.connections)
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
  }

  deinit { if epoll >= 0 { close(epoll) } }

  /// Attacks until it is stopped, then closes all connections.
  func run(until shallStop: () -> Bool) {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.roomBytes, alignment: 16)
    defer { room.deallocate() }
    while !shallStop() {
      let now = Clock.nanoseconds()
      connect(now)
      for peer in peers {
        guard let peer else { continue }
        if peer.isOpen { behaviour.turn(peer, now) }
        if !peer.flush() { lose(peer) }
      }
      wait(room)
    }
    for peer in peers { if let peer { leave(peer) } }
  }

  // MARK: Connections

  private func connect(_ now: UInt64) {
    var count = 0
    for number in peers.indices where peers[number] == nil && retries[number] <= now {
      guard count < Self.connectsPerTurn else { return }
      count += 1
      retries[number] = now + behaviour.pause
      guard let socket = AttackSocket(endpoint, source: number % settings.addresses) else {
        tally.note("connections that could not be made")
        continue
      }
      let peer = AttackPeer(number: number, socket)
      guard watch(peer, EPOLL_CTL_ADD, EPOLLIN.rawValue) else { continue }
      peers[number] = peer
      tally.began()
      if let hello = behaviour.hello(peer) {
        peer.greet(hello)
      } else {
        socket.append(behaviour.firstBytes)
      }
    }
  }

  private func watch(_ peer: AttackPeer, _ operation: Int32, _ events: UInt32) -> Bool {
    var event = epoll_event()
    event.events = events
    event.data.u64 = UInt64(peer.number)
    return epoll_ctl(epoll, operation, peer.socket.descriptor, &event) == 0
  }

  private func wait(_ room: UnsafeMutableRawBufferPointer) {
    var events = [epoll_event](repeating: epoll_event(), count: 512)
    let end = Clock.nanoseconds() + UInt64(Self.waitMilliseconds) * 1_000_000
    while true {
      let now = Clock.nanoseconds()
      let left = now < end ? Int32((end - now) / 1_000_000) : 0
      let count = epoll_wait(epoll, &events, Int32(events.count), left)
      for event in events.prefix(Int(max(0, count))) {
        guard let peer = peers[Int(event.data.u64)] else { continue }
        take(peer, event.events, room)
      }
      if left == 0 { return }
    }
  }

  private func take(
    _ peer: AttackPeer, _ events: UInt32, _ room: UnsafeMutableRawBufferPointer
  ) {
    guard peer.reads else {
      // Only a lost connection is reported where nothing is read.
      return lose(peer)
    }
    let isAlive = peer.receive(room)
    if peer.becameOpen() {
      tally.ended(
        intended: peer.connectedAt, sent: peer.connectedAt, now: Clock.nanoseconds(), nil,
        isOpen: false)
      behaviour.opened(peer)
      if !peer.reads { _ = watch(peer, EPOLL_CTL_MOD, 0) }
    }
    if !isAlive { lose(peer) }
  }

  // MARK: Ends

  /// The server has ended the connection, or never accepted it.
  private func lose(_ peer: AttackPeer) {
    let now = Clock.nanoseconds()
    let failure = Self.failure(peer)
    if peer.isOpen {
      tally.broke(failure)
    } else if settings.attack == .halfOpenHandshakes {
      // This is what must happen.
      tally.ended(intended: peer.connectedAt, sent: peer.connectedAt, now: now, nil)
      tally.note("closed before the handshake was complete")
    } else {
      tally.ended(intended: peer.connectedAt, sent: peer.connectedAt, now: now, failure)
    }
    forget(peer)
    retries[peer.number] = now + behaviour.pause
  }

  /// The run releases the connection.
  private func leave(_ peer: AttackPeer) {
    tally.left()
    forget(peer)
  }

  private func forget(_ peer: AttackPeer) {
    peer.abandon()
    peer.socket.end()
    peers[peer.number] = nil
  }

  /// What a GOAWAY stands for among the codes of calls.
  private static func failure(_ peer: AttackPeer) -> (StatusCode, String) {
    guard let goAway = peer.goAway else {
      return (.unavailable, "the server closed the connection without a GOAWAY")
    }
    let code = ConnectionErrorCode(rawValue: goAway.code)
    let text = "GOAWAY \(code.name): \(goAway.reason)"
    return switch code {
    case .unauthenticated: (.unauthenticated, text)
    case .enhanceYourCalm, .tooManyConnections: (.resourceExhausted, text)
    case .timeout: (.deadlineExceeded, text)
    case .internalError: (.internal, text)
    case .protocolError, .frameSizeError, .flowControlError: (.invalidArgument, text)
    default: (.unavailable, text)
    }
  }
}
