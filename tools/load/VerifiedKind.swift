import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A kind of object that can be numbered when it is made and found by its number afterwards.
enum VerifiedKind: Sendable, CaseIterable {
  case accessory
  case weightEntry
  case liftSet

  init?(method: String) {
    guard let kind = Self.allCases.first(where: { $0.method.name == method }) else { return nil }
    self = kind
  }

  var method: MethodInfo {
    switch self {
    case .accessory: Equipment.accessories.create.info
    case .weightEntry: Logbook.createWeightEntry.info
    case .liftSet: Logbook.createSet.info
    }
  }

  var subject: String {
    switch self {
    case .accessory: "accessories"
    case .weightEntry: "weight entries"
    case .liftSet: "sets"
    }
  }

  private static let repetitions = 1_000

  /// A request with the number in it, and with what must not be missing.
  func stamped(_ request: [UInt8], _ number: Int, _ runName: String) -> [UInt8] {
    let name = "\(runName) \(number)"
    switch self {
    case .accessory:
      var message =
        (try? CreateItemRequest<Accessory>(serializedBytes: request))
        ?? CreateItemRequest<Accessory>()
      var item = message.item ?? Accessory()
      item.name = name
      if item.type == .unspecified { item.type = .other }
      message.item = item
      return message.serializedBytes()
    case .weightEntry:
      var message =
        (try? CreateWeightEntryRequest(serializedBytes: request)) ?? CreateWeightEntryRequest()
      var entry = message.weightEntry ?? WeightEntry()
      entry.note = name
      if entry.thousandths == 0 { entry.thousandths = 70_000 }
      if entry.unit == .unspecified { entry.unit = .kilogram }
      if entry.day == nil, message.timeZone.isEmpty { message.timeZone = "UTC" }
      message.weightEntry = entry
      return message.serializedBytes()
    case .liftSet:
      var message = (try? CreateSetRequest(serializedBytes: request)) ?? CreateSetRequest()
      var set = message.set ?? LiftSet()
      set.exercise = runName
      set.repetitions = UInt32(number % Self.repetitions + 1)
      set.weight = Double(min(number / Self.repetitions, 2_000))
      if set.unit == .unspecified { set.unit = .pound }
      if set.day == 0 { set.day = Int32(WallClock.milliseconds() / 86_400_000) }
      message.set = set
      return message.serializedBytes()
    }
  }

  /// The id that a reply gives; nil: it does not decode.
  func id(of reply: [UInt8]) -> Int64? {
    switch self {
    case .accessory: (try? Accessory(serializedBytes: reply))?.id
    case .weightEntry: (try? WeightEntry(serializedBytes: reply))?.id
    case .liftSet: (try? LiftSet(serializedBytes: reply))?.id
    }
  }

  /// Tells of every object of a run that is there, by its number.
  func readBack(
    _ client: RPCClient, _ runName: String, _ found: (_ number: Int, _ id: Int64) -> Void
  ) async throws(RPCError) {
    func number(_ text: String) -> Int? {
      text.hasPrefix(runName + " ") ? Int(text.dropFirst(runName.count + 1)) : nil
    }
    var token = ""
    repeat {
      switch self {
      case .accessory:
        var request = ListItemsRequest()
        request.type = .accessory
        request.pageSize = 500
        request.pageToken = token
        request.includeArchived = true
        let page = try await client.call(Equipment.listItems, request)
        for item in page.items {
          if let number = number(item.displayBrand) { found(number, item.id) }
        }
        token = page.nextPageToken
      case .weightEntry:
        var request = ListWeightEntriesRequest()
        request.pageSize = 500
        request.pageToken = token
        let page = try await client.call(Logbook.listWeightEntries, request)
        for entry in page.entries {
          if let number = number(entry.note) { found(number, entry.id) }
        }
        token = page.nextPageToken
      case .liftSet:
        var request = ListSetsRequest()
        request.exercise = runName
        request.pageSize = 500
        request.pageToken = token
        let page = try await Self.sets(client, request)
        for set in page.sets {
          found(Int(set.weight) * Self.repetitions + Int(set.repetitions) - 1, set.id)
        }
        token = page.nextPageToken
      }
    } while !token.isEmpty
  }

  /// A page of sets; an empty one where none is stored: such an exercise is not known.
  private static func sets(
    _ client: RPCClient, _ request: ListSetsRequest
  ) async throws(RPCError) -> ListSetsResponse {
    do throws(RPCError) {
      return try await client.call(Logbook.listSets, request)
    } catch {
      guard error.code == .notFound else { throw error }
      return ListSetsResponse()
    }
  }
}
