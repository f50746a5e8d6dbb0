import QuiverAPI
import QuiverTLS
import TestCertificates
import TestSupport
import Testing

@testable import QuiverSession

@Suite("A session over TLS", .timeLimit(.minutes(5)))
struct SecureSessionTests {
  @Test("signs in, sends a change and reads it back through an encrypted connection")
  func sends() async throws {
    let authority = try TestAuthority()
    let issued = try authority.issue("server")
    let security = try TLSServer(
      .init(certificateFile: issued.certificateFile, keyFile: issued.keyFile))
    let device = try TemporaryDirectory()
    try await SessionServer.run(security: security) { server in
      var configuration = OfflineSession.Configuration(
        server: server.address, token: try server.token(), directory: device.path)
      configuration.syncsByItself = false
      configuration.security = try .tls(
        TLSConfiguration(trustedRoots: .file(authority.authorityFile)))
      let session = try await OfflineSession(configuration)
      #expect(await session.syncNow().error == nil)
      try await session.create(Riser("Hoyt", "Formula XD"))
      #expect(await session.syncNow().sentCount == 1)
      #expect(session.isOnline)
      await session.close()
    }
  }

  @Test("does not accept the address of an encrypted server without a way to encrypt")
  func needsSecurity() async throws {
    let device = try TemporaryDirectory()
    let configuration = OfflineSession.Configuration(
      server: "tls://archery.example:7450", token: "qv_x", directory: device.path)
    let error = await #expect(throws: SessionError.self) {
      try await OfflineSession(configuration)
    }
    #expect(error?.message.contains("security") == true)
  }
}
