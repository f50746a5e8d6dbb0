import CTLS
import QuiverRPC
import QuiverWire

/// One `SSL` whose wire is the caller's memory.
///
/// Made by a context, which it keeps. Used by one thread at a time.
final class TLSChannel: SecureChannel {
  private let ssl: OpaquePointer
  /// Owned by ``ssl``.
  private let bio: OpaquePointer
  private let role: Role
  private(set) var state = SecureChannelState.handshaking
  private var hasSeenInput = false
  private var hasClosed = false
  private var refusal = WireState.Refusal.none
  private var keyUpdateCount: UInt8 = 0
  private var handshakeByteCount: UInt32 = 0

  /// Whose end it is, with what must outlive the `SSL`.
  enum Role {
    case server(TLSContext)
    case client(Client)
  }

  /// The state of a client's end beside its `SSL`.
  final class Client {
    let context: TLSContext
    /// The name that the server must prove to have.
    let host: String
    let checks: TLSClient.Checks
    let tickets: TicketStore

    init(
      _ context: TLSContext, host: String, checks: TLSClient.Checks, tickets: TicketStore
    ) {
      self.context = context
      self.host = host
      self.checks = checks
      self.tickets = tickets
    }
  }

  /// Nil: no memory is left.
  init?(_ context: TLSContext, _ role: Role) {
    guard let ssl = SSL_new(context.pointer) else { return nil }
    guard let bio = WireBIO.make() else {
      SSL_free(ssl)
      return nil
    }
    // One BIO for both ways: `SSL_set_bio` takes the one reference.
    SSL_set_bio(ssl, bio, bio)
    SSL_set_msg_callback(ssl, TLSCallbacks.message)
    self.ssl = ssl
    self.bio = bio
    self.role = role
    switch role {
    case .server: SSL_set_accept_state(ssl)
    case .client: SSL_set_connect_state(ssl)
    }
  }

  deinit {
    // libssl discards the ticket of a connection that was cut, although a client needs it then.
    if state != .failed { SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
    // Frees the BIO as well.
    SSL_free(ssl)
  }

  /// The `SSL`, for the context that has made the channel.
  var pointer: OpaquePointer { ssl }

  /// The names of a client's certificate, which the handshake has verified; nil: it has shown none.
  var peerIdentity: PeerIdentity? {
    guard isServer, state == .open || state == .peerClosed,
      let certificate = SSL_get0_peer_certificate(ssl)
    else { return nil }
    return CertificateNames.read(certificate)
  }

  /// Whether the handshake used a ticket of an earlier connection.
  package var hasResumedSession: Bool { SSL_session_reused(ssl) == 1 }

  // MARK: SecureChannel

  func start(wire: inout ByteQueue) throws(SecureChannelError) {
    try withWire(UnsafeRawBufferPointer(start: nil, count: 0), &wire) {
      call throws(SecureChannelError) in
      try handshake(call)
    }
  }

  func receive(
    _ encrypted: UnsafeRawBufferPointer, plain: inout ByteQueue, wire: inout ByteQueue
  ) throws(SecureChannelError) {
    guard state == .handshaking || state == .open, !encrypted.isEmpty else { return }
    try checkFirst(encrypted, &wire)
    try withWire(encrypted, &wire) { call throws(SecureChannelError) in
      if state == .handshaking {
        handshakeByteCount += UInt32(clamping: encrypted.count)
        try handshake(call)
        if state == .handshaking {
          guard handshakeByteCount <= TLSLimits.handshakeBytes else {
            throw failed(TLSErrors.malformed("a handshake of too many bytes"))
          }
          return
        }
      }
      try read(into: &plain, call)
    }
  }

  func send(
    _ plain: UnsafeRawBufferPointer, wire: inout ByteQueue
  ) throws(SecureChannelError) {
    guard state == .open || state == .peerClosed, !hasClosed, !plain.isEmpty else { return }
    _ = wire.reserve(TLSLimits.encryptedByteCount(of: plain.count))
    try withWire(UnsafeRawBufferPointer(start: nil, count: 0), &wire) {
      call throws(SecureChannelError) in
      var written = 0
      // The wire takes everything, so that nothing is ever written in part.
      guard SSL_write_ex(ssl, plain.baseAddress, plain.count, &written) == 1,
        written == plain.count
      else { throw failure(call) }
    }
  }

  func close(wire: inout ByteQueue) {
    guard state == .open || state == .peerClosed, !hasClosed else { return }
    hasClosed = true
    _ = try? withWire(UnsafeRawBufferPointer(start: nil, count: 0), &wire) {
      _ throws(SecureChannelError) in
      SSL_shutdown(ssl)
    }
  }

  func endOfInput() -> SecureChannelError? {
    switch state {
    case .peerClosed, .failed: nil
    case .open: TLSErrors.truncated
    case .handshaking: TLSErrors.endedInHandshake(isServer: isServer, hasSeenInput: hasSeenInput)
    }
  }

  // MARK: libssl

  private var isServer: Bool {
    if case .server = role { true } else { false }
  }

  /// The state of a call of libssl.
  private typealias Call = UnsafeMutablePointer<WireState>

  /// Lends libssl the input and the queue for the time of `body`.
  private func withWire(
    _ input: UnsafeRawBufferPointer, _ wire: inout ByteQueue,
    _ body: (Call) throws(SecureChannelError) -> Void
  ) throws(SecureChannelError) {
    try withUnsafeMutablePointer(to: &wire) { queue throws(SecureChannelError) in
      var state = WireState(
        input: input, output: queue, refusal: refusal, keyUpdateCount: keyUpdateCount,
        client: client)
      try withUnsafeMutablePointer(to: &state) { call throws(SecureChannelError) in
        BIO_set_data(bio, call)
        defer {
          BIO_set_data(bio, nil)
          refusal = call.pointee.refusal
          keyUpdateCount = call.pointee.keyUpdateCount
        }
        // Errors of other channels on this thread are not this one's.
        ERR_clear_error()
        try body(call)
      }
    }
  }

  /// A peer that begins with anything but a TLS record speaks something else; a client gets an
  /// answer in its own words.
  private func checkFirst(
    _ encrypted: UnsafeRawBufferPointer, _ wire: inout ByteQueue
  ) throws(SecureChannelError) {
    guard !hasSeenInput else { return }
    hasSeenInput = true
    let first = encrypted[0]
    if case .server(let context) = role {
      guard first != 0x16 else { return }
      wire.append(OtherProtocol(firstBytes: encrypted)?.answer(context.spokenHere) ?? [])
      throw failed(TLSErrors.plainText(isServer: true))
    }
    if first == 0x16 || first == 0x15 && !Self.isPlainAlert(encrypted) { return }
    throw failed(
      first == 0x15
        ? TLSErrors.plainText(isServer: false)
        : TLSErrors.otherProtocol(OtherProtocol(firstBytes: encrypted)))
  }

  /// Whether a server's first bytes are the alert that ``OtherProtocol`` answers with where it does
  /// not use TLS: one that does finds no fault in the type of a client's first message.
  private static func isPlainAlert(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 7 && bytes[6] == OtherProtocol.unexpectedMessage
  }

  private func handshake(_ call: Call) throws(SecureChannelError) {
    let result = SSL_do_handshake(ssl)
    guard result == 1 else { return try check(result, call) }
    state = .open
    switch role {
    case .server: try verifyClient(call)
    case .client(let client):
      try verifyServer(client.checks, call)
      client.tickets.addHandshake(isResumed: hasResumedSession)
    }
  }

  private func read(into plain: inout ByteQueue, _ call: Call) throws(SecureChannelError) {
    while state == .open {
      let room = plain.reserve(TLSLimits.recordBytes)
      var count = 0
      guard SSL_read_ex(ssl, room, TLSLimits.recordBytes, &count) == 1 else {
        return try check(0, call)
      }
      plain.commit(count)
      // Avoids a read that would find nothing.
      if call.pointee.input.isEmpty, SSL_has_pending(ssl) == 0 { return }
    }
  }

  /// The reason why a call of libssl did not complete: more input is needed, the peer has closed,
  /// or an error.
  private func check(_ result: Int32, _ call: Call) throws(SecureChannelError) {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ where call.pointee.refusal == .none: return
    case SSL_ERROR_ZERO_RETURN where state == .open: state = .peerClosed
    default: throw failure(call)
    }
  }

  private func failure(_ call: Call) -> SecureChannelError {
    failed(
      TLSErrors.error(
        refusal: call.pointee.refusal, verification: SSL_get_verify_result(ssl),
        validity: call.pointee.refusedValidity, isServer: isServer, host: client?.host ?? ""))
  }

  private func failed(_ error: SecureChannelError) -> SecureChannelError {
    state = .failed
    return error
  }

  private var client: Client? {
    if case .client(let client) = role { client } else { nil }
  }

  // MARK: Certificates

  /// Checks a client's certificate, which libssl has verified in this handshake or in the one that
  /// the ticket is of.
  private func verifyClient(_ call: Call) throws(SecureChannelError) {
    guard let certificate = SSL_get0_peer_certificate(ssl) else { return }
    // A ticket may be younger than the end of the certificate that it holds.
    guard quiver_tls_seconds_left(certificate) > 0 else {
      throw failed(TLSErrors.expired(CertificateValidity(certificate), isServer: true))
    }
    guard SSL_get_verify_result(ssl) == Int(X509_V_OK) else { throw failure(call) }
  }

  private func verifyServer(
    _ checks: TLSClient.Checks, _ call: Call
  ) throws(SecureChannelError) {
    guard SSL_get_verify_result(ssl) == Int(X509_V_OK),
      let certificate = SSL_get0_peer_certificate(ssl)
    else { throw failure(call) }
    guard quiver_tls_seconds_left(certificate) > 0 else {
      throw failed(TLSErrors.expired(CertificateValidity(certificate), isServer: false))
    }
    guard TLSCallbacks.selectedProtocol(ssl) == TLSLimits.applicationProtocol else {
      throw failed(TLSErrors.noApplicationProtocol(isServer: false))
    }
    guard !checks.publicKeyHashes.isEmpty else { return }
    var hash = [UInt8](repeating: 0, count: 32)
    guard quiver_tls_public_key_hash(certificate, &hash) == 1,
      checks.publicKeyHashes.contains(hash)
    else { throw failed(TLSErrors.wrongPublicKey(client?.host ?? "")) }
  }
}

@available(*, unavailable)
extension TLSChannel: Sendable {}
