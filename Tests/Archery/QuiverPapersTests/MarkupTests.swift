import QuiverPapers
import Testing

@Suite("Texts of users on papers", .timeLimit(.minutes(5)))
struct MarkupTests {
  @Test(
    "Characters with a meaning in HTML are escaped",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\"><img src=x onerror='a()'>", "&quot;&gt;&lt;img src=x onerror=&#39;a()&#39;&gt;"),
      ("Tom & Jerry", "Tom &amp; Jerry"), ("李娜 Ψ Ж ع", "李娜 Ψ Ж ع"), ("", ""),
    ])
  func escapes(text: String, expected: String) {
    #expect(Markup.escaped(text) == expected)
  }

  @Test("Overrides of direction are left out, and control characters are spaces")
  func directions() {
    for scalar in [0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069] {
      let character = String(UnicodeScalar(UInt32(scalar))!)
      #expect(Markup.escaped("a\(character)b") == "ab")
    }
    for scalar in [0x00, 0x07, 0x0A, 0x0D, 0x1B, 0x7F, 0x85, 0x9F, 0x2028, 0x2029] {
      let character = String(UnicodeScalar(UInt32(scalar))!)
      #expect(Markup.escaped("a\(character)b") == "a b")
    }
    // Marks and joiners, which scripts need, stay.
    #expect(Markup.escaped("a\u{200F}b\u{200D}c") == "a\u{200F}b\u{200D}c")
    #expect(Markup.isolated("a") == "<bdi>a</bdi>" && Markup.isolated("") == "")
  }

  @Test("Each text of each paper is escaped, and nothing in a paper can run")
  func papers() throws {
    let hostile = "</bdi></td><script>x</script>&\u{202E}"
    var entry = PaperEntry()
    (entry.id, entry.name, entry.bib, entry.club) = (1, hostile, hostile, hostile)
    (entry.country, entry.category, entry.session) = (hostile, hostile, hostile)
    (entry.target, entry.letter) = (1, "A")
    var card = ScoreCardPaper.Card()
    (card.entry, card.round, card.link) = (entry, hostile, hostile)
    var pass = ScoreCardPaper.Pass()
    (pass.title, pass.arrowCount, pass.arrowsPerEnd) = (hostile, 7, 3)
    (card.passes, card.counts) = ([pass], [hostile])
    var standing = PaperStanding()
    (standing.entry, standing.rank, standing.keys) = (entry, 1, [30])
    var side = PaperBracket.Side()
    (side.seed, side.entry, side.score) = (1, entry, hostile)
    var matches: [PaperBracket.Match] = []
    for size in [32, 2] {
      var match = PaperBracket.Match()
      (match.roundSize, match.sides, match.winner) = (size, [side, side], 0)
      matches.append(match)
    }
    var bracket = PaperBracket()
    (bracket.title, bracket.note, bracket.matches) = (hostile, hostile, matches)
    var medals = PaperMedals()
    (medals.title, medals.note, medals.entries) = (hostile, hostile, [[entry], [], [entry]])
    var diploma = DiplomaPaper.Diploma()
    (diploma.entry, diploma.category) = (entry, hostile)
    diploma.entry.members = [hostile]
    var sheet = PaperSheet()
    (sheet.event, sheet.title) = (hostile, "Start list")
    let template = try DiplomaTemplate(hostile + "\n" + DiplomaTemplate.standard)
    let texts = [
      DiplomaPaper.section(template, event: hostile, date: hostile, [diploma]).text,
      sheet.opening, StartListPaper.section(title: hostile, hasSessions: true, [entry]).text,
      TargetListPaper.section(title: hostile, note: "", [entry]).text,
      ScoreCardPaper.section(event: hostile, session: hostile, [card]).text,
      StandingsPaper.section(title: hostile, note: hostile, keys: ["Total"], [standing]).text,
      BracketPaper.section(bracket).text, MedalPaper.section(medals).text,
    ]
    for text in texts {
      #expect(text.contains("&lt;script&gt;"))
      #expect(!text.contains("<script") && !text.contains("\u{202E}"))
    }
    #expect(sheet.opening.contains("default-src 'none'"))
  }

  @Test("The last end of a pass may be short on a card, and a card without a link has no code")
  func cards() {
    var pass = ScoreCardPaper.Pass()
    (pass.title, pass.arrowCount, pass.arrowsPerEnd) = ("18 m", 7, 3)
    var card = ScoreCardPaper.Card()
    card.passes = [pass]
    let text = ScoreCardPaper.section(event: "e", session: "s", [card]).text
    #expect(text.split(separator: "class=\"end\">").count == 5)
    #expect(
      text.split(separator: "<td>–</td>", omittingEmptySubsequences: false).count == 3)
    #expect(!text.contains("<svg"))
  }

  @Test("A section can be written from any row on, and at least one row at a time")
  func parts() {
    let section = PaperSection(opening: "(", closing: ")", rowCount: 5) { "\($0)" }
    #expect(section.text == "(01234)")
    for byteCount in 1...8 {
      var text = ""
      var row: Int? = 0
      var count = 0
      while let first = row {
        let part = section.text(from: first, byteCount: byteCount)
        text += part.text
        row = part.next
        count += 1
      }
      #expect(text == "(01234)" && count <= 5)
    }
    #expect(PaperSection().text.isEmpty)
  }
}
