import QuiverAPI
import QuiverRPC
import QuiverWire
import Testing

@Suite("Lists of equipment", .timeLimit(.minutes(5)))
struct EquipmentListTests {
  @Test("Pages are newest first and stable under inserts")
  func pages() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var ids: [Int64] = []
      for _ in 0..<7 { ids.append(try await client.call(Equipment.risers.create, .of(.hoyt)).id) }
      var request = ListItemsRequest()
      request.pageSize = 3
      var seen: [Int64] = []
      repeat {
        let page = try await client.call(Equipment.listItems, request)
        seen += page.items.map(\.id)
        request.pageToken = page.nextPageToken
        _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      } while !request.pageToken.isEmpty
      #expect(seen == ids.reversed())
    }
  }

  @Test("A page token is valid only for its list")
  func tokens() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      for _ in 0..<2 { _ = try await client.call(Equipment.risers.create, .of(.hoyt)) }
      var request = ListItemsRequest()
      request.pageSize = 1
      request.type = .riser
      request.pageToken = try await client.call(Equipment.listItems, request).nextPageToken
      #expect(await client.refusal(Equipment.listItems, request) == nil)

      var otherType = request
      otherType.type = .unspecified
      var withArchived = request
      withArchived.includeArchived = true
      var nonsense = request
      nonsense.pageToken = "nonsense"
      for wrong in [otherType, withArchived, nonsense] {
        let refusal = await client.refusal(Equipment.listItems, wrong)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix("page_token: ") == true)
      }
      let otherUser = try server.client(named: "Marian")
      let refusal = await otherUser.refusal(Equipment.listItems, request)
      #expect(refusal?.code == .invalidArgument)
    }
  }

  @Test("An unknown type is refused, and each of the ten types can be listed")
  func types() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      _ = try await client.call(Equipment.risers.create, .of(.hoyt))
      for number: Int32 in 0...10 {
        var request = ListItemsRequest()
        request.type = EquipmentType(rawValue: number)
        let items = try await client.call(Equipment.listItems, request).items
        #expect(items.count == (number <= 1 ? 1 : 0))
      }
      for number: Int32 in [-1, 11, .max] {
        var request = ListItemsRequest()
        request.type = EquipmentType(rawValue: number)
        let refusal = await client.refusal(Equipment.listItems, request)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix("type: ") == true)
      }
    }
  }
}
