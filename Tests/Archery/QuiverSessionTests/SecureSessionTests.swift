import QuiverAPI
import QuiverRPC
import QuiverTLS
import TestCertificates
import Testing

@testable import QuiverSession

@Suite("A session over TLS", .timeLimit(.minutes(5)))
struct SecureSessionTests {
  let authority: TestAuthority
  let security: TLSServer

  init() throws {
    authority = try TestAuthority()
    let issued = try authority.issue("server")
    security = try TLSServer(
      .init(certificateFile: issued.certificateFile, keyFile: issued.keyFile))
  }

  private func session(
    _ server: SessionServer, _ token: String, roots: TLSConfiguration.TrustedRoots?
  ) async throws -> OfflineSession {
    var configuration = OfflineSession.Configuration(
      server: server.address, token: token, directory: server.directory + "/phone")
    configuration.syncsByItself = false
    configuration.security = try roots.map { try .tls(TLSConfiguration(trustedRoots: $0)) }
    return try await OfflineSession(configuration)
  }

  @Test("signs in, sends changes and works on while the server is away")
  func syncs() async throws {
    try await SessionServer.run(security: security) { server in
      let session = try await session(
        server, try server.token(), roots: .file(authority.authorityFile))
      #expect(await session.syncNow().error == nil && session.isOnline)
      try await session.create(Riser("Hoyt", "Encrypted"))
      #expect(await session.syncNow().sentCount == 1)
      await server.stop()
      try await session.create(Riser("Hoyt", "Later"))
      #expect(await session.syncNow().error?.isTransient == true)
      try await server.start()
      #expect(await session.syncNow().sentCount == 1)
      #expect(try await session.items(of: .riser).count == 2)
      await session.close()
    }
  }

  @Test("a server that is not trusted gets nothing, and the error says why")
  func notTrusted() async throws {
    try await SessionServer.run(security: security) { server in
      let token = try server.token()
      let session = try await session(server, token, roots: .system)
      let error = await session.syncNow().error
      #expect(error?.description.contains("not trusted here") == true, "\(error.debugDescription)")
      #expect(!session.isOnline && session.identity == nil)
      await session.close()
      // Without TLS an address that wants it is refused before anything is sent.
      let refusal = await #expect(throws: SessionError.self) {
        try await self.session(server, token, roots: nil)
      }
      #expect(refusal?.message.contains("security") == true)
    }
  }
}
