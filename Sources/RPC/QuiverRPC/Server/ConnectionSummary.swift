/// What an administrator is shown of a server's connection.
package struct ConnectionSummary: Sendable, Equatable {
  /// Counted from 1 since the server's start.
  package let id: UInt64
  /// Of the peer, without its port.
  package let address: String
  /// Nil: nobody is known yet, or no token was sent.
  package let caller: Caller?
  package let openCallCount: Int
  /// Output that is framed or queued and not yet written.
  package let queuedOutputBytes: Int
  /// When it was made, in monotonic nanoseconds of its reactor.
  package let openedNanoseconds: UInt64
}

extension ServerEnd {
  /// How the connection stands; asked on its reactor.
  package var summary: ConnectionSummary {
    ConnectionSummary(
      id: id, address: address, caller: info.caller,
      openCallCount: connection.pointee.core.streams.count,
      queuedOutputBytes: connection.pointee.core.outputByteCount,
      openedNanoseconds: connection.pointee.core.startedAt)
  }
}
