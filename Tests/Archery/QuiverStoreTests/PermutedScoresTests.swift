import Foundation
import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

/// The sample tournament in any order: reliability row 18.
@Suite(.timeLimit(.minutes(600))) struct PermutedScoresTests {
  /// The rules fold 200; the store fewer, unless `QUIVER_PERMUTATIONS` asks for more.
  private static var count: Int {
    ProcessInfo.processInfo.environment["QUIVER_PERMUTATIONS"].flatMap(Int.init) ?? 6
  }
  /// Events of one store, so that its file stays small.
  private static let roundsPerStore = 25
  /// Rounds after which something is said.
  private static let roundsPerLine = 250

  @Test("Every order, repetition and split of the sample gives the same rows byte for byte")
  func permutations() throws {
    let sheets = try SampleSheets.read()
    let seed =
      TestSeed.value
    var bench = try EventBench()
    var random = SeededGenerator(seed: seed)
    let operations = try SampleSheets.operations(of: sheets, bench, &random)
    let expected = try Self.rows(operations, sheets, bench, &random, shuffled: false)
    #expect(expected.count == sheets.count)
    for round in 0..<Self.count {
      if round > 0, round % Self.roundsPerStore == 0 { bench = try EventBench() }
      if round > 0, round % Self.roundsPerLine == 0 {
        let line = "permuted scores: seed \(seed), \(round) of \(Self.count) rounds\n"
        FileHandle.standardError.write(Data(line.utf8))
      }
      let rows = try Self.rows(operations, sheets, bench, &random, shuffled: true)
      #expect(rows == expected, "seed \(seed), round \(round)")
      if rows != expected { break }
    }
    print("permuted scores: seed \(seed), \(Self.count) rounds")
  }

  @Test("The sample has ties that X decides, that 10 decides, and full ties")
  func ties() throws {
    let sheets = try SampleSheets.read()
    #expect(sheets.count >= 60 && sheets.allSatisfy { $0.arrows.count >= 30 })
    let bench = try EventBench()
    var random = SeededGenerator(seed: 1)
    let operations = try SampleSheets.operations(of: sheets, bench, &random)
    let event = try Self.play(operations, sheets, bench, &random, shuffled: false)
    let rows = try bench.standings(event)
    let ranks = { (rows: [String]) in rows.map { $0.split(separator: " ")[0] } }
    #expect(Set(ranks(rows)).count < rows.count)
    #expect(try bench.standings(event, under: .scoreOnly) != rows)
    #expect(try bench.standings(event, under: .waIndoor) != rows)
    let moved = try bench.store.rankMoves(
      event.head.id, under: .waIndoor, principal: bench.organiser, pageSize: 500, pageToken: "")
    #expect(moved.count > 0 && moved.moves.count == moved.count)
    let trio = rows.filter { row in ["Mina", "Nils", "Olga"].contains { row.contains($0) } }
    #expect(Set(ranks(trio)).count == 1 && trio.count == 3)
    let byX = rows.filter { row in ["Cleo", "Dirk"].contains { row.contains($0) } }
    #expect(byX.map { $0.split(separator: " ")[2] } == ["294", "294"])
    #expect(Set(ranks(byX)).count == 2)
    let byTen = rows.filter { row in ["Edda", "Finn"].contains { row.contains($0) } }
    #expect(byTen.map { $0.split(separator: " ")[3] } == ["9", "9"])
    #expect(Set(ranks(byTen)).count == 2)
  }

  /// The final rows of a new event after all operations, in their order or another.
  private static func rows(
    _ operations: [SampleSheets.Operation], _ sheets: [SampleSheets.Sheet], _ bench: EventBench,
    _ random: inout SeededGenerator, shuffled: Bool
  ) throws -> [String] {
    let event = try play(operations, sheets, bench, &random, shuffled: shuffled)
    return try bench.standings(event)
  }

  private static func play(
    _ operations: [SampleSheets.Operation], _ sheets: [SampleSheets.Sheet], _ bench: EventBench,
    _ random: inout SeededGenerator, shuffled: Bool
  ) throws -> TournamentRecord {
    let event = try bench.event { $0.maxParticipants = 500 }
    let ids = try bench.entries(sheets.map(\.archer), event).map(\.id)
    try bench.start(event)
    var waiting = operations
    if shuffled {
      waiting += operations.shuffled(using: &random).prefix(operations.count / 5)
      waiting.shuffle(using: &random)
    }
    // What is NOT_YET is kept and sent again, as an outbox does.
    while !waiting.isEmpty {
      var kept: [SampleSheets.Operation] = []
      var rest = waiting[...]
      while !rest.isEmpty {
        let size = shuffled ? Int.random(in: 1...900, using: &random) : 500
        let batch = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        let drafts = try batch.map { operation in
          Result<OperationDraft, StoreError>.success(
            try operation.draft(participant: ids[operation.archer], event: event.head.id))
        }
        let outcomes = try bench.perform(try ApplyOperations(drafts, path: "operations"))
        for (operation, outcome) in zip(batch, outcomes) {
          switch outcome.verdict {
          case .notYet: kept.append(operation)
          case .stored, .same: break
          default: Issue.record("an operation without conflict was \(outcome.verdict)")
          }
        }
      }
      guard kept.count < waiting.count else {
        Issue.record("operations wait for what never comes")
        break
      }
      waiting = kept
    }
    return try bench.finalise(event)
  }
}

/// The score sheets of the sample tournament.
enum SampleSheets {
  struct Sheet: Sendable {
    let archer: String
    let arrows: [ArrowScore]
  }

  /// One operation, of an archer by its place in the list.
  struct Operation: Sendable {
    let archer: Int
    let slot: ArrowSlot
    let clientID: [UInt8]
    let kind: OperationKind
    let score: ArrowScore?
    let replaces: [UInt8]

    /// The operation for a participant of an event, with client ids of that event: a client id
    /// names one operation of a principal.
    func draft(participant: Int64, event: Int64) throws -> OperationDraft {
      func own(_ clientID: [UInt8]) -> [UInt8] {
        var own = clientID
        own[14] ^= UInt8(truncatingIfNeeded: event >> 8)
        own[15] ^= UInt8(truncatingIfNeeded: event)
        return own
      }
      var content = OperationDraft.Content(.id(participant))
      content.clientID = own(clientID)
      content.kind = kind
      content.endIndex = UInt32(slot.endIndex)
      content.arrowIndex = UInt32(slot.arrowIndex)
      content.value = score.map { UInt32($0.value) }
      content.isX = score?.isX ?? false
      if kind != .record {
        content.replaces = .clientID(own(replaces))
        content.reason = "misread"
      }
      return try OperationDraft(content, path: "operation.")
    }
  }

  static func read() throws -> [Sheet] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Fixtures/tournament/sample.csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return Sheet(
        archer: String(cells[0]), arrows: cells.dropFirst().compactMap { ArrowScore(sheet: $0) })
    }
  }

  /// One record for each arrow; some were misread first, and corrected or emptied and filled again
  /// in a chain that ends at the sheet's value.
  static func operations(
    of sheets: [Sheet], _ bench: EventBench, _ random: inout SeededGenerator
  ) throws -> [Operation] {
    let format = try #require(RoundLibrary.format("wa18"))
    var operations: [Operation] = []
    for (archer, sheet) in sheets.enumerated() {
      for (index, score) in sheet.arrows.enumerated() {
        let slot = try #require(format.slot(ofArrow: index))
        var chain: [(OperationKind, ArrowScore?)] = [(.record, score)]
        if Int.random(in: 0..<20, using: &random) == 0 {
          chain = [(.record, ArrowScore(value: 1)), (.correct, score)]
        } else if Int.random(in: 0..<40, using: &random) == 0 {
          chain = [(.record, ArrowScore(value: 2)), (.retract, nil), (.correct, score)]
        }
        var head: [UInt8] = []
        for (kind, score) in chain {
          let name = try bench.clientID()
          operations.append(
            Operation(
              archer: archer, slot: slot, clientID: name, kind: kind, score: score,
              replaces: head))
          head = name
        }
      }
    }
    return operations
  }
}
