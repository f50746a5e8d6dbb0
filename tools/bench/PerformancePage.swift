import Foundation

/// `docs/performance.md`: the bench writes the tables of `docs/bench.json` between two marks.
enum PerformancePage {
  static let path = "docs/performance.md"
  static let begins = "<!-- tools/bench/run page: begin -->\n"
  static let ends = "<!-- tools/bench/run page: end -->"

  /// The page with its tables replaced by those of the report.
  ///
  /// Throws `Unmeasured` if the page has no marks.
  static func text(_ page: String, with report: Report) throws -> String {
    guard let head = page.range(of: begins),
      let tail = page.range(of: ends, range: head.upperBound..<page.endIndex)
    else { throw Unmeasured("\(path) has no marks between which the tables belong") }
    return page[..<head.upperBound] + "\n" + Markdown.text(report, before: nil) + "\n"
      + page[tail.lowerBound...]
  }

  /// Copies a saved report to `docs/bench.json` and writes its tables to the page.
  static func write(reportAt path: String, root: String) throws {
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let page = URL(fileURLWithPath: root + "/" + Self.path)
    try text(String(contentsOf: page, encoding: .utf8), with: report)
      .write(to: page, atomically: true, encoding: .utf8)
    try report.encoded().write(to: URL(fileURLWithPath: root + "/docs/bench.json"))
  }
}
