import QuiverServer
import QuiverTLS
import TestCertificates
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct IdentityTests {
  static let tokens = TokenIdentityProvider([
    "0123456789abcdef": Principal("shop"),
    "fedcba9876543210": Principal("reader", mayMutate: false),
  ])

  @Test("The principal of a call is the one that the provider has found")
  func thePrincipalOfACall() async throws {
    try await withServer(NoteHandlers().with { $0.identity = Self.tokens }) { _, address in
      let named = try await withClient(address, token: "0123456789abcdef") { client in
        try await client.call(Notes.hello, Note()).text
      }
      #expect(named == "shop")
      try await withClient(address) { client in
        let nobody = try await client.call(Notes.hello, Note())
        #expect(nobody.text == "nobody")
        let refused = await code { _ = try await client.call(Notes.get, Note()) }
        #expect(refused == .unauthenticated)
      }
      let unknown = await code {
        try await withClient(address, token: "0000000000000000") { client in
          _ = try await client.call(Notes.hello, Note())
        }
      }
      #expect(unknown == .unauthenticated)
    }
  }

  @Test("A principal that may not change anything is refused mutating calls")
  func aPrincipalThatMayNot() async throws {
    try await withServer(NoteHandlers().with { $0.identity = Self.tokens }) { _, address in
      try await withClient(address, token: "fedcba9876543210") { client in
        _ = try await client.call(Notes.get, Note())
        let refused = await code { _ = try await client.call(Notes.add, Note()) }
        #expect(refused == .permissionDenied)
      }
    }
  }

  struct Acting: IdentityProvider {
    func principal(for credentials: Credentials) async throws -> Principal? { Principal("counter") }

    func principal(
      of service: Principal, actingForUser user: Int64, calling method: CalledMethod
    ) async throws -> Principal {
      guard service.name == "counter", user < 100 else {
        throw RPCError(.permissionDenied, "not for that user")
      }
      return Principal("user \(user)")
    }
  }

  @Test("A service acts for the users that the provider allows")
  func aServiceActsForThe() async throws {
    try await withServer(NoteHandlers().with { $0.identity = Acting() }) { _, address in
      try await withClient(address) { client in
        let allowed = try await client.call(
          Notes.hello, Note(), options: CallOptions(metadata: ["quiver-user": "7"]))
        #expect(allowed.text == "user 7")
        let refused = await code {
          _ = try await client.call(
            Notes.hello, Note(), options: CallOptions(metadata: ["quiver-user": "700"]))
        }
        #expect(refused == .permissionDenied)
      }
    }
  }

  struct Failing: IdentityProvider {
    var error: RPCError

    func principal(for credentials: Credentials) async throws -> Principal? { throw error }
  }

  @Test(
    "A provider that fails ends the connection, UNAVAILABLE where it states that",
    arguments: [
      (StatusCode.unavailable, StatusCode.unavailable), (.internal, .unauthenticated),
      (.unauthenticated, .unauthenticated),
    ])
  func aProviderThatFailsEnds(_ thrown: StatusCode, _ expected: StatusCode) async throws {
    let failing = Failing(error: RPCError(thrown, "the directory cannot be asked"))
    try await withServer(NoteHandlers().with { $0.identity = failing }) { _, address in
      let ended = await code {
        try await withClient(address, token: "0123456789abcdef") { client in
          _ = try await client.call(Notes.hello, Note())
        }
      }
      #expect(ended == expected)
    }
  }

  struct Endless: IdentityProvider {
    let gate: Gate

    func principal(for credentials: Credentials) async throws -> Principal? {
      await gate.wait()
      return Principal("late")
    }
  }

  @Test("A provider that never answers ends the connection at the time limit of the handshake")
  func aProviderThatNeverAnswers() async throws {
    let gate = Gate()
    let handlers = NoteHandlers().with {
      $0.identity = Endless(gate: gate)
      $0.limits.handshakeTimeout = .milliseconds(100)
    }
    try await withServer(handlers) { server, address in
      let ended = await code {
        try await withClient(address) { client in _ = try await client.call(Notes.hello, Note()) }
      }
      #expect(ended != .ok)
      #expect(await eventually { server.connectionCount == 0 })
      gate.open()
    }
  }

  @Test("The connections of a principal end when the server is told so")
  func theConnectionsOfAPrincipal() async throws {
    try await withServer(NoteHandlers().with { $0.identity = Self.tokens }) { server, address in
      try await withClient(address, token: "0123456789abcdef") { shop in
        try await withClient(address, token: "fedcba9876543210") { reader in
          _ = try await shop.call(Notes.get, Note())
          _ = try await reader.call(Notes.get, Note())
          #expect(server.connectionCount == 2)
          server.end(connectionsOf: Principal("shop"))
          #expect(await eventually { server.connectionCount == 1 })
          _ = try await reader.call(Notes.get, Note())
        }
      }
    }
  }

  /// Lets the services that a certificate names call for users.
  struct ByCertificate: IdentityProvider {
    func principal(for credentials: Credentials) async throws -> Principal? {
      credentials.certificateURIs.first.map { Principal($0) }
    }

    func principal(
      of service: Principal, actingForUser user: Int64, calling method: CalledMethod
    ) async throws -> Principal {
      guard service.name == "urn:service:front" else {
        throw RPCError(.permissionDenied, "this service calls for nobody")
      }
      return Principal("user \(user)")
    }
  }

  @Test("A service that its certificate names acts for users, and another one does not")
  func aServiceThatItsCertificate() async throws {
    let authority = try TestAuthority()
    let own = try authority.issue("server")
    let security = ServerSecurity(
      certificateFile: own.certificateFile, keyFile: own.keyFile,
      clientCertificates: .required(authoritiesFile: authority.authorityFile))
    let handlers = NoteHandlers().with {
      $0.addresses = ["tls://127.0.0.1:0"]
      $0.security = security
      $0.identity = ByCertificate()
    }
    let authorities = authority.authorityFile
    let shown = try ["front", "other"].map { name in
      let issued = try authority.issue(name, "URI:urn:service:\(name)")
      return TLSConfiguration.ClientCertificate(
        certificateFile: issued.certificateFile, keyFile: issued.keyFile)
    }
    try await withServer(handlers) { _, address in
      let expectations = [("front", StatusCode.ok), ("other", .permissionDenied)]
      for ((name, expected), certificate) in zip(expectations, shown) {
        var tls = TLSConfiguration(trustedRoots: .file(authorities))
        tls.clientCertificate = certificate
        var configuration = RPCClient.Configuration(server: address)
        configuration.security = try .tls(tls)
        let client = try RPCClient(configuration)
        let hello = try await client.call(Notes.hello, Note())
        #expect(hello.text == "urn:service:\(name)")
        let acting = await code {
          let reply = try await client.call(
            Notes.hello, Note(), options: CallOptions(metadata: ["quiver-user": "7"]))
          #expect(reply.text == "user 7")
        }
        #expect(acting == expected)
        await client.close()
      }
    }
  }
}
