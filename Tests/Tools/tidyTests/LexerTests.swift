import Testing

@testable import tidy

@Suite(.timeLimit(.minutes(5))) struct LexerTests {
  private func texts(_ swift: String) -> [String] { Lexer(swift).tokens.map(\.text) }

  @Test(
    "words, numbers, operators and brackets are cut apart",
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
    "what stands in strings is no code, except what they interpolate",
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

  @Test("comments nest, and are kept by line")
  func comments() {
    let lexer = Lexer("a // one\n/* two /* in */\n three */ b\n")
    #expect(lexer.tokens.map(\.text) == ["a", "b"])
    #expect(lexer.tokens.map(\.line) == [1, 3])
    #expect(lexer.comments == [1: "// one", 2: "/* two /* in */", 3: " three */"])
  }

  @Test("a token knows its line after a string of several")
  func lines() {
    let lexer = Lexer("let a = \"\"\"\n  b\n  \"\"\"\nc")
    #expect(lexer.tokens.map(\.line) == [1, 1, 1, 1, 4])
  }

  @Test(
    "no text stops the lexer", arguments: ["/*", "\"", "\"\\", "#\"\\#(", "`", "\"\\(", "\"\"\""])
  func unfinished(swift: String) {
    #expect(Lexer(swift).tokens.count <= 3)
  }
}
