import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// Reads all objects of the devices from the server, without a session.
struct ServerState {
  private let client: RPCClient
  private let names: [String]
  private var found: [EditedObject: String] = [:]
  private var doubles: [EditedObject] = []

  /// The objects with their values, and those that are there twice.
  static func read(
    _ client: RPCClient, _ names: [String]
  ) async throws -> ([EditedObject: String], [EditedObject]) {
    var state = ServerState(client: client, names: names)
    try await state.readEquipment()
    try await state.readLogbook()
    try await state.readRounds()
    return (state.found, state.doubles)
  }

  private mutating func take(_ kind: EditedObject.Kind, _ name: String, _ value: String) {
    let object = EditedObject(kind: kind, name: name)
    if found.updateValue(value, forKey: object) != nil { doubles.append(object) }
  }

  private func items(_ type: EquipmentType) async throws -> [EquipmentItem] {
    var request = ListItemsRequest()
    request.type = type
    request.pageSize = 500
    request.includeArchived = true
    var items: [EquipmentItem] = []
    repeat {
      let page = try await client.call(Equipment.listItems, request)
      items += page.items
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return items
  }

  private mutating func readEquipment() async throws {
    for item in try await items(.riser) {
      var request = GetItemRequest<Riser>()
      request.id = item.id
      let riser = try await client.call(Equipment.risers.get, request)
      take(
        riser.brand == Device.heldBrand ? .held : .riser, riser.model, Device.value(riser))
    }
    var request = ListBowSetupsRequest()
    request.pageSize = 500
    request.includeInactive = true
    for item in try await client.call(Equipment.listBowSetups, request).setups {
      var get = GetBowSetupRequest()
      get.id = item.id
      let setup = try await client.call(Equipment.getBowSetup, get)
      take(.setup, setup.name, Device.value(setup))
    }
    var sights: Set<String> = []
    for item in try await items(.sight) {
      if !sights.insert(item.displayModel).inserted {
        doubles.append(EditedObject(kind: .mark, name: "sight \(item.displayModel)"))
      }
      var list = ListSightMarksRequest()
      list.sightID = item.id
      for mark in try await client.call(Equipment.listSightMarks, list).sightMarks {
        take(.mark, mark.notes, "\(mark.markValue)")
      }
    }
  }

  private mutating func readLogbook() async throws {
    let client = client
    for isDeleted in [false, true] {
      var request = ListWeightEntriesRequest()
      request.pageSize = 500
      request.deleted = isDeleted
      repeat {
        let page = try await client.call(Logbook.listWeightEntries, request)
        for entry in page.entries {
          take(.weight, entry.note, isDeleted ? "deleted" : "\(entry.thousandths)")
        }
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
    }
    for name in names {
      var request = ListSetsRequest()
      request.exercise = name
      request.pageSize = 500
      repeat {
        // A device may have made no set, or deleted its last one.
        let asked = request
        let answer = try await Self.existing { () async throws(RPCError) in
          try await client.call(Logbook.listSets, asked)
        }
        guard let page = answer else { break }
        for set in page.sets { take(.lift, "\(name)\(set.day)", Device.value(set)) }
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
    }
    let plan = try await Self.existing { () async throws(RPCError) in
      try await client.call(Logbook.getWeightPlan, GetWeightPlanRequest())
    }
    if let plan { take(.plan, Device.firstName, Device.value(plan)) }
    let profile = try await client.call(Account.getProfile, GetProfileRequest())
    if profile.displayName.hasPrefix(Device.firstName) {
      take(.profile, Device.firstName, Device.value(profile))
    }
  }

  /// The answer about something that need not exist; nil: it does not.
  private static func existing<Reply>(
    _ read: () async throws(RPCError) -> Reply
  ) async throws(RPCError) -> Reply? {
    do throws(RPCError) {
      return try await read()
    } catch {
      // With `catch where` Swift 6.3.1 compiles this function for ever.
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  private mutating func readRounds() async throws {
    var request = ListSessionsRequest()
    request.pageSize = 500
    repeat {
      let page = try await client.call(Rounds.listSessions, request)
      for session in page.sessions {
        guard let round = session.rounds.first else { continue }
        var get = GetScorecardRequest()
        get.participantID = round.participantID
        let card = try await client.call(Rounds.getScorecard, get)
        let arrows = card.arrows.filter { !$0.retracted }
          .sorted { ($0.endIndex, $0.arrowIndex) < ($1.endIndex, $1.arrowIndex) }
        take(
          .round, session.conditions?.place ?? "",
          Device.roundValue(session.conditions?.weather, arrows.map { Int($0.value) }))
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
  }
}
