import CTLS
import Foundation

/// A certificate authority of a test, and the certificates that it issues: real keys and real
/// X.509 by libcrypto, as PEM files in a folder that goes with it.
package final class TestAuthority {
  private let folder: URL
  private let kind: KeyKind
  private let certificate: OpaquePointer
  private let key: OpaquePointer
  private var nextSerial = 2

  /// The algorithm of the keys. Signatures by Ed25519 all have the same length, and those by P-256
  /// do not.
  package enum KeyKind { case p256, ed25519 }

  /// A certificate with its key, as files.
  package struct Issued {
    package var certificateFile: String
    package var keyFile: String
    /// SHA-256 of the SubjectPublicKeyInfo.
    package var publicKeyHash: [UInt8]
  }

  /// A call of libcrypto that did not succeed.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package init(_ kind: KeyKind = .p256) throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    key = try Self.makeKey(kind)
    certificate = try Self.require(X509_new())
    try Self.fill(certificate, key, serial: 1, name: "test authority", from: -3600, until: 86400)
    try Self.add(NID_basic_constraints, "critical,CA:TRUE", to: certificate, certificate)
    try Self.add(NID_key_usage, "critical,keyCertSign", to: certificate, certificate)
    try Self.sign(certificate, issuer: certificate, key)
    try Self.write(certificate, authorityFile)
  }

  deinit {
    X509_free(certificate)
    EVP_PKEY_free(key)
    try? FileManager.default.removeItem(at: folder)
  }

  /// The authority's own certificate.
  package var authorityFile: String { path("ca.pem") }

  package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Issues a certificate and writes it to `name.pem` and `name.key`, over what is there.
  ///
  /// - Parameters:
  ///   - names: its alternative names as openssl writes them, `DNS:localhost`.
  ///   - from: from when it is valid, seconds from now.
  ///   - until: until when.
  ///   - isSelfSigned: whether it is its own issuer.
  @discardableResult
  package func issue(
    _ name: String, _ names: String = "DNS:localhost,IP:127.0.0.1", from: Int = -3600,
    until: Int = 3600, isSelfSigned: Bool = false, use: String = "serverAuth,clientAuth"
  ) throws -> Issued {
    let own = try Self.makeKey(kind)
    let made = try Self.require(X509_new())
    defer {
      X509_free(made)
      EVP_PKEY_free(own)
    }
    nextSerial += 1
    try Self.fill(made, own, serial: nextSerial, name: name, from: from, until: until)
    let issuer = isSelfSigned ? made : certificate
    try Self.add(NID_basic_constraints, "critical,CA:FALSE", to: made, issuer)
    try Self.add(NID_ext_key_usage, use, to: made, issuer)
    if !names.isEmpty { try Self.add(NID_subject_alt_name, names, to: made, issuer) }
    try Self.sign(made, issuer: issuer, isSelfSigned ? own : key)
    let issued = Issued(
      certificateFile: path(name + ".pem"), keyFile: path(name + ".key"),
      publicKeyHash: try Self.publicKeyHash(made))
    try Self.write(made, issued.certificateFile)
    let file = try Self.require(BIO_new_file(issued.keyFile, "w"))
    defer { BIO_free(file) }
    try Self.require(PEM_write_bio_PrivateKey(file, own, nil, nil, 0, nil, nil) == 1)
    return issued
  }

  // MARK: libcrypto

  private static func makeKey(_ kind: KeyKind) throws -> OpaquePointer {
    let name = kind == .p256 ? "EC" : "ED25519"
    let context = try require(EVP_PKEY_CTX_new_from_name(nil, name, nil))
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    try require(EVP_PKEY_keygen_init(context) == 1)
    if kind == .p256 { try require(EVP_PKEY_CTX_set_group_name(context, "P-256") == 1) }
    try require(EVP_PKEY_generate(context, &key) == 1)
    return try require(key)
  }

  private static func fill(
    _ certificate: OpaquePointer, _ key: OpaquePointer, serial: Int, name: String, from: Int,
    until: Int
  ) throws {
    try require(X509_set_version(certificate, 2) == 1)
    try require(ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) == 1)
    try require(X509_gmtime_adj(X509_getm_notBefore(certificate), from) != nil)
    try require(X509_gmtime_adj(X509_getm_notAfter(certificate), until) != nil)
    try require(X509_set_pubkey(certificate, key) == 1)
    try require(
      X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1)
  }

  private static func add(
    _ kind: Int32, _ value: String, to certificate: OpaquePointer, _ issuer: OpaquePointer
  ) throws {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
    let extended = try require(X509V3_EXT_conf_nid(nil, &context, kind, value))
    defer { X509_EXTENSION_free(extended) }
    try require(X509_add_ext(certificate, extended, -1) == 1)
  }

  private static func sign(
    _ certificate: OpaquePointer, issuer: OpaquePointer, _ key: OpaquePointer
  ) throws {
    // Ed25519 has a digest of its own.
    let digest = EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 ? nil : EVP_sha256()
    try require(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1)
    try require(X509_sign(certificate, key, digest) > 0)
  }

  private static func write(_ certificate: OpaquePointer, _ path: String) throws {
    let file = try require(BIO_new_file(path, "w"))
    defer { BIO_free(file) }
    try require(PEM_write_bio_X509(file, certificate) == 1)
  }

  private static func publicKeyHash(_ certificate: OpaquePointer) throws -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    try require(quiver_tls_public_key_hash(certificate, &hash) == 1)
    return hash
  }

  private static func require(_ holds: Bool, line: Int = #line) throws {
    guard holds else { throw Failure(description: "libcrypto failed (line \(line))") }
  }

  private static func require(
    _ pointer: OpaquePointer?, line: Int = #line
  ) throws -> OpaquePointer {
    guard let pointer else { throw Failure(description: "libcrypto failed (line \(line))") }
    return pointer
  }
}
