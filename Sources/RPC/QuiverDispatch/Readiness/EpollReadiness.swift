#if os(Linux) || os(Android)
  import CEpoll
  import Dispatch
  import QuiverPlatform

  /// One epoll descriptor for all sockets of a shard, level-triggered, with one read source on it.
  final class EpollReadiness: Readiness {
    /// The tag of ``wake()``, which no socket has.
    static let wakeTag = UInt64.max

    private let descriptor: Int32
    /// An eventfd(2) by which other threads end ``wait(milliseconds:)``.
    private let waker: Int32
    private let source: any DispatchSourceRead
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 128)

    init(_ queue: DispatchQueue) throws(SystemError) {
      descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
      waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      var event = epoll_event()
      event.events = SocketEvents.readable.rawValue
      event.data.u64 = Self.wakeTag
      guard descriptor >= 0, waker >= 0,
        epoll_ctl(descriptor, EPOLL_CTL_ADD, waker, &event) == 0
      else {
        let error = SystemError(errno)
        if descriptor >= 0 { Platform.close(descriptor) }
        if waker >= 0 { Platform.close(waker) }
        events.deallocate()
        throw error
      }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// Calls `ready` whenever ``poll()`` may find something.
    func start(_ ready: @escaping @Sendable () -> Void) {
      source.setEventHandler(handler: ready)
      let (descriptor, waker, events) = (descriptor, waker, events)
      // They go when nothing refers to them: after the source's end.
      source.setCancelHandler { () -> Void in
        Platform.close(descriptor)
        Platform.close(waker)
        events.deallocate()
      }
      source.activate()
    }

    /// How many sockets are ready, without waiting; ``subscript(_:)`` has them until the next call.
    @inline(__always)
    func poll() -> Int { wait(milliseconds: 0) }

    /// The same when one is ready or ``wake()`` was called, or after this time.
    @inline(__always)
    func wait(milliseconds: Int32) -> Int {
      while true {
        let count = epoll_wait(
          descriptor, events.baseAddress, Int32(clamping: events.count), milliseconds)
        if count >= 0 { return Int(count) }
        guard errno == EINTR else { return 0 }
      }
    }

    /// Ends a ``wait(milliseconds:)``, from any thread: ``wakeTag`` is ready until
    /// ``acknowledgeWake()``.
    func wake() {
      eventfd_write(waker, 1)
    }

    func acknowledgeWake() {
      var count: eventfd_t = 0
      eventfd_read(waker, &count)
    }

    /// The tag of a ready socket, and its events.
    @inline(__always)
    subscript(index: Int) -> (tag: UInt64, events: SocketEvents) {
      (events[index].data.u64, SocketEvents(rawValue: events[index].events))
    }

    func add(_ socket: Socket, _ events: SocketEvents) -> SystemError? {
      control(EPOLL_CTL_ADD, socket.descriptor, events, socket.tag) ? nil : SystemError(errno)
    }

    func change(_ socket: Socket, _ events: SocketEvents) {
      control(EPOLL_CTL_MOD, socket.descriptor, events, socket.tag)
    }

    func close(_ socket: Socket) {
      control(EPOLL_CTL_DEL, socket.descriptor, [], 0)
      Platform.close(socket.descriptor)
    }

    func stop() { source.cancel() }

    @discardableResult
    private func control(
      _ operation: Int32, _ socket: Int32, _ events: SocketEvents, _ tag: UInt64
    ) -> Bool {
      var event = epoll_event()
      event.events = events.rawValue
      event.data.u64 = tag
      return epoll_ctl(descriptor, operation, socket, &event) == 0
    }
  }

  @available(*, unavailable)
  extension EpollReadiness: Sendable {}
#endif
