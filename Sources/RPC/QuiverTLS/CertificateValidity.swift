import CTLS

/// From when until when a certificate is valid.
struct CertificateValidity: Sendable, Equatable {
  /// As text, `2026-11-22 04:48 UTC`.
  let from: String
  let until: String
  /// Negative once the certificate has expired.
  let secondsLeft: Int

  init(_ certificate: OpaquePointer) {
    from = Self.text(X509_get0_notBefore(certificate))
    until = Self.text(X509_get0_notAfter(certificate))
    secondsLeft = Int(quiver_tls_seconds_left(certificate))
  }

  private static func text(_ time: UnsafePointer<ASN1_TIME>?) -> String {
    var bytes = [CChar](repeating: 0, count: 32)
    quiver_tls_time_text(time, &bytes, bytes.count)
    return String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
