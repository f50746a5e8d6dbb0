import QuiverRPC
import QuiverTLS
import TestCertificates

/// How the connections of a run are encrypted: real TLS at both ends.
struct Security {
  var client: any SecureClientContext
  var server: any SecureServerContext
}

/// An authority with a certificate for the simulated servers.
///
/// Its keys are Ed25519, whose signatures all have the same length: the lengths of a seed's
/// handshakes, and so its times, are the same in each run, though their bytes are not.
final class SimulatedAuthority {
  private let authority: TestAuthority
  private let certificate: TestAuthority.Issued

  init() throws {
    authority = try TestAuthority(.ed25519)
    certificate = try authority.issue("server")
  }

  /// The security of one run. Nothing is kept from run to run, tickets included.
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
