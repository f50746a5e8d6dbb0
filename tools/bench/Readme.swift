import Foundation

/// The README's section of figures, which is the bench's own output: between two marks stands what
/// `docs/bench.json` comes to as Markdown.
enum Readme {
  static let begins = "<!-- tools/bench/run readme: begin -->\n"
  static let ends = "<!-- end -->"

  /// The text with the report's tables in place of those that it has.
  ///
  /// Throws `Unmeasured` where the marks are not there.
  static func text(_ readme: String, with report: Report) throws -> String {
    guard let head = readme.range(of: begins),
      let tail = readme.range(of: ends, range: head.upperBound..<readme.endIndex)
    else { throw Unmeasured("README.md has no marks between which the figures belong") }
    return readme[..<head.upperBound] + "\n" + Markdown.text(report, before: nil) + "\n"
      + readme[tail.lowerBound...]
  }

  /// Takes a saved report into `docs/bench.json` and its tables into `README.md`.
  static func write(reportAt path: String, root: String) throws {
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let readme = URL(fileURLWithPath: root + "/README.md")
    try text(String(contentsOf: readme, encoding: .utf8), with: report)
      .write(to: readme, atomically: true, encoding: .utf8)
    try report.encoded().write(to: URL(fileURLWithPath: root + "/docs/bench.json"))
  }
}
