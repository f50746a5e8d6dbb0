import Glibc
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Calls through a gateway", .timeLimit(.minutes(5)))
struct GatewayCallerTests {
  /// The store of a new server numbers its principals from 1.
  private static let gatewayID: Int64 = 1

  private static var options: ServerAssembly.Options {
    var options = ServerAssembly.Options.withDiagnostics
    options.gatewayPrincipals = [gatewayID]
    return options
  }

  private static func stated(address: String? = nil, isAnonymous: Bool = true) -> CallOptions {
    var options = CallOptions()
    if isAnonymous { options.metadata.append(StatedCaller.anonymousKey, "1") }
    if let address { options.metadata.append(StatedCaller.addressKey, address) }
    return options
  }

  /// A client that connects for callers of the gateway with that token.
  private static func client(
    _ server: TestServer, gateway: String, token: String? = nil
  ) throws -> RPCClient {
    var configuration = RPCClient.Configuration(server: server.address, token: token)
    configuration.gatewayToken = { gateway }
    return try RPCClient(configuration)
  }

  private static func code<Value>(_ body: () async throws -> Value) async -> StatusCode? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? RPCError)?.code
    }
  }

  /// How often wrong codes of an address are answered NOT_FOUND before it has to wait.
  private static func attempts(_ client: RPCClient, from address: String?) async -> Int {
    for count in 0..<20 {
      let code = await code {
        try await client.call(
          Tournament.getSpectatorToken, .with { $0.joinCode = "NO-SUCH-CODE-AT-ALL" },
          options: stated(address: address))
      }
      if code != .notFound { return count }
    }
    return 20
  }

  @Test("A call that says anonymous has no principal, by whatever its connection is known")
  func anonymous() async throws {
    var options = ServerAssembly.Options.withDiagnostics
    options.unixPrincipals = [getuid(): 1]
    try await TestServer.run(options) { server in
      let robin = try server.principal(.administrator, named: "Robin")
      #expect(robin.id == 1)
      let reading = try server.client(of: robin.id, [.read])
      for client in [try server.nobody().client, reading.client] {
        let known = try await client.call(Account.whoAmI, WhoAmIRequest())
        #expect(known.principal?.id == robin.id)
        for value in ["1", "", "0"] {
          var options = CallOptions()
          options.metadata.append(StatedCaller.anonymousKey, value)
          let stated = options
          let refusal = await #expect(throws: RPCError.self) {
            try await client.call(Account.whoAmI, WhoAmIRequest(), options: stated)
          }
          #expect(refusal?.code == .unauthenticated && refusal?.isNotProcessed == true)
        }
        let health = try await client.call(
          Health.methods.check, HealthCheckRequest(), options: Self.stated())
        #expect(health.status == .serving)
        // Neither its scope nor its grants count.
        let code = await Self.code {
          try await client.call(
            Account.redeemInvite, .with { $0.code = "NO-SUCH-CODE-AT-ALL" },
            options: Self.stated())
        }
        #expect(code == .notFound)
        // The next call is the principal's again.
        #expect(try await client.call(Account.whoAmI, WhoAmIRequest()).principal?.id == robin.id)
      }
    }
  }

  @Test("A stream that says anonymous has no principal")
  func anonymousStream() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      var replies = try robin.client.stream(
        Equipment.watchItems, WatchItemsRequest(), options: Self.stated()
      ).makeAsyncIterator()
      let refusal = await #expect(throws: RPCError.self) { _ = try await replies.next() }
      #expect(refusal?.code == .unauthenticated)
    }
  }

  @Test("The addresses that a gateway states for its callers count each for itself")
  func addresses() async throws {
    try await TestServer.run(Self.options) { server in
      let gateway = try server.principal(.service, named: "gateway")
      #expect(gateway.id == Self.gatewayID)
      let secret = try server.secret(of: gateway.id)
      let client = try Self.client(server, gateway: secret)
      let expected = await Self.attempts(client, from: "192.0.2.1")
      #expect(expected > 0 && expected < 20)
      #expect(await Self.attempts(client, from: "192.0.2.1") == 0)
      #expect(await Self.attempts(client, from: "192.0.2.2") == expected)
      // IPv6 is counted by its first 64 bits.
      #expect(await Self.attempts(client, from: "2001:db8::1") == expected)
      #expect(await Self.attempts(client, from: "2001:db8::2") == 0)
      // What can be no address is that of the connection.
      #expect(await Self.attempts(client, from: "a b") == expected)
      #expect(await Self.attempts(client, from: String(repeating: "9", count: 65)) == 0)
      #expect(await Self.attempts(client, from: nil) == 0)
    }
  }

  @Test("The address that anybody else states does not count")
  func forged() async throws {
    try await TestServer.run(Self.options) { server in
      _ = try server.principal(.service, named: "gateway")
      let other = try server.principal(.service, named: "another service")
      let user = try server.principal(.administrator, named: "Sheriff")
      let credentials: [String] = [
        "", "wrong", try server.secret(of: other.id), try server.secret(of: user.id),
      ]
      var expected = 10
      for (number, secret) in credentials.enumerated() {
        let client = try Self.client(server, gateway: secret)
        #expect(await Self.attempts(client, from: "198.51.100.\(number)") == expected)
        expected = 0
      }
    }
  }

  @Test("A gateway has room for many streams of nobody, and none of its own rights")
  func streams() async throws {
    try await TestServer.run(Self.options) { server in
      let gateway = try server.principal(.service, named: "gateway")
      let secret = try server.secret(of: gateway.id)
      var configuration = RPCClient.Configuration(server: server.address)
      configuration.gatewayToken = { secret }
      configuration.limits.maxConnections = 1
      let client = try RPCClient(configuration)
      // Without a mark too: the connection is made for nobody.
      let unmarked = await Self.code { try await client.call(Account.whoAmI, WhoAmIRequest()) }
      #expect(unmarked == .unauthenticated)
      var streams: [ReplyStream<HealthCheckResponse>] = []
      for _ in 0..<50 {
        let stream = try client.stream(
          Health.methods.watch, HealthCheckRequest(), options: Self.stated())
        var replies = stream.makeAsyncIterator()
        _ = try await replies.next()
        streams.append(stream)
      }
      let health = try await client.call(
        Health.methods.check, HealthCheckRequest(), options: Self.stated())
      #expect(health.status == .serving)
      #expect(client.connectionCount == 1)
      // With a caller's token the connection is the caller's.
      let robin = try server.principal(named: "Robin")
      let calling = try Self.client(server, gateway: secret, token: try server.secret(of: robin.id))
      #expect(try await calling.call(Account.whoAmI, WhoAmIRequest()).principal?.id == robin.id)
      // Without its principal the gateway has no connections for nobody.
      let admin = try server.client(.administrator, named: "Sheriff")
      _ = try await admin.call(Admin.disablePrincipal, .with { $0.id = gateway.id })
      for stream in streams {
        var replies = stream.makeAsyncIterator()
        await #expect(throws: RPCError.self) { while try await replies.next() != nil {} }
      }
      #expect(try await calling.call(Account.whoAmI, WhoAmIRequest()).principal?.id == robin.id)
    }
  }
}
