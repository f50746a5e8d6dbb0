import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Testing

@testable import QuiverSession

/// A match of two archers who have shot their qualification.
struct TestMatch {
  let server: SessionServer
  let id: Int64
  /// The organiser, and the archers of the sides.
  let sheriff: String
  let archers: [String]
  /// Of four archers; the match is their final.
  let semifinals: [Int64]
  /// The participants of the archers.
  let participants: [Int64]

  init(
    _ server: SessionServer, archerCount: Int = 2, consent: CorrectionConsent = .unspecified
  ) async throws {
    self.server = server
    sheriff = try server.token()
    archers = try (0..<archerCount).map { _ in try server.token() }
    let event = try await server.tournament(sheriff, arrows: 3) { request in
      (request.joins, request.correctionConsent) = (false, consent)
    }
    var ids: [Int64] = []
    for archer in archers { ids.append(try await server.join(event, by: archer).id) }
    participants = ids
    try await server.start(event, by: sheriff)
    let client = try server.client(sheriff)
    for (id, value) in zip(ids, [10, 9, 8, 7] as [UInt32]) {
      for arrow in 0..<UInt32(3) {
        var request = RecordArrowRequest()
        request.operation = .with { operation in
          (operation.participantID, operation.arrowIndex) = (id, arrow)
          operation.value = value
        }
        _ = try await client.call(Tournament.recordArrow, request)
      }
    }
    let categories = try await client.call(
      Events.listEventCategories, .with { $0.tournamentID = event.id })
    var cut = CutCategoryRequest()
    (cut.tournamentID, cut.categoryID) = (event.id, categories.categories[0].id)
    (cut.size, cut.system) = (UInt32(archerCount), .individualSets)
    let matches = try await client.call(Elimination.cutCategory, cut).matches
    semifinals = matches.filter { $0.roundSize == 4 }.map(\.id)
    id = try #require(matches.first { $0.roundSize == 2 && $0.index == 0 }).id
  }

  /// The match as the server has it.
  func match() async throws -> EliminationMatch { try await match(id) }

  private func match(_ id: Int64) async throws -> EliminationMatch {
    try await server.client(sheriff).call(Elimination.getMatch, .with { $0.matchID = id })
  }

  /// Shoots a match that the first side wins, and confirms it.
  func play(_ id: Int64) async throws {
    for end in 0..<UInt32(3) {
      try await store(10, end, side: 1, of: id)
      try await store(1, end, side: 2, of: id)
    }
    try await confirm(id)
  }

  /// Reopens a match that the first side won, so that the second wins it.
  func reverse(_ id: Int64) async throws {
    _ = try await server.client(sheriff).call(
      Elimination.reopenMatch,
      .with { request in
        (request.matchID, request.reason, request.voidLater) = (id, "wrong cards", true)
      })
    for end in try await match(id).sides[0].entries {
      try await store(0, end.index, side: 1, of: id, replacing: end.operationClientID)
    }
    try await confirm(id)
  }

  private func store(
    _ value: UInt32, _ end: UInt32, side: UInt32, of id: Int64, replacing head: [UInt8] = []
  ) async throws {
    var operation = MatchOperation()
    operation.clientID = ClientIDMaker.shared.make(at: WallClock.nowMilliseconds())
    (operation.matchID, operation.side) = (id, side)
    (operation.replacesClientID, operation.reason) = (head, head.isEmpty ? "" : "misread")
    operation.entry = .with { entry in
      entry.index = end
      entry.arrows = (0..<3).map { _ in .with { $0.value = value } }
    }
    let sent = operation
    let verdicts = try await server.client(sheriff).call(
      Elimination.applyMatchOperations, .with { $0.operations = [sent] }
    ).verdicts
    try #require(verdicts.map(\.verdict) == [.stored])
  }

  private func confirm(_ id: Int64) async throws {
    for side in [1, 2] as [UInt32] {
      let revision = try await match(id).revision
      _ = try await server.client(sheriff).call(
        Elimination.confirmMatchCard,
        .with { ($0.matchID, $0.side, $0.revision) = (id, side, revision) })
    }
  }
}
