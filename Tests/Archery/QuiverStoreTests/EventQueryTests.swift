#if DEBUG
  import Foundation
  import QuiverRules
  import QuiverSQLite
  import Synchronization
  import TestSupport
  import Testing

  @testable import QuiverStore

  @Suite("What queries of events and matches read", .timeLimit(.minutes(5)))
  struct EventQueryTests {
    @Test(
      "No query of an event or of a match looks through a table",
      arguments: ["Events", "Elimination", "DoubleScoring", "Leases"])
    func plans(folder: String) throws {
      let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Archery/QuiverStore/\(folder)").standardized
      let files = Set(
        try FileManager.default.contentsOfDirectory(atPath: sources.path).map {
          "QuiverStore/\($0)"
        })
      _ = try StoreQueries.all()
      let queries = Query.all.withLock { $0 }.filter { files.contains($0.file) }.map(\.query)
      #expect(queries.count > 10)
      let directory = try TemporaryDirectory()
      try directory.open().close()
      let connection = try Connection(path: directory.databasePath, mode: .readOnly)
      for query in queries {
        let plan = try connection.prepare("EXPLAIN QUERY PLAN \(query.text.text)")
        while try plan.step() {
          let step = plan.text(3)
          #expect(!step.hasPrefix("SCAN "), "\(step) in \(query.text.text)")
        }
      }
    }

    @Test("An operation on a match reads that match, however large its bracket is")
    func operations() throws {
      let bracket = try BracketBench(128, shoots: false, in: try EventBench())
      let match = try bracket.match(128, 0).id
      let refused = try (0..<50).map { _ in try bracket.operation(match, .first, 0, [9]) }
      let counted = try bracket.bench.perform(
        CountStatements(command: try ApplyMatchOperations(refused)))
      #expect(counted.outcomes.allSatisfy { $0.verdict == .refused })
      #expect(counted.statements <= 50 * 10)
      let entry = try bracket.operation(match, .first, 0, [9, 9, 9])
      let stored = try bracket.bench.perform(
        CountStatements(command: try ApplyMatchOperations([entry])))
      #expect(stored.outcomes[0].verdict == .stored && stored.statements <= 30)
      #expect(try bracket.bracket().matches[0].cards.map(\.isEmpty).contains(false))
    }
  }

  /// Applies operations, and counts the statements for it.
  private struct CountStatements: Command {
    let command: ApplyMatchOperations

    func apply(
      in transaction: borrowing Transaction
    ) throws(StoreError) -> (outcomes: [MatchOutcome], statements: Int) {
      let before = transaction.snapshot.session.statementCount
      let outcomes = try command.apply(in: transaction)
      return (outcomes, transaction.snapshot.session.statementCount - before)
    }
  }
#endif
