import Foundation
import Testing

@testable import bench

@Suite("The sweep of cost against size", .timeLimit(.minutes(5)))
struct SweepTests {
  private static func curve(_ name: String, _ cost: (Double) -> Double) -> Sweep.Curve {
    Sweep.Curve(
      axis: .rows, name: name,
      points: [10, 100, 1_000, 10_000].map {
        Sweep.Point(size: $0, microseconds: cost(Double($0)))
      })
  }

  @Test("The exponent is 0 for a constant cost, 1 for a proportional one, and 2 for its square")
  func exponents() {
    #expect(abs(Self.curve("constant") { _ in 7 }.exponent) < 1e-12)
    #expect(abs(Self.curve("linear") { 3 * $0 }.exponent - 1) < 1e-12)
    #expect(abs(Self.curve("square") { $0 * $0 / 5 }.exponent - 2) < 1e-12)
    #expect(Sweep.Curve(axis: .rows, name: "none").exponent == 0)
  }

  @Test("The page gets the table between its marks, and a chart with a line for each curve")
  func page() throws {
    let sweep = Sweep(curves: [Self.curve("one") { _ in 7 }, Self.curve("two") { $0 }])
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let docs = root.appendingPathComponent("docs")
    try FileManager.default.createDirectory(at: docs, withIntermediateDirectories: true)
    let file = docs.appendingPathComponent("performance.md")
    try "before\n<!-- tools/bench/run sweep: begin -->\nold\n<!-- sweep end -->\nafter\n"
      .write(to: file, atomically: true, encoding: .utf8)
    try sweep.write(root: root.path)
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(page.hasPrefix("before\n") && page.hasSuffix("<!-- sweep end -->\nafter\n"))
    #expect(page.contains("| two | 10.0 | 100.0 | 1000.0 | 10000.0 | 1.00 |"))
    #expect(!page.contains("old"))
    let svg = try String(contentsOf: docs.appendingPathComponent("sweep.svg"), encoding: .utf8)
    #expect(svg.components(separatedBy: "<polyline").count == 3)
    #expect(svg.contains("two, exponent 1.00") && svg.hasSuffix("</svg>\n"))
  }
}
