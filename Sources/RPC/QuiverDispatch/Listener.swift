import Dispatch
import QuiverPlatform

/// One listening socket: accepts on a queue of its own and hands the descriptors on.
///
/// Being short of descriptors or of kernel memory is a normal state: a connection that got one of
/// ``SpareDescriptors`` is dropped, and accepting pauses for a moment.
final class Listener: @unchecked Sendable {  // its state is touched on `queue` alone
  let address: SocketAddress
  private let descriptor: Int32
  private let queue: DispatchQueue
  private let source: any DispatchSourceRead
  private let accepted: @Sendable (Int32, SocketAddress) -> Void
  private let stateChanged: @Sendable (AcceptEvent) -> Void
  private var isPaused = false
  /// Accepting was paused, and since then not all callers have been accepted.
  private var isBacklogged = false

  /// Connections that one wake-up takes before others of the queue get their turn.
  private static let acceptsPerTurn = 64
  private static let pauseMilliseconds = 100

  /// What happened to accepting.
  enum AcceptEvent: Equatable, Sendable {
    /// Accepting is paused because descriptors or kernel memory are exhausted: callers wait.
    case paused
    /// A connection was closed without an answer because no descriptor was free.
    case dropped
    /// Accepting was resumed and no caller waits any longer.
    case resumed
  }

  /// Whether accept(2) failed because a resource is exhausted that can become free again:
  /// descriptors (EMFILE, ENFILE), kernel memory (ENOBUFS, ENOMEM), or a permission that a firewall
  /// or a control group withholds (EPERM).
  static func isTransient(_ error: SystemError) -> Bool {
    [EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM].contains(error.code)
  }

  /// Listens at `address`; `accepted` and `stateChanged` are called on the listener's queue.
  ///
  /// The file of a Unix socket gets the permissions `unixMode`. A socket at its path on which no
  /// process listens is replaced; any other file is kept, and an error is thrown.
  convenience init(
    _ address: SocketAddress, endpoint: Endpoint, unixMode: UInt32 = 0o600, queue: DispatchQueue,
    stateChanged: @escaping @Sendable (AcceptEvent) -> Void,
    accepted: @escaping @Sendable (Int32, SocketAddress) -> Void
  ) throws(EndpointError) {
    let socket = Platform.makeStreamSocket(address.family)
    guard socket >= 0 else { throw EndpointError("\(endpoint): \(SystemError(errno))") }
    SystemCall.setOption(socket, SOL_SOCKET, SO_REUSEADDR, 1)
    var file: UnixSocketFile?
    do throws(EndpointError) {
      if case .unix(let path) = endpoint.kind {
        try UnixSocketFile.removeStale(path, address)
        guard address.withPointer({ bind(socket, $0, $1) }) == 0 else {
          throw Self.failure(endpoint)
        }
        file = UnixSocketFile(path)
        // No client can connect before the socket listens.
        guard file != nil, chmod(path, mode_t(unixMode)) == 0 else { throw Self.failure(endpoint) }
      } else if address.withPointer({ bind(socket, $0, $1) }) != 0 {
        throw Self.failure(endpoint)
      }
      guard Platform.listen(socket, 4096) == 0 else { throw Self.failure(endpoint) }
    } catch {
      file?.remove()
      close(socket)
      throw error
    }
    self.init(
      listening: socket, file: file, queue: queue, stateChanged: stateChanged, accepted: accepted)
  }

  /// Listens on a socket that another process has opened, as a service manager does. The file of a
  /// Unix socket stays when the listener stops.
  convenience init(
    adopting socket: Int32, queue: DispatchQueue,
    stateChanged: @escaping @Sendable (AcceptEvent) -> Void,
    accepted: @escaping @Sendable (Int32, SocketAddress) -> Void
  ) throws(EndpointError) {
    guard SystemCall.option(socket, SOL_SOCKET, SO_ACCEPTCONN) == 1,
      SystemCall.option(socket, SOL_SOCKET, SO_TYPE) == Platform.streamType,
      fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK) == 0,
      fcntl(socket, F_SETFD, FD_CLOEXEC) == 0
    else {
      throw EndpointError("the descriptor \(socket) is no listening stream socket")
    }
    self.init(
      listening: socket, file: nil, queue: queue, stateChanged: stateChanged, accepted: accepted)
  }

  private init(
    listening socket: Int32, file: UnixSocketFile?, queue: DispatchQueue,
    stateChanged: @escaping @Sendable (AcceptEvent) -> Void,
    accepted: @escaping @Sendable (Int32, SocketAddress) -> Void
  ) {
    self.address = SocketAddress.bound(to: socket)
    descriptor = socket
    self.queue = queue
    self.accepted = accepted
    self.stateChanged = stateChanged
    source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    // Retained by its source until that is cancelled: the handler may run when all others release
    // it.
    source.setEventHandler { () -> Void in self.acceptAll() }
    source.setCancelHandler { () -> Void in
      // The open socket keeps its file's number, so that no other file has the same.
      file?.remove()
      close(socket)
    }
    source.activate()
  }

  /// Accepts no more; the descriptor closes on the listener's queue. Must be called before the
  /// listener is released.
  func stop() { source.cancel() }

  private static func failure(_ endpoint: Endpoint) -> EndpointError {
    EndpointError("cannot listen on \(endpoint): \(SystemError(errno))")
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
        return stateChanged(.dropped)
      case .failure(let error):
        if Self.isTransient(error) {
          pause()
        } else if isBacklogged, error.code == EAGAIN {
          isBacklogged = false
          stateChanged(.resumed)
        }
        return
      }
    }
    // That was a full batch. Behind it the source fires only if somebody waits.
    if isBacklogged { queue.async { [self] in acceptOn() } }
  }

  /// Accepts although the source did not fire, because it must also be reported that no caller
  /// waits.
  private func acceptOn() {
    if !isPaused, !source.isCancelled { acceptAll() }
  }

  /// Lets descriptors come free before the next is accepted.
  private func pause() {
    if !isBacklogged {
      isBacklogged = true
      stateChanged(.paused)
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
