import QuiverPapers
import Testing

@Suite("Files of events as text", .timeLimit(.minutes(5)))
struct FileTextTests {
  @Test("Fields are quoted as RFC 4180 has it, and formulas get an apostrophe")
  func fields() {
    #expect(
      CSVText.line([.text("a"), .plain(""), .text("b,c"), .text("say \"hi\""), .number(-5)])
        == "a,,\"b,c\",\"say \"\"hi\"\"\",-5\r\n")
    for text in ["=1+1", "+1", "-1", "@x", "\tx", "'=x", "''-x"] {
      #expect(CSVText.line([.text(text)]) == "'\(text)\r\n")
    }
    #expect(CSVText.line([.text("\r=x")]) == "\"'\r=x\"\r\n")
    for text in ["a=1", "'", "O'Neil", "'a", "1-2", ""] {
      #expect(CSVText.line([.text(text)]) == "\(text)\r\n")
    }
    #expect(CSVText.line([.text("a\nb")]) == "\"a\nb\"\r\n")
  }

  @Test("Content lines of a calendar have at most 75 octets, and unfold to what they were")
  func folding() {
    var entry = CalendarText.Entry()
    entry.uid = "1-event-2-session-3@quiver"
    (entry.revision, entry.startsAtMilliseconds) = (3, 1_779_524_100_000)
    entry.summary = String(repeating: "李🏹,;\\é\n", count: 40) + "\u{202E}"
    entry.description = String(repeating: "x", count: 300)
    let text = CalendarText.opening + CalendarText.text(entry, now: 0) + CalendarText.closing
    for line in text.split(separator: "\r\n", omittingEmptySubsequences: false) {
      #expect(line.utf8.count <= 75)
      #expect(!line.unicodeScalars.contains("\n") && !line.unicodeScalars.contains("\r"))
    }
    let unfolded = text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    #expect(unfolded.first == "BEGIN:VCALENDAR" && unfolded.last == "END:VCALENDAR")
    #expect(unfolded.contains("DTSTART:20260523T081500Z"))
    #expect(unfolded.contains("DTSTAMP:19700101T000000Z"))
    #expect(unfolded.contains("SEQUENCE:2"))
    #expect(
      unfolded.contains("SUMMARY:" + String(repeating: "李🏹\\,\\;\\\\é ", count: 40)))
    #expect(unfolded.contains("DESCRIPTION:" + entry.description))
  }

  @Test(
    "Times of the calendar are those of the proleptic Gregorian calendar",
    arguments: [
      (0, "1970-01-01 00:00"), (-1, "1969-12-31 23:59"), (951_782_400_000, "2000-02-29 00:00"),
      (4_107_542_399_999, "2100-02-28 23:59"), (Int64.max, "9999-12-31 23:59"),
      (Int64.min, "0001-01-01 00:00"), (1_779_524_100_000, "2026-05-23 08:15"),
    ] as [(Int64, String)])
  func times(milliseconds: Int64, expected: String) {
    #expect(PaperTime(milliseconds).text == expected)
  }

  @Test("The picture of a QR code has a run for each row of dark modules")
  func code() throws {
    let code = try #require(QRCode("quiver:event/1/session/2/target/3"))
    // Draws the runs again.
    var drawn = code.lines.map { $0.map { _ in false } }
    let path = try #require(code.svg.split(separator: "d=\"").last)
    for run in path.prefix(while: { $0 != "\"" }).split(separator: "z") {
      let numbers = run.split { "Mhv -".contains($0) }.compactMap { Int($0) }
      try #require(numbers.count == 5)
      for x in numbers[0]..<numbers[0] + numbers[2] { drawn[numbers[1] - 4][x - 4] = true }
    }
    #expect(drawn == code.lines)
    #expect(QRCode(String(repeating: "x", count: 10_000)) == nil)
  }
}
