import QuiverPlatform
import QuiverRPC

/// How connections whose callers are unknown make room for others.
extension Shard {
  /// Reads what a connection has received for its TLS handshake. On the shard.
  func readHandshake(of socket: Socket) {
    if !socket.isClosed, socket.secure?.isInStep == false { read(socket) }
  }

  /// Reads what a connection has received if its HELLO is not there and its TLS handshake, if any,
  /// is over. On the shard.
  func readGreeting(of socket: Socket) {
    guard !socket.isClosed, socket.secure?.isInHandshake != true, socket.end.phase <= .hello else {
      return
    }
    read(socket)
    if !socket.isClosed { flush(socket) }
  }

  /// As ``drop(_:_:)``, and the kernel keeps nothing of the connection.
  func reset(_ socket: Socket, _ reason: String) {
    if !socket.isClosed, socket.descriptor >= 0 { Platform.resetOnClose(socket.descriptor) }
    drop(socket, reason)
  }
}
