import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Testing

@testable import QuiverSession

/// A public event of 3 arrows, whose archers, without accounts, have shot them.
struct ScoredEvent {
  let server: SessionServer
  let organiser: String
  let event: Int64
  let category: Int64
  /// The ids of the participants `A1`, `A2` and so on.
  let archers: [Int64]

  /// Each archer has shot three arrows of its value; the clubs are given in turn.
  init(_ server: SessionServer, _ values: [UInt32], clubs: [String] = [""]) async throws {
    self.server = server
    organiser = try server.token()
    let made = try await server.tournament(organiser, arrows: 3) { request in
      (request.joins, request.isPublic) = (false, true)
    }
    event = made.id
    let client = try server.client(organiser)
    let drafts = values.indices.map { index in
      EventEntryDraft.with { draft in
        (draft.name, draft.bib) = ("A\(index + 1)", "\(index + 1)")
        draft.club = clubs[index % clubs.count]
      }
    }
    archers = try await client.call(
      Events.importEventEntries, .with { ($0.tournamentID, $0.entries) = (made.id, drafts) }
    ).entries.map(\.participantID)
    try await server.start(made, by: organiser)
    for (id, value) in zip(archers, values) {
      for arrow in 0..<UInt32(3) {
        var request = RecordArrowRequest()
        request.operation = .with { operation in
          (operation.participantID, operation.arrowIndex) = (id, arrow)
          operation.value = value
        }
        _ = try await client.call(Tournament.recordArrow, request)
      }
    }
    category = try await client.call(
      Events.listEventCategories, .with { $0.tournamentID = made.id }
    ).categories[0].id
  }

  /// A session of the organiser.
  func session(_ transport: FaultyTransport) async throws -> OfflineSession {
    try await server.session(organiser, transport: transport)
  }

  func transport() throws -> FaultyTransport { FaultyTransport(try server.client(organiser)) }

  /// Cuts the category to its best archers, over another connection than a session's.
  func cut(to size: UInt32) async throws -> EliminationBracket {
    var request = CutCategoryRequest()
    (request.tournamentID, request.categoryID) = (event, category)
    (request.size, request.system) = (size, .individualSets)
    return try await server.client(organiser).call(Elimination.cutCategory, request)
  }

  /// The stages that the server has.
  func stages() async throws -> [EliminationStage] {
    let id = event
    return try await server.client(organiser).call(
      Elimination.listStages, .with { $0.tournamentID = id }
    ).stages
  }

  /// A stage as the server has it.
  func bracket(_ stage: Int64) async throws -> EliminationBracket {
    try await server.client(organiser).call(Elimination.getBracket, .with { $0.stageID = stage })
  }
}

/// Makes a change whose reply is lost, and makes it again: under the same key. Returns what the
/// second time gives.
@MainActor
func resultAfterLostReply<Value>(
  over transport: FaultyTransport, _ method: String,
  _ change: @MainActor () async throws -> Value,
  _ location: SourceLocation = #_sourceLocation
) async throws -> Value {
  let before = transport.sent.count { $0 == method }
  let keys = transport.keys.count
  transport.loseAnswers(1)
  let error = await failure { _ = try await change() }
  #expect(error != nil, "the reply arrived", sourceLocation: location)
  let result = try await change()
  #expect(transport.sent.count { $0 == method } == before + 2, sourceLocation: location)
  #expect(transport.keys.count == keys + 1, "another key", sourceLocation: location)
  return result
}

/// The same for a change without a result.
@MainActor
func repeatAfterLostReply(
  over transport: FaultyTransport, _ method: String,
  _ change: @MainActor () async throws -> Void,
  _ location: SourceLocation = #_sourceLocation
) async throws {
  let isMade = try await resultAfterLostReply(
    over: transport, method,
    {
      try await change()
      return true
    }, location)
  #expect(isMade, sourceLocation: location)
}
