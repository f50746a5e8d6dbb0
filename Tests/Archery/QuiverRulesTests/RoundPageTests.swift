import Foundation
import QuiverRules
import Testing

/// Holds the tables of `docs/rounds.md` against the code.
@Suite("The page of rounds", .timeLimit(.minutes(5)))
struct RoundPageTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/rounds.md")

  @Test("The page lists every round of the library as the code has it")
  func rounds() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = RoundLibrary.formats.map(Self.row)
    #expect(Set(rows).subtracting(expected).isEmpty, "rows that the code does not have")
    #expect(Set(expected).subtracting(rows).isEmpty, "rows that the page does not have")
    #expect(rows.count == expected.count)
  }

  @Test("The page lists every class with what its award asks for")
  func classes() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let man = ArcherCategory(bow: .recurve, gender: .open, age: .adult)
    for codename in ["york", "portsmouth"] {
      let format = try #require(RoundLibrary.format(codename))
      for threshold in try ClassificationScheme.thresholds(format, man) {
        let known = threshold.classification
        let arrows = ClassificationScheme.arrowsRequired(for: known.tier, in: format.location) ?? 0
        #expect(
          text.contains("| \(known.code) | \(known.name) | \(known.tier) | \(arrows / 12) dozen |"),
          "\(known.code)")
      }
    }
  }

  /// As `| `york` | York | 72x122@100y 48x122@80y 24x122@60y | 5_zone | 144 | 1296 | yes |`.
  private static func row(_ format: RoundDefinition) -> String {
    let man = ArcherCategory(bow: .recurve, gender: .open, age: .adult)
    let hasClasses = (try? ClassificationScheme.thresholds(format, man)) != nil
    var faces: [String] = []
    for pass in format.passes where !faces.contains(pass.face.code) { faces.append(pass.face.code) }
    let cells = [
      "`\(format.codename)`", format.name, passes(format), faces.joined(separator: ", "),
      "\(format.arrowCount)", "\(format.maximumScore)", hasClasses ? "yes" : "no",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  /// Passes that differ only in their distance are one: `36x80@50/30m`.
  private static func passes(_ format: RoundDefinition) -> String {
    var texts: [(head: String, distances: [String], unit: String)] = []
    for pass in format.passes {
      let head = "\(pass.arrowCount)x\(number(pass.diameterCentimetres))"
      let unit = pass.unit == .yard ? "y" : "m"
      if let last = texts.last, last.head == head, last.unit == unit {
        texts[texts.count - 1].distances.append(number(pass.distance))
      } else {
        texts.append((head, [number(pass.distance)], unit))
      }
    }
    return texts.map { "\($0.head)@\($0.distances.joined(separator: "/"))\($0.unit)" }
      .joined(separator: " ")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
