import QuiverWire

/// The connecting of client sockets.
extension Shard {
  /// Connects a socket that was to be made to the first of `addresses` that takes it. On the shard.
  func connect(_ socket: Socket, to addresses: [SocketAddress]) {
    let time = min(
      Limits.addressMilliseconds, limits.handshakeTimeoutMilliseconds / max(addresses.count, 1))
    socket.otherAddresses = addresses[...]
    socket.timePerAddress = UInt64(max(time, 1)) * 1_000_000
    connectOn(socket, after: "no address")
  }

  /// Continues with the socket's next address, or ends it for `reason` if that was the last.
  func connectOn(_ socket: Socket, after reason: String) {
    if socket.descriptor >= 0 {
      readiness.close(socket)
      socket.descriptor = -1
    }
    var reason = reason
    while let address = socket.otherAddresses.popFirst() {
      switch SystemCall.beginConnecting(
        to: address, userTimeoutMilliseconds: limits.keepaliveTimeoutMilliseconds)
      {
      case .success(let descriptor):
        socket.descriptor = descriptor
        socket.addressDue =
          socket.otherAddresses.isEmpty
          ? 0 : SystemCall.monotonicNanoseconds() &+ socket.timePerAddress
        watchFirst(socket, .writable)
        if !socket.isClosed { updateConnecting(socket) }
        return
      case .failure(let error): reason = socket.reason(error.code)
      }
    }
    drop(socket, reason)
  }
}
