import QuiverPapers
import Testing

@Suite("Brackets and medals on paper", .timeLimit(.minutes(5)))
struct BracketPaperTests {
  private func bracket(_ size: Int, _ shootOffs: [String]) -> String {
    var match = PaperBracket.Match()
    (match.roundSize, match.winner) = (size, 1)
    match.sides = shootOffs.enumerated().map { index, text in
      var side = PaperBracket.Side()
      (side.seed, side.score, side.shootOffs) = (index + 1, "\(5 + index)", text)
      return side
    }
    var bracket = PaperBracket()
    (bracket.title, bracket.note, bracket.matches) = ("RM", "Set points", [match])
    return BracketPaper.section(bracket).text
  }

  @Test("Shoot-offs are behind the score, in trees and tables", arguments: [2, 32])
  func shootOffs(size: Int) {
    let text = bracket(size, ["10 | 9 8", "10 | X+ 8"])
    #expect(text.contains("5 <span class=\"m\">(10, 9 8)</span>"))
    #expect(text.contains("6 <span class=\"m\">(10, X+ 8)</span>"))
    #expect(text.contains("Set points, shoot-offs in parentheses"))
    let without = bracket(size, ["", ""])
    #expect(!without.contains("parentheses") && !without.contains("("))
  }

  @Test("A category without entries is not on the medal list")
  func medals() {
    #expect(MedalPaper.section(PaperMedals()).text.isEmpty)
    var medals = PaperMedals()
    (medals.title, medals.note) = ("RM", "From the bracket, not finished")
    #expect(MedalPaper.section(medals).text.contains("Medals · From the bracket, not finished"))
  }
}
