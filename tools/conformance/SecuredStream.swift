import QuiverRPC
import QuiverWire

/// A secure channel with decrypted bytes that were not read yet.
final class SecuredStream {
  private let channel: any SecureChannel
  private var plain = ByteQueue()
  private var wire = ByteQueue()

  /// A client's.
  convenience init(_ security: TransportSecurity, host: String) throws {
    self.init(try security.context.makeChannel(to: host))
  }

  init(_ channel: any SecureChannel) { self.channel = channel }

  var peerURIs: [String] { channel.peerIdentity?.uris ?? [] }
  var hasResumedSession: Bool { channel.hasResumedSession }
  var isInHandshake: Bool { channel.state == .handshaking }
  var isPeerClosed: Bool { channel.state == .peerClosed }

  /// The first message of the handshake.
  func start() throws -> [UInt8] {
    try channel.start(wire: &wire)
    return takeWire()
  }

  /// Decrypts received bytes. Throws if TLS fails or a certificate is not accepted.
  func receive(_ bytes: [UInt8]) throws {
    var failure: SecureChannelError?
    bytes.withUnsafeBytes { bytes in
      do throws(SecureChannelError) {
        try channel.receive(bytes, plain: &plain, wire: &wire)
      } catch {
        failure = error
      }
    }
    if let failure { throw Failure(failure.description) }
  }

  /// Throws unless the peer has sent a close_notify before it closed the connection.
  func endOfInput() throws {
    if let error = channel.endOfInput() { throw Failure(error.description) }
  }

  /// Nil if the channel is not open any more.
  func encrypt(_ bytes: [UInt8]) -> [UInt8]? {
    guard channel.state == .open else { return nil }
    let isSent = bytes.withUnsafeBytes { bytes in
      do throws(SecureChannelError) {
        try channel.send(bytes, wire: &wire)
        return true
      } catch {
        return false
      }
    }
    return isSent ? takeWire() : nil
  }

  /// A close_notify.
  func close() -> [UInt8] {
    channel.close(wire: &wire)
    return takeWire()
  }

  func takePlain() -> [UInt8] { Self.take(&plain) }

  /// Removes and returns the bytes to send.
  func takeWire() -> [UInt8] { Self.take(&wire) }

  private static func take(_ queue: inout ByteQueue) -> [UInt8] {
    defer { queue.removeAll() }
    return Array(queue.bytes)
  }
}
