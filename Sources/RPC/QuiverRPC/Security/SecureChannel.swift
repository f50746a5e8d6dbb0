package import QuiverWire

/// Encrypts one connection: bytes of the wire in and plain bytes out, plain bytes in and bytes of
/// the wire out. Without socket, clock or lock; used by one thread at a time.
///
/// After an error the channel takes and gives no more; what it has appended to `wire` by then, an
/// alert for instance, is still to be sent.
package protocol SecureChannel: AnyObject {
  /// How far the channel has come.
  var state: SecureChannelState { get }

  /// Who the peer is by its certificate; nil where it has shown none, and before the handshake is
  /// over.
  var peerIdentity: PeerIdentity? { get }

  /// Whether the handshake has resumed the session of an earlier connection.
  var hasResumedSession: Bool { get }

  /// Begins the handshake of a client: appends its first message to `wire`.
  func start(wire: inout ByteQueue) throws(SecureChannelError)

  /// Takes what has come from the wire, appends the plain bytes that it holds to `plain`, and what
  /// is to be sent in answer to `wire`.
  func receive(
    _ encrypted: UnsafeRawBufferPointer, plain: inout ByteQueue, wire: inout ByteQueue
  ) throws(SecureChannelError)

  /// Encrypts all of `plain` and appends it to `wire`. Only once the channel is open and
  /// until ``close(wire:)``; also after the peer's close_notify.
  func send(
    _ plain: UnsafeRawBufferPointer, wire: inout ByteQueue
  ) throws(SecureChannelError)

  /// Announces that nothing more will be sent: appends a close_notify to `wire`, once.
  func close(wire: inout ByteQueue)

  /// What the wire's end at this point means: nil after the peer's close_notify, else an error.
  func endOfInput() -> SecureChannelError?
}

extension SecureChannel {
  package var hasResumedSession: Bool { false }
}

/// How far a ``SecureChannel`` has come.
package enum SecureChannelState: Sendable, Equatable {
  case handshaking
  case open
  /// The peer has said that it will send nothing more.
  case peerClosed
  case failed
}

/// Makes the channels of a server's connections. May be used from any thread.
package protocol SecureServerContext: Sendable {
  /// A channel that waits for a client's first message; nil where no memory is left.
  func makeChannel() -> (any SecureChannel)?
}

/// Makes the channels of a client's connections. May be used from any thread.
package protocol SecureClientContext: Sendable {
  /// A channel to a server that must prove to be `host`, a name or an IP address.
  func makeChannel(to host: String) throws(SecureChannelError) -> any SecureChannel
}

/// The encryption of a client's connections. `QuiverTLS` creates values: `try .tls()`.
public struct TransportSecurity: Sendable {
  package let context: any SecureClientContext

  package init(_ context: any SecureClientContext) { self.context = context }
}

/// Where a connection comes from and who its peer has proved to be before its HELLO.
package struct ConnectionPeer: Sendable, Equatable {
  /// As failures and connections are counted by it.
  package var address: String
  /// By its certificate; nil: it has shown none, or the connection is not encrypted.
  package var certificate: PeerIdentity?
  /// By the kernel, on a Unix socket; nil elsewhere.
  package var unixUserID: UInt32?
  /// The token of the gateway that connects for a caller, by the HELLO; empty: none does.
  package var gatewayToken: [UInt8] = []

  package init(address: String, certificate: PeerIdentity? = nil, unixUserID: UInt32? = nil) {
    self.address = address
    self.certificate = certificate
    self.unixUserID = unixUserID
  }
}

/// Who a peer is by a certificate that was verified.
package struct PeerIdentity: Sendable, Equatable {
  /// The URIs of the certificate's subject alternative names, as they stand there.
  package var uris: [String]
  /// The DNS names of the certificate's subject alternative names, in lower case.
  package var dnsNames: [String]

  package init(uris: [String] = [], dnsNames: [String] = []) {
    self.uris = uris
    self.dnsNames = dnsNames
  }
}
