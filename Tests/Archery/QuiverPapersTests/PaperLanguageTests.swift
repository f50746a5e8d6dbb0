import QuiverPapers
import Testing

@Suite("Languages and pages of papers", .timeLimit(.minutes(5)))
struct PaperLanguageTests {
  private func pass(_ arrows: Int, by count: Int) -> ScoreCardPaper.Pass {
    var pass = ScoreCardPaper.Pass()
    (pass.title, pass.arrowCount, pass.arrowsPerEnd) = ("18 m", arrows, count)
    return pass
  }

  private func values(_ text: String) -> [String] {
    text.matches(of: /\{[a-z]+\}/).map { String($0.output) }.sorted()
  }

  @Test("Each word has the values of the English one in all languages")
  func words() {
    #expect(PaperLanguage.words.count > 60)
    for (word, translation) in PaperLanguage.words {
      for text in [translation.german, translation.french, translation.italian] {
        #expect(!text.isEmpty && values(text) == values(word), "\(word): \(text)")
      }
    }
    #expect(PaperLanguage.german("Round {number}", ["number": "2"]) == "Runde 2")
    #expect(PaperLanguage.italian("a word without a translation") == "a word without a translation")
  }

  @Test("A paper is in its language, and its foot has the event and the number of the page")
  func sheet() {
    var sheet = PaperSheet()
    (sheet.event, sheet.language) = ("Ροή </style><b> \"x\"\\", .german)
    sheet.title = sheet.language("Start list")
    let text = sheet.opening
    #expect(text.contains("<html lang=\"de\">") && text.contains("<p>Startliste</p>"))
    #expect(text.contains("\"Seite \" counter(page) \" / \" counter(pages)"))
    #expect(
      text.contains("@bottom-left { content: \"Ροή \\3c /style\\3e \\3c b\\3e  \\22 x\\22 \\5c \""))
    #expect(text.ranges(of: "</style>").count == 1)
    var entry = PaperEntry()
    (entry.name, entry.state, entry.isOut) = ("Ann", "withdrawn", true)
    let list = StartListPaper.section(title: "RM", hasSessions: true, language: .french, [entry])
    #expect(list.text.contains("<th>Nom</th>") && list.text.contains("(retiré)"))
  }

  @Test(
    "Cards of a page stand in one element, in parts of any length too",
    arguments: [(1, 0), (2, 3), (4, 2)])
  func pages(perPage: Int, pageCount: Int) {
    let cards = (1...5).map { target in
      var card = ScoreCardPaper.Card()
      (card.entry.target, card.entry.name) = (target, "Archer \(target)")
      card.passes = [pass(30, by: 3), pass(30, by: 3)]
      return card
    }
    let section = ScoreCardPaper.section(
      event: "Cup", session: "morning", perPage: perPage, cards)
    let text = section.text
    #expect(text.ranges(of: "<section class=\"card\"").count == 5)
    #expect(text.ranges(of: "<div class=\"page\">").count == pageCount)
    #expect(text.ranges(of: "<div").count == text.ranges(of: "</div>").count)
    var (parts, row) = ("", 0 as Int?)
    while let first = row {
      let part = section.text(from: first, byteCount: 1)
      parts += part.text
      row = part.next
    }
    #expect(parts == text)
  }

  @Test("Rounds whose ends are too many for a small card do not fit on one")
  func room() {
    let indoor = [pass(30, by: 3), pass(30, by: 3)]
    let wa1440 = Array(repeating: pass(36, by: 6), count: 4)
    #expect(ScoreCardPaper.fits(indoor, perPage: 2) && ScoreCardPaper.fits(indoor, perPage: 4))
    #expect(ScoreCardPaper.fits(wa1440, perPage: 2) && !ScoreCardPaper.fits(wa1440, perPage: 4))
    #expect(!ScoreCardPaper.fits([pass(600, by: 3)], perPage: 2))
    #expect(
      ScoreCardPaper.fits([pass(600, by: 3)], perPage: 1) && ScoreCardPaper.fits([], perPage: 4))
  }
}
