import QuiverRPC
import QuiverService
import QuiverStore
import Testing

@Suite("Authentication without a token", .timeLimit(.minutes(5)))
struct PeerAuthenticationTests {
  private static let nobody = CommandOptions(caller: CommandCaller(principal: 0))

  private func caller(
    _ authenticator: TokenAuthenticator, _ peer: ConnectionPeer, token: [UInt8] = []
  ) -> Caller? {
    if case .caller(let caller) = authenticator.verdict(token: token, peer: peer) {
      caller
    } else {
      nil
    }
  }

  private func isAnonymous(_ authenticator: TokenAuthenticator, _ peer: ConnectionPeer) -> Bool {
    if case .anonymous = authenticator.verdict(token: [], peer: peer) { true } else { false }
  }

  private func principal(_ server: TestServer, _ name: String) throws -> Int64 {
    try server.store.perform(
      CreatePrincipal(kind: .service, displayName: name), Self.nobody
    ).id
  }

  @Test("A bound certificate authenticates its principal until the binding is removed")
  func bound() async throws {
    try await TestServer.run { server in
      let authenticator = TokenAuthenticator(server.store, maxFailedTokensPerMinute: 2)
      let id = try principal(server, "Phone")
      let peer = ConnectionPeer(
        address: "a",
        certificate: PeerIdentity(uris: ["quiver:phone/1"], dnsNames: ["phone.example"]))
      #expect(isAnonymous(authenticator, peer))
      let uri = try server.store.perform(
        BindCertificate(principal: id, name: try CertificateName(.uri, "quiver:phone/1")),
        Self.nobody)
      let known = try #require(caller(authenticator, peer))
      #expect(known.principalID == id && known.certificateBindingID == uri.id)
      #expect(known.tokenID == 0 && known.kind == .service && known.mayMutate)
      _ = try server.store.perform(UnbindCertificate(id: uri.id), Self.nobody)
      #expect(isAnonymous(authenticator, peer))
    }
  }

  @Test("A DNS name authenticates if no URI is bound; unbound names do not")
  func names() async throws {
    try await TestServer.run { server in
      let authenticator = TokenAuthenticator(server.store, maxFailedTokensPerMinute: 2)
      let id = try principal(server, "Scoreboard")
      _ = try server.store.perform(
        BindCertificate(principal: id, name: try CertificateName(.dns, "board.example")),
        Self.nobody)
      let board = PeerIdentity(uris: ["no URI"], dnsNames: ["*.example", "board.example"])
      #expect(
        caller(authenticator, ConnectionPeer(address: "a", certificate: board))?.principalID == id)
      let other = PeerIdentity(uris: ["dns:board.example"], dnsNames: ["board.example.org"])
      #expect(isAnonymous(authenticator, ConnectionPeer(address: "a", certificate: other)))
      #expect(isAnonymous(authenticator, ConnectionPeer(address: "a")))
    }
  }

  @Test("A token takes precedence over the certificate, valid or not")
  func tokenFirst() async throws {
    try await TestServer.run { server in
      let authenticator = TokenAuthenticator(server.store, maxFailedTokensPerMinute: 2)
      let bound = try principal(server, "Phone")
      let owner = try principal(server, "Owner")
      _ = try server.store.perform(
        BindCertificate(principal: bound, name: try CertificateName(.uri, "quiver:phone/1")),
        Self.nobody)
      let token = try server.store.perform(
        try CreateToken(principal: owner, label: ""), Self.nobody)
      let peer = ConnectionPeer(
        address: "a", certificate: PeerIdentity(uris: ["quiver:phone/1"]))
      #expect(
        caller(authenticator, peer, token: Array(token.secret.utf8))?.principalID == owner)
      #expect(caller(authenticator, peer, token: Array("bad".utf8)) == nil)
    }
  }

  @Test("A user of a Unix socket is the principal in the configuration")
  func unixUser() async throws {
    try await TestServer.run { server in
      let id = try principal(server, "Backup")
      let authenticator = TokenAuthenticator(
        server.store, maxFailedTokensPerMinute: 2, unixPrincipals: [1000: id, 1001: id + 500])
      func peer(_ user: UInt32?) -> ConnectionPeer {
        ConnectionPeer(address: "unix", unixUserID: user)
      }
      #expect(caller(authenticator, peer(1000))?.principalID == id)
      // No such principal, no such user, no Unix socket.
      for user in [1001, 1002, nil] as [UInt32?] {
        #expect(isAnonymous(authenticator, peer(user)))
      }
    }
  }
}
