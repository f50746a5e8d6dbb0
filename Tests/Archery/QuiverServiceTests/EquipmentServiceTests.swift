import QuiverAPI
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Equipment, riser by riser", .timeLimit(.minutes(5)))
struct EquipmentServiceTests {
  @Test("A riser is created, read, updated, listed and deleted")
  func life() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let made = try await client.call(Equipment.risers.create, .of(.hoyt))
      #expect(made.id > 0 && made.revision == 1 && made.createdAtMilliseconds > 0)
      #expect(made.brand == "Hoyt" && made.displayModel == "Formula Xi")
      #expect(made.lengthInches == 25 && made.weightGrams == 1260 && made.gripType == "Jager")
      #expect(try await client.call(Equipment.risers.get, .of(id: made.id)) == made)

      var change = UpdateItemRequest<Riser>()
      change.item = made
      change.item?.notes = "  for the field  "
      change.item?.lengthInches = nil
      change.item?.material = "not named, so not changed"
      change.updateMask = ["notes", "length_in", "archived"]
      change.item?.archived = true
      let changed = try await client.call(Equipment.risers.update, change)
      #expect(changed.notes == "for the field" && changed.lengthInches == nil)
      #expect(changed.material == "aluminium" && changed.archived && changed.revision == 2)

      var list = ListItemsRequest()
      #expect(try await client.call(Equipment.listItems, list).items.isEmpty)
      list.includeArchived = true
      let item = try #require(try await client.call(Equipment.listItems, list).items.first)
      #expect(item.id == made.id && item.type == .riser && item.archived)
      #expect(item.displayBrand == "Hoyt" && item.displayModel == "Formula Xi")

      var deletion = DeleteItemRequest<Riser>()
      deletion.id = made.id
      _ = try await client.call(Equipment.risers.delete, deletion)
      let refusal = await client.refusal(Equipment.risers.get, .of(id: made.id))
      #expect(refusal?.code == .notFound)
    }
  }

  @Test(
    "A riser that is not valid fails with the name of its field and stores nothing",
    arguments: BadRiser.all)
  func badRisers(_ bad: BadRiser) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let before = try server.lastSequence()
      var request = CreateItemRequest<Riser>.of(.hoyt)
      bad.spoil(&request)
      let refusal = await client.refusal(Equipment.risers.create, request)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
    }
  }

  @Test(
    "An update that is not valid fails with the name of its field and changes nothing",
    arguments: BadUpdate.all)
  func badUpdates(_ bad: BadUpdate) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let made = try await client.call(Equipment.risers.create, .of(.hoyt))
      let before = try server.lastSequence()
      var request = UpdateItemRequest<Riser>()
      request.item = made
      request.updateMask = ["brand"]
      bad.spoil(&request)
      let refusal = await client.refusal(Equipment.risers.update, request)
      #expect(refusal?.code == bad.code)
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
      #expect(try await client.call(Equipment.risers.get, .of(id: made.id)) == made)
    }
  }

  @Test("A stale revision fails with ABORTED and the current riser")
  func staleRevision() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let first = try await client.call(Equipment.risers.create, .of(.hoyt))
      var request = UpdateItemRequest<Riser>()
      request.item = first
      request.item?.notes = "one"
      request.updateMask = ["notes"]
      let second = try await client.call(Equipment.risers.update, request)
      request.item?.notes = "two"
      let refusal = try #require(await client.refusal(Equipment.risers.update, request))
      #expect(refusal.code == .aborted)
      #expect(refusal.details.map(\.type) == ["quiver.v1.Riser"])
      #expect(try Riser(serializedBytes: refusal.details.first?.value ?? []) == second)

      var deletion = DeleteItemRequest<Riser>()
      deletion.id = first.id
      deletion.revision = 1
      let kept = try #require(await client.refusal(Equipment.risers.delete, deletion))
      #expect(kept.code == .aborted && kept.details.count == 1)
    }
  }

  @Test("Another principal's riser is not found, not listed and not changed")
  func isolation() async throws {
    try await TestServer.run { server in
      let owner = try server.client()
      let otherUser = try server.client(.administrator, named: "Sheriff")
      let made = try await owner.call(Equipment.risers.create, .of(.hoyt))
      var update = UpdateItemRequest<Riser>()
      update.item = made
      update.updateMask = ["notes"]
      var deletion = DeleteItemRequest<Riser>()
      deletion.id = made.id
      let refusals = [
        await otherUser.refusal(Equipment.risers.get, .of(id: made.id)),
        await otherUser.refusal(Equipment.risers.update, update),
        await otherUser.refusal(Equipment.risers.delete, deletion),
      ]
      #expect(refusals.map { $0?.code } == [.notFound, .notFound, .notFound])
      var list = ListItemsRequest()
      list.includeArchived = true
      #expect(try await otherUser.call(Equipment.listItems, list).items.isEmpty)
      #expect(try await owner.call(Equipment.risers.get, .of(id: made.id)) == made)
    }
  }

  @Test("A riser is found by its client_id, and creating it again returns the same riser")
  func clientIDs() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var request = CreateItemRequest<Riser>.of(.hoyt)
      let clientID = try UUIDv7.make(unixMilliseconds: 1_790_000_000_000)
      request.item?.clientID = clientID
      let made = try await client.call(Equipment.risers.create, request)
      #expect(made.clientID == clientID)
      #expect(try await client.call(Equipment.risers.create, request) == made)
      var read = GetItemRequest<Riser>()
      read.clientID = clientID
      #expect(try await client.call(Equipment.risers.get, read) == made)
      request.item?.brand = "Win&Win"
      let refusal = await client.refusal(Equipment.risers.create, request)
      #expect(refusal?.code == .alreadyExists)
      #expect(refusal?.message.hasPrefix("riser.client_id: ") == true)
    }
  }

  @Test("A call that is repeated with its key has one effect")
  func idempotency() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let key = IdempotencyKey.random()
      let first = try await client.call(Equipment.risers.create, .of(.hoyt), key: key)
      let before = try server.lastSequence()
      #expect(try await client.call(Equipment.risers.create, .of(.hoyt), key: key) == first)
      var other = CreateItemRequest<Riser>.of(.hoyt)
      other.item?.notes = "another request"
      let refusal = await client.refusal(Equipment.risers.create, other, key: key)
      #expect(refusal?.code == .alreadyExists)
      var deletion = DeleteItemRequest<Riser>()
      deletion.id = first.id
      let method = await client.refusal(Equipment.risers.delete, deletion, key: key)
      #expect(method?.code == .alreadyExists)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("A request names an item by exactly one id", arguments: BadReference.all)
  func references(_ bad: BadReference) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var read = GetItemRequest<Riser>()
      read.id = bad.id
      read.clientID = bad.clientID
      var deletion = DeleteItemRequest<Riser>()
      deletion.id = bad.id
      deletion.clientID = bad.clientID
      for refusal in [
        await client.refusal(Equipment.risers.get, read),
        await client.refusal(Equipment.risers.delete, deletion),
      ] {
        #expect(refusal?.code == bad.code)
        #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      }
    }
  }
}
