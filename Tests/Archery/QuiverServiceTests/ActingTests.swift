import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("Services that act for users", .timeLimit(.minutes(5)))
struct ActingTests {
  /// A service, two users, and an administrator.
  struct People {
    let service: PrincipalRecord
    let robin: PrincipalRecord
    let marian: PrincipalRecord
    let sync: Client
    let admin: Client

    init(_ server: TestServer) throws {
      service = try server.principal(.service, named: "Sync")
      robin = try server.principal(.user, named: "Robin")
      marian = try server.principal(.user, named: "Marian")
      sync = try server.client(of: service.id, [.read, .write])
      admin = try server.client(.administrator, named: "Sheriff")
    }

    func grant(_ user: PrincipalRecord) async throws {
      var request = GrantActingRequest()
      request.serviceID = service.id
      request.userID = user.id
      let grant = try await admin.call(Admin.grantActing, request)
      #expect(grant.serviceID == service.id && grant.userID == user.id)
    }

    func revoke(_ user: PrincipalRecord) async throws {
      var request = RevokeActingRequest()
      request.serviceID = service.id
      request.userID = user.id
      _ = try await admin.call(Admin.revokeActing, request)
    }
  }

  static func naming(_ user: PrincipalRecord) -> Metadata { ["quiver-user": "\(user.id)"] }

  @Test("A service's call for a user has the user's objects, keys and identity")
  func acting() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      try await people.grant(people.robin)
      let made = try await people.sync.call(
        Equipment.risers.create, .of(.hoyt), metadata: Self.naming(people.robin))
      let robin = try server.client(of: people.robin.id, [.read, .write])
      var read = GetItemRequest<Riser>()
      read.id = made.id
      #expect(try await robin.call(Equipment.risers.get, read) == made)
      // The service itself has no such item, nor has another user.
      #expect(await people.sync.refusal(Equipment.risers.get, read)?.code == .notFound)
      let identity = try await people.sync.call(
        Account.whoAmI, WhoAmIRequest(), metadata: Self.naming(people.robin))
      #expect(identity.principal?.id == people.robin.id)
    }
  }

  @Test("A call without a grant fails with PERMISSION_DENIED and has no effect")
  func denied() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let robin = try server.client(of: people.robin.id, [.read, .write])
      let before = try server.lastSequence()
      func refused(_ client: Client, _ user: PrincipalRecord) async {
        let refusal = await client.refusal(
          Equipment.risers.create, .of(.hoyt), metadata: Self.naming(user))
        #expect(refusal?.code == .permissionDenied && refusal?.isNotProcessed == true)
        #expect(refusal?.message.hasPrefix("quiver-user: ") == true)
      }
      await refused(people.sync, people.robin)
      // Users and administrators act for nobody, not even for themselves.
      await refused(people.admin, people.robin)
      await refused(robin, people.marian)
      await refused(robin, people.robin)
      await refused(people.sync, people.service)
      #expect(try server.lastSequence() == before)

      try await people.grant(people.robin)
      _ = try await people.sync.call(
        Equipment.risers.create, .of(.hoyt), metadata: Self.naming(people.robin))
      await refused(people.sync, people.marian)
      try await people.revoke(people.robin)
      await refused(people.sync, people.robin)

      // Of a user who is disabled nothing is done either.
      try await people.grant(people.marian)
      var disable = DisablePrincipalRequest()
      disable.id = people.marian.id
      _ = try await people.admin.call(Admin.disablePrincipal, disable)
      await refused(people.sync, people.marian)
    }
  }

  @Test(
    "A request that names no single user fails with INVALID_ARGUMENT",
    arguments: ["", "0", "-1", "+7", " 7", "07", "seven", "9223372036854775808"])
  func badNames(_ name: String) async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let refusal = await people.sync.refusal(
        Equipment.risers.create, .of(.hoyt), metadata: ["quiver-user": name])
      #expect(refusal?.code == .invalidArgument)
      let twice = await people.sync.refusal(
        Equipment.risers.create, .of(.hoyt), metadata: ["quiver-user": "1", "quiver-user": "1"])
      #expect(twice?.code == .invalidArgument)
      let nobody = try await server.nobody().refusal(
        Health.check, HealthCheckRequest(), metadata: ["quiver-user": "1"])
      #expect(nobody?.code == .unauthenticated)
    }
  }

  @Test("Idempotency keys belong to the user for whom the service acts")
  func keys() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      try await people.grant(people.robin)
      try await people.grant(people.marian)
      let key = IdempotencyKey.random()
      let first = try await people.sync.call(
        Equipment.risers.create, .of(.hoyt), key: key, metadata: Self.naming(people.robin))
      let again = try await people.sync.call(
        Equipment.risers.create, .of(.hoyt), key: key, metadata: Self.naming(people.robin))
      let marians = try await people.sync.call(
        Equipment.risers.create, .of(.hoyt), key: key, metadata: Self.naming(people.marian))
      #expect(first == again && marians.id != first.id)
      // The user's own call under that key is the same call.
      let robin = try server.client(of: people.robin.id, [.read, .write])
      #expect(try await robin.call(Equipment.risers.create, .of(.hoyt), key: key) == first)
    }
  }

  @Test("A read-only token of a service reads for a user, and cannot administer")
  func scopes() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      try await people.grant(people.robin)
      let reader = try server.client(of: people.service.id, [.read])
      let refusal = await reader.refusal(
        Equipment.risers.create, .of(.hoyt), metadata: Self.naming(people.robin))
      #expect(refusal?.code == .permissionDenied)
      _ = try await reader.call(
        Account.whoAmI, WhoAmIRequest(), metadata: Self.naming(people.robin))
      let administers = await people.sync.refusal(
        Admin.listPrincipals, ListPrincipalsRequest(), metadata: Self.naming(people.robin))
      #expect(administers?.code == .permissionDenied)
    }
  }

  @Test("A grant is created once, is listed, and ends with the account")
  func grants() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      try await people.grant(people.robin)
      let before = try server.lastSequence()
      try await people.grant(people.robin)
      #expect(try server.lastSequence() == before)
      try await people.grant(people.marian)
      var list = ListActingGrantsRequest()
      list.pageSize = 1
      let first = try await people.admin.call(Admin.listActingGrants, list)
      list.pageToken = first.nextPageToken
      let second = try await people.admin.call(Admin.listActingGrants, list)
      #expect(first.grants.map(\.userID) == [people.robin.id])
      #expect(second.grants.map(\.userID) == [people.marian.id] && second.nextPageToken.isEmpty)
      var wrong = GrantActingRequest()
      wrong.serviceID = people.robin.id
      wrong.userID = people.marian.id
      #expect(await people.admin.refusal(Admin.grantActing, wrong)?.code == .invalidArgument)
      wrong.serviceID = people.service.id
      wrong.userID = people.service.id
      #expect(await people.admin.refusal(Admin.grantActing, wrong)?.code == .invalidArgument)
      wrong.userID = 999
      #expect(await people.admin.refusal(Admin.grantActing, wrong)?.code == .notFound)
      wrong.userID = people.robin.id
      #expect(await people.sync.refusal(Admin.grantActing, wrong)?.code == .permissionDenied)

      let robin = try server.client(of: people.robin.id, [.read, .write])
      var deletion = DeleteMyAccountRequest()
      deletion.confirmation = people.robin.shownName
      _ = try await robin.call(Account.deleteMyAccount, deletion)
      var all = ListActingGrantsRequest()
      all.serviceID = people.service.id
      let left = try await people.admin.call(Admin.listActingGrants, all)
      #expect(left.grants.map(\.userID) == [people.marian.id])
      let missing = RevokeActingRequest()
      #expect(await people.admin.refusal(Admin.revokeActing, missing)?.code == .notFound)
    }
  }
}
