import QuiverRules
import Testing

@Suite("Lists of entries", .timeLimit(.minutes(5)))
struct EntryCSVTests {
  private static func list(_ text: String) throws(RuleViolation) -> EntryCSV {
    try EntryCSV(Array(text.utf8))
  }

  @Test("Columns are found by their names, in any order and case, and unknown ones reported")
  func columns() throws {
    let list = try Self.list(
      "\u{FEFF}Name,BIB,Nation,club\r\n"
        + "\"Αρτεμις, the \"\"bow\"\"\", 12 ,GRE,Δέλτα\r\n\r\nRobin,7,,\n"
    )
    #expect(list.unknownColumns == ["Nation"])
    #expect(list.entries.map(\.line) == [2, 4])
    #expect(list.entries[0][.name] == "Αρτεμις, the \"bow\"" && list.entries[0][.bib] == "12")
    #expect(list.entries[0][.club] == "Δέλτα" && list.entries[1][.licence].isEmpty)
  }

  @Test(
    "A line that is not valid is refused with its number",
    arguments: [
      ("", "line 1"), ("club,bib\n", "line 1"), ("name\nA\n", "line 1"),
      ("name,bib,name\n", "line 1"), ("name,bib\nA\n", "line 2"), ("name,bib\nA,1,x\n", "line 2"),
      ("name,bib\n,1\n", "line 2"), ("name,bib\nA,\n", "line 2"),
      ("name,bib\nA,1\nB,1\n", "line 3"), ("name,bib\n\"A,1\n", "line 2"),
      ("name,bib,target\nA,1,first\n", "line 2"),
      ("name,bib,fixed\nA,1,maybe\n", "line 2"), ("name,bib,wheelchair\nA,1,1\n", "line 2"),
    ])
  func refused(text: String, field: String) {
    do throws(RuleViolation) {
      _ = try Self.list(text)
      Issue.record("the list was accepted")
    } catch {
      #expect(error.field == field)
    }
  }

  @Test("A session stays as it is written: a name or an id")
  func sessions() throws {
    let list = try Self.list("bib,name,session\n1,A, Morning two \n2,B,17\n3,C,\n")
    #expect(list.entries.map { $0[.session] } == ["Morning two", "17", ""])
  }

  @Test("Bytes that are not UTF-8 are refused")
  func bytes() {
    #expect(throws: RuleViolation.self) { try EntryCSV([0x6E, 0xFF, 0x0A]) }
  }
}
