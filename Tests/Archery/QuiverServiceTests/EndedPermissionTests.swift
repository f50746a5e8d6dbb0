import Glibc
import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Open streams end with the permission that they rest on", .timeLimit(.minutes(5)))
struct EndedPermissionTests {
  /// Open streams of one caller: two kinds of watch and a stream that is no watch.
  private struct Streams {
    var hub: ReplyStream<WatchHubResponse>.Iterator
    var days: ReplyStream<WatchTrainingLogResponse>.Iterator
    var source: ReplyStream<EchoMessage>.Iterator

    /// Opens them and reads their first messages.
    init(_ client: Client, _ metadata: Metadata = [:]) async throws {
      // A stream that does not end fails the test at its deadline.
      let options = CallOptions(timeout: .seconds(8), metadata: metadata)
      hub = try client.client.stream(
        Equipment.watchHub, WatchHubRequest(), options: options
      ).makeAsyncIterator()
      days = try client.client.stream(
        Logbook.watchTrainingLog,
        .with {
          $0.fromDay = 20_000
          $0.toDay = 20_001
        }, options: options
      ).makeAsyncIterator()
      source = try client.client.stream(
        Diagnostics.source,
        .with {
          $0.count = .max
          $0.size = 1_024
          $0.intervalMilliseconds = 1
        }, options: options
      ).makeAsyncIterator()
      _ = try await hub.next()
      _ = try await days.next()
      _ = try await source.next()
    }

    /// How each of them ends.
    mutating func codes() async -> [StatusCode] {
      var codes: [StatusCode] = []
      do throws(RPCError) {
        while try await hub.next() != nil {}
      } catch {
        codes.append(error.code)
      }
      do throws(RPCError) {
        while try await days.next() != nil {}
      } catch {
        codes.append(error.code)
      }
      do throws(RPCError) {
        while try await source.next() != nil {}
      } catch {
        codes.append(error.code)
      }
      return codes
    }
  }

  private static func denied(_ streams: inout Streams) async {
    #expect(await streams.codes() == [.permissionDenied, .permissionDenied, .permissionDenied])
  }

  private static func unauthenticated(_ streams: inout Streams) async {
    #expect(await streams.codes() == [.unauthenticated, .unauthenticated, .unauthenticated])
  }

  /// Checks that a watch still receives changes of its principal.
  private static func checkFollows(_ streams: inout Streams, changedBy client: Client) async throws
  {
    _ = try await client.call(Equipment.risers.create, .of(.hoyt))
    #expect(try await streams.hub.next()?.hub?.total == 1)
  }

  @Test("RevokeActing ends what the service has open for that user and nothing else")
  func revokedGrant() async throws {
    try await TestServer.run { server in
      let people = try ActingTests.People(server)
      try await people.grant(people.robin)
      try await people.grant(people.marian)
      var forRobin = try await Streams(people.sync, ActingTests.naming(people.robin))
      var forMarian = try await Streams(people.sync, ActingTests.naming(people.marian))
      var own = try await Streams(people.sync)
      let robin = try server.client(of: people.robin.id, [.read, .write])
      var robins = try await Streams(robin)
      try await people.revoke(people.robin)
      await Self.denied(&forRobin)
      let marian = try server.client(of: people.marian.id, [.read, .write])
      try await Self.checkFollows(&forMarian, changedBy: marian)
      try await Self.checkFollows(&robins, changedBy: robin)
      #expect(try await own.source.next() != nil)
    }
  }

  @Test("A narrowed grant ends an open import of sets, and a watch under the grant continues")
  func narrowedGrant() async throws {
    try await TestServer.run { server in
      let people = try ActingTests.People(server)
      try await people.grant(people.robin)
      let metadata = ActingTests.naming(people.robin)
      var streams = try await Streams(people.sync, metadata)
      let importing = try people.sync.client.open(
        Logbook.importSets, options: CallOptions(timeout: .seconds(8), metadata: metadata))
      try await importing.send(
        .with {
          $0.options = ImportOptions()
          $0.chunk = Array(ImportSetsTests.log(3_000).utf8)
        })
      var replies = importing.replies.makeAsyncIterator()
      // The import is open: it has stored sets.
      #expect(try await replies.next()?.result == nil)
      _ = try await people.admin.call(
        Admin.grantActing,
        .with {
          $0.serviceID = people.service.id
          $0.userID = people.robin.id
          $0.scopes = [.read]
        })
      var end: StatusCode?
      do throws(RPCError) {
        while try await replies.next() != nil {}
      } catch {
        end = error.code
      }
      #expect(end == .permissionDenied)
      let robin = try server.client(of: people.robin.id, [.read, .write])
      try await Self.checkFollows(&streams, changedBy: robin)
      #expect(try await streams.source.next() != nil)
    }
  }

  @Test("A watch ends UNAUTHENTICATED when its token expires, and one of another token continues")
  func expiredToken() async throws {
    try await TestServer.run { server in
      let robin = try server.principal(.user, named: "Robin")
      let end = StoreClock.system.wallMilliseconds() + 3_600_000
      let ending = try server.store.perform(
        try CreateToken(principal: robin.id, label: "", expiresAtMilliseconds: end),
        CommandOptions(caller: CommandCaller(principal: 0)))
      let lasting = try server.client(of: robin.id, [.read, .write])
      var expired = try await Streams(try server.client(token: ending.secret))
      var kept = try await Streams(lasting)
      // As `quiverd` does twice a second.
      let ids = server.assembly.authenticator.expiringTokens.takeExpired(at: end)
      #expect(ids == [ending.record.id])
      server.server.revalidate(EndedPermissions(tokenIDs: Set(ids)))
      await Self.unauthenticated(&expired)
      try await Self.checkFollows(&kept, changedBy: lasting)
    }
  }

  @Test("A disabled user loses the streams of its own connections and of services that act for it")
  func disabledUser() async throws {
    try await TestServer.run { server in
      let people = try ActingTests.People(server)
      try await people.grant(people.robin)
      var forRobin = try await Streams(people.sync, ActingTests.naming(people.robin))
      var own = try await Streams(try server.client(of: people.robin.id, [.read, .write]))
      _ = try await people.admin.call(
        Admin.disablePrincipal, .with { $0.id = people.robin.id })
      await Self.denied(&forRobin)
      await Self.unauthenticated(&own)
    }
  }

  @Test("A deleted account loses the streams of its own connections and of services")
  func deletedAccount() async throws {
    try await TestServer.run { server in
      let people = try ActingTests.People(server)
      try await people.grant(people.robin)
      var forRobin = try await Streams(people.sync, ActingTests.naming(people.robin))
      let robin = try server.client(of: people.robin.id, [.read, .write])
      var own = try await Streams(robin)
      _ = try await robin.call(
        Account.deleteMyAccount, .with { $0.confirmation = people.robin.shownName })
      await Self.denied(&forRobin)
      await Self.unauthenticated(&own)
    }
  }

  @Test("A disabled service loses the streams that it has open for users")
  func disabledService() async throws {
    try await TestServer.run { server in
      let people = try ActingTests.People(server)
      try await people.grant(people.robin)
      var forRobin = try await Streams(people.sync, ActingTests.naming(people.robin))
      _ = try await people.admin.call(
        Admin.disablePrincipal, .with { $0.id = people.service.id })
      await Self.unauthenticated(&forRobin)
    }
  }

  @Test("A revoked token ends its own streams and those of no other token")
  func revokedToken() async throws {
    try await TestServer.run { server in
      let people = try ActingTests.People(server)
      let first = try server.client(of: people.robin.id, [.read, .write])
      let second = try server.client(of: people.robin.id, [.read, .write])
      var revoked = try await Streams(first)
      var kept = try await Streams(second)
      let identity = try await first.call(Account.whoAmI, WhoAmIRequest())
      _ = try await people.admin.call(Admin.revokeToken, .with { $0.id = identity.tokenID })
      await Self.unauthenticated(&revoked)
      try await Self.checkFollows(&kept, changedBy: second)
    }
  }

  @Test("A principal known by its Unix user loses its streams when it is disabled")
  func disabledUnixUser() async throws {
    var options = ServerAssembly.Options.withDiagnostics
    // The store of a new server numbers its principals from 1.
    options.unixPrincipals = [getuid(): 1]
    try await TestServer.run(options) { server in
      let robin = try server.principal(.user, named: "Robin")
      #expect(robin.id == 1)
      let admin = try server.client(.administrator, named: "Sheriff")
      var streams = try await Streams(try server.nobody())
      _ = try await admin.call(Admin.disablePrincipal, .with { $0.id = robin.id })
      await Self.unauthenticated(&streams)
    }
  }
}
