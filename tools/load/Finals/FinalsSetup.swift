import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Creates the bracket of a scenario's event: a category whose archers have shot one end each.
struct FinalsSetup {
  let tournament: Int64
  let archerCount: Int
  let client: RPCClient

  private static let code = "FINALS"
  private static let arrowCount: UInt32 = 3

  /// Adds the category and its entries, before the event starts.
  func enter() async throws(RPCError) {
    let tournament = tournament
    _ = try await client.call(
      Events.createEventCategory,
      .with { request in
        request.category = .with { category in
          category.tournamentID = tournament
          category.code = Self.code
        }
        request.format = .with { format in
          format.codename = "wa18"
          format.arrowLimit = Self.arrowCount
        }
      })
    var request = ImportEventEntriesRequest()
    request.tournamentID = tournament
    for number in 1...archerCount {
      var draft = EventEntryDraft()
      draft.name = "Finalist \(number)"
      draft.bib = "F\(number)"
      draft.categoryCode = Self.code
      request.entries.append(draft)
    }
    _ = try await client.call(Events.importEventEntries, request)
  }

  /// Scores the entries and draws the bracket, after the event has started.
  func draw() async throws(RPCError) -> MatchBook {
    let tournament = tournament
    let categories = try await client.call(
      Events.listEventCategories, .with { $0.tournamentID = tournament }
    ).categories
    guard let category = categories.first(where: { $0.code == Self.code })?.id else {
      throw RPCError(.internal, "the category of the finals is missing", origin: .client)
    }
    let entries = try await client.call(
      Events.listEventEntries,
      .with { request in
        request.tournamentID = tournament
        request.categoryID = category
        request.pageSize = 500
      }
    ).entries
    var random = SystemRandomNumberGenerator()
    var operations = ApplyOperationsRequest()
    for entry in entries {
      for arrow in 0..<Self.arrowCount {
        var operation = ScoringOperation()
        operation.clientID = ClientID.make(&random)
        operation.kind = .record
        operation.participantID = entry.participantID
        operation.arrowIndex = arrow
        operation.value = 9
        operations.operations.append(operation)
      }
    }
    _ = try await client.call(Tournament.applyOperations, operations)
    let size = UInt32(archerCount)
    let bracket = try await client.call(
      Elimination.cutCategory,
      .with { request in
        request.tournamentID = tournament
        request.categoryID = category
        request.size = size
        request.system = .individualSets
      })
    return MatchBook(bracket)
  }
}
