import Dispatch
import QuiverPlatform

#if os(Linux) || os(Android)
  import CEpoll
#endif

/// A Dispatch source for one direction of a socket.
///
/// It runs while its direction is waited for and is suspended otherwise.
///
/// On Linux it never watches the socket itself. libdispatch registers all descriptors with one
/// epoll descriptor, and cannot mask EPOLLHUP there: it then deletes its record of the descriptor
/// on the thread of the source while its manager thread may use it
/// (https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949), and the source never fires
/// again. The source watches an epoll descriptor that holds the socket alone instead. That one
/// never hangs up, and it stays readable for as long as the socket is ready or has hung up.
// Sendable because it is touched on the queue alone.
final class DirectionSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol
  /// The descriptor that represents the socket, if any.
  private let proxy: Int32?
  private(set) var isOn = false

  /// Made suspended. The error is that of epoll_create1(2) or epoll_ctl(2).
  init(
    _ direction: SocketEvents, of descriptor: Int32, on queue: DispatchQueue
  ) throws(SystemError) {
    #if os(Linux) || os(Android)
      let proxy = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard proxy >= 0 else { throw SystemError(errno) }
      var event = epoll_event()
      event.events = direction.rawValue
      guard epoll_ctl(proxy, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
        let error = SystemError(errno)
        Platform.close(proxy)
        throw error
      }
      self.proxy = proxy
      source = DispatchSource.makeReadSource(fileDescriptor: proxy, queue: queue)
    #else
      proxy = nil
      source =
        direction == .readable
        ? DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        : DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    #endif
  }

  /// Sets what is called on the queue when the socket is ready, and when the source has ended.
  /// Called before the first ``turn(on:)``.
  func setHandlers(ready: @escaping @Sendable () -> Void, ended: @escaping @Sendable () -> Void) {
    source.setEventHandler(handler: ready)
    let proxy = proxy
    source.setCancelHandler { () -> Void in
      if let proxy { Platform.close(proxy) }
      ended()
    }
  }

  func turn(on wanted: Bool) {
    guard wanted != isOn else { return }
    isOn = wanted
    if wanted { source.resume() } else { source.suspend() }
  }

  /// Ends the source: no event is reported from here on.
  func cancel() {
    source.cancel()
    // A suspended source would not end.
    turn(on: true)
  }
}
