import QuiverPapers
import Testing

@Suite("Score cards", .timeLimit(.minutes(5)))
struct ScoreCardPaperTests {
  private func pass(_ title: String, _ arrows: Int, by count: Int) -> ScoreCardPaper.Pass {
    var pass = ScoreCardPaper.Pass()
    (pass.title, pass.arrowCount, pass.arrowsPerEnd) = (title, arrows, count)
    return pass
  }

  private func text(_ passes: [ScoreCardPaper.Pass], counts: [String] = []) -> String {
    var card = ScoreCardPaper.Card()
    (card.passes, card.counts) = (passes, counts)
    return ScoreCardPaper.section(event: "Cup", session: "morning", [card]).text
  }

  private func count(_ part: String, in text: String) -> Int { text.ranges(of: part).count }

  @Test("Each distance has a table, whose ends begin with 1, and the last end may be short")
  func distances() {
    let card = text([pass("70 m", 36, by: 6), pass("50 m", 4, by: 3)], counts: ["10", "9"])
    #expect(count("<h3>", in: card) == 2 && count("<thead>", in: card) == 2)
    #expect(count("<td class=\"end\">", in: card) == 8 && count("<td>–</td>", in: card) == 2)
    #expect(count("<td class=\"end\">1</td>", in: card) == 2)
    #expect(card.contains("<th>Total</th><td></td><th>10</th><td></td><th>9</th><td></td>"))
    #expect(card.contains("--row:6.6mm"))
  }

  @Test("Many distances share a table, whose ends are numbered through, with the distance in each")
  func field() {
    let card = text((1...8).map { pass("\($0)0 m", $0 == 3 ? 9 : 3, by: 3) })
    #expect(count("<h3>", in: card) == 0 && count("<thead>", in: card) == 1)
    #expect(count("<td class=\"end\">", in: card) == 10)
    #expect(card.contains("<td class=\"end\">10</td><td class=\"face\">80 m</td>"))
    #expect(count("<td class=\"face\">30 m</td>", in: card) == 3)
    // Ends of different lengths cannot share one.
    let mixed = text((1...6).map { pass("\($0)0 m", 6, by: $0 == 1 ? 6 : 3) })
    #expect(count("<thead>", in: mixed) == 6)
  }

  @Test("Rows are lower where a card has many, and not lower than can be written in")
  func heights() {
    #expect(text(Array(repeating: pass("m", 36, by: 6), count: 4)).contains("--row:5.5mm"))
    #expect(text([pass("18 m", 60, by: 3)]).contains("--row:6.6mm"))
    #expect(text([pass("18 m", 600, by: 3)]).contains("--row:4.2mm"))
    var long = ScoreCardPaper.Card()
    long.passes = Array(repeating: pass("m", 36, by: 6), count: 4)
    long.entry.club = String(repeating: "club ", count: 20)
    let event = String(repeating: "cup ", count: 50)
    let card = ScoreCardPaper.section(event: event, session: "s", [long]).text
    #expect(card.contains("--row:5.1mm"), "\(card.prefix(60))")
    #expect(text([]).contains("--row:6.6mm"))
    #expect(text([pass("m", 6, by: 0)]).contains("--row:6.6mm"))
  }
}
