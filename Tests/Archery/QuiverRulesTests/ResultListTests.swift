import TestSupport
import Testing

@testable import QuiverRules

@Suite("Lists of results", .timeLimit(.minutes(5)))
struct ResultListTests {
  private static let head =
    "WaID;Local Bib;FamilyName;GivenName;DoB;Gender;Session;Target;Noc;Country;Division;Class;"
    + "SubClass;D1 Score;D1 X;D1 10;D1 Arrows;Score;Hits;X;10;Category Rank;Event;Qual Rank;"
    + "Final Rank;Category Drops;Qualification Drops;Elimination Drops;Email\r\n"

  private func fault(_ text: String, _ format: ResultList.Format) -> String {
    fault(Array(text.utf8), format)
  }

  private func fault(_ bytes: [UInt8], _ format: ResultList.Format) -> String {
    do throws(RuleViolation) {
      _ = try ResultList(bytes, format)
      return ""
    } catch {
      return "\(error.field) \(error.message)"
    }
  }

  private func list(_ text: String, _ format: ResultList.Format) throws -> ResultList {
    try ResultList(Array(text.utf8), format)
  }

  @Test("Totals are read by the names of the columns, and unknown columns are named")
  func columns() throws {
    let text =
      "\u{FEFF}Name, BIB ,Coach,total\n\"Much, the \"\"Miller\"\"\",7,X,540\r\n\n"
      + "Tuck,'=1,Y,0\nLittle,9,,"
    let list = try list(text, .csv)
    #expect(list.unknownColumns == ["Coach"] && list.emptyCount == 1)
    #expect(list.rows.map(\.code) == ["7", "=1"] && list.rows.map(\.total) == [540, 0])
    #expect(list.rows.map(\.line) == [2, 4])
    let exported = "category,rank,bib,name,total,x,ends,state\nRM,1,7,A,54,0,6,\nRM,2,8,B,0,0,0,\n"
    let standings = try self.list(exported, .csv)
    #expect(standings.unknownColumns.isEmpty && standings.rows.map(\.code) == ["7"])
    #expect(standings.emptyCount == 1)
  }

  @Test("The file of ianseo is read, of this version and of those without later columns")
  func ianseo() throws {
    let text =
      Self.head
      + "L1;12;Ross\"i;;1990-01-02;1;1;12B;ITA;Roma;R;W;;330;2;9;X,10,9;330;36;2;9;1;RW;1;;;;;\r\n"
      + "\r\nL2;;San;;;0;1;12C;FRA;Lyon;C;M;;0;0;0;;0;0;0;0;;CM;;;;;;a@example.org\r\n"
    let read = try list(text, .ianseo)
    #expect(read.unknownColumns.isEmpty && read.emptyCount == 1)
    #expect(
      read.rows == [
        ResultList.Row(
          line: 2, code: "L1", localBib: "12", category: "RW", total: 330,
          distances: [.init(score: 330, arrows: "X,10,9", counts: ["x": 2, "10": 9])],
          counts: ["x": 2, "10": 9])
      ])
    let old = try list(
      "WaID;Division;Class;D1 Score;D1 10+X;D1 X;D1 Arrows;Weather;Score;Hits;10+X;X\n"
        + "7;R;M;300;1;0;;1;300;36;1;0\n", .ianseo)
    #expect(old.unknownColumns == ["Weather"] && old.rows.map(\.total) == [300])
    // An archer with one code in two classes has two lines.
    let twice = try list("WaID;Division;Class;Score;Hits\n1;R;M;5;1\n1;C;M;6;1\n", .ianseo)
    #expect(twice.rows.map(\.category) == ["RM", "CM"])
  }

  @Test(
    "A file without its columns, and a line that is not valid, are refused with their place",
    arguments: [
      ("", "line 1 must have"), ("name,total\nA,1\n", "no column bib"),
      ("bib,name\n1,A\n", "no column total"), ("bib,bib,total\n1,2,3\n", "bib twice"),
      ("bib,total\n1,2,3\n", "line 2 has 3 fields, and the first line 2"),
      ("bib,total\n\"1,2\n", "quote"), ("bib,total\n\"1\"2,2\n", "quote"),
      ("bib,total\n1,2\n2,3\n1,2\n", "line 4 has the bib of line 2"),
      ("bib,total\n,2\n", "line 2 has no bib"), ("bib,total\n1,x\n", "line 2 must have a number"),
      ("bib,total\n1,-1\n", "must have a number"), ("bib,total\n1,100000\n", "must have a number"),
      ("bib,total\n1,+5\n", "must have a number"), ("bib,total\n1,5.0\n", "must have a number"),
      ("bib,total\n1,٥\n", "must have a number"),
    ])
  func faults(text: String, part: String) {
    let found = fault(text, .csv)
    #expect(found.contains(part), "\(text): \(found)")
  }

  @Test(
    "A file that ianseo did not write so is refused",
    arguments: [
      ("\r\n", "line 1 must have"), ("Code;Score;Hits\n1;2;3\n", "no column WaID"),
      ("WaID;Hits\n1;2\n", "no column Score"), ("WaID;Score\n1;2\n", "no column Hits"),
      ("WaID;WaID;Score;Hits\n1;1;2;3\n", "WaID twice"),
      ("WaID;Score;Hits\n1;2\n", "line 2 has 2 fields"),
      ("WaID;Score;Hits\n1;a;3\n", "in Score"), ("WaID;Score;Hits\n1;2;\n", "in Hits"),
      ("WaID;Score;Hits\n;2;3\n", "no WaID"),
      ("WaID;Score;Hits\n1;2;3\n1;2;3\n", "line 3 has the bib of line 2"),
      ("WaID;D1 Score;D2 Score;Score;Hits\n1;3;4;8;2\n", "has 8 in Score, and its distances"),
      ("WaID;D1 Score;Score;Hits\n1;;8;2\n", "score of a distance"),
    ])
  func ianseoFaults(text: String, part: String) {
    let found = fault(text, .ianseo)
    #expect(found.contains(part), "\(text): \(found)")
  }

  @Test("Other encodings, long lines and too many columns and lines are refused")
  func hostile() {
    for format in ResultList.Format.allCases {
      // Latin-1, UTF-16 and a cut character.
      #expect(fault(Array("bib,total\n".utf8) + [0xC9, 0x0A], format) == "file is not UTF-8")
      #expect(fault([0xFF, 0xFE, 0x62, 0x00, 0x69, 0x00], format) == "file is not UTF-8")
      #expect(fault(Array("bib".utf8) + [0xE2, 0x82], format) == "file is not UTF-8")
      let separator: UInt8 = format == .csv ? 0x2C : 0x3B
      #expect(fault([UInt8](repeating: separator, count: 600), format).contains("601 columns"))
    }
    let long = [UInt8](repeating: UInt8(ascii: "9"), count: 10 << 20)
    #expect(fault(Array("bib,total\n1,".utf8) + long, .csv).contains("must have a number"))
    #expect(fault(Array("WaID;Score;Hits\n1;1;".utf8) + long, .ianseo).contains("in Hits"))
    #expect(fault(Array("bib,total\n\"".utf8) + long, .csv).contains("quote"))
    #expect(fault(long, .csv).contains("no column bib"))
    let more = "has a code of more than 100 characters"
    #expect(fault(Array("bib,total\n".utf8) + long + Array(",1\n".utf8), .csv).contains(more))
    #expect(
      fault(Array("WaID;Score;Hits\n".utf8) + long + Array(";1;1".utf8), .ianseo).contains(more))
    let head = Array("bib,total,".utf8) + long + Array("\n1,2,3\n".utf8)
    #expect((try? ResultList(head, .csv))?.unknownColumns.map(\.count) == [60])
    let rows = (0...ResultList.maximumRowCount).map { "\($0),1\n" }.joined()
    #expect(fault("bib,total\n" + rows, .csv).contains("more than 20000 lines"))
  }

  @Test("Any bytes are either a list or refused, and what is a list has valid totals")
  func anyBytes() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let parts = [
      "bib,total\n", "WaID;Score;Hits\n", "1", "7", ",", ";", "\t", "\"", "\n", "\r\n", "'=", "é",
      "D1 Score;", "\u{FEFF}", " ", "99999",
    ]
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        bytes += Array(parts.randomElement(using: &random)!.utf8)
      }
      if Int.random(in: 0..<8, using: &random) == 0 { bytes.append(0xFF) }
      for format in ResultList.Format.allCases {
        guard let list = try? ResultList(bytes, format) else { continue }
        #expect(
          list.rows.allSatisfy {
            !$0.code.isEmpty && (0...ResultList.maximumTotal).contains($0.total)
          }, "seed \(seed)")
      }
    }
  }
}
