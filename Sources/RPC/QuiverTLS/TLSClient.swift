import CTLS
package import QuiverRPC

/// A client's side of TLS: what it trusts and shows, and the tickets that servers have given it.
///
/// May be used from any thread.
package final class TLSClient: SecureClientContext {
  /// The checks of a channel in addition to those of libssl.
  struct Checks: Sendable {
    var publicKeyHashes: [[UInt8]]
  }

  /// The handshakes of a client that have succeeded.
  package struct HandshakeCounts: Sendable, Equatable {
    package var full = 0
    /// By a ticket of an earlier connection.
    package var resumed = 0

    package init() {}
  }

  let context: TLSContext
  private let checks: Checks
  private let serverName: String?
  private let tickets = TicketStore()

  /// Reads the files. Throws what is wrong with them.
  package init(_ configuration: TLSConfiguration) throws(SecureChannelError) {
    guard configuration.pinnedPublicKeys.allSatisfy({ $0.count == 32 }) else {
      throw SecureChannelError(
        .configuration, "a pinned public key is the SHA-256 of its SubjectPublicKeyInfo, 32 bytes")
    }
    context = try TLSContext(server: nil)
    checks = Checks(publicKeyHashes: configuration.pinnedPublicKeys)
    serverName = configuration.serverName
    switch configuration.trustedRoots {
    case .system:
      guard SSL_CTX_set_default_verify_paths(context.pointer) == 1 else {
        throw TLSErrors.noContext
      }
    case .file(let path): try context.trust(path)
    }
    if let own = configuration.clientCertificate {
      try context.use(certificate: own.certificateFile, key: own.keyFile)
    }
    SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, TLSCallbacks.verify)
    quiver_tls_set_session_cache(
      context.pointer, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
    SSL_CTX_sess_set_new_cb(context.pointer, TLSCallbacks.newTicket)
    let offered = TLSCallbacks.protocolList
    // Answers 0 where it has done it.
    guard SSL_CTX_set_alpn_protos(context.pointer, offered, UInt32(offered.count)) == 0 else {
      throw TLSErrors.noContext
    }
  }

  /// The handshakes that have succeeded, of all channels.
  package var handshakeCounts: HandshakeCounts { tickets.handshakeCounts }

  package func makeChannel(to host: String) throws(SecureChannelError) -> any SecureChannel {
    let name = serverName ?? host
    guard !name.isEmpty, !name.utf8.contains(0), name.utf8.count <= 253 else {
      throw SecureChannelError(
        .configuration,
        "TLS needs the name of the server that its certificate is for: give a server name")
    }
    guard
      let channel = TLSChannel(
        context,
        .client(TLSChannel.Client(context, host: name, checks: checks, tickets: tickets))),
      Self.require(name, channel.pointer)
    else { throw TLSErrors.noContext }
    tickets.resume(channel.pointer, of: name)
    return channel
  }

  /// Has libssl verify that the certificate is for `name`, a host name or an IP address.
  private static func require(_ name: String, _ ssl: OpaquePointer) -> Bool {
    guard let parameters = SSL_get0_param(ssl) else { return false }
    X509_VERIFY_PARAM_set_hostflags(
      parameters,
      UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    if X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1 { return true }
    ERR_clear_error()
    return X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1
      && quiver_tls_set_sni(ssl, name) == 1
  }
}
