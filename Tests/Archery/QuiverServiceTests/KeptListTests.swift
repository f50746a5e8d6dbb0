import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@Suite("Kept replies of lists", .timeLimit(.minutes(5)))
struct KeptListTests {
  @Test("Lists and the hub show each change at once, asked for the first time or again")
  func followsChanges() async throws {
    let seed = TestSeed.value
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let client = quiver.client
      var random = SeededGenerator(seed: seed)
      var risers = [quiver.riser]
      var setups: [Int64] = []
      for step in UInt32(0)..<60 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: risers.append(try await client.call(Equipment.risers.create, .of(.hoyt)).id)
        case 1:
          let id = risers[Int.random(in: 0..<risers.count, using: &random)]
          _ = try? await client.call(Equipment.risers.archive, .with { $0.id = id })
        case 2:
          let id = risers[Int.random(in: 0..<risers.count, using: &random)]
          _ = try? await client.call(Equipment.risers.restore, .with { $0.id = id })
        case 3: setups.append(try await quiver.make("Setup \(step)", [quiver.riser]).id)
        default:
          guard let id = setups.popLast() else { continue }
          _ = try await client.call(Equipment.deleteBowSetup, .with { $0.id = id })
        }
        // No request has had this size: its reply is not kept.
        let size = 100 + step
        var replies: [[UInt8]] = []
        for pageSize in [99, size, 99, size] {
          let items = try await client.call(
            Equipment.listItems, .with { $0.pageSize = pageSize })
          let listed = try await client.call(
            Equipment.listBowSetups, .with { $0.pageSize = pageSize })
          replies.append(items.serializedBytes() + listed.serializedBytes())
        }
        #expect(Set(replies).count == 1, "seed \(seed), step \(step)")
        let hub = try await client.call(Equipment.getHub, GetHubRequest())
        #expect(hub.setupCount == UInt32(setups.count), "seed \(seed), step \(step)")
        for id in setups { #expect(try await quiver.get(id).id == id) }
        for id in setups { #expect(try await quiver.get(id).id == id) }
      }
    }
  }

  @Test("Two users who send the same request get replies of their own")
  func separatesUsers() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let other = try server.client(named: "Tuck")
      for _ in 0..<3 {
        let own = try await quiver.client.call(Equipment.listItems, ListItemsRequest())
        let others = try await other.call(Equipment.listItems, ListItemsRequest())
        #expect(own.items.count == 2 && others.items.isEmpty)
      }
    }
  }

  @Test("A setup that is deleted is not answered from a kept reply")
  func forgetsDeletedSetups() async throws {
    try await TestServer.run { server in
      let quiver = try await SetupQuiver(server)
      let setup = try await quiver.make("Indoor", [quiver.riser])
      for _ in 0..<2 { #expect(try await quiver.get(setup.id) == setup) }
      _ = try await quiver.client.call(Equipment.deleteBowSetup, .with { $0.id = setup.id })
      #expect(await quiver.refusal(setup.id)?.code == .notFound)
    }
  }
}
