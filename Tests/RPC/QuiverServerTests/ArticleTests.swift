import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ArticleTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static let example = "tools/examples/inventory"

  static func article() throws -> String {
    try text("Sources/RPC/QuiverServer/QuiverServer.docc/WritingAService.md")
  }

  /// Lines without the spaces that they begin with.
  static func words(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }

  @Test("Each example of the article stands in the package of the example or in a test")
  func eachExampleOfTheArticle() throws {
    let sources = try [
      "InventoryAPI/Inventory.swift", "InventoryService/Stock.swift", "inventory-server/Main.swift",
      "inventory-client/Main.swift",
    ].map { try Self.text("\(Self.example)/Sources/\($0)") }.joined()
    let tests = Self.words(try Self.text("Tests/RPC/QuiverServerTests/ArticleExampleTests.swift"))
    let blocks = try Self.article().components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
    #expect(blocks.count == 16)
    for block in blocks {
      #expect(sources.contains(block) || tests.contains(Self.words(block)), "\(block)")
    }
  }

  @Test(
    "Each question of a user of gRPC is answered on one screen",
    arguments: ["stream", "cancel", "authenticate", "limit", "observe"])
  func eachQuestionOfAUser(_ question: String) throws {
    let parts = try Self.article().components(separatedBy: "\n## How do I \(question)?\n")
    #expect(parts.count == 2)
    let answer = parts.last?.components(separatedBy: "\n## ").first ?? ""
    let lines = answer.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(lines > 8 && lines <= 50, "\(lines) lines")
    #expect(answer.contains("```swift"))
  }

  @Test("The example is at most 250 lines, its proto and script included")
  func theExampleIsAtMost() throws {
    let files = try #require(
      FileManager.default.enumerator(
        at: Self.root.appending(path: Self.example),
        includingPropertiesForKeys: [.isRegularFileKey],
        options: .skipsHiddenFiles))
    var lines = 0
    for case let file as URL in files
    where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
      lines +=
        try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false
        ).count - 1
    }
    #expect(lines > 200 && lines <= 250)
  }
}
