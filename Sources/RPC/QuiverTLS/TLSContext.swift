import CTLS
import QuiverRPC

/// An `SSL_CTX` with what it refers to. Immutable once it is made.
// Sendable because libssl locks what its contexts count, and nothing else of them changes.
final class TLSContext: @unchecked Sendable {
  let pointer: OpaquePointer
  /// Kept for the callbacks, which hold a bare pointer.
  private let ticketKeys: TicketKeys?
  private let applicationProtocols: ApplicationProtocols

  /// TLS 1.3 alone, without compression, early data and renegotiation.
  init(
    server ticketKeys: TicketKeys?, speaks applicationProtocols: ApplicationProtocols = .quiver
  ) throws(SecureChannelError) {
    let method = ticketKeys == nil ? TLS_client_method() : TLS_server_method()
    guard let context = SSL_CTX_new(method) else { throw TLSErrors.noContext }
    pointer = context
    self.ticketKeys = ticketKeys
    self.applicationProtocols = applicationProtocols
    SSL_CTX_set_security_level(context, 2)
    quiver_tls_set_options(context)
    quiver_tls_set_mode(context)
    quiver_tls_set_max_certificate_list(context, TLSLimits.certificateListBytes)
    SSL_CTX_set_verify_depth(context, TLSLimits.certificateDepth)
    SSL_CTX_set_max_early_data(context, 0)
    SSL_CTX_set_recv_max_early_data(context, 0)
    SSL_CTX_set_default_passwd_cb(context, TLSCallbacks.password)
    guard quiver_tls_only_1_3(context) == 1,
      SSL_CTX_set_ciphersuites(context, Self.cipherSuites) == 1
    else { throw TLSErrors.noContext }
    if let ticketKeys {
      SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(ticketKeys).toOpaque())
      configureServer()
    }
  }

  deinit { SSL_CTX_free(pointer) }

  /// What a client that does not use TLS is told.
  var spokenHere: String {
    let names = applicationProtocols.names.map { String(decoding: $0, as: UTF8.self) }
    return "this port speaks TLS (\(names.joined(separator: ", ")));"
      + " connect to tls:// or https://"
  }

  private static let cipherSuites =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"

  private func configureServer() {
    let protocols = Unmanaged.passUnretained(applicationProtocols).toOpaque()
    SSL_CTX_set_client_hello_cb(pointer, TLSCallbacks.clientHello, protocols)
    SSL_CTX_set_alpn_select_cb(pointer, TLSCallbacks.selectProtocol, protocols)
    SSL_CTX_set_tlsext_ticket_key_evp_cb(pointer, TLSCallbacks.ticketKey)
    quiver_tls_set_session_cache(pointer, Int(SSL_SESS_CACHE_OFF))
    SSL_CTX_set_timeout(pointer, TLSLimits.ticketSeconds)
    SSL_CTX_set_num_tickets(pointer, 1)
  }

  /// Uses the certificate with its chain and its key, PEM files both.
  func use(certificate: String, key: String) throws(SecureChannelError) {
    ERR_clear_error()
    guard SSL_CTX_use_certificate_chain_file(pointer, certificate) == 1 else {
      throw TLSErrors.file(certificate, "a certificate in PEM")
    }
    guard SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM) == 1 else {
      // libssl compares the key with the certificate at once.
      throw TLSErrors.isKeyMismatch
        ? TLSErrors.keyMismatch(certificate, key)
        : TLSErrors.file(key, "a private key in PEM without a password")
    }
    guard SSL_CTX_check_private_key(pointer) == 1 else {
      throw TLSErrors.keyMismatch(certificate, key)
    }
  }

  /// Trusts what the certificates in a PEM file have issued.
  func trust(_ path: String) throws(SecureChannelError) {
    ERR_clear_error()
    guard SSL_CTX_load_verify_file(pointer, path) == 1 else {
      throw TLSErrors.file(path, "certificates of authorities in PEM")
    }
  }
}
