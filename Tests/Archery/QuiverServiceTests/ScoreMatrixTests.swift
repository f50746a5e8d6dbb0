import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverRPC
import QuiverStore
import Synchronization
import TestSupport
import Testing

/// Row 18 of the fault matrix for scores, over RPC.
@Suite("Scores of devices that were offline", .timeLimit(.minutes(5)))
struct ScoreMatrixTests {
  @Test(
    "row 18: the same operations in any order, split and repeated, give the same standings",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func permuted(seed: UInt64) async throws {
    let plain = try await Self.play(seed: 0)
    let permuted = try await Self.play(seed: seed)
    #expect(permuted.standings == plain.standings, "seed \(seed)")
    #expect(permuted.history == plain.history, "seed \(seed)")
    #expect(plain.standings.map { $0.split(separator: " ")[2] } == Shots.totals.map { "\($0)" })
    #expect(plain.history == Shots.operations.map(\.line).sorted())
  }

  /// What a play left: the rows as they are ranked, and every operation that was kept.
  private struct Outcome: Equatable {
    var standings: [String] = []
    var history: [String] = []
  }

  /// Sends what three devices entered off line: whose turn it is, how it is split, over which kind
  /// of call and how often it goes is the seed's; of 0, each once in the order of entering.
  private static func play(seed: UInt64) async throws -> Outcome {
    let state = Mutex(Outcome())
    try await TestServer.run { server in
      let tournament = try await TestTournament(server)
      let ids = try await tournament.entries(Shots.names).map(\.id)
      try await tournament.start()
      let devices = try (0..<3).map { _ in
        try server.client(of: tournament.event.organiserID, [.read, .write])
      }
      var random = SeededGenerator(seed: seed)
      var waiting = Shots.operations
      if seed > 0 {
        waiting += waiting.shuffled(using: &random).prefix(40)
        waiting.shuffle(using: &random)
      }
      while !waiting.isEmpty {
        var rest = waiting[...]
        var kept: [Shot] = []
        while !rest.isEmpty {
          let count = seed == 0 ? rest.count : Int.random(in: 1...30, using: &random)
          let batch = Array(rest.prefix(count))
          rest = rest.dropFirst(count)
          let device = devices[Int.random(in: 0..<3, using: &random)]
          let operations = batch.map { $0.operation(ids[$0.archer]) }
          let streams = seed > 0 && Bool.random(using: &random)
          let verdicts =
            streams
            ? try await sync(operations, by: device)
            : try await device.call(
              Tournament.applyOperations, .with { $0.operations = operations }
            ).verdicts
          for (shot, verdict) in zip(batch, verdicts) {
            if verdict.verdict == .notYet { kept.append(shot) }
            #expect([.stored, .same, .notYet].contains(verdict.verdict), "seed \(seed)")
          }
        }
        try #require(kept.count < waiting.count, "operations wait for what never comes")
        waiting = kept
      }
      let outcome = try await Self.outcome(tournament, ids)
      state.withLock { $0 = outcome }
      #expect(try server.store.verify().isEmpty)
    }
    return state.withLock { $0 }
  }

  private static func sync(
    _ operations: [ScoringOperation], by device: Client
  ) async throws -> [OperationVerdict] {
    let call = try device.client.open(Tournament.syncOperations)
    try await call.send(.with { $0.operations = operations })
    return try await call.reply().message.verdicts
  }

  private static func outcome(_ tournament: TestTournament, _ ids: [Int64]) async throws -> Outcome
  {
    var outcome = Outcome(standings: try await tournament.standings())
    for id in ids {
      let card = try await tournament.organiser.call(
        Rounds.getScorecard,
        .with { request in
          request.participantID = id
          request.includeHistory = true
        })
      outcome.history += card.history.map { Shot.line($0.operation ?? ScoringOperation()) }
    }
    outcome.history.sort()
    return outcome
  }
}

/// One operation of a device, of an archer by its place.
private struct Shot {
  let archer: Int
  let clientID: [UInt8]
  let kind: QuiverAPI.OperationKind
  let end: UInt32
  let arrow: UInt32
  /// Of a retraction, 0.
  let value: UInt32
  let replaces: [UInt8]

  func operation(_ participant: Int64) -> ScoringOperation {
    .with { operation in
      operation.clientID = clientID
      operation.kind = kind
      operation.participantID = participant
      operation.endIndex = end
      operation.arrowIndex = arrow
      if kind != .retract { operation.value = value }
      if kind != .record {
        operation.replacesClientID = replaces
        operation.reason = "misread"
      }
    }
  }

  var line: String { Self.line(operation(0)) }

  static func line(_ operation: ScoringOperation) -> String {
    let value = operation.value.map { "\($0)" } ?? "none"
    return "\(operation.clientID) \(operation.kind.rawValue) \(operation.endIndex)"
      + ".\(operation.arrowIndex) \(value)"
  }
}

/// What was shot: some arrows were misread first, and corrected, or emptied and filled again.
private enum Shots {
  static let names = ["Ann", "Ben", "Cid", "Dan", "Eve", "Fay"]
  private static let arrowCount = 18

  private static func value(_ archer: Int, _ arrow: Int) -> UInt32 {
    UInt32((archer * 5 + arrow * 3) % (9 + archer % 2)) + (archer < 2 ? 1 : 0)
  }

  /// In the order of the ranks.
  static let totals = names.indices.map { archer in
    (0..<arrowCount).reduce(0) { $0 + value(archer, $1) }
  }.sorted(by: >)

  static let operations: [Shot] = {
    var shots: [Shot] = []
    for archer in names.indices {
      for arrow in 0..<arrowCount {
        let value = value(archer, arrow)
        var chain: [(QuiverAPI.OperationKind, UInt32)] = [(.record, value)]
        if arrow % 5 == 1 { chain = [(.record, 10 - value), (.correct, value)] }
        if arrow % 7 == 2 { chain = [(.record, 1), (.retract, 0), (.correct, value)] }
        var head: [UInt8] = []
        for (kind, value) in chain {
          let number = UInt8(truncatingIfNeeded: shots.count)
          let high = UInt8(truncatingIfNeeded: shots.count >> 8)
          let name: [UInt8] = [
            1, 2, 3, 4, high, number, 0x70, 0, 0x80, 0, 0, 0, 0, 0, high, number,
          ]
          shots.append(
            Shot(
              archer: archer, clientID: name, kind: kind, end: UInt32(arrow / 3),
              arrow: UInt32(arrow % 3), value: value, replaces: head))
          head = name
        }
      }
    }
    return shots
  }()
}
