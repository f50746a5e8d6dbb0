import Testing

@testable import tidy

@Suite(.timeLimit(.minutes(5))) struct LexerTests {
  private func texts(_ swift: String) -> [String] { Lexer(swift).tokens.map(\.text) }

  @Test(
    "The lexer separates words, numbers, operators and brackets",
    arguments: [
      ("let a = b!.c", ["let", "a", "=", "b", "!", ".", "c"]),
      ("a!=b", ["a", "!=", "b"]),
      ("0x91 1_000", ["0x91", "1_000"]),
      ("`func` ++ $0", ["func", "++", "$", "0"]),
      ("#if a", ["#", "if", "a"]),
      ("", []),
    ])
  func tokens(swift: String, expected: [String]) {
    #expect(texts(swift) == expected)
  }

  @Test(
    "Strings are not code, except their interpolations",
    arguments: [
      (#""a \" // b" c"#, [#"a \" // b"#, "c"]),
      (#""a \(f("b")) c""#, ["a ", "(", "f", "(", "b", ")", ")", " c"]),
      (##"#"a \(b) " c"# d"##, [#"a \(b) " c"#, "d"]),
      (##"#"a \#(b)"#"##, ["a ", "(", "b", ")", ""]),
      ("\"\"\"\n a \"b\" c\n \"\"\" d", ["\n a \"b\" c\n ", "d"]),
      ("\"open\nnext", ["open", "next"]),
    ])
  func strings(swift: String, expected: [String]) {
    #expect(texts(swift) == expected)
  }

  @Test("Comments nest and are stored by line")
  func comments() {
    let lexer = Lexer("a // one\n/* two /* in */\n three */ b\n")
    #expect(lexer.tokens.map(\.text) == ["a", "b"])
    #expect(lexer.tokens.map(\.line) == [1, 3])
    #expect(lexer.comments == [1: "// one", 2: "/* two /* in */", 3: " three */"])
  }

  @Test("A token after a string of several lines has its own line")
  func lines() {
    let lexer = Lexer("let a = \"\"\"\n  b\n  \"\"\"\nc")
    #expect(lexer.tokens.map(\.line) == [1, 1, 1, 1, 4])
  }

  @Test(
    "The lexer accepts any text",
    arguments: ["/*", "\"", "\"\\", "#\"\\#(", "`", "\"\\(", "\"\"\""])
  func unfinished(swift: String) {
    #expect(Lexer(swift).tokens.count <= 3)
  }
}
