import CEpoll
import Glibc
import QuiverDispatch
import QuiverWire

/// One attacker of a gateway: all of its connections, on the thread that calls ``run(until:)``.
final class GatewayAttacker {
  private let endpoint: Endpoint
  private let settings: GatewayAttackSettings
  private let behaviour: any GatewayAttackBehaviour
  private let tally: Tally
  private var peers: [GatewayPeer?]
  /// When a lost connection is made again, in nanoseconds.
  private var retries: [UInt64]
  /// What may be sent now of the rate.
  private var budget = 0.0
  private let epoll: Int32

  /// How long one look at all connections waits, in milliseconds.
  private static let waitMilliseconds: Int32 = 20
  /// The pause before a lost connection is made again, in nanoseconds.
  private static let pause: UInt64 = 100_000_000
  private static let roomBytes = 65_536
  /// The kernel keeps little of what an attacker does not read.
  private static let unreadBytes: Int32 = 4_096

  init(
    _ endpoint: Endpoint, _ settings: GatewayAttackSettings,
    _ behaviour: any GatewayAttackBehaviour, _ tally: Tally
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

  /// Attacks until it is stopped or the time is over, then closes all connections.
  ///
  /// - Parameter end: in nanoseconds of the monotonic clock.
  func run(until end: UInt64, or shallStop: () -> Bool) {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.roomBytes, alignment: 16)
    defer { room.deallocate() }
    var last = Clock.nanoseconds()
    while !shallStop() {
      let now = Clock.nanoseconds()
      guard now < end else { break }
      // At most what is due in a tenth of a second: a delay is not made up for.
      let due = Double(now &- last) / 1e9 * settings.rate
      budget = min(budget + due, max(settings.rate / 10, 1))
      last = now
      // Another connection is first each time, since the rate may end before the last one.
      let first = Int(now % UInt64(peers.count))
      for offset in peers.indices { turn((first + offset) % peers.count, now) }
      wait(room)
    }
    for peer in peers { if let peer { forget(peer, retryAt: 0) } }
  }

  private func turn(_ number: Int, _ now: UInt64) {
    guard let peer = peers[number] else { return connect(number, now) }
    if behaviour.isDone(peer, now) { return lose(peer, now) }
    if budget >= 1, !peer.socket.hasOutput, let bytes = behaviour.next(peer, now) {
      budget -= 1
      send(bytes, peer, now)
    }
    if !peer.socket.flush() { lose(peer, now) }
  }

  private func send(_ bytes: [UInt8], _ peer: GatewayPeer, _ now: UInt64) {
    peer.socket.append(bytes)
    peer.sentAt = now
    peer.sentCount += 1
  }

  private func connect(_ number: Int, _ now: UInt64) {
    guard budget >= 1, retries[number] <= now else { return }
    budget -= 1
    retries[number] = now + Self.pause
    guard
      let socket = AttackSocket(
        endpoint, source: settings.address - 1,
        receiveBytes: behaviour.reads ? 0 : Self.unreadBytes)
    else {
      return tally.note("connections that could not be made")
    }
    let peer = GatewayPeer(number: number, socket)
    var event = epoll_event()
    event.events = behaviour.reads ? EPOLLIN.rawValue : 0
    event.data.u64 = UInt64(number)
    guard epoll_ctl(epoll, EPOLL_CTL_ADD, socket.descriptor, &event) == 0 else { return }
    peers[number] = peer
    tally.began()
    send(behaviour.opening(peer), peer, now)
    if !socket.flush() { lose(peer, now) }
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
        let isAlive = behaviour.reads && peer.receive(room)
        behaviour.received(peer)
        if !isAlive { lose(peer, Clock.nanoseconds()) }
      }
      if left == 0 { return }
    }
  }

  /// The connection has ended, by either side.
  private func lose(_ peer: GatewayPeer, _ now: UInt64) {
    behaviour.ended(peer, now)
    // An attacker that has got its answer does not wait.
    forget(peer, retryAt: peer.status == nil ? now + Self.pause : now)
  }

  private func forget(_ peer: GatewayPeer, retryAt: UInt64) {
    tally.left()
    peer.socket.end()
    peers[peer.number] = nil
    retries[peer.number] = retryAt
  }
}
