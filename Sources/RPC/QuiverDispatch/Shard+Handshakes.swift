import QuiverRPC
import QuiverWire

/// The TLS handshakes of other protocols that are not over.
extension Shard {
  /// Keeps a connection of another protocol until its handshake is over. On the shard.
  func beginHandshake(_ number: UInt64, _ socket: Socket) { unfinishedHandshakes[number] = socket }

  /// Forgets the handshake of that number and returns its connection; nil: it is over. On the
  /// shard.
  func endHandshake(_ number: UInt64) -> Socket? {
    unfinishedHandshakes.removeValue(forKey: number)
  }

  /// Forgets the handshake of a connection and returns its number; nil: it is over. On the shard.
  func endHandshake(of socket: Socket) -> UInt64? {
    guard let number = unfinishedHandshakes.first(where: { $0.value === socket })?.key else {
      return nil
    }
    unfinishedHandshakes[number] = nil
    return number
  }

  func receiveProxyHeader(_ bytes: UnsafeRawBufferPointer, _ socket: Socket) {
    var offset = 0
    switch socket.proxyHeader?.receive(bytes, at: &offset) {
    case .incomplete, nil: return
    case .invalid: return drop(socket, "the proxy sent no valid PROXY header")
    case .header(let header):
      socket.proxyHeader = nil
      if let host = SocketAddress.host(of: header) {
        socket.serverEnd?.setAddress(host)
        socket.drivenEnd?.located(at: host)
      }
      socket.owner?.located(socket)
    }
    guard !socket.isClosed, offset < bytes.count else { return }
    received(UnsafeRawBufferPointer(rebasing: bytes[offset...]), socket)
  }

  /// Has a step of a TLS handshake run elsewhere: it costs so much more than a call that a storm of
  /// them would keep open calls waiting.
  func beginStep(_ secure: SecureEnd, _ bytes: UnsafeRawBufferPointer, _ tag: UInt64) {
    let step = secure.beginStep(bytes)
    handshakes.submit(step) { [weak self] in
      guard let self else { return }
      run { self.endStep(step, tag) }
    }
  }

  func endStep(_ step: HandshakeStep, _ tag: UInt64) {
    guard let socket = table.socket(tagged: tag), !socket.isClosed else { return }
    socket.secure?.endStep(step, now: now)
    flush(socket)
  }
}
