import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Formats whose passes a session keeps", .timeLimit(.minutes(5)))
struct KnownFormatTests {
  /// Makes a row for the first arrows of a format, and answers its id and its arrows.
  private struct CutFormat: Command {
    let arrows: UInt32
    let fails: Bool

    func apply(in transaction: borrowing Transaction) throws(StoreError) -> [Int64] {
      let record = try transaction.keptFormat(.codename("wa18"), arrowLimit: arrows)
      let passes = try transaction.snapshot.passes(ofFormat: record.id)
      if fails { throw StoreError(.failedPrecondition, "on purpose") }
      return [record.id, Int64(passes.reduce(0) { $0 + $1.arrowCount })]
    }
  }

  @Test("A format with the id of one that was rolled back has its own passes")
  func rolledBack() throws {
    let store = try TemporaryDirectory().open()
    let first = try store.perform(CutFormat(arrows: 3, fails: false), .of(1))
    #expect(throws: StoreError.self) {
      try store.perform(CutFormat(arrows: 6, fails: true), .of(1))
    }
    let second = try store.perform(CutFormat(arrows: 9, fails: false), .of(1))
    #expect(first[1] == 3 && second == [first[0] + 1, 9])
    #expect(try store.perform(CutFormat(arrows: 3, fails: false), .of(1)) == first)
  }
}
