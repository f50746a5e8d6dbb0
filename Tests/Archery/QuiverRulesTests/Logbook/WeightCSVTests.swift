import Testing

@testable import QuiverRules

@Suite("Weights as comma-separated values", .timeLimit(.minutes(5)))
struct WeightCSVTests {
  @Test("A note that a text of entries cannot hold is refused before it is stored")
  func noNull() {
    var content = WeightEntryContent(day: 19_783, thousandths: 80_000, unit: .kilogram)
    content.note = "a\u{0}b"
    do throws(RuleViolation) {
      _ = try content.validated(prefix: "weight_entry")
      Issue.record("The note was accepted.")
    } catch {
      #expect(error.field == "weight_entry.note")
    }
  }

  @Test("What is written is read back, whatever the note holds")
  func roundTrip() {
    let notes = ["", "plain", "a, b", "say \"ah\"", "two\nlines", "\r\n", "ü💪", "\"", ","]
    let contents = notes.enumerated().map { index, note in
      WeightEntryContent(
        day: 19_700 + Int32(index), thousandths: 80_000 + Int64(index), unit: .kilogram,
        note: note.trimmingWhitespace, bodyFatPercent: index.isMultiple(of: 2) ? 17.25 : nil)
    }
    let text = WeightCSV.header + "\n" + contents.map(WeightCSV.line).joined()
    let reading = WeightCSV.read(Array(text.utf8))
    #expect(reading.entries == contents && reading.badLines.count == 0)
    let windows = Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
    #expect(windows.count > contents.count)
  }

  @Test("A byte order mark, CRLF, spaces and blank lines do no harm; two fields may be left out")
  func lenient() {
    let text =
      "\u{FEFF}Date,Weight,Unit\r\n\r\n2024-02-29, 80.5 ,KG\r\n2024-03-01,176.1,lb,\"x\"\r\n"
    let reading = WeightCSV.read(Array(text.utf8))
    #expect(
      reading.entries == [
        WeightEntryContent(day: 19_782, thousandths: 80_500, unit: .kilogram),
        WeightEntryContent(day: 19_783, thousandths: 176_100, unit: .pound, note: "x"),
      ])
    #expect(reading.badLines.count == 0)
  }

  @Test(
    "A bad line has its number and its reason",
    arguments: [
      ("2024-02-30,80,kg", BadLine.Reason.date), ("24-02-03,80,kg", .date), ("x", .fieldCount(1)),
      ("2024-02-03,80", .fieldCount(2)), ("2024-02-03,80,kg,,,", .fieldCount(6)),
      ("2024-02-03,0.4,kg", .weight), ("2024-02-03,681,kg", .weight), ("2024-02-03,,kg", .weight),
      ("2024-02-03,80.1234,kg", .weight), ("2024-02-03,-80,kg", .weight),
      ("2024-02-03,80,st", .unit), ("2024-02-03,80,kg,,0.9", .bodyFat),
      ("2024-02-03,80,kg,,75.1", .bodyFat), ("2024-02-03,80,kg,,1e1", .bodyFat),
      ("2024-02-03,80,kg,\"open", .quote), ("2024-02-03,80,kg,\"a\"b", .quote),
      ("2024-02-03,80,kg,\u{0}", .notText),
      ("2024-02-03,80,kg," + String(repeating: "x", count: 4_001), .note),
    ])
  func badLines(_ line: String, _ reason: BadLine.Reason) {
    let reading = WeightCSV.read(Array("date,weight,unit\n\n\(line)".utf8))
    #expect(reading.entries.isEmpty)
    #expect(reading.badLines.shown == [BadLine(number: 3, reason: reason)])
  }

  @Test("Bytes that are no UTF-8 are no text; of many bad lines a thousand are named")
  func notText() {
    let reading = WeightCSV.read([UInt8](repeating: 0xFF, count: 10))
    #expect(reading.badLines.shown.map(\.reason) == [.notText])
    let many = WeightCSV.read(Array(String(repeating: "x,y,z\n", count: 1_500).utf8))
    #expect(many.badLines.count == 1_500 && many.badLines.shown.count == 1_000)
    #expect(many.badLines.shown.last?.number == 1_000)
  }

  @Test("A file of more entries than it may have says where they end")
  func tooMany() {
    let text = String(repeating: "2024-02-03,80,kg\n", count: WeightCSV.maximumEntries + 2)
    let reading = WeightCSV.read(Array(text.utf8))
    #expect(reading.entries.count == WeightCSV.maximumEntries && reading.badLines.count == 2)
  }
}
