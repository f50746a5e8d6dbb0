import QuiverAPI
import QuiverProtobuf
import Testing

@testable import quiver_load

@Suite("The verification of matches", .timeLimit(.minutes(1)))
struct MatchBookTests {
  private func match(_ ends: [[UInt32]]) -> EliminationMatch {
    .with { match in
      match.id = 5
      match.sides = [
        .with { side in
          side.total = ends.joined().reduce(0, +)
          side.entries = ends.enumerated().map { index, values in
            .with { entry in
              entry.index = UInt32(index)
              entry.arrows = values.map { value in .with { $0.value = value } }
            }
          }
        }, MatchSideCard(),
      ]
    }
  }

  private func finding(_ match: EliminationMatch, _ ends: [[UInt32]], unclear: Int = 0)
    -> quiver_load.Finding
  {
    var finding = quiver_load.Finding(subject: "ends of matches")
    finding.unclear = unclear
    let places = ends.enumerated().map { index, values in
      (MatchBook.Place(side: 1, isShootOff: false, index: UInt32(index)), values)
    }
    MatchBook.check(match, Dictionary(uniqueKeysWithValues: places), &finding)
    return finding
  }

  @Test("Acknowledged ends that are there are clean; missing, changed and foreign ones are found")
  func cards() {
    let ends: [[UInt32]] = [[9, 9, 8], [10, 7, 7]]
    #expect(finding(match(ends), ends).isClean)
    let lost = finding(match([ends[0]]), ends)
    #expect(lost.lost.count == 1 && lost.wrongTotals.count == 1)
    #expect(finding(match([ends[0], [10, 7, 6]]), ends).lost.count == 1)
    #expect(finding(match(ends + [[1, 1, 1]]), ends).doubled.count == 1)
    // An end whose reply was lost may be there.
    #expect(finding(match(ends + [[1, 1, 1]]), ends, unclear: 2).isClean)
  }
}
