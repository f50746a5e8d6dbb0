import Foundation
import QuiverWire
import TestSupport
import Testing

@testable import quiver_load

@Suite("What quiver-load reports", .timeLimit(.minutes(5)))
struct ReportTests {
  private func outcome(scale: UInt64 = 1) -> Outcome {
    var result = LoadRun.Result()
    for second in 0..<10 {
      var summary = Summary()
      for number in 1...100 as ClosedRange<UInt64> {
        summary.latency.record(nanoseconds: (number + UInt64(second % 2)) * 10_000 * scale)
        summary.service.record(nanoseconds: number * 9_000 * scale)
      }
      summary.succeeded = 100
      result.summary.merge(summary)
      result.series.append(
        Interval(number: second, summary: summary, openCalls: 3, generatorShare: 0.2))
    }
    result.summary.fail(.unavailable)
    result.summary.seconds = 10
    result.summary.generatorSeconds = 0.5
    result.serverSeconds = 0.25
    var settings = LoadRun.Settings()
    settings.rate = 100
    return Outcome(
      title: "quiver-load <M> & co", method: "quiver.v1.Diagnostics/Echo", settings: settings,
      result: result, verdicts: [])
  }

  private func saved(_ outcome: Outcome) throws -> SavedResult {
    let directory = try TemporaryDirectory()
    return try SavedResult(file: directory.file("report.json", JSONReport.text(outcome)))
  }

  @Test("The JSON is read back with the same figures")
  func json() throws {
    let result = try saved(outcome())
    #expect(result.method == "quiver.v1.Diagnostics/Echo" && result.loop == "open")
    #expect(result.rate == 100 && result.series.count == 10)
    #expect((500...511).contains(result.latency.p50))
    #expect(result.serverMicroseconds == 249.75)
  }

  @Test("Any name makes JSON that is read back as it was")
  func names() throws {
    let name = "a\tb\nc\u{1}\r\"\\\u{1F}é😀"
    let json = try JSONSerialization.jsonObject(
      with: Data(JSONReport.string(name).utf8), options: .fragmentsAllowed)
    #expect(json as? String == name)
  }

  @Test("Calls without an answer are failures, and are named")
  func unanswered() throws {
    var result = LoadRun.Result()
    result.summary.succeeded = 3
    result.summary.unanswered = 2
    let outcome = Outcome(
      title: "t", method: "m", settings: LoadRun.Settings(), result: result, verdicts: [])
    #expect(result.summary.failed == 2 && result.summary.ended == 5)
    let text = TextReport.text(outcome)
    #expect(text.contains("failed     2 (40.000 %)\n           unanswered 2\n"))
    #expect(JSONReport.text(outcome).contains("\"unanswered\": 2"))
  }

  @Test("A comparison names what is slower, and leaves alone what is the same")
  func comparison() throws {
    let same = Comparison(try saved(outcome()).saved, try saved(outcome()).saved).text
    #expect(!same.contains("WORSE") && !same.contains("better"))
    let slower = Comparison(try saved(outcome()).saved, try saved(outcome(scale: 2)).saved).text
    let line = slower.split(separator: "\n").first { $0.hasPrefix("latency p50") }
    #expect(line?.hasSuffix("WORSE") == true && line?.contains("2.0") == true)
  }

  @Test("A file that is no result is refused by its name")
  func noResult() throws {
    do throws(Failure) {
      _ = try SavedResult(file: "/nowhere/a.json")
      Issue.record("it was read")
    } catch {
      #expect(error.code == .usage && error.sentence.contains("/nowhere/a.json"))
    }
  }

  @Test("The page holds everything itself, and escapes what it shows")
  func page() {
    let page = HTMLReport.text(outcome())
    #expect(page.contains("quiver-load &lt;M&gt; &amp; co") && !page.contains("<M>"))
    #expect(page.split(separator: "<svg").count == 4 && page.contains("polyline"))
    #expect(!page.contains("<script") && !page.contains("http"))
  }

  @Test("The CSV has a row a second, and the text says what loop it was")
  func others() {
    #expect(CSVReport.text(outcome()).split(separator: "\n").count == 11)
    let text = TextReport.text(outcome())
    #expect(text.contains("open loop at 100 a second") && text.contains("1 UNAVAILABLE"))
  }

  @Test("A page begins with the verdict, and its table has the objectives")
  func verdictFirst() {
    var result = outcome().result
    result.summary.succeeded = 1_000
    let objectives = try? Objectives("p50<1ms,errors<0.0001%")
    let page = HTMLReport.text(
      Outcome(
        title: "t", method: "quiver.v1.Diagnostics/Echo", settings: LoadRun.Settings(),
        result: result, verdicts: objectives?.verdicts(result.summary) ?? []))
    let verdict = page.firstRange(of: "<p class=\"verdict broken\">Failed: BROKEN errors")
    let table = page.firstRange(of: "<td>p50&lt;1ms</td>")
    let details = page.firstRange(of: "<details>")
    #expect(verdict != nil && table != nil && details != nil)
    if let verdict, let table, let details {
      #expect(verdict.lowerBound < table.lowerBound && table.lowerBound < details.lowerBound)
    }
    #expect(page.contains("<td class=\"holds\">holds</td>"))
    #expect(page.contains("<td class=\"broken\">broken</td>"))
  }

  @Test(
    "A percentile is shown if ten samples lie beyond it", arguments: [(999, false), (1_000, true)])
  func supported(count: Int, isShown: Bool) {
    var histogram = Histogram()
    for _ in 0..<count { histogram.record(nanoseconds: 5_000_000) }
    #expect(TextReport.time(histogram, at: 0.99) == (isShown ? "5.00 ms" : "–"))
    #expect(TextReport.time(histogram, at: 1) == "5.00 ms")
    #expect(TextReport.time(Histogram(), at: 1) == "–")
  }

  @Test(
    "Ticks are round numbers within the axis",
    arguments: [
      (0, 10, [0, 2, 4, 6, 8, 10]), (1, 60, [20, 40, 60]), (0, 3, [0, 1, 2, 3]), (5, 5, [5]),
    ] as [(Double, Double, [Double])])
  func ticks(low: Double, high: Double, expected: [Double]) {
    #expect(Chart.ticks(low, high) == expected)
  }
}
