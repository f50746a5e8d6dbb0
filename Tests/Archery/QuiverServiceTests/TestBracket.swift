import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

/// An event whose entries have shot their qualification of one end, and short ways to shoot
/// matches.
struct TestBracket {
  let event: TestEvent
  let category: Int64
  let entries: [EventEntry]

  /// `arrows` are the values of the three arrows of each entry; nil leaves an entry without arrows.
  init(
    _ server: TestServer, _ arrows: [[UInt32]?],
    _ change: (inout CreateTournamentRequest) -> Void = { _ in }
  ) async throws {
    event = try await TestEvent(server) { request in
      request.format = .library("wa18", arrows: 3)
      change(&request)
    }
    entries = try await event.entries(
      arrows.indices.map { TestEvent.draft("\($0 + 1)", "E\($0 + 1)") })
    category = entries[0].categoryID
    try await event.tournament.start()
    for (entry, values) in zip(entries, arrows) {
      for (index, value) in (values ?? []).enumerated() {
        try await event.tournament.record(entry.participantID, 0, UInt32(index), value)
      }
    }
  }

  /// The best first: 30, 29, 28 and so on.
  static func descending(_ count: Int) -> [[UInt32]] {
    (0..<count).map { place in
      [0, 1, 2].map { 10 - UInt32(place + 2 - $0) / 3 }
    }
  }

  func cutRequest(
    _ size: UInt32, _ change: (inout CutCategoryRequest) -> Void = { _ in }
  ) -> CutCategoryRequest {
    var request = CutCategoryRequest()
    (request.tournamentID, request.categoryID) = (event.id, category)
    (request.size, request.system) = (size, .individualSets)
    change(&request)
    return request
  }

  func cut(_ size: UInt32) async throws -> EliminationBracket {
    try await event.organiser.call(Elimination.cutCategory, cutRequest(size))
  }

  func bracket(_ stage: Int64) async throws -> EliminationBracket {
    try await event.organiser.call(Elimination.getBracket, .with { $0.stageID = stage })
  }

  func match(_ id: Int64) async throws -> EliminationMatch {
    try await event.organiser.call(Elimination.getMatch, .with { $0.matchID = id })
  }

  func operation(
    _ match: Int64, _ side: UInt32, _ index: UInt32, _ values: [UInt32], shootOff: Bool = false,
    _ change: (inout MatchOperation) -> Void = { _ in }
  ) throws -> MatchOperation {
    var operation = MatchOperation()
    operation.clientID = try event.tournament.clientID()
    (operation.matchID, operation.side) = (match, side)
    operation.entry = .with { entry in
      (entry.index, entry.shootOff) = (index, shootOff)
      entry.arrows = values.map { value in MatchArrow.with { $0.value = value } }
    }
    change(&operation)
    return operation
  }

  func apply(
    _ operations: [MatchOperation], by client: Client? = nil
  ) async throws -> [MatchOperationVerdict] {
    try await (client ?? event.organiser).call(
      Elimination.applyMatchOperations, .with { $0.operations = operations }
    ).verdicts
  }

  /// Shoots a match that one side wins 6 to 0, and confirms both cards.
  func play(_ id: Int64, winner: UInt32) async throws {
    var operations: [MatchOperation] = []
    for end in 0..<UInt32(3) {
      operations.append(try operation(id, winner, end, [10, 10, 10]))
      operations.append(try operation(id, 3 - winner, end, [9, 9, 9]))
    }
    let verdicts = try await apply(operations)
    #expect(verdicts.allSatisfy { $0.verdict == .stored })
    try await confirm(id)
  }

  func confirm(_ id: Int64) async throws {
    for side in [UInt32(1), 2] {
      let revision = try await match(id).revision
      _ = try await event.organiser.call(
        Elimination.confirmMatchCard,
        .with { ($0.matchID, $0.side, $0.revision) = (id, side, revision) })
    }
  }

  /// Plays all matches that can be shot; the lower seed wins. Returns the finished bracket.
  func playAll(_ stage: Int64) async throws -> EliminationBracket {
    while true {
      let current = try await bracket(stage)
      guard let next = current.matches.first(where: { $0.state == .scheduled }) else {
        return current
      }
      try await play(next.id, winner: next.sides[0].seed < next.sides[1].seed ? 1 : 2)
    }
  }
}
