import Testing

@testable import QuiverCommandLine

@Suite("Spelling suggestions", .timeLimit(.minutes(20)))
struct SpellingTests {
  @Test(
    "The distance counts characters added, removed and replaced",
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("flag", "flag", 0),
    ])
  func distance(_ left: String, _ right: String, _ expected: Int) {
    #expect(Spelling.distance(left, right) == expected)
    #expect(Spelling.distance(right, left) == expected)
  }

  @Test("Nothing is suggested if no word is similar")
  func nothingNear() {
    #expect(Spelling.nearest(to: "--data", among: ["--listen", "--shards"]) == nil)
    #expect(Spelling.nearest(to: "--data", among: []) == nil)
  }
}
