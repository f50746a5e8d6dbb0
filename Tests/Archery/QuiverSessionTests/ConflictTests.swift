import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@Suite("Refused changes", .timeLimit(.minutes(5)))
struct ConflictTests {
  /// How an owner decides about a conflict.
  enum Decision: CaseIterable { case overwrite, discard, retry }

  @Test(
    "A change of an item that another device changed conflicts until the user decides",
    arguments: Decision.allCases)
  func conflict(_ decision: Decision) async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      await session.syncNow()
      let serverID = try await session.serverID(id)
      try await client.note(serverID, "theirs")
      try await session.change(id) { $0.notes = "mine" }
      #expect(await session.syncNow().conflictCount == 1)
      let entry = try #require(try await session.outbox().first)
      #expect(entry.mark == .conflict && entry.statusCode == .aborted && !entry.verdict.isEmpty)
      #expect(entry.serverObject(Riser.self)?.notes == "theirs")
      #expect(try await session.items(of: .riser).map(\.mark) == [.conflict])
      #expect(try await session.item(Riser.self, id)?.notes == "mine")
      #expect(await session.syncNow() == SyncReport())
      switch decision {
      case .overwrite: try await session.overwrite(entry.id)
      case .discard: try await session.discard(entry.id)
      case .retry: try await session.retry(entry.id)
      }
      let report = await session.syncNow()
      let notes = try await client.riser(serverID).notes
      switch decision {
      case .overwrite:
        #expect(report.sentCount == 1 && notes == "mine")
        #expect(try await session.items(of: .riser).map(\.mark) == [.synced])
      case .discard:
        #expect(report == SyncReport() && notes == "theirs")
        #expect(try await session.item(Riser.self, id)?.notes == "theirs")
      case .retry:
        #expect(report.conflictCount == 1 && notes == "theirs")
      }
      await session.close()
    }
  }

  @Test("A refused change blocks later changes of its own object only")
  func blocking() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      await session.syncNow()
      let held = try await session.create(Riser("Hoyt", "Held"))
      let free = try await session.create(Riser("Hoyt", "Free"))
      await session.syncNow()
      try await client.note(try await session.serverID(held), "theirs")
      try await session.change(held) { $0.notes = "mine" }
      try await session.change(held) { $0.material = "carbon" }
      try await session.change(free) { $0.notes = "sent" }
      let report = await session.syncNow()
      #expect(report.conflictCount == 1 && report.sentCount == 1 && report.error == nil)
      #expect(try await client.riser(try await session.serverID(free)).notes == "sent")
      #expect(try await session.outbox().map(\.mark) == [.conflict, .waiting])
      let first = try #require(try await session.outbox().first)
      try await session.overwrite(first.id)
      #expect(await session.syncNow().sentCount == 2)
      let riser = try await client.riser(try await session.serverID(held))
      #expect(riser.notes == "mine" && riser.material == "carbon")
      await session.close()
    }
  }

  @Test(
    "A refused deletion names the setups with the item, which stays visible until the user decides"
  )
  func heldBySetup() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let riser = try await session.create(Riser("Hoyt", "One"))
      var setup = BowSetup()
      setup.name = "Outdoor"
      setup.components = [try await session.component(riser)]
      let setupID = try await session.create(setup)
      #expect(await session.syncNow().sentCount == 2)
      try await session.delete(riser)
      #expect(try await session.items(of: .riser).isEmpty)
      #expect(await session.syncNow().refusedCount == 1)
      let entry = try #require(try await session.outbox().first)
      #expect(entry.statusCode == .failedPrecondition && entry.verdict.contains("Outdoor"))
      #expect(try await session.items(of: .riser).map(\.mark) == [.refused])
      try await session.discard(entry.id)
      #expect(try await session.items(of: .riser).map(\.mark) == [.synced])
      try await session.delete(riser, detaches: true)
      #expect(await session.syncNow().sentCount == 1)
      #expect(try await session.setup(setupID)?.components == [])
      await session.close()
    }
  }

  @Test(
    "A change of a deleted object cannot be sent again, and the object goes with its discarding"
  )
  func gone() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      await session.syncNow()
      var request = DeleteItemRequest<Riser>()
      request.id = try await session.serverID(id)
      _ = try await client.call(Equipment.risers.delete, request)
      try await session.change(id) { $0.notes = "mine" }
      #expect(await session.syncNow().refusedCount == 1)
      let entry = try #require(try await session.outbox().first)
      #expect(entry.statusCode == .notFound)
      #expect(try await session.item(Riser.self, id)?.notes == "mine")
      await #expect(throws: SessionError.self) { try await session.overwrite(entry.id) }
      try await session.discard(entry.id)
      #expect(try await session.items(of: .riser).isEmpty)
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }

  @Test("Deleting a deleted object is no conflict")
  func goneTwice() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let phone = try await server.session(token)
      let tablet = try await server.session(token, on: "tablet")
      await phone.syncNow()
      try await phone.create(Riser("Hoyt", "One"))
      await phone.syncNow()
      try await tablet.loadRisers()
      try await tablet.delete(try #require(try await tablet.items(of: .riser).first).id)
      try await phone.delete(try #require(try await phone.items(of: .riser).first).id)
      #expect(await tablet.syncNow().sentCount == 1)
      #expect(await phone.syncNow().sentCount == 1)
      #expect(try await phone.outbox().isEmpty)
      await phone.close()
      await tablet.close()
    }
  }

  @Test("A corrected change is sent again", arguments: [true, false])
  func corrected(_ isNew: Bool) async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      if !isNew {
        await session.syncNow()
        try await session.change(id) { $0.notes = "refused" }
      }
      transport.refuseNext(RPCError(.invalidArgument, "riser.notes: says too much"))
      #expect(await session.syncNow().refusedCount == 1)
      #expect(try await session.items(of: .riser).map(\.mark) == [.refused])
      try await session.change(id) { $0.notes = "short" }
      try await session.change(id) { $0.material = "carbon" }
      #expect(await session.syncNow().sentCount == 2)
      let riser = try await server.client(token).riser(try await session.serverID(id))
      #expect(riser.notes == "short" && riser.material == "carbon")
      #expect(try await session.items(of: .riser).map(\.mark) == [.synced])
      await session.close()
    }
  }

  @Test("A change that the server may have processed cannot be discarded")
  func unclear() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      try await session.create(Riser("Hoyt", "One"))
      transport.loseAnswers(1)
      await session.syncNow()
      let entry = try #require(try await session.outbox().first)
      let refused = await #expect(throws: SessionError.self) { try await session.discard(entry.id) }
      #expect(refused?.code == .notPossible)
      transport.disconnect()
      let unsent = try await session.create(Riser("Hoyt", "Two"))
      await session.syncNow()
      try await session.change(unsent) { $0.notes = "n" }
      try await session.discard(try await session.outbox()[1].id)
      #expect(try await session.outbox().count == 1)
      #expect(try await session.items(of: .riser).count == 1)
      await session.close()
    }
  }

  @Test("A copy of a setup without a name has the name that the server gives it")
  func unnamedCopy() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      let copy = try await session.copySetup(try await session.create(BowSetup()))
      #expect(try await session.setup(copy)?.name == "Unnamed setup (copy)")
      #expect(await session.syncNow().error == nil)
      var request = GetBowSetupRequest()
      request.id = try #require(try await session.setup(copy)).id
      let stored = try await server.client(token).call(Equipment.getBowSetup, request)
      #expect(stored.name == "Unnamed setup (copy)")
      await session.close()
    }
  }

  @Test("Moving the user's own default setup is no conflict")
  func defaults() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      var setup = BowSetup()
      setup.name = "One"
      let one = try await session.create(setup)
      let two = try await session.copySetup(one, named: "Two")
      await session.syncNow()
      try await session.makeDefault(one)
      await session.syncNow()
      #expect(try await session.setups().map(\.isDefault) == [true, false])
      try await session.makeDefault(two)
      #expect(try await session.setups().map(\.isDefault) == [false, true])
      var first = try #require(try await session.setup(one))
      first.notes = "n"
      try await session.update(one, to: first)
      let report = await session.syncNow()
      #expect(report.conflictCount == 0 && report.refusedCount == 0 && report.error == nil)
      #expect(try await session.outbox().isEmpty)
      #expect(try await session.setups().map(\.isDefault) == [false, true])
      #expect(try await session.setup(one)?.notes == "n")
      try await session.setActive(false, one)
      try await session.delete(two)
      await session.syncNow()
      #expect(try await session.setups().isEmpty)
      #expect(try await session.setups(includesInactive: true).count == 1)
      await session.close()
    }
  }
}
