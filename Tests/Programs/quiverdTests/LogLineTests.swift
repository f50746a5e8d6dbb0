import Testing

@testable import quiverd

@Suite("Lines of the log", .timeLimit(.minutes(20)))
struct LogLineTests {
  @Test(
    "A value is one word or quoted, and never ends the line",
    arguments: [
      ("word", "word"), ("/a/b.c:1", "/a/b.c:1"), ("", "\"\""), ("two words", "\"two words\""),
      ("a=b", "\"a=b\""), ("say \"x\"", "\"say \\\"x\\\"\""), ("a\nb", "\"a\\nb\""),
      ("a\r\u{1B}[0m", "\"a??[0m\""), ("\u{85}", "\"?\""), ("é", "\"é\""),
    ])
  func quoting(_ value: String, _ expected: String) {
    #expect(LogLine.quoted(value) == expected)
  }

  @Test("A line has its time, its level, its event and its fields in order")
  func line() throws {
    let bytes = LogLine.text(level: "info", event: "serving", ["a": "1", "b": "x y"])
    let text = String(decoding: bytes, as: UTF8.self)
    let pattern =
      /time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z level=info event=serving a=1 b="x y"\n/
    #expect(try pattern.wholeMatch(in: text) != nil)
  }
}
