import Testing

@testable import QuiverPapers

@Suite("Diplomas", .timeLimit(.minutes(5)))
struct DiplomaTests {
  private static func text(_ template: String, rank: Int = 2) throws -> String {
    var diploma = DiplomaPaper.Diploma()
    (diploma.entry.name, diploma.entry.club) = ("李娜", "Ψ & Ж")
    (diploma.category, diploma.rank) = ("RW", rank)
    return DiplomaPaper.section(
      try DiplomaTemplate(template), event: "Cup", date: "", [diploma]
    ).text
  }

  @Test("Words in braces stand for values, and a line without a value is left out")
  func values() throws {
    #expect(
      try Self.text("{event}\n\nFor {name}\n{members}\nof {club}\non {date}\n{rank} {place}")
        == "<section class=\"card diploma\"><p class=\"head\"><bdi>Cup</bdi></p>"
        + "<p class=\"name\">For <bdi>李娜</bdi></p><p>of <bdi>Ψ &amp; Ж</bdi></p>"
        + "<p><bdi>2</bdi> <bdi>2nd</bdi></p></section>\n")
    #expect(try Self.text(DiplomaTemplate.standard).contains("<p><bdi>2nd</bdi> place</p>"))
  }

  @Test("Other braces are text, and an unknown word is an error that names it")
  func braces() throws {
    #expect(try Self.text("a {b").contains("<p class=\"head\">a {b</p>"))
    #expect(try Self.text("{} {1} }{ {a b}{rank}").contains("{} {1} }{ {a b}<bdi>2</bdi>"))
    #expect(throws: DiplomaTemplate.UnknownValue(name: "nmae")) { try DiplomaTemplate("x{nmae}") }
    #expect(throws: DiplomaTemplate.UnknownValue(name: "Name")) { try DiplomaTemplate("{{Name}}") }
  }

  @Test(
    "Places have the endings of English",
    arguments: [
      (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
      (21, "21st"), (102, "102nd"), (111, "111th"), (1_000, "1000th"),
    ])
  func places(rank: Int, expected: String) {
    #expect(DiplomaPaper.ordinal(rank) == expected)
  }
}
