import Dispatch
import Glibc

/// One listening socket: accepts on a queue of its own and hands the descriptors on.
///
/// Being short of descriptors is a normal state: a caller who got one of ``SpareDescriptors`` is
/// turned away, and accepting pauses for a moment.
final class Listener: @unchecked Sendable {  // its state is touched on `queue` alone
  let address: SocketAddress
  private let descriptor: Int32
  private let unixPath: String?
  private let queue: DispatchQueue
  private let source: any DispatchSourceRead
  private let accepted: @Sendable (Int32, SocketAddress) -> Void
  private let told: @Sendable (Accepting) -> Void
  private var isPaused = false
  /// No descriptor was left, and since then not all callers have been accepted.
  private var isShort = false

  /// Connections that one wake-up takes before others of the queue get their turn.
  private static let acceptsPerTurn = 64
  private static let pauseMilliseconds = 100

  /// How accepting goes.
  enum Accepting: Sendable {
    /// Only spare descriptors are left: callers wait, and one each pause is turned away.
    case short
    /// A caller was closed unheard for want of a descriptor.
    case turnedAway
    /// Nobody waits any longer.
    case caughtUp
  }

  /// Listens at `address`; `accepted` and `told` are called on the listener's queue.
  init(
    _ address: SocketAddress, endpoint: Endpoint, queue: DispatchQueue,
    told: @escaping @Sendable (Accepting) -> Void,
    accepted: @escaping @Sendable (Int32, SocketAddress) -> Void
  ) throws(EndpointError) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(address.family, type | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw EndpointError("\(endpoint): \(SystemError(errno))") }
    SystemCall.setOption(socket, SOL_SOCKET, SO_REUSEADDR, 1)
    if case .unix(let path) = endpoint.kind {
      Self.removeStaleSocket(path, address)
      unixPath = path
    } else {
      unixPath = nil
    }
    let isBound =
      address.withPointer { bind(socket, $0, $1) } == 0 && Glibc.listen(socket, 4096) == 0
    guard isBound else {
      let reason = errno
      close(socket)
      throw EndpointError("cannot listen on \(endpoint): \(SystemError(reason))")
    }
    self.address = SocketAddress.bound(to: socket)
    descriptor = socket
    self.queue = queue
    self.accepted = accepted
    self.told = told
    source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    // Kept by its source until that is cancelled: a call may be under way when all others let go.
    source.setEventHandler { () -> Void in self.acceptAll() }
    let path = unixPath
    source.setCancelHandler { () -> Void in
      close(socket)
      if let path { unlink(path) }
    }
    source.activate()
  }

  /// Accepts no more; the descriptor closes on the listener's queue. Whoever made the listener owes
  /// it this call.
  func stop() { source.cancel() }

  /// A socket file that nobody listens on is in the way of the next server.
  private static func removeStaleSocket(_ path: String, _ address: SocketAddress) {
    let probe = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard probe >= 0 else { return }
    defer { close(probe) }
    if address.withPointer({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED { unlink(path) }
  }

  private func acceptAll() {
    for _ in 0..<Self.acceptsPerTurn {
      switch SystemCall.accept(descriptor) {
      case .success((let socket, let peer)):
        guard SpareDescriptors.include(socket) else {
          accepted(socket, peer)
          continue
        }
        pause()
        close(socket)
        return told(.turnedAway)
      case .failure(let error):
        if error.code == EMFILE || error.code == ENFILE {
          pause()
        } else if isShort, error.code == EAGAIN {
          isShort = false
          told(.caughtUp)
        }
        return
      }
    }
    // That was a full batch. Behind it the source speaks up only if somebody waits.
    if isShort { queue.async { [self] in acceptOn() } }
  }

  /// Looks who waits though the source has said nothing: that nobody does is to be told as well.
  private func acceptOn() {
    if !isPaused, !source.isCancelled { acceptAll() }
  }

  /// Lets descriptors come free before the next is accepted.
  private func pause() {
    if !isShort {
      isShort = true
      told(.short)
    }
    guard !isPaused else { return }
    isPaused = true
    source.suspend()
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.pauseMilliseconds)) { [self] in
      isPaused = false
      source.resume()
      acceptOn()
    }
  }
}
