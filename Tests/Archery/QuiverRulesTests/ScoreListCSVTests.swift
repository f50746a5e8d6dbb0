import Testing

@testable import QuiverRules

@Suite("Lists of scores as comma-separated values", .timeLimit(.minutes(5)))
struct ScoreListCSVTests {
  @Test("Columns are found by their names, and dates have either form")
  func columns() throws {
    let list = try ScoreListCSV(
      Array(
        """
        Score,Round,Date,Golds,Xs,Venue,Status,Coach
        540,WA 18,2014-06-01,20,,"Lyon, hall",Record,A
        1000,York,02/07/2013,,,,,

        """.utf8))
    #expect(list.unknownColumns == ["Coach"] && list.badLineCount == 0)
    #expect(list.rows.map(\.round) == ["WA 18", "York"])
    #expect(list.rows.map(\.score) == [TypedScore(total: 540, golds: 20), TypedScore(total: 1000)])
    #expect(list.rows[0].place == "Lyon, hall" && list.rows[0].status == "record")
    #expect(list.rows.map { CivilDate(dayNumber: $0.day).text } == ["2014-06-01", "2013-07-02"])
    // What is written is read again.
    let text = ScoreListCSV.header + "\n" + list.rows.map(\.csvLine).joined()
    let again = try ScoreListCSV(Array(text.utf8))
    #expect(again.rows.map(\.score) == list.rows.map(\.score))
    #expect(again.rows.map(\.place) == list.rows.map(\.place))
    #expect(again.rows.map(\.day) == list.rows.map(\.day))
  }

  @Test("A file of 50,000 rounds with an error in every tenth names the first and counts all")
  func errors() throws {
    var text = "date,round,score\n"
    for number in 0..<50_000 {
      text += number.isMultiple(of: 10) ? "2014-02-30,York,900\n" : "2014-02-03,York,900\n"
    }
    let list = try ScoreListCSV(Array(text.utf8))
    #expect(list.rows.count == 45_000 && list.badLineCount == 5_000)
    #expect(list.badLines.count == ScoreListCSV.shownCount)
    #expect(list.badLines.first == "line 2: date must be as in 2014-06-01 or 01/06/2014")
    let long = text + "2014-02-03,York,900\n"
    #expect(throws: RuleViolation.self) { try ScoreListCSV(Array(long.utf8)) }
  }

  @Test("A line that cannot be read is named with what is wrong")
  func lines() throws {
    let cases = [
      ("2014-06-01,,5", "round is empty"), ("2014-06-01,York,", "score is empty"),
      ("2014-06-01,York,5x", "score must be a whole number"),
      ("2014-06-01,York", "the line has 2 fields"), ("2014-06-01,York,\"5", "without its end"),
      ("1/6/2014,York,5", "date must be"),
    ]
    for (line, reason) in cases {
      let list = try ScoreListCSV(Array("date,round,score\n\(line)\n".utf8))
      #expect(list.rows.isEmpty && list.badLines.first?.contains(reason) == true, "\(line)")
    }
    for head in ["", "date,round", "date,round,score,total", "name\n"] {
      #expect(throws: RuleViolation.self) { try ScoreListCSV(Array(head.utf8)) }
    }
  }
}
