import Foundation
import Testing

@Suite("The documentation", .timeLimit(.minutes(5)))
struct DocumentationTests {
  /// The Swift examples of an article, each a program of its own.
  struct Example: CustomTestStringConvertible {
    let article: String
    let number: Int
    let program: String
    var testDescription: String { "\(article), example \(number)" }
  }

  static func examples() throws -> [Example] {
    let folder = SourceTree.root.appending(path: "Sources/Archery/Quiver/Quiver.docc")
    let articles = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") }.sorted()
    return try articles.flatMap { article -> [Example] in
      let text = try String(contentsOf: folder.appending(path: article), encoding: .utf8)
      let blocks = text.components(separatedBy: "```swift\n").dropFirst()
      return blocks.enumerated().map { number, block in
        Example(
          article: article, number: number + 1,
          program: block.components(separatedBy: "\n```")[0] + "\n")
      }
    }
  }

  @Test("every article has examples")
  func articles() throws {
    let articles = Set(try Self.examples().map(\.article))
    #expect(
      articles == [
        "Quiver.md", "GettingStarted.md", "CallsAndErrors.md", "StreamsAndWatches.md",
        "AnOfflineSession.md", "WritingAService.md",
      ])
  }

  @Test("every example of the articles compiles", arguments: try examples())
  func compiles(_ example: Example) throws {
    #expect(try SourceTree.diagnostics(of: example.program) == "")
  }
}
