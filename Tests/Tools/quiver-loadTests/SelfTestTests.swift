import QuiverRPC
import QuiverTLS
import TestCertificates
import Testing

@testable import quiver_load

@Suite("The tester is honest", .serialized, .timeLimit(.minutes(5)))
struct SelfTestTests {
  @Test(
    "A server that stalls for a second shows it in the latencies, over TLS as well",
    arguments: [false, true])
  func stall(isSecure: Bool) throws {
    let authority = try TestAuthority()
    let issued = try authority.issue("server")
    let security = SelfTest.Security(
      server: try TLSServer(
        .init(certificateFile: issued.certificateFile, keyFile: issued.keyFile)),
      client: try .tls(TLSConfiguration(trustedRoots: .file(authority.authorityFile))))
    let finding = try SelfTest.run(isSecure ? security : nil)
    #expect(finding.isHonest, "\(finding.lines.joined(separator: "\n"))")
  }
}
