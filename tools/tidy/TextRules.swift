/// The gateway compares text of HTTP as bytes, by a type of its own, and never by Unicode.
enum TextRules {
  private static let module = "QuiverGateway"
  private static let typeFile = "HTTPText.swift"
  private static let words: Set<String> = [
    "lowercased", "uppercased", "hasPrefix", "hasSuffix", "caseInsensitiveCompare", "isHexDigit",
    "isLetter", "isNumber", "isWhitespace",
  ]

  static func findings(in tree: Tree) -> [Finding] {
    tree.files(in: "Sources").filter { $0.module == module && $0.name != typeFile }
      .flatMap { file in
        file.tokens.filter { $0.kind == .word && words.contains($0.text) }.map {
          Finding(
            file: file.path, line: $0.line, rule: .httpText,
            sentence: "\($0.text) follows Unicode, where other characters count as ASCII's;"
              + " HTTPText compares bytes")
        }
      }
  }
}
