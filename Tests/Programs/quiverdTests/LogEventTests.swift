import Foundation
import QuiverObservability
import Testing

@testable import quiverd

@Suite("The events of the log", .timeLimit(.minutes(20)))
struct LogEventTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("The table in docs/operations.md has every event with its level, and no other")
  func table() throws {
    let page = try String(
      contentsOf: Self.repository.appending(path: "docs/operations.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").compactMap { line -> (String, String)? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, ["error", "warning", "info", "debug"].contains(cells[1]) else {
        return nil
      }
      return (cells[0].replacingOccurrences(of: "`", with: ""), cells[1])
    }
    let listed = Dictionary(rows) { first, _ in first }
    #expect(rows.count == listed.count, "an event is listed once")
    #expect(Set(listed.keys) == Set(Event.allCases.map(\.rawValue)))
    for event in Event.allCases {
      #expect(listed[event.rawValue] == event.level.rawValue, "\(event.rawValue)")
    }
  }

  @Test("The names of events are words of a-z joined by hyphens")
  func names() {
    for event in Event.allCases {
      #expect(event.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(event.rawValue)")
    }
  }
}
