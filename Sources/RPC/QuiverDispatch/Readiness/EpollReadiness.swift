#if os(Linux) || os(Android)
  import CEpoll
  import Dispatch
  import QuiverPlatform

  /// One epoll descriptor for all sockets of a shard, level-triggered, with one read source on it.
  final class EpollReadiness: Readiness {
    private let descriptor: Int32
    /// An eventfd(2) among the sockets, for ``wake()``.
    private let wakeup: Int32
    private let source: any DispatchSourceRead
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 128)

    init(_ queue: DispatchQueue) throws(SystemError) {
      descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard descriptor >= 0 else {
        events.deallocate()
        throw SystemError(errno)
      }
      wakeup = quiver_wakeup()
      // Edge-triggered, so that nobody has to read it.
      var event = epoll_event()
      event.events = SocketEvents.readable.rawValue | Self.edgeTriggered
      event.data.u64 = Self.wakeupTag
      guard wakeup >= 0, epoll_ctl(descriptor, EPOLL_CTL_ADD, wakeup, &event) == 0 else {
        let error = SystemError(errno)
        if wakeup >= 0 { Platform.close(wakeup) }
        Platform.close(descriptor)
        events.deallocate()
        throw error
      }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// No socket has it: tags begin with a generation and a place.
    private static let wakeupTag = UInt64.max
    /// EPOLLET.
    private static let edgeTriggered: UInt32 = 1 << 31

    /// Calls `ready` whenever ``poll(milliseconds:)`` may find something.
    func start(_ ready: @escaping @Sendable () -> Void) {
      source.setEventHandler(handler: ready)
      let (descriptor, wakeup, events) = (descriptor, wakeup, events)
      // They go when nothing refers to them: after the source's end.
      source.setCancelHandler { () -> Void in
        Platform.close(descriptor)
        Platform.close(wakeup)
        events.deallocate()
      }
      source.activate()
    }

    /// How many sockets are ready, after at most this wait; ``subscript(_:)`` has them until the
    /// next call. A call of ``wake()`` ends the wait, and counts as a socket that nobody has.
    @inline(__always)
    func poll(milliseconds: Int32) -> Int {
      while true {
        let count = epoll_wait(
          descriptor, events.baseAddress, Int32(clamping: events.count), milliseconds)
        if count >= 0 { return Int(count) }
        guard errno == EINTR else { return 0 }
      }
    }

    /// Ends the wait of ``poll(milliseconds:)``, or the next one. Any thread may call it.
    func wake() {
      var one: UInt64 = 1
      _ = write(wakeup, &one, 8)
    }

    /// The most sockets that one poll finds.
    var capacity: Int { events.count }

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
