import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("The models of the screens", .timeLimit(.minutes(5)))
struct ModelTests {
  @Test("The hub counts ten types in three groups, including pending changes")
  func hub() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let hub = EquipmentHubModel(session)
      #expect(hub.groups.isEmpty && hub.state.errorText == nil && !hub.state.isLoading)
      try await hub.load()
      #expect(
        hub.groups.map(\.label) == [
          "Bow components", "String & stabilization", "Arrows & accessories",
        ])
      #expect(hub.groups.flatMap(\.counts).count == 10)
      #expect(hub.total == 0 && hub.state.staleSince == nil && hub.state.errorText == nil)
      let one = try await session.create(Riser("Hoyt", "One"))
      try await session.create(Riser("Hoyt", "Two"))
      try await hub.load()
      #expect(hub.total == 2 && hub.count(of: .riser) == 2 && hub.groups[0].total == 2)
      transport.disconnect()
      try await session.delete(one)
      try await session.create(Riser("Hoyt", "Three"))
      try await session.create(Riser("Hoyt", "Four"))
      try await hub.load()
      #expect(
        hub.total == 3 && hub.state.staleSince != nil && hub.state.errorText == nil
          && !hub.state.isLoading)
      transport.reconnect()
      try await hub.load()
      #expect(hub.total == 3 && hub.state.staleSince == nil)
      await session.close()
    }
  }

  @Test(
    "Models have the error and no content after a failure, and the last state once it is cleared"
  )
  func errors() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      transport.disconnect()
      let session = try await server.session(token, transport: transport)
      let hub = EquipmentHubModel(session)
      let list = EquipmentListModel(session)
      #expect(await failure { try await hub.load() } != nil)
      #expect(await failure { try await list.load(.riser) } != nil)
      #expect(hub.state.errorText?.hasPrefix("Failed to load equipment counts: ") == true)
      #expect(list.state.errorText?.hasPrefix("Failed to load equipment: ") == true)
      #expect(
        hub.groups.isEmpty && !hub.state.isLoading && list.items.isEmpty && !list.state.isLoading)
      transport.reconnect()
      await session.syncNow()
      try await session.create(Riser("Hoyt", "One"))
      try await hub.load()
      try await list.load(.riser)
      #expect(hub.state.errorText == nil && hub.total == 1 && list.state.errorText == nil)
      transport.fail(with: RPCError(.permissionDenied, "not yours"))
      #expect(await failure { try await hub.load() } != nil)
      #expect(await failure { try await list.load(.riser) } != nil)
      #expect(hub.state.errorText == "Failed to load equipment counts: not yours")
      #expect(list.state.errorText == "Failed to load equipment: not yours")
      #expect(hub.groups.isEmpty && hub.total == 0 && !hub.state.isLoading)
      #expect(list.items.isEmpty && !list.state.isLoading)
      await hub.clearError()
      await list.clearError()
      #expect(hub.state.errorText == nil && hub.total == 1)
      #expect(list.state.errorText == nil && list.items.count == 1)
      await session.close()
    }
  }

  @Test("A list has one type with marks, online and offline, and deletes items")
  func list() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let other = try server.client(token)
      for model in ["One", "Two"] {
        var request = CreateItemRequest<Riser>()
        request.item = Riser("Hoyt", model)
        _ = try await other.call(Equipment.risers.create, request)
      }
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let list = EquipmentListModel(session)
      try await list.load(.riser)
      #expect(list.items.map(\.displayModel) == ["Two", "One"])
      #expect(list.items.map(\.displayBrand) == ["Hoyt", "Hoyt"])
      #expect(list.items.map(\.mark) == [.synced, .synced] && list.state.staleSince == nil)
      transport.disconnect()
      let two = list.items[0].id
      try await session.create(Riser("Hoyt", "Three"))
      try await list.delete(two)
      try await list.load(.riser)
      #expect(list.items.map(\.displayModel) == ["Three", "One"])
      #expect(list.items.map(\.mark) == [.waiting, .synced] && list.state.staleSince != nil)
      try await session.change(list.items[1].id) { $0.notes = "off line" }
      #expect(
        await fails(saying: "Failed to delete equipment: ") {
          try await list.delete(LocalID(rawValue: 9_999))
        })
      await list.clearError()
      try await session.setArchived(true, list.items[1].id)
      try await list.load(.riser)
      #expect(list.items.map(\.displayModel) == ["Three"])
      list.includesArchived = true
      #expect(list.items.map(\.displayModel) == ["Three", "One"])
      transport.reconnect()
      try await list.load(.riser)
      #expect(list.items.map(\.mark) == [.synced, .synced] && list.state.staleSince == nil)
      try await list.load(.arrow)
      #expect(list.items.isEmpty && list.state.errorText == nil)
      await session.close()
    }
  }

  @Test("A list follows the changes of other devices, with complete objects")
  func following() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let phone = try await server.session(token)
      let tablet = try await server.session(token, on: "tablet")
      await phone.syncNow()
      let id = try await phone.create(Riser("Hoyt", "One"))
      await phone.syncNow()
      let list = EquipmentListModel(tablet)
      try await list.load(.riser)
      try await phone.change(id) { $0.notes = "new" }
      await phone.syncNow()
      try await list.load(.riser)
      #expect(try await tablet.item(Riser.self, list.items[0].id)?.notes == "new")
      try await tablet.change(list.items[0].id) { $0.notes = "newer" }
      #expect(await tablet.syncNow().conflictCount == 0)
      try await tablet.delete(list.items[0].id)
      await tablet.syncNow()
      try await phone.loadRisers()
      #expect(try await phone.items(of: .riser).isEmpty)
      await phone.close()
      await tablet.close()
    }
  }

  @Test("The outbox has pending and refused changes, and applies the user's decisions")
  func outbox() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      let client = try server.client(token)
      let outbox = OutboxModel(session)
      try await outbox.sync()
      let id = try await session.create(Riser("Hoyt", "One"))
      try await outbox.sync()
      #expect(outbox.entries.isEmpty && outbox.connection == .online && !outbox.state.isLoading)
      try await client.note(try await session.serverID(id), "theirs")
      try await session.change(id) { $0.notes = "mine" }
      try await outbox.sync()
      #expect(outbox.attentionCount == 1 && outbox.waitingCount == 0)
      #expect(await failure { try await outbox.overwrite(outbox.entries[0].id) } == nil)
      #expect(outbox.waitingCount == 1)
      try await outbox.sync()
      #expect(outbox.entries.isEmpty && outbox.state.errorText == nil)
      #expect(await failure { try await outbox.discard(9_999) } != nil)
      await outbox.clearError()
      await server.stop()
      #expect(await failure { try await outbox.sync() } != nil)
      #expect(outbox.state.errorText != nil && outbox.connection == .offline)
      await session.close()
    }
  }

  @Test("The setups have the default, copies and errors")
  func setups() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      let list = BowSetupListModel(session)
      try await list.load()
      #expect(list.items.isEmpty && list.state.errorText == nil && !list.state.isLoading)
      var setup = BowSetup()
      setup.name = "Indoor"
      let id = try await session.create(setup)
      #expect(await failure { try await list.makeDefault(id) } == nil)
      #expect(await failure { try await list.copy(id) } == nil)
      #expect(list.items.map(\.name) == ["Indoor", "Indoor (copy)"])
      #expect(list.items.map(\.isDefault) == [true, false])
      try await list.load()
      #expect(list.items.map(\.mark) == [.synced, .synced] && list.state.staleSince == nil)
      #expect(list.items.map(\.isDefault) == [true, false])
      #expect(await failure { try await list.delete(list.items[1].id) } == nil)
      #expect(await failure { try await list.delete(LocalID(rawValue: 9_999)) } != nil)
      try await list.load()
      #expect(list.items.map(\.name) == ["Indoor"] && list.state.errorText == nil)
      await session.close()
    }
  }

  @Test("Models send changes automatically when the server can be reached")
  func byItself() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token) { configuration in
        configuration.syncsByItself = true
        configuration.limits.firstRetryDelay = .milliseconds(10)
        configuration.limits.longestRetryDelay = .milliseconds(50)
      }
      var changes = session.changes().makeAsyncIterator()
      while !session.isOnline { _ = await changes.next() }
      try await session.create(Riser("Hoyt", "One"))
      while try await !session.outbox().isEmpty { _ = await changes.next() }
      await server.stop()
      try await session.create(Riser("Hoyt", "Two"))
      while session.isOnline { _ = await changes.next() }
      try await server.start()
      while try await !session.outbox().isEmpty { _ = await changes.next() }
      #expect(try await server.client(token).everything().count == 2)
      await session.close()
    }
  }

  @Test("A refused token stops the models, and no change is lost")
  func signedOut() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      try await session.create(Riser("Hoyt", "One"))
      transport.fail(
        with: RPCError(.unauthenticated, "the token was revoked", isNotProcessed: true))
      #expect(await session.syncNow().error?.code == .call(.unauthenticated))
      #expect(session.connection == .signedOut)
      #expect(try await session.outbox().map(\.mark) == [.waiting])
      await session.close()
    }
  }
}
