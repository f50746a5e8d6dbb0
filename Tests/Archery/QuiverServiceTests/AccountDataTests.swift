import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("An account's data", .timeLimit(.minutes(5)))
struct AccountDataTests {
  @Test("An exported record equals its Get reply and can be sent to Create")
  func exported() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      let made = try await robin.call(Equipment.risers.create, .of(.hoyt))
      let preference = try await robin.call(Account.setPreference, .of("k", "v"))
      let profile = try await robin.call(Account.getProfile, GetProfileRequest())
      let page = try await robin.call(Account.exportMyData, ExportMyDataRequest())
      let sequence = try server.lastSequence()
      #expect(page.nextPageToken.isEmpty && page.watermark == sequence)
      #expect(
        page.records.map(\.type) == [
          "quiver.v1.Profile", "quiver.v1.Preference", "quiver.v1.Riser", "quiver.v1.Token",
        ])
      let values = page.records.map(\.value)
      try #require(values.count == 4)
      #expect(try Profile(serializedBytes: values[0]) == profile)
      #expect(try Preference(serializedBytes: values[1]) == preference)
      #expect(try Riser(serializedBytes: values[2]) == made)

      let marian = try server.client(named: "Marian")
      var creation = CreateItemRequest<Riser>()
      creation.item = try Riser(serializedBytes: values[2])
      let again = try await marian.call(Equipment.risers.create, creation)
      #expect(again.displayBrand == made.displayBrand && again.clientID == made.clientID)
    }
  }

  @Test("Every type of equipment is exported under its own name")
  func everyType() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      for item in ItemCase.all { _ = try await item.make(robin) }
      var types: [String] = []
      var request = ExportMyDataRequest()
      request.pageSize = 3
      repeat {
        let page = try await robin.call(Account.exportMyData, request)
        types += page.records.map(\.type)
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
      #expect(
        types == [
          "quiver.v1.Profile", "quiver.v1.Riser", "quiver.v1.Limbs", "quiver.v1.Sight",
          "quiver.v1.Rest", "quiver.v1.Plunger", "quiver.v1.BowString", "quiver.v1.Stabilizer",
          "quiver.v1.Weight", "quiver.v1.Arrow", "quiver.v1.Accessory", "quiver.v1.Token",
        ])
      request.pageToken = "x"
      let refusal = await robin.refusal(Account.exportMyData, request)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("page_token: ") == true)
    }
  }

  @Test("Deleting an account succeeds with a reply, and then its tokens are refused")
  func deleted() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let principal = try server.principal(named: "Robin")
      let robin = try server.client(of: principal.id, [])
      _ = try await robin.call(Equipment.risers.create, .of(.hoyt))
      var request = DeleteMyAccountRequest()
      request.confirmation = "robin"
      let before = try server.lastSequence()
      let refusal = await robin.refusal(Account.deleteMyAccount, request)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("confirmation: ") == true)
      #expect(try server.lastSequence() == before)
      request.confirmation = "Robin"
      _ = try await robin.call(Account.deleteMyAccount, request)
      // The connection goes a moment behind the answer; until then nothing is there to be read.
      var later: RPCError?
      for _ in 0..<10_000 where later == nil {
        do throws(RPCError) {
          let list = try await robin.call(Equipment.listItems, ListItemsRequest())
          #expect(list.items.isEmpty)
        } catch {
          later = error
        }
      }
      #expect(later?.code == .unauthenticated || later?.code == .unavailable)

      var reading = GetPrincipalRequest()
      reading.id = principal.id
      let remains = try await admin.call(Admin.getPrincipal, reading)
      #expect(remains.deletedAtMilliseconds != nil && remains.displayName.isEmpty)
      #expect(remains.shownName == "Archer \(principal.id)")
      let last = await admin.refusal(Account.deleteMyAccount, request)
      #expect(last?.code == .invalidArgument)
      request.confirmation = "Sheriff"
      let sheriff = await admin.refusal(Account.deleteMyAccount, request)
      #expect(sheriff?.code == .failedPrecondition)
    }
  }
}
