/// How a transport learns that its sockets are ready.
package enum ReadinessMechanism: Sendable, Hashable, CaseIterable {
  /// One epoll descriptor for all sockets of a shard. Linux has it.
  case epoll
  /// A Dispatch source for each direction of each socket. Every platform has it.
  case dispatchSources

  /// The mechanisms that the platform has, the fastest first.
  package static var available: [ReadinessMechanism] {
    #if os(Linux) || os(Android)
      [.epoll, .dispatchSources]
    #else
      [.dispatchSources]
    #endif
  }

  /// The mechanism where none is asked for: the fastest of the platform. Tests replace it for what
  /// their tasks create.
  @TaskLocal package static var standard = available[0]
}

/// What a socket is ready for, or waits for. The numbers are those of epoll(7).
struct SocketEvents: OptionSet, Sendable {
  let rawValue: UInt32

  static let readable = SocketEvents(rawValue: 0x001)
  static let writable = SocketEvents(rawValue: 0x004)
  /// An error or a hangup: reported by epoll whatever a socket waits for. Dispatch reports them as
  /// the events that the socket waits for.
  static let failed = SocketEvents(rawValue: 0x008 | 0x010)
}

/// Watches the sockets of a shard. Called on the shard's queue.
protocol Readiness: AnyObject {
  /// Begins to watch the descriptor of a socket; the reason where that fails.
  func add(_ socket: Socket, _ events: SocketEvents) -> SystemError?
  /// Watches for other events from now on.
  func change(_ socket: Socket, _ events: SocketEvents)
  /// Watches the socket no more, and closes its descriptor, now or as soon as nothing refers to it.
  func close(_ socket: Socket)
  /// Watches nothing more. Called once, when the shard is released.
  func stop()
}
