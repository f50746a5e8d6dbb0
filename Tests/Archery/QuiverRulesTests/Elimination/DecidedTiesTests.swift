import QuiverRules
import Testing

@Suite("Decided ties", .timeLimit(.minutes(5)))
struct DecidedTiesTests {
  private static let ranking = Ranking(
    TiePolicyForm.of(.waOutdoor2026, onDay: 20_454), inProgress: false)

  /// Rows of the ids 1, 2, 3 and so on with these totals.
  private static func rows(
    _ totals: [Int], _ standings: [Int64: Ranking.Standing] = [:]
  ) -> [RankedContender] {
    ranking.ranked(
      totals.enumerated().map { index, total in
        let id = Int64(index + 1)
        return Ranking.Contender(
          id: id, standing: standings[id] ?? .ranked,
          tally: ScoreTally(
            total: total, xCount: 0, goldCount: 0, arrowCount: 3, endsCompleted: 1, counts: []))
      })
  }

  /// Ties that the decisions name, each best first.
  private static func ties(_ decisions: [Int64]...) -> DecidedTies {
    var places: [Int64: DecidedTies.Place] = [:]
    for (number, ids) in decisions.enumerated() {
      for (index, id) in ids.enumerated() {
        places[id] = DecidedTies.Place(decision: Int64(number), place: index + 1)
      }
    }
    return DecidedTies(places)
  }

  private static func text(_ ties: DecidedTies, _ rows: [RankedContender]) -> [String] {
    ties.split(rows).map { row in
      "\(row.ranked.rank) \(row.ranked.contender.id)\(row.isDecided ? " decided" : "")"
    }
  }

  @Test("a shared rank is split in the order of the decision, and the other ranks stay")
  func split() {
    let rows = Self.rows([30, 28, 28, 28, 27, 27])
    #expect(
      Self.text(Self.ties([4, 2, 3]), rows)
        == ["1 1", "2 4 decided", "3 2 decided", "4 3 decided", "5 5", "5 6"])
    #expect(Self.text(Self.ties(), rows) == ["1 1", "2 2", "2 3", "2 4", "5 5", "5 6"])
  }

  @Test("a decision holds for a part of those whom it names, and not beside one whom it does not")
  func parts() {
    let rows = Self.rows([28, 28, 27])
    #expect(Self.text(Self.ties([3, 2, 1]), rows) == ["1 2 decided", "2 1 decided", "3 3"])
    #expect(Self.text(Self.ties([2, 1]), Self.rows([28, 28, 28])) == ["1 1", "1 2", "1 3"])
  }

  @Test("the places of two decisions are not compared")
  func twoDecisions() {
    let ties = Self.ties([1, 2], [3, 4])
    #expect(
      Self.text(ties, Self.rows([30, 28, 28, 27])) == ["1 1", "2 2", "2 3", "4 4"])
  }

  @Test("those who are not ranked are never split")
  func unranked() {
    let rows = Self.rows([28, 28, 28], [1: .withdrawn, 2: .withdrawn])
    #expect(Self.text(Self.ties([2, 1]), rows) == ["1 3", "0 1", "0 2"])
    #expect(Self.text(Self.ties([2, 1]), []) == [])
  }
}
