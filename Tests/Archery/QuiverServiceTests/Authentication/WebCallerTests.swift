import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Calls that came to a gateway without encryption", .timeLimit(.minutes(5)))
struct WebCallerTests {
  private static let key = "quiver-unencrypted"
  private static let ownToken = "qg_of-this-test"

  private static var options: ServerAssembly.Options {
    var options = ServerAssembly.Options.withDiagnostics
    options.ownGatewayToken = Array(ownToken.utf8)
    return options
  }

  private static func marked(isAnonymous: Bool = false, address: String? = nil) -> CallOptions {
    var options = CallOptions()
    options.metadata.append(key, "1")
    if isAnonymous { options.metadata.append(StatedCaller.anonymousKey, "1") }
    if let address { options.metadata.append(StatedCaller.addressKey, address) }
    return options
  }

  /// A client that connects for callers of the server's own gateway with that token.
  private static func client(
    _ server: TestServer, token: String? = nil, gateway: String = ownToken
  ) throws -> RPCClient {
    var configuration = RPCClient.Configuration(server: server.address, token: token)
    configuration.gatewayToken = { gateway }
    return try RPCClient(configuration)
  }

  private static func error<Value>(_ body: () async throws -> Value) async -> RPCError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? RPCError
    }
  }

  @Test("The token of a user is refused with what to do, and admitted without the mark")
  func users() async throws {
    try await TestServer.run(Self.options) { server in
      for kind in [PrincipalRecord.Kind.user, .service, .administrator] {
        let secret = try server.secret(of: try server.principal(kind, named: "Robin").id)
        let client = try Self.client(server, token: secret)
        let refusal = await Self.error {
          try await client.call(Account.whoAmI, WhoAmIRequest(), options: Self.marked())
        }
        #expect(refusal?.code == .permissionDenied && refusal?.isNotProcessed == true)
        #expect(refusal?.message.contains("use an address with https") == true)
        let stream = await Self.error {
          var replies = try client.stream(
            Equipment.watchItems, WatchItemsRequest(), options: Self.marked()
          ).makeAsyncIterator()
          _ = try await replies.next()
        }
        #expect(stream?.code == .permissionDenied)
        #expect(try await client.call(Account.whoAmI, WhoAmIRequest()).principal != nil)
      }
    }
  }

  @Test("The mark counts on any connection: it takes rights away and gives none")
  func anyConnection() async throws {
    try await TestServer.run(Self.options) { server in
      let robin = try server.client(named: "Robin")
      let refusal = await Self.error {
        try await robin.client.call(Account.whoAmI, WhoAmIRequest(), options: Self.marked())
      }
      #expect(refusal?.code == .permissionDenied)
      var empty = CallOptions()
      empty.metadata.append(Self.key, "")
      let options = empty
      let other = await Self.error {
        try await robin.client.call(Account.whoAmI, WhoAmIRequest(), options: options)
      }
      #expect(other?.code == .permissionDenied)
    }
  }

  @Test("A spectator's token is admitted")
  func spectators() async throws {
    try await TestServer.run(Self.options) { server in
      let robin = try server.client(named: "Robin")
      let event = try await robin.client.call(
        Tournament.createTournament,
        .with {
          $0.name = "Cup"
          $0.isPublic = true
          $0.format = .with { $0.codename = "wa18" }
        })
      let nobody = try Self.client(server)
      let token = try await nobody.call(
        Tournament.getSpectatorToken, .with { $0.joinCode = event.joinCode },
        options: Self.marked(isAnonymous: true, address: "192.0.2.1")
      ).token
      let spectator = try Self.client(server, token: token)
      var replies = try spectator.stream(
        Tournament.watchLeaderboard, .with { $0.tournamentID = event.id }, options: Self.marked()
      ).makeAsyncIterator()
      #expect(try await replies.next() != nil)
    }
  }

  @Test("Nobody may ask for health, the token of a spectator and a target, and for nothing else")
  func nobody() async throws {
    try await TestServer.run(Self.options) { server in
      let client = try Self.client(server)
      let options = Self.marked(isAnonymous: true)
      let health = try await client.call(
        Health.methods.check, HealthCheckRequest(), options: options)
      #expect(health.status == .serving)
      let unknown = await Self.error {
        try await client.call(
          Tournament.getSpectatorToken, .with { $0.joinCode = "NO-SUCH-CODE-AT-ALL" },
          options: options)
      }
      #expect(unknown?.code == .notFound)
      // Its reply would have the token of a user.
      let invite = await Self.error {
        try await client.call(
          Account.redeemInvite, .with { $0.code = "NO-SUCH-CODE-AT-ALL" }, options: options)
      }
      #expect(invite?.code == .permissionDenied)
      let plain = await Self.error {
        try await client.call(Account.redeemInvite, .with { $0.code = "NO-SUCH-CODE-AT-ALL" })
      }
      #expect(plain?.code == .notFound)
    }
  }

  private static func officialOptions(_ takesOfficials: Bool) -> ServerAssembly.Options {
    var options = options
    options.takesOpenOfficials = takesOfficials
    return options
  }

  /// Signs somebody in by a new code, without encryption; returns the token.
  private static func signIn(
    _ role: QuiverAPI.EventRole, _ number: UInt8, of event: TestEvent, _ server: TestServer,
    options: CallOptions = marked(isAnonymous: true)
  ) async throws -> (refusal: RPCError?, token: String, code: String, principal: Int64) {
    let id = event.id
    let made = try await event.organiser.call(
      Events.createOfficialCode,
      .with { ($0.tournamentID, $0.role, $0.displayName) = (id, role, "Official") })
    let secret = (0..<32).map { $0 &* 5 &+ number }
    let nobody = try client(server)
    let refusal = await error {
      _ = try await nobody.call(
        Events.signInOfficial, .with { ($0.code, $0.deviceSecret) = (made.code, secret) },
        options: options)
    }
    return (
      refusal, "qo_" + Base64URL.encode(secret), made.code, made.official?.principalID ?? 0
    )
  }

  @Test("Officials do not sign in without encryption unless the operator says so")
  func closedToOfficials() async throws {
    try await TestServer.run(Self.officialOptions(false)) { server in
      let event = try await TestEvent(server)
      let refused = try await Self.signIn(.judge, 1, of: event, server)
      #expect(refused.refusal?.code == .permissionDenied)
      let signedIn = try await Self.signIn(.judge, 2, of: event, server, options: CallOptions())
      #expect(signedIn.refusal == nil)
      let judge = try Self.client(server, token: signedIn.token)
      let id = event.id
      let marked = await Self.error {
        try await judge.call(
          Events.listEventEntries, .with { $0.tournamentID = id }, options: Self.marked())
      }
      #expect(marked?.code == .permissionDenied)
    }
  }

  @Test("If the operator says so, judges and helpers at check-in sign in, and nobody else")
  func officials() async throws {
    try await TestServer.run(Self.officialOptions(true)) { server in
      let event = try await TestEvent(server)
      let id = event.id
      for (number, role) in [QuiverAPI.EventRole.judge, .checkIn].enumerated() {
        let signedIn = try await Self.signIn(role, UInt8(number + 1), of: event, server)
        #expect(signedIn.refusal == nil)
        let official = try Self.client(server, token: signedIn.token)
        let list = try await official.call(
          Events.listEventEntries, .with { $0.tournamentID = id }, options: Self.marked())
        #expect(list.entries.isEmpty)
        // Others may have read the token: it gets no other rights.
        let principal = signedIn.principal
        let raised = await event.organiser.refusal(
          Events.setEventOfficial,
          .with { ($0.tournamentID, $0.principalID, $0.role) = (id, principal, .organiser) })
        #expect(raised?.code == .failedPrecondition)
        #expect(raised?.message.contains("role:") == true)
      }
      for (number, role) in [QuiverAPI.EventRole.organiser, .scorer, .results].enumerated() {
        let refused = try await Self.signIn(role, UInt8(number + 9), of: event, server)
        #expect(refused.refusal?.code == .permissionDenied)
        #expect(refused.refusal?.message.contains("code") == true)
        let plain = try await Self.signIn(
          role, UInt8(number + 19), of: event, server, options: CallOptions())
        #expect(plain.refusal == nil)
        let official = try Self.client(server, token: plain.token)
        let marked = await Self.error {
          try await official.call(
            Events.listEventEntries, .with { $0.tournamentID = id }, options: Self.marked())
        }
        #expect(marked?.code == .permissionDenied)
      }
      // The token of a user is refused as before.
      let robin = try server.secret(of: try server.principal(named: "Robin").id)
      let user = try Self.client(server, token: robin)
      let refusal = await Self.error {
        try await user.call(Account.whoAmI, WhoAmIRequest(), options: Self.marked())
      }
      #expect(refusal?.code == .permissionDenied)
      let invite = await Self.error {
        let nobody = try Self.client(server)
        return try await nobody.call(
          Account.redeemInvite, .with { $0.code = "NO-SUCH-CODE-AT-ALL" },
          options: Self.marked(isAnonymous: true))
      }
      #expect(invite?.code == .permissionDenied)
    }
  }

  @Test("The server's own gateway reads the description of the methods, and nothing else")
  func ownGateway() async throws {
    try await TestServer.run(Self.options) { server in
      let client = try server.client(token: Self.ownToken).client
      #expect(
        try await !client.call(Reflection.methods.describe, DescribeRequest()).methods.isEmpty)
      #expect(
        try await client.call(Health.methods.check, HealthCheckRequest()).status == .serving)
      for refusal in [
        await Self.error { try await client.call(Account.whoAmI, WhoAmIRequest()) },
        await Self.error { try await client.call(Equipment.listItems, ListItemsRequest()) },
        await Self.error {
          try await client.call(Tournament.createTournament, .with { $0.name = "Cup" })
        },
      ] {
        #expect(refusal?.code == .permissionDenied)
      }
      // It is a token that may do little, and still none that others may read.
      let sent = await Self.error {
        try await client.call(
          Reflection.methods.describe, DescribeRequest(), options: Self.marked())
      }
      #expect(sent?.code == .permissionDenied)
      #expect(sent?.message.contains("not encrypted") == true)
    }
  }

  @Test("The gateway's own token gives its callers neither its rights nor its restriction")
  func callersOfOwnGateway() async throws {
    try await TestServer.run(Self.options) { server in
      let robin = try server.principal(named: "Robin")
      let calling = try Self.client(server, token: try server.secret(of: robin.id))
      #expect(try await calling.call(Account.whoAmI, WhoAmIRequest()).principal?.id == robin.id)
      let nobody = try Self.client(server)
      let refusal = await Self.error { try await nobody.call(Account.whoAmI, WhoAmIRequest()) }
      #expect(refusal?.code == .unauthenticated)
      // The restricted token of the gateway makes no user's token one that may be read.
      let marked = await Self.error {
        try await calling.call(Account.whoAmI, WhoAmIRequest(), options: Self.marked())
      }
      #expect(marked?.code == .permissionDenied)
    }
  }

  @Test("Another token is not the own gateway's, also one that begins like it")
  func otherTokens() async throws {
    try await TestServer.run(Self.options) { server in
      for token in ["qg_of-this-tesT", "qg_of-this-tes", "qg_of-this-test2", "q"] {
        let client = try server.client(token: token).client
        let refusal = await Self.error {
          try await client.call(Reflection.methods.describe, DescribeRequest())
        }
        #expect(refusal?.code == .unauthenticated)
      }
    }
    // Where the server starts no gateway there is none.
    try await TestServer.run { server in
      let client = try server.client(token: Self.ownToken).client
      let refusal = await Self.error {
        try await client.call(Reflection.methods.describe, DescribeRequest())
      }
      #expect(refusal?.code == .unauthenticated)
    }
  }
}
