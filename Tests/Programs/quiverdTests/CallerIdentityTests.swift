import Foundation
import Glibc
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

/// Callers that are authenticated without a token, with the built server over real sockets.
@Suite("Callers known by certificate or Unix user", .serialized, .timeLimit(.minutes(20)))
struct CallerIdentityTests {
  let tls: TLSProcessTests

  init() throws { tls = try TLSProcessTests() }

  private func whoAmI(_ client: RPCClient) async throws -> WhoAmIResponse {
    try await client.call(Account.whoAmI, WhoAmIRequest())
  }

  private func refusal(_ client: RPCClient) async -> RPCError? {
    await #expect(throws: RPCError.self) { try await whoAmI(client) }
  }

  /// A client without a token that shows the client certificate.
  private func certified(_ port: String) throws -> RPCClient {
    try tls.client(port, certificate: true, token: nil)
  }

  private func bind(
    _ name: String, to principal: Int64, by admin: RPCClient
  ) async throws -> CertificateBinding {
    var request = BindCertificateRequest()
    request.principalID = principal
    request.kind = .uri
    request.name = name
    return try await admin.call(Admin.bindCertificate, request)
  }

  private func makeUser(_ name: String, by admin: RPCClient) async throws -> Int64 {
    var request = CreatePrincipalRequest()
    request.kind = .user
    request.displayName = name
    return try await admin.call(Admin.createPrincipal, request).id
  }

  @Test("A bound certificate authenticates its principal, and unbinding it ends its connections")
  func binding() async throws {
    let (process, port) = try tls.serve(
      "--tls-client-ca", tls.certificates + "/ca.pem", "--tls-client", "optional")
    let admin = try tls.client(port)
    // A verified certificate without a binding is anonymous.
    #expect(await refusal(try certified(port))?.code == .unauthenticated)

    let archer = try await makeUser("Clout", by: admin)
    let binding = try await bind("quiver:user/archer", to: archer, by: admin)
    let calling = try certified(port)
    let answer = try await whoAmI(calling)
    #expect(answer.principal?.id == archer && answer.tokenID == 0)
    // A token counts before the certificate.
    let both = try tls.client(port, certificate: true)
    #expect(try await whoAmI(both).principal?.id != archer)

    var watching = try calling.stream(Equipment.watchItems, WatchItemsRequest())
      .makeAsyncIterator()
    _ = try await watching.next()
    var removal = RemoveCertificateBindingRequest()
    removal.id = binding.id
    _ = try await admin.call(Admin.removeCertificateBinding, removal)
    let ending = await #expect(throws: RPCError.self) {
      while try await watching.next() != nil {}
    }
    #expect(
      ending?.message.contains("no longer bound") == true || ending?.code == .unauthenticated,
      "\(ending?.description ?? "")")
    #expect(process.line(of: "certificates-unbound").contains("count=1"))
    // Neither the old connection nor a new one is authenticated any more.
    #expect(await refusal(calling)?.code == .unauthenticated)
    #expect(await refusal(try certified(port))?.code == .unauthenticated)
    #expect(try await whoAmI(admin).principal?.id != archer)
    process.send(SIGTERM)
    #expect(process.end().code == 0)
  }

  @Test("A client with a bound certificate can rotate a token over TLS")
  func rotation() async throws {
    let (process, port) = try tls.serve("--tls-client-ca", tls.certificates + "/ca.pem")
    let admin = try tls.client(port, certificate: true)
    let archer = try await makeUser("Nock", by: admin)
    _ = try await bind("quiver:user/archer", to: archer, by: admin)
    // A caller without a token has none to rotate.
    let certified = try certified(port)
    let none = await #expect(throws: RPCError.self) {
      try await certified.call(Account.rotateToken, RotateTokenRequest())
    }
    #expect(none?.code == .failedPrecondition)
    // A client that reads its token from a file continues with the new one.
    let file = tls.directory.path + "/token"
    let old = try tls.token()
    try old.write(toFile: file, atomically: true, encoding: .utf8)
    let reading = try tls.client(port, certificate: true, source: .file(file))
    #expect(try await whoAmI(reading).principal?.id != archer)
    var request = RotateTokenRequest()
    request.overlapMilliseconds = 0
    let rotated = try await reading.call(Account.rotateToken, request)
    try rotated.secret.write(toFile: file, atomically: true, encoding: .utf8)
    // The server ends the connection of the old token behind the reply.
    var seen: Int64?
    for _ in 0..<1_000 where seen != rotated.token?.id {
      seen = try? await whoAmI(reading).tokenID
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(seen == rotated.token?.id)
    #expect(
      await refusal(try tls.client(port, certificate: true, token: old))?.code
        == .unauthenticated)
    process.send(SIGTERM)
    #expect(process.end().code == 0)
  }

  @Test("A user of the Unix socket is the principal that --unix-principal names, without a token")
  func unixPrincipal() async throws {
    let path = tls.directory.path + "/socket"
    let data = tls.directory.path + "/data"
    func client() throws -> RPCClient {
      var configuration = RPCClient.Configuration(server: "unix:\(path)")
      configuration.limits.maxAttempts = 1
      return try RPCClient(configuration)
    }
    for (user, isKnown) in [(getuid(), true), (getuid() + 1, false)] {
      let process = try ServerProcess(
        "--data", data, "--listen", "unix:\(path)", "--unix-principal", "\(user)=1")
      try #require(process.line(of: "listening").contains("socket"))
      let calling = try client()
      if isKnown {
        let answer = try await whoAmI(calling)
        #expect(answer.principal?.id == 1 && answer.tokenID == 0)
      } else {
        #expect(await refusal(calling)?.code == .unauthenticated)
      }
      process.send(SIGTERM)
      #expect(process.end().code == 0)
    }
  }
}
