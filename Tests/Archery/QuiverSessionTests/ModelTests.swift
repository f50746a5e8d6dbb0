import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("The screens' models")
struct ModelTests {
  @Test("of the hub count ten types in three groups, and what waits with them")
  func hub() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try server.session(token, transport: transport)
      let hub = EquipmentHubModel(session)
      #expect(hub.groups.isEmpty && hub.errorText == nil && !hub.isLoading)
      await hub.load()
      #expect(
        hub.groups.map(\.label) == [
          "Bow components", "String & stabilization", "Arrows & accessories",
        ])
      #expect(hub.groups.flatMap(\.counts).count == 10)
      #expect(hub.total == 0 && hub.staleSince == nil && hub.errorText == nil)
      let one = try session.create(Riser("Hoyt", "One"))
      try session.create(Riser("Hoyt", "Two"))
      await hub.load()
      #expect(hub.total == 2 && hub.count(of: .riser) == 2 && hub.groups[0].total == 2)
      transport.disconnect()
      try session.delete(one)
      try session.create(Riser("Hoyt", "Three"))
      try session.create(Riser("Hoyt", "Four"))
      await hub.load()
      #expect(hub.total == 3 && hub.staleSince != nil && hub.errorText == nil && !hub.isLoading)
      transport.reconnect()
      await hub.load()
      #expect(hub.total == 3 && hub.staleSince == nil)
      await session.close()
    }
  }

  @Test("say what is wrong, are empty then, and show the last state once that is cleared")
  func errors() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      transport.disconnect()
      let session = try server.session(token, transport: transport)
      let hub = EquipmentHubModel(session)
      let list = EquipmentListModel(session)
      await hub.load()
      await list.load(.riser)
      #expect(hub.errorText?.hasPrefix("Failed to load equipment counts: ") == true)
      #expect(list.errorText?.hasPrefix("Failed to load equipment: ") == true)
      #expect(hub.groups.isEmpty && !hub.isLoading && list.items.isEmpty && !list.isLoading)
      transport.reconnect()
      await session.syncNow()
      try session.create(Riser("Hoyt", "One"))
      await hub.load()
      await list.load(.riser)
      #expect(hub.errorText == nil && hub.total == 1 && list.errorText == nil)
      transport.fail(with: RPCError(.permissionDenied, "not yours"))
      await hub.load()
      await list.load(.riser)
      #expect(hub.errorText == "Failed to load equipment counts: not yours")
      #expect(list.errorText == "Failed to load equipment: not yours")
      #expect(hub.groups.isEmpty && hub.total == 0 && !hub.isLoading)
      #expect(list.items.isEmpty && !list.isLoading)
      hub.clearError()
      list.clearError()
      #expect(hub.errorText == nil && hub.total == 1)
      #expect(list.errorText == nil && list.items.count == 1)
      await session.close()
    }
  }

  @Test("of a list show one type with marks, on line and off line, and delete from it")
  func list() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let other = try server.client(token)
      for model in ["One", "Two"] {
        var request = CreateRiserRequest()
        request.riser = Riser("Hoyt", model)
        _ = try await other.call(Equipment.createRiser, request)
      }
      let transport = FaultyTransport(try server.client(token))
      let session = try server.session(token, transport: transport)
      let list = EquipmentListModel(session)
      await list.load(.riser)
      #expect(list.items.map(\.displayModel) == ["Two", "One"])
      #expect(list.items.map(\.displayBrand) == ["Hoyt", "Hoyt"])
      #expect(list.items.map(\.mark) == [.synced, .synced] && list.staleSince == nil)
      transport.disconnect()
      try session.create(Riser("Hoyt", "Three"))
      #expect(list.delete(list.items[0].id))
      await list.load(.riser)
      #expect(list.items.map(\.displayModel) == ["Three", "One"])
      #expect(list.items.map(\.mark) == [.waiting, .synced] && list.staleSince != nil)
      try session.change(list.items[1].id) { $0.notes = "off line" }
      #expect(!list.delete(LocalID(rawValue: 9_999)))
      #expect(list.errorText?.hasPrefix("Failed to delete equipment: ") == true)
      list.clearError()
      try session.setArchived(true, list.items[1].id)
      await list.load(.riser)
      #expect(list.items.map(\.displayModel) == ["Three"])
      list.includesArchived = true
      #expect(list.items.map(\.displayModel) == ["Three", "One"])
      transport.reconnect()
      await list.load(.riser)
      #expect(list.items.map(\.mark) == [.synced, .synced] && list.staleSince == nil)
      await list.load(.arrow)
      #expect(list.items.isEmpty && list.errorText == nil)
      await session.close()
    }
  }

  @Test("of a list follow what another device did, whole objects included")
  func following() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let phone = try server.session(token)
      let tablet = try server.session(token, on: "tablet")
      await phone.syncNow()
      let id = try phone.create(Riser("Hoyt", "One"))
      await phone.syncNow()
      let list = EquipmentListModel(tablet)
      await list.load(.riser)
      try phone.change(id) { $0.notes = "new" }
      await phone.syncNow()
      await list.load(.riser)
      #expect(try tablet.item(Riser.self, list.items[0].id)?.notes == "new")
      try tablet.change(list.items[0].id) { $0.notes = "newer" }
      #expect(await tablet.syncNow().conflictCount == 0)
      try tablet.delete(list.items[0].id)
      await tablet.syncNow()
      try await phone.loadRisers()
      #expect(try phone.items(of: .riser).isEmpty)
      await phone.close()
      await tablet.close()
    }
  }

  @Test("of the outbox show what waits and what is held, and carry out what is decided")
  func outbox() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try server.session(token)
      let client = try server.client(token)
      let outbox = OutboxModel(session)
      await outbox.sync()
      let id = try session.create(Riser("Hoyt", "One"))
      await outbox.sync()
      #expect(outbox.entries.isEmpty && outbox.connection == .online && !outbox.isSyncing)
      try await client.note(try session.serverID(id), "theirs")
      try session.change(id) { $0.notes = "mine" }
      await outbox.sync()
      #expect(outbox.attentionCount == 1 && outbox.waitingCount == 0)
      #expect(outbox.overwrite(outbox.entries[0].id))
      #expect(outbox.waitingCount == 1)
      await outbox.sync()
      #expect(outbox.entries.isEmpty && outbox.errorText == nil)
      #expect(!outbox.discard(9_999))
      #expect(outbox.errorText != nil)
      outbox.clearError()
      await server.stop()
      await outbox.sync()
      #expect(outbox.errorText != nil && outbox.connection == .offline)
      await session.close()
    }
  }

  @Test("of the setups show the default, copies and errors")
  func setups() async throws {
    try await SessionServer.run { server in
      let session = try server.session(try server.token())
      let list = BowSetupListModel(session)
      await list.load()
      #expect(list.items.isEmpty && list.errorText == nil && !list.isLoading)
      var setup = BowSetup()
      setup.name = "Indoor"
      let id = try session.create(setup)
      #expect(list.makeDefault(id) && list.copy(id))
      #expect(list.items.map(\.name) == ["Indoor", "Indoor (copy)"])
      #expect(list.items.map(\.isDefault) == [true, false])
      await list.load()
      #expect(list.items.map(\.mark) == [.synced, .synced] && list.staleSince == nil)
      #expect(list.items.map(\.isDefault) == [true, false])
      #expect(list.delete(list.items[1].id))
      #expect(!list.delete(LocalID(rawValue: 9_999)) && list.errorText != nil)
      await list.load()
      #expect(list.items.map(\.name) == ["Indoor"] && list.errorText == nil)
      await session.close()
    }
  }

  @Test("send by themselves what is changed, once the server is there")
  func byItself() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try server.session(token) { configuration in
        configuration.syncsByItself = true
        configuration.limits.firstRetryDelay = .milliseconds(10)
        configuration.limits.longestRetryDelay = .milliseconds(50)
      }
      var changes = session.changes().makeAsyncIterator()
      while !session.isOnline { await changes.next() }
      try session.create(Riser("Hoyt", "One"))
      while try !session.outbox().isEmpty { await changes.next() }
      await server.stop()
      try session.create(Riser("Hoyt", "Two"))
      while session.isOnline { await changes.next() }
      try await server.start()
      while try !session.outbox().isEmpty { await changes.next() }
      #expect(try await server.client(token).everything().count == 2)
      await session.close()
    }
  }

  @Test("stop at a token that is not good, and lose nothing")
  func signedOut() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try server.session(token, transport: transport)
      await session.syncNow()
      try session.create(Riser("Hoyt", "One"))
      transport.fail(
        with: RPCError(.unauthenticated, "the token was revoked", isNotProcessed: true))
      #expect(await session.syncNow().error?.code == .call(.unauthenticated))
      #expect(session.connection == .signedOut)
      #expect(try session.outbox().map(\.mark) == [.waiting])
      await session.close()
    }
  }
}
