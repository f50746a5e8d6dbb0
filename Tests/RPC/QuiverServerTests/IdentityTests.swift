import QuiverServer
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
}
