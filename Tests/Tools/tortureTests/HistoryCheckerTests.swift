import QuiverSQLite
import QuiverStore
import ServerPrograms
import Testing

@testable import torture

/// Shows that the checker finds faults.
@Suite(.timeLimit(.minutes(20))) struct HistoryCheckerTests {
  @Test("A run without faults is explained")
  func explained() throws {
    let scratch = try ScratchDirectory()
    let history = try Self.write(1...40, scratch.path)
    #expect(try Recovery.check(scratch.path, history).isEmpty)
    #expect(HistoryChecker(history).acknowledgedCount == 35)
  }

  @Test(
    "Lost, duplicated, partial and reordered operations are named",
    arguments: [
      ("DELETE FROM equipment WHERE model = '9'", "operation 9 was acknowledged and is lost"),
      ("DELETE FROM idempotency_key WHERE sequence = 3", "has its effect or its key"),
      ("DELETE FROM riser WHERE id = 2", "has no row in its type's table"),
      ("UPDATE equipment SET revision = 3 WHERE model = '4'", "has revision 3"),
      ("UPDATE equipment SET model = '1' WHERE model = '2'", "operation 1 is there 2 times"),
      ("UPDATE equipment SET model = '99' WHERE model = '2'", "operation 99 was never begun"),
      ("UPDATE principal SET display_name = 'x'", "operation 6 was acknowledged and is lost"),
      ("DELETE FROM journal WHERE sequence = 5", "rows 5 to 5 are missing"),
    ])
  func found(script: String, text: String) throws {
    let scratch = try ScratchDirectory()
    let history = try Self.write(1...16, scratch.path)
    try Connection(path: scratch.path + "/quiver.db", mode: .readWrite).execute(script)
    let findings = try Recovery.check(scratch.path, history)
    #expect(findings.contains { $0.contains(text) }, "\(findings)")
  }

  @Test("A refused operation that is stored, or is stored before an earlier one, is named")
  func orders() throws {
    let scratch = try ScratchDirectory()
    let history = try Self.write(1...4, scratch.path)
    let refused: [History.Event] = [
      .run, .begun(1), .begun(2), .refused(2, isCertain: true), .begun(3), .begun(4),
    ]
    let refusal = try Recovery.check(scratch.path, refused)
    #expect(refusal.contains { $0.contains("operation 2 was refused and is there") }, "\(refusal)")
    let early = [.run, .begun(7_777), .begun(9), .begun(1)] + history
    let order = try Recovery.check(scratch.path, early)
    #expect(
      order.contains { $0.contains("operation 1 is there, and 7777 before it is not") }, "\(order)")
  }

  private static func write(
    _ numbers: ClosedRange<Int64>, _ directory: String
  ) throws -> [History.Event] {
    let history = History()
    let run = WriterRun(directory: directory, numbers: Array(numbers))
    #expect(try run.run(history) == .closed)
    return history.events
  }
}
