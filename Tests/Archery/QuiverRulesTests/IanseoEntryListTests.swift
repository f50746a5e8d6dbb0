import QuiverRules
import Testing

@Suite("Lists of entries for ianseo", .timeLimit(.minutes(5)))
struct IanseoEntryListTests {
  private func fault(_ text: String) -> String {
    do throws(RuleViolation) {
      _ = try IanseoEntryList(Array(text.utf8))
      return ""
    } catch {
      return "\(error.field) \(error.message)"
    }
  }

  @Test("Columns by position are read, with tabs or semicolons; other lines are counted")
  func columns() throws {
    let text = """
      12345\t1\tR\tM\t012b\t1\t1\t1\t1\t1\tRossi\tAnna Maria\tW\tITA\tItaly\t1990-01-02\r
      77;2;C;U18W;;1;1;1;0;0;San;;0;FRA;Archers de Lyon\r
      ##EMAIL##\t12345\ta@example.org

      9\t\tB\tW\t\t\t\t\t\t\tLee
      """
    let list = try IanseoEntryList(Array(text.utf8))
    #expect(list.skipped == ["##EMAIL##": 1])
    #expect(list.entries.map(\.code) == ["12345", "77", "9"])
    #expect(list.entries.map(\.category) == ["RM", "CU18W", "BW"])
    #expect(list.entries.map(\.session) == [1, 2, 0])
    #expect(list.entries.map(\.target) == [12, 0, 0] && list.entries[0].letter == "B")
    #expect(list.entries.map(\.name) == ["Anna Maria Rossi", "San", "Lee"])
    #expect(list.entries.map(\.countryName) == ["Italy", "Archers de Lyon", ""])
    #expect(list.entries.map(\.line) == [1, 2, 5])
  }

  @Test("A line that is written is read as the same entry")
  func roundTrip() throws {
    let line = IanseoEntryList.Entry.line(
      code: "L1", session: 2, division: "R", ageClass: "M", target: 7, letter: "C",
      name: "Élodie\tSan; x", isFemale: false, countryCode: "FRA", countryName: "Lyon")
    let entry = try #require(try IanseoEntryList(Array(line.utf8)).entries.first)
    #expect(entry.code == "L1" && entry.session == 2 && entry.category == "RM")
    #expect(entry.target == 7 && entry.letter == "C" && entry.name == "Élodie San  x")
    #expect(entry.countryCode == "FRA" && entry.countryName == "Lyon")
  }

  @Test("A separator before a combining mark does not move the columns")
  func combiningMarks() throws {
    let line = IanseoEntryList.Entry.line(
      code: "L1", session: 0, division: "R", ageClass: "M", target: 0, letter: "",
      name: "San;\u{301}x\t\u{301}\u{2028}", isFemale: false, countryCode: "FRA",
      countryName: "Lyon;\u{200D}")
    let scalars = line.unicodeScalars
    #expect(!scalars.contains(";") && !scalars.contains("\u{2028}"))
    #expect(scalars.count { $0 == "\t" } == 14, "\(line.debugDescription)")
  }

  @Test(
    "A line that cannot be an entry is refused",
    arguments: [
      ("1\t1\tR", "3 columns"), ("\t1\tR\tM", "no code"), ("1\t1\t\tM", "no division"),
      ("1\tx\tR\tM", "session"), ("1\t1\tR\tM\t12E\t1\t1\t1\t1\t1\tA", "target"),
      ("1\t1\tR\tM", "no name"),
      ("1\t1\tR\tM\t\t1\t1\t1\t1\t1\tA\n1\t1\tR\tM\t\t1\t1\t1\t1\t1\tB", "line 1"),
    ])
  func faults(text: String, part: String) { #expect(fault(text).contains(part), "\(text)") }
}
