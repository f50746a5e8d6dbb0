import QuiverRPC
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

/// The connections of the shard.
extension Shard {
  /// Takes a connected socket on, or one that is still to be made. On the shard.
  func adopt(_ socket: Socket) {
    socket.shard = self
    socket.tag = table.insert(socket)
    table.setDue(socket, Self.coarse(socket.end.nextTimer, now: now))
    guard !socket.isConnecting else { return }
    watchFirst(socket, .readable)
  }

  func watchFirst(_ socket: Socket, _ events: SocketEvents) {
    socket.watchedEvents = events
    if let error = readiness.add(socket, events) { drop(socket, error.description) }
  }

  /// Ends a connection at once: closes its descriptor and notifies its end.
  func drop(_ socket: Socket, _ reason: String) {
    guard !socket.isClosed else { return }
    socket.isClosed = true
    table.remove(socket)
    turnShares.leave(socket)
    if socket.descriptor >= 0 { readiness.close(socket) }
    socket.end.closed(reason)
    socket.owner?.closed(socket)
    socket.owner = nil
  }

  /// The caller of a connection is known. On the shard.
  func joinTurnShare(_ socket: Socket, of principal: Int64) {
    turnShares.join(socket, of: principal)
  }

  /// The server's end of that id while its caller is unknown; nil: it has ended, or its caller is
  /// known. On the shard.
  func anonymousEnd(_ id: UInt64) -> ServerEnd? { anonymousEnds[id] }

  /// Keeps the end of a connection whose caller is not known yet. On the shard.
  func addAnonymous(_ end: ServerEnd) { anonymousEnds[end.id] = end }

  /// The caller is known, or the connection has ended. On the shard.
  func removeAnonymous(_ id: UInt64) { anonymousEnds[id] = nil }

  /// The connections, as they are now. On the shard.
  var sockets: [Socket] { table.all }
}
