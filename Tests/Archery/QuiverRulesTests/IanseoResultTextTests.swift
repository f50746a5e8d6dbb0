import QuiverRules
import TestSupport
import Testing

@Suite("Results for ianseo", .timeLimit(.minutes(5)))
struct IanseoResultTextTests {
  private func arrows(_ texts: String...) -> [ArrowScore?] {
    texts.map { ArrowScore(sheet: $0) }
  }

  @Test("A line has each distance with its arrows, the sums and the rank")
  func line() throws {
    let text = IanseoResultText(.init(.waOutdoor2026), distanceCount: 2)
    #expect(
      text.header
        == "WaID;Local Bib;FamilyName;GivenName;DoB;Gender;Session;Target;Noc;Country;Division;"
        + "Class;SubClass;D1 Score;D1 X;D1 10;D1 Arrows;D2 Score;D2 X;D2 10;D2 Arrows;Score;Hits;"
        + "X;10;Category Rank;Event;Qual Rank;Final Rank;Category Drops;Qualification Drops;"
        + "Elimination Drops;Email\r\n")
    var row = IanseoResultText.Row()
    (row.code, row.localBib, row.name) = ("L1", "12", "Élodie; San")
    (row.isFemale, row.session, row.target) = (true, 2, "7C")
    (row.country, row.club, row.division, row.ageClass) = ("FRA", "Lyon", "R", "W")
    (row.total, row.rank) = (48, 3)
    row.distances = [arrows("X", "10", "9"), arrows("", "10", "M", "9", "")]
    #expect(
      text.line(row)
        == "L1;12;Élodie  San;;;1;2;7C;FRA;Lyon;R;W;;29;1;1;X,10,9;19;0;1;,10,M,9;48;6;1;2;3;RW;3;"
        + ";;;;\r\n")
    #expect(
      IanseoResultText.arrowLine(code: "L1", distance: 2, row.distances[1])
        == "##QUAL-ARROWS##\tL1\t2\t,10,M,9\r\n")
  }

  @Test("The two counts are those of the policy")
  func counts() {
    let shot = arrows("X", "10", "9", "6", "11", "5", "M")
    func columns(_ policy: TiePolicy) -> [String] {
      var row = IanseoResultText.Row()
      row.topValue = 11
      row.distances = [shot]
      let line = IanseoResultText(.init(policy), distanceCount: 1).line(row)
      return line.split(separator: ";", omittingEmptySubsequences: false)[14...15].map(String.init)
    }
    #expect(columns(.xFirst) == ["1", "1"])
    #expect(columns(.waOutdoorLegacy) == ["2", "1"])
    #expect(columns(.waIndoor) == ["2", "1"])
    #expect(columns(.waField) == ["1", "1"])
    #expect(columns(.wa3D) == ["1", "2"])
    #expect(columns(.imperial) == ["1", "1"])
  }

  @Test("Codes that ianseo takes for arrows are letters, digits and three signs of ASCII")
  func codes() {
    for code in ["1", "A-1_b.2"] { #expect(IanseoResultText.isCode(code)) }
    for code in ["", "A 1", "É1", "1;2", "٣", "a/b"] { #expect(!IanseoResultText.isCode(code)) }
  }

  @Test("A text has no separator of columns or lines, also before a combining mark")
  func separators() {
    let text = IanseoResultText(.init(.xFirst), distanceCount: 1)
    let count = text.header.count { $0 == ";" }
    for separator in [";", "\t", "\r", "\n", "\u{B}", "\u{85}", "\u{2028}", "\u{2029}"] {
      for mark in ["", "\u{301}", "\u{200D}"] {
        var row = IanseoResultText.Row()
        (row.code, row.name, row.club) = ("L1", "a\(separator)\(mark)b", separator + mark)
        let line = text.line(row)
        let scalars = line.dropLast().unicodeScalars
        #expect(scalars.count { $0 == ";" } == count, "\(line.debugDescription)")
        #expect(line.hasPrefix("L1;;a \(mark)b;") && line.hasSuffix("\r\n"))
        #expect(separator == ";" || !scalars.contains(separator.unicodeScalars.first!))
      }
    }
  }

  @Test("What is written is read with the same codes, categories and totals")
  func roundTrip() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let names = [
      "Ανδρέας", "Иван; Петров", "王\t伟", "محمد", "\"Nick\"", "a\r\nb", "=1+1", ";\u{301}",
    ]
    for _ in 0..<200 {
      let distances = Int.random(in: 1...8, using: &random)
      let policy = TiePolicy.allCases.randomElement(using: &random)!
      let writer = IanseoResultText(.init(policy), distanceCount: distances)
      var text = writer.header
      var expected: [[String]] = []
      var empty = 0
      for number in 0..<Int.random(in: 0...12, using: &random) {
        var row = IanseoResultText.Row()
        (row.code, row.name) = ("L\(number)", names.randomElement(using: &random)!)
        row.localBib = Bool.random(using: &random) ? "\(number)" : ""
        (row.division, row.ageClass) = ("R", "U18W")
        row.club = names.randomElement(using: &random)!
        if Int.random(in: 0..<5, using: &random) > 0 {
          row.distances = (0..<distances).map { _ in
            (0..<6).map { _ in
              Bool.random(using: &random)
                ? ArrowScore(value: Int.random(in: 0...10, using: &random)) : nil
            }
          }
        }
        let arrows = row.distances.flatMap { $0.compactMap(\.self) }
        // What the rule set deducts is missing in the total only.
        let sum = arrows.reduce(0) { $0 + $1.value }
        row.total = Bool.random(using: &random) ? sum : max(0, sum - 1)
        text += writer.line(row)
        if arrows.isEmpty {
          empty += 1
        } else {
          expected.append([row.code, row.localBib, "RU18W", "\(row.total)"])
        }
      }
      let list = try ResultList(Array(text.utf8), .ianseo)
      #expect(list.unknownColumns.isEmpty && list.emptyCount == empty, "seed \(seed)")
      #expect(
        list.rows.map { [$0.code, $0.localBib, $0.category, "\($0.total)"] } == expected,
        "seed \(seed)")
    }
  }
}
