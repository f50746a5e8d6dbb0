import Testing

@testable import QuiverPostgres

@Suite(.timeLimit(.minutes(1))) struct PostgresTextTests {
  @Test(
    "parameters are rewritten outside of quotes and comments only",
    arguments: [
      ("SELECT ?1", "SELECT $1"),
      ("SELECT ?12, ?2", "SELECT $12, $2"),
      ("SELECT '?1', \"?1\", ?1", "SELECT '?1', \"?1\", $1"),
      ("SELECT 'it''s ?1' || ?1", "SELECT 'it''s ?1' || $1"),
      ("SELECT ?1 -- or ?2\n, ?1", "SELECT $1 -- or ?2\n, $1"),
      ("SELECT a - ?1", "SELECT a - $1"),
      ("SELECT a ? b", "SELECT a ? b"),
      ("SELECT '🏹', ?1", "SELECT '🏹', $1"),
      ("SELECT '?1", "SELECT '?1"),
    ])
  func parameters(_ text: String, _ expected: String) {
    #expect(PostgresText.rewrite(text).text == expected)
  }

  @Test("a number that does not occur counts as an unused parameter")
  func unused() {
    #expect(PostgresText.rewrite("SELECT ?3, ?1").uses == [true, false, true])
    #expect(PostgresText.rewrite("SELECT 1").uses == [])
  }
}
