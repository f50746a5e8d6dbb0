import QuiverAPI
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Bow setups", .timeLimit(.minutes(5)))
struct BowSetupServiceTests {
  @Test("A setup is created, updated, copied, made the default, archived and deleted")
  func life() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let client = quiver.client
      let made = try await quiver.make("Indoor", [quiver.riser, quiver.weight])
      #expect(made.isActive == true && made.version == 1 && made.components.count == 2)
      #expect(made.components.map(\.type) == [.riser, .weight])
      #expect(made.components.map(\.quantity) == [1, 1])
      #expect(made.components.first?.displayBrand == "Hoyt")
      #expect(try await quiver.get(made.id) == made)

      var update = UpdateBowSetupRequest()
      update.bowSetup = made
      update.bowSetup?.name = "not named"
      update.bowSetup?.notes = " for the hall "
      update.bowSetup?.components[1].quantity = 3
      update.updateMask = ["components", "notes"]
      let changed = try await client.call(Equipment.updateBowSetup, update)
      #expect(changed.name == "Indoor" && changed.notes == "for the hall")
      #expect(changed.version == 2 && changed.components.last?.quantity == 3)
      #expect(try await quiver.get(made.id, version: 1).components == made.components)

      var copying = CopyBowSetupRequest()
      copying.id = made.id
      let copy = try await client.call(Equipment.copyBowSetup, copying)
      #expect(copy.name == "Indoor (copy)" && copy.components == changed.components)
      var choice = SetDefaultBowSetupRequest()
      choice.id = copy.id
      #expect(try await client.call(Equipment.setDefaultBowSetup, choice).isDefault)

      var away = DeactivateBowSetupRequest()
      away.id = copy.id
      let inactive = try await client.call(Equipment.deactivateBowSetup, away)
      #expect(inactive.isActive == false && !inactive.isDefault)
      var list = ListBowSetupsRequest()
      #expect(try await client.call(Equipment.listBowSetups, list).setups.map(\.id) == [made.id])
      list.includeInactive = true
      let items = try await client.call(Equipment.listBowSetups, list).setups
      #expect(items.map(\.name) == ["Indoor", "Indoor (copy)"])
      #expect(items.map(\.componentCount) == [2, 2] && items.map(\.version) == [2, 1])

      var deletion = DeleteBowSetupRequest()
      deletion.id = made.id
      _ = try await client.call(Equipment.deleteBowSetup, deletion)
      #expect(await quiver.refusal(made.id)?.code == .notFound)
    }
  }

  @Test(
    "Adding an item of a single type replaces the current one; removing deletes it from the setup"
  )
  func components() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let client = quiver.client
      let made = try await quiver.make("Field", [quiver.riser])
      let other = try await client.call(Equipment.risers.create, .of(.hoyt))
      var adding = AddBowSetupComponentRequest()
      adding.id = made.id
      adding.component = .of(other.id)
      let replaced = try await client.call(Equipment.addBowSetupComponent, adding)
      #expect(replaced.components.map(\.equipmentID) == [other.id] && replaced.version == 2)
      adding.component = .of(quiver.weight, quantity: 1_001)
      let refusal = await client.refusal(Equipment.addBowSetupComponent, adding)
      #expect(refusal?.message.hasPrefix("component.quantity: ") == true)

      var removing = RemoveBowSetupComponentRequest()
      removing.id = made.id
      removing.equipmentID = quiver.riser
      let missing = await client.refusal(Equipment.removeBowSetupComponent, removing)
      #expect(missing?.code == .notFound)
      removing.equipmentID = other.id
      let empty = try await client.call(Equipment.removeBowSetupComponent, removing)
      #expect(empty.components.isEmpty && empty.version == 3)
    }
  }

  @Test("An item in a setup is deleted only with detach, and old versions keep it")
  func detach() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let client = quiver.client
      let made = try await quiver.make("Indoor", [quiver.riser])
      _ = try await quiver.make("", [quiver.riser])
      var deletion = DeleteItemRequest<Riser>()
      deletion.id = quiver.riser
      let refusal = try #require(await client.refusal(Equipment.risers.delete, deletion))
      #expect(refusal.code == .failedPrecondition)
      #expect(refusal.message.contains("\"Indoor\", \"Unnamed setup\""))
      #expect(refusal.details.map(\.type) == ["quiver.v1.HeldBySetups"])
      let held = try HeldBySetups(serializedBytes: refusal.details.first?.value ?? [])
      #expect(held.setups.map(\.name) == ["Indoor", ""])

      deletion.detach = true
      _ = try await client.call(Equipment.risers.delete, deletion)
      #expect(try await quiver.get(made.id).components.isEmpty)
      let old = try await quiver.get(made.id, version: 1)
      #expect(old.components.map(\.deleted) == [true] && old.latestVersion == 2)
      #expect(old.components.first?.displayModel == "Formula Xi")
      let read = await client.refusal(Equipment.risers.get, .of(id: quiver.riser))
      #expect(read?.code == .notFound)
    }
  }

  @Test("Creating and updating refuse a second default")
  func secondDefault() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let client = quiver.client
      let first = try await quiver.make("Indoor", [])
      let second = try await quiver.make("Outdoor", [])
      _ = try await client.call(Equipment.setDefaultBowSetup, .with { $0.id = first.id })
      let before = try server.lastSequence()
      let creation = CreateBowSetupRequest.with { $0.bowSetup = .with { $0.isDefault = true } }
      let update = UpdateBowSetupRequest.with {
        $0.bowSetup = second
        $0.bowSetup?.isDefault = true
        $0.updateMask = ["is_default"]
      }
      for refusal in [
        await client.refusal(Equipment.createBowSetup, creation),
        await client.refusal(Equipment.updateBowSetup, update),
      ] {
        #expect(refusal?.code == .failedPrecondition)
        #expect(refusal?.message.hasPrefix("bow_setup.is_default: \"Indoor\"") == true)
      }
      #expect(try server.lastSequence() == before)
      let moved = try await client.call(
        Equipment.setDefaultBowSetup, .with { $0.id = second.id })
      #expect(moved.isDefault)
      #expect(try await quiver.get(first.id).isDefault == false)
    }
  }

  @Test("A stale revision fails with ABORTED and the current setup")
  func staleRevision() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let made = try await quiver.make("Indoor", [])
      var update = UpdateBowSetupRequest()
      update.bowSetup = made
      update.bowSetup?.name = "Outdoor"
      update.updateMask = ["name"]
      let changed = try await quiver.client.call(Equipment.updateBowSetup, update)
      update.bowSetup?.name = "Field"
      let refusal = try #require(
        await quiver.client.refusal(Equipment.updateBowSetup, update))
      #expect(refusal.code == .aborted)
      #expect(try BowSetup(serializedBytes: refusal.details.first?.value ?? []) == changed)
    }
  }

  @Test("Requests accept the client_ids of setups and items")
  func clientIDs() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var riser = Riser.hoyt
      riser.clientID = try UUIDv7.make(unixMilliseconds: 1_790_000_000_000)
      let item = try await client.call(Equipment.risers.create, .of(riser))
      var creation = CreateBowSetupRequest()
      creation.bowSetup = BowSetup()
      creation.bowSetup?.clientID = try UUIDv7.make(unixMilliseconds: 1_790_000_000_001)
      var component = SetupComponent()
      component.equipmentClientID = riser.clientID
      creation.bowSetup?.components = [component]
      let made = try await client.call(Equipment.createBowSetup, creation)
      #expect(made.components.map(\.equipmentID) == [item.id])
      #expect(made.components.map(\.equipmentClientID) == [riser.clientID])
      #expect(try await client.call(Equipment.createBowSetup, creation) == made)
      var read = GetBowSetupRequest()
      read.clientID = made.clientID
      #expect(try await client.call(Equipment.getBowSetup, read) == made)
    }
  }

  @Test(
    "A setup that is not valid fails with the name of its field and stores nothing",
    arguments: BadSetup.all)
  func badSetups(_ bad: BadSetup) async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let before = try server.lastSequence()
      var request = CreateBowSetupRequest()
      request.bowSetup = BowSetup()
      request.bowSetup?.components = [.of(quiver.riser), .of(quiver.weight)]
      bad.spoil(&request, quiver)
      let refusal = await quiver.client.refusal(Equipment.createBowSetup, request)
      #expect(refusal?.code == bad.code)
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
    }
  }

  @Test(
    "An update that is not valid fails with the name of its field and changes nothing",
    arguments: BadSetupUpdate.all)
  func badUpdates(_ bad: BadSetupUpdate) async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let made = try await quiver.make("Indoor", [quiver.riser])
      let before = try server.lastSequence()
      var request = UpdateBowSetupRequest()
      request.bowSetup = made
      request.updateMask = ["name"]
      bad.spoil(&request, quiver)
      let refusal = await quiver.client.refusal(Equipment.updateBowSetup, request)
      #expect(refusal?.code == bad.code)
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
      #expect(try await quiver.get(made.id) == made)
    }
  }

  @Test("No method finds another principal's setup")
  func isolation() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let made = try await quiver.make("Indoor", [quiver.riser])
      let otherUser = try server.client(.administrator, named: "Sheriff")
      let before = try server.lastSequence()
      var update = UpdateBowSetupRequest()
      update.bowSetup = made
      update.updateMask = ["name"]
      let refusals = [
        await otherUser.refusal(Equipment.getBowSetup, .with { $0.id = made.id }),
        await otherUser.refusal(Equipment.updateBowSetup, update),
        await otherUser.refusal(Equipment.deleteBowSetup, .with { $0.id = made.id }),
        await otherUser.refusal(Equipment.copyBowSetup, .with { $0.id = made.id }),
        await otherUser.refusal(Equipment.setDefaultBowSetup, .with { $0.id = made.id }),
        await otherUser.refusal(Equipment.activateBowSetup, .with { $0.id = made.id }),
        await otherUser.refusal(Equipment.deactivateBowSetup, .with { $0.id = made.id }),
        await otherUser.refusal(
          Equipment.addBowSetupComponent,
          .with {
            $0.id = made.id
            $0.component = .of(quiver.riser)
          }),
        await otherUser.refusal(
          Equipment.removeBowSetupComponent,
          .with {
            $0.id = made.id
            $0.equipmentID = quiver.riser
          }),
      ]
      #expect(refusals.allSatisfy { $0?.code == .notFound })
      #expect(try server.lastSequence() == before)
    }
  }
}
