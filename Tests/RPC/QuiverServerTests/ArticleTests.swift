import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ArticleTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static let example = "tools/examples/inventory"

  @Test("Each example of the article stands in the package of the example")
  func eachExampleOfTheArticle() throws {
    let article = try Self.text("Sources/RPC/QuiverServer/QuiverServer.docc/WritingAService.md")
    let sources = try [
      "InventoryAPI/Inventory.swift", "InventoryService/Stock.swift", "inventory-server/Main.swift",
      "inventory-client/Main.swift",
    ].map { try Self.text("\(Self.example)/Sources/\($0)") }.joined()
    let blocks = article.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
    #expect(blocks.count == 8)
    for block in blocks { #expect(sources.contains(block), "\(block)") }
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
