import QuiverPapers
import Testing

@Suite("Lists of entries on paper", .timeLimit(.minutes(5)))
struct EntryPaperTests {
  private let entries = [(1, "A"), (1, "B"), (2, "A"), (0, ""), (0, "")].enumerated().map {
    index, place in
    var entry = PaperEntry()
    (entry.id, entry.name, entry.session) = (Int64(index), "E\(index)", "morning")
    (entry.target, entry.letter) = place
    return entry
  }

  @Test("The start list has a column of sessions where the event has several")
  func sessions() {
    let several = StartListPaper.section(title: "RM", hasSessions: true, entries).text
    #expect(several.contains("<th>Session</th>") && several.contains("<td><bdi>morning</bdi></td>"))
    let one = StartListPaper.section(title: "RM", hasSessions: false, entries).text
    #expect(!one.contains("Session") && !one.contains("morning"))
  }

  @Test("No header of a column is empty, and what is on a paper is its main part")
  func landmarks() {
    let lists = [
      StartListPaper.section(title: "RM", hasSessions: false, entries).text,
      TargetListPaper.section(title: "morning", note: "", entries).text,
    ]
    for text in lists {
      #expect(!text.contains(#/<th[^>]*><\/th>/#) && text.contains("<thead>"))
      #expect(text.contains("<td></td>") || text.contains("<td class=\"s\"></td>"))
    }
    #expect(PaperSheet().opening.hasSuffix("</header>\n<main>\n"))
    #expect(PaperSheet.closing.hasPrefix("</main>"))
  }

  @Test("The archers of a target stay together, and those without one need not")
  func targets() {
    let text = TargetListPaper.section(title: "morning", note: "", entries).text
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("<tr") }
    let styles = rows.map { row in
      ["first", "same"].first { row.hasPrefix("<tr class=\"\($0)\"") } ?? ""
    }
    #expect(styles == ["first", "same", "first", "first", ""])
  }
}
