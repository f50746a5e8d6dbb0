#if os(Linux) || os(Android)
  import CEpoll
  import Dispatch
  import QuiverPlatform

  /// One epoll descriptor for all sockets of a shard, level-triggered, with one read source on it.
  final class EpollReadiness: Readiness {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 128)

    init(_ queue: DispatchQueue) throws(SystemError) {
      descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
      guard descriptor >= 0 else {
        events.deallocate()
        throw SystemError(errno)
      }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// Calls `ready` whenever ``poll()`` may find something.
    func start(_ ready: @escaping @Sendable () -> Void) {
      source.setEventHandler(handler: ready)
      let (descriptor, events) = (descriptor, events)
      // They go when nothing refers to them: after the source's end.
      source.setCancelHandler { () -> Void in
        Platform.close(descriptor)
        events.deallocate()
      }
      source.activate()
    }

    /// How many sockets are ready, without waiting; ``subscript(_:)`` has them until the next call.
    @inline(__always)
    func poll() -> Int {
      while true {
        let count = epoll_wait(descriptor, events.baseAddress, Int32(clamping: events.count), 0)
        if count >= 0 { return Int(count) }
        guard errno == EINTR else { return 0 }
      }
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
