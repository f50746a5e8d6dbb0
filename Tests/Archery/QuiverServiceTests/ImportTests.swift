import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Importing an export into another account", .timeLimit(.minutes(5)))
struct ImportTests {
  @Test("Exported records sent to Create give the same hub, setups and marks")
  func imported() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      try await Self.fill(robin)
      let hub = try await robin.call(Equipment.getHub, GetHubRequest())
      #expect(hub.total > 0 && hub.archivedTotal == 1 && hub.setupCount == 1)
      let records = try await Self.export(robin)
      var deletion = DeleteMyAccountRequest()
      deletion.confirmation = "Robin"
      _ = try await robin.call(Account.deleteMyAccount, deletion)

      try await TestServer.run { elsewhere in
        let marian = try elsewhere.client(named: "Marian")
        for record in records { try await Self.make(record, marian) }
        #expect(try await marian.call(Equipment.getHub, GetHubRequest()) == hub)
        let again = try await Self.export(marian)
        #expect(again.dropFirst().map(\.type) == records.dropFirst().map(\.type))
        // Once more changes nothing: each client_id stands for what it stood for.
        for record in records where record.type != "quiver.v1.BowSetup" {
          try await Self.make(record, marian)
        }
        #expect(try await Self.export(marian) == again)
      }
    }
  }

  private static func fill(_ client: Client) async throws {
    var ids: [[UInt8]] = []
    for brand in ["Hoyt", "Win&Win"] {
      var request = CreateItemRequest<Riser>.of(.hoyt)
      request.item?.brand = brand
      request.item?.clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      ids.append(try await client.call(Equipment.risers.create, request).clientID)
    }
    var sight = CreateItemRequest<Sight>()
    sight.item = Sight()
    sight.item?.brand = "Shibuya"
    sight.item?.model = "Ultima"
    sight.item?.clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
    ids.append(try await client.call(Equipment.sights.create, sight).clientID)
    var setup = CreateBowSetupRequest()
    setup.bowSetup = BowSetup()
    setup.bowSetup?.name = "Indoor"
    setup.bowSetup?.clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
    var part = SetupComponent()
    part.equipmentClientID = ids[0]
    setup.bowSetup?.components = [part]
    let made = try await client.call(Equipment.createBowSetup, setup)
    var adding = AddBowSetupComponentRequest()
    adding.id = made.id
    part.equipmentClientID = ids[2]
    adding.component = part
    _ = try await client.call(Equipment.addBowSetupComponent, adding)
    var marking = CreateSightMarkRequest()
    marking.sightMark = SightMark()
    marking.sightMark?.clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
    marking.sightMark?.sightClientID = ids[2]
    marking.sightMark?.distance = 18
    marking.sightMark?.unit = .metre
    _ = try await client.call(Equipment.createSightMark, marking)
    var archiving = ArchiveItemRequest<Riser>()
    archiving.clientID = ids[1]
    _ = try await client.call(Equipment.risers.archive, archiving)
    _ = try await client.call(Account.setPreference, .of("range", "ALL_TIME"))
  }

  private static func export(_ client: Client) async throws -> [ExportRecord] {
    var records: [ExportRecord] = []
    var request = ExportMyDataRequest()
    request.pageSize = 2
    repeat {
      let page = try await client.call(Account.exportMyData, request)
      records += page.records
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return records
  }

  /// What someone would do by hand with one record.
  private static func make(_ record: ExportRecord, _ client: Client) async throws {
    switch record.type {
    case "quiver.v1.Profile": break
    case "quiver.v1.Preference":
      var request = SetPreferenceRequest()
      request.preference = try Preference(serializedBytes: record.value)
      _ = try await client.call(Account.setPreference, request)
    case "quiver.v1.Riser":
      var request = CreateItemRequest<Riser>()
      request.item = try Riser(serializedBytes: record.value)
      let made = try await client.call(Equipment.risers.create, request)
      guard request.item?.archived == true else { return }
      var archiving = ArchiveItemRequest<Riser>()
      archiving.id = made.id
      _ = try await client.call(Equipment.risers.archive, archiving)
    case "quiver.v1.Sight":
      var request = CreateItemRequest<Sight>()
      request.item = try Sight(serializedBytes: record.value)
      _ = try await client.call(Equipment.sights.create, request)
    case "quiver.v1.BowSetup": try await make(try BowSetup(serializedBytes: record.value), client)
    case "quiver.v1.SightMark":
      var request = CreateSightMarkRequest()
      request.sightMark = try SightMark(serializedBytes: record.value)
      request.sightMark?.sightID = 0
      request.sightMark?.setupID = 0
      _ = try await client.call(Equipment.createSightMark, request)
    case "quiver.v1.Token": break  // Its secret is not exported, so no call makes it again.
    default: Issue.record("a record of the type \(record.type)")
    }
  }

  /// The first version is made, the later ones are updates of its components.
  private static func make(_ setup: BowSetup, _ client: Client) async throws {
    var setup = setup
    for index in setup.components.indices { setup.components[index].equipmentID = 0 }
    guard setup.version > 1 else {
      var request = CreateBowSetupRequest()
      request.bowSetup = setup
      _ = try await client.call(Equipment.createBowSetup, request)
      return
    }
    var reading = GetBowSetupRequest()
    reading.clientID = setup.clientID
    let current = try await client.call(Equipment.getBowSetup, reading)
    var request = UpdateBowSetupRequest()
    setup.id = current.id
    setup.clientID = []
    setup.revision = current.revision
    request.bowSetup = setup
    request.updateMask = ["components"]
    _ = try await client.call(Equipment.updateBowSetup, request)
  }
}
