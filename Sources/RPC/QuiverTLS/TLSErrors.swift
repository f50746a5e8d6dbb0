import CTLS
import QuiverPlatform
import QuiverRPC

/// Puts what libssl found into words: what is wrong and what to do.
enum TLSErrors {
  static let noContext = SecureChannelError(
    .configuration, "libssl cannot make a TLS 1.3 context: is OpenSSL 3.0 or newer installed?")

  static let truncated = SecureChannelError(
    .truncated, "the connection was cut: the peer closed it without a close_notify")

  static func malformed(_ what: StaticString) -> SecureChannelError {
    SecureChannelError(.malformed, "the peer has broken TLS: \(what)")
  }

  static func plainText(isServer: Bool) -> SecureChannelError {
    SecureChannelError(
      .plainText,
      isServer
        ? "the client does not use TLS on a TLS port: connect to tls://"
        : "the server does not use TLS on this port: use its TLS port, or connect without tls://")
  }

  /// What answers a client speaks `other`; nil: nothing that is known.
  static func otherProtocol(_ other: OtherProtocol?) -> SecureChannelError {
    SecureChannelError(
      .plainText,
      "what answers does not speak TLS" + (other.map { ": it speaks \($0.name)" } ?? ""))
  }

  static func endedInHandshake(isServer: Bool, hasSeenInput: Bool) -> SecureChannelError {
    if isServer {
      return SecureChannelError(.truncated, "the client closed before TLS was established")
    }
    return SecureChannelError(
      hasSeenInput ? .truncated : .plainText,
      hasSeenInput
        ? "the server closed the connection before the TLS handshake was complete"
        : "the server closed the connection at the first TLS message: is it a port without TLS?")
  }

  // MARK: Files

  static func file(_ path: String, _ what: StaticString) -> SecureChannelError {
    SecureChannelError(
      .configuration, "\(path): \(fileReason ?? "it does not hold \(what)")")
  }

  static func keyMismatch(_ certificate: String, _ key: String) -> SecureChannelError {
    SecureChannelError(
      .configuration, "the key in \(key) is not that of the certificate in \(certificate)")
  }

  static var isKeyMismatch: Bool {
    let error = ERR_peek_last_error()
    return quiver_tls_reason(error) == X509_R_KEY_VALUES_MISMATCH
      || quiver_tls_reason(error) == X509_R_KEY_TYPE_MISMATCH
  }

  /// The system's error for a file that cannot be opened; nil: it was read.
  private static var fileReason: String? {
    let error = ERR_peek_error()
    guard quiver_tls_is_system(error) == 1 else { return nil }
    return String(cString: strerror(quiver_tls_reason(error)))
  }

  // MARK: Certificates

  private static func owner(_ isServer: Bool) -> String { isServer ? "client" : "server" }

  static func expired(_ validity: CertificateValidity?, isServer: Bool) -> SecureChannelError {
    let until = validity.map { " on \($0.until)" } ?? ""
    return SecureChannelError(
      .certificateExpired,
      "the \(owner(isServer))'s certificate expired\(until): renew it, or check this clock")
  }

  static func wrongPublicKey(_ host: String) -> SecureChannelError {
    SecureChannelError(
      .wrongPublicKey,
      "the public key of \(host) is not the pinned one: somebody else answers, or the pin is old")
  }

  static func noApplicationProtocol(isServer: Bool) -> SecureChannelError {
    SecureChannelError(
      .noApplicationProtocol,
      "the \(owner(isServer)) does not speak \(TLSLimits.applicationProtocol) (ALPN):"
        + (isServer ? " it is no client of Quiver" : " it is no Quiver server"))
  }

  private static func oldVersion(isServer: Bool) -> SecureChannelError {
    SecureChannelError(
      .oldVersion, "the \(owner(isServer)) does not speak TLS 1.3, which is required: update it")
  }

  /// What a certificate that was not accepted lacks.
  private static func verification(
    _ result: Int, _ validity: CertificateValidity?, isServer: Bool, host: String
  ) -> SecureChannelError {
    let owner = owner(isServer)
    switch Int32(truncatingIfNeeded: result) {
    case X509_V_ERR_CERT_HAS_EXPIRED: return expired(validity, isServer: isServer)
    case X509_V_ERR_CERT_NOT_YET_VALID:
      let from = validity.map { " before \($0.from)" } ?? " yet"
      return SecureChannelError(
        .certificateNotYetValid,
        "the \(owner)'s certificate is not valid\(from): check the clocks of both machines")
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return unknownIssuer("is signed by itself or by an authority", isServer: isServer)
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED,
      X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return unknownIssuer("was issued by an authority", isServer: isServer)
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      return SecureChannelError(
        .wrongName,
        "the server's certificate is not for \(host): connect by a name that it is for, or give"
          + " that as the server name")
    default:
      let reason = X509_verify_cert_error_string(result).map { String(cString: $0) } ?? "?"
      return SecureChannelError(
        .certificateInvalid, "the \(owner)'s certificate is not accepted: \(reason)")
    }
  }

  private static func unknownIssuer(_ how: String, isServer: Bool) -> SecureChannelError {
    SecureChannelError(
      .unknownIssuer,
      "the \(owner(isServer))'s certificate \(how) that is not trusted here: "
        + (isServer
          ? "add the authority to the client CA file" : "name the authority's file (--ca FILE)"))
  }

  // MARK: What libssl found

  /// - Parameters:
  ///   - refusal: what a callback has refused.
  ///   - verification: `SSL_get_verify_result`.
  static func error(
    refusal: WireState.Refusal, verification result: Int, validity: CertificateValidity?,
    isServer: Bool, host: String
  ) -> SecureChannelError {
    switch refusal {
    case .oldVersion: return oldVersion(isServer: isServer)
    case .noApplicationProtocol: return noApplicationProtocol(isServer: isServer)
    case .keyUpdates: return malformed("it changes keys without end")
    case .none: break
    }
    // The last one: those before it are libcrypto's, of what libssl tried.
    let reason = quiver_tls_reason(ERR_peek_last_error())
    switch reason {
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
      return verification(result, validity, isServer: isServer, host: host)
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
      return SecureChannelError(
        .certificateMissing, "the client has shown no certificate, and one is required")
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_UNKNOWN_PROTOCOL:
      return oldVersion(isServer: isServer)
    case SSL_R_NO_APPLICATION_PROTOCOL: return noApplicationProtocol(isServer: isServer)
    case SSL_R_HTTP_REQUEST, SSL_R_WRONG_VERSION_NUMBER:
      return reason == SSL_R_HTTP_REQUEST
        ? plainText(isServer: isServer) : malformed("a record of another version")
    case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC, SSL_R_BAD_RECORD_TYPE:
      return malformed("a record that does not decrypt")
    case 1000...1255: return alert(reason - 1000, isServer: isServer)
    default: return malformed("libssl could not read what it sent")
    }
  }

  /// The meaning of the peer's alert for this side.
  private static func alert(_ alert: Int32, isServer: Bool) -> SecureChannelError {
    let peer = owner(isServer)
    func refused(_ why: String) -> SecureChannelError {
      SecureChannelError(
        .certificateRefused, "the \(peer) does not accept this certificate: \(why)")
    }
    switch alert {
    case SSL_AD_CERTIFICATE_EXPIRED: return refused("it has expired: renew it")
    case SSL_AD_UNKNOWN_CA: return refused("its authority is not trusted there")
    case SSL_AD_DECRYPT_ERROR:
      return refused("it is not signed by the authority that is trusted there")
    case SSL_AD_CERTIFICATE_REVOKED: return refused("it was revoked")
    case SSL_AD_BAD_CERTIFICATE, SSL_AD_UNSUPPORTED_CERTIFICATE, SSL_AD_CERTIFICATE_UNKNOWN,
      SSL_AD_ACCESS_DENIED:
      return refused("its name or its use is not the wanted one")
    case 116:  // certificate_required, which OpenSSL's headers name only within libssl
      return SecureChannelError(
        .certificateMissing,
        "the \(peer) requires a certificate: give one (--certificate FILE --key FILE)")
    case SSL_AD_PROTOCOL_VERSION: return oldVersion(isServer: isServer)
    case SSL_AD_NO_APPLICATION_PROTOCOL: return noApplicationProtocol(isServer: isServer)
    default:
      return SecureChannelError(.malformed, "the \(peer) ended TLS with alert \(alert)")
    }
  }
}
