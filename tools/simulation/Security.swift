import QuiverRPC
import QuiverTLS
import TestCertificates

/// The encryption of a run's connections: real TLS at both ends.
struct Security {
  var client: any SecureClientContext
  var server: any SecureServerContext
}

/// An authority with a certificate for the simulated servers.
///
/// Its keys are Ed25519, whose signatures have a fixed length: the lengths of a seed's handshakes,
/// and so its times, are the same in each run, although the bytes differ.
final class SimulatedAuthority {
  private let authority: TestAuthority
  private let certificate: TestAuthority.Issued

  init() throws {
    authority = try TestAuthority(.ed25519)
    certificate = try authority.issue("server")
  }

  /// The security of one run. Runs share nothing, not even tickets.
  func security() -> Security {
    do {
      return Security(
        client: try TLSClient(TLSConfiguration(trustedRoots: .file(authority.authorityFile))),
        server: try TLSServer(
          .init(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)))
    } catch {
      preconditionFailure("the authority's files can be read: \(error)")
    }
  }
}
