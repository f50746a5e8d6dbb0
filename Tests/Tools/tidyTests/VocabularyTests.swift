import Testing

@testable import tidy

@Suite(.timeLimit(.minutes(5))) struct VocabularyTests {
  private func found(_ path: String, _ text: String, pending: [String] = []) throws -> [String] {
    try SmallTree.findings([path: text], vocabularyPending: pending).filter {
      $0.rule == .vocabulary
    }.map(\.description)
  }

  @Test("A word is found in names, comments and prose, with the term to use")
  func words() throws {
    #expect(
      try found("Sources/RPC/QuiverWire/A.swift", "// It settles.\nlet openLaneCount = 1\n") == [
        "Sources/RPC/QuiverWire/A.swift:1: vocabulary: \"settles\": say flush, update interest,"
          + " reconcile, await idle",
        "Sources/RPC/QuiverWire/A.swift:2: vocabulary: \"lane\": say pooled connection, subchannel",
      ])
    #expect(try found("docs/a.md", "A frame is judged.\n").count == 1)
    #expect(try found("README.md", "One of the rooms.\n").count == 1)
    #expect(try found("Protos/a.proto", "// A piece of equipment.\n").count == 1)
    #expect(try found("tools/sweep", "# 16 if not given\n").count == 1)
    #expect(try found("docs/a.md", "A stranger lets go of a stream.\n").count == 2)
  }

  @Test("A phrase is not found inside an identifier, nor a word inside a longer word")
  func boundaries() throws {
    let text = "let interval = let_in\nlet inner = planet + appear + forward + reward\n"
    #expect(try found("Sources/RPC/QuiverWire/A.swift", text).isEmpty)
  }

  @Test("A word in its usual meaning is allowed")
  func usualMeaning() throws {
    #expect(try found("docs/a.md", "A tournament judge signs. There is room for 2.\n").isEmpty)
    #expect(try found("docs/a.md", "Arrows lie in the quiver.\n").isEmpty)
    #expect(
      try found("Sources/Archery/QuiverRules/Handicaps/A.swift", "// D. Lane's model.\n").isEmpty)
  }

  @Test("A pending folder is not checked")
  func pendingFolder() throws {
    #expect(try found("docs/a.md", "Luck.\n", pending: ["docs/"]).isEmpty)
    #expect(try found("docs/a.md", "Luck.\n", pending: ["tools/"]).count == 1)
  }

  @Test("No folder is exempt from the vocabulary")
  func noPendingFolder() {
    #expect(Vocabulary.pending.isEmpty)
  }
}
