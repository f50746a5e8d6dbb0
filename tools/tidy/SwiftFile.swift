/// A Swift file of the tree and its tokens.
struct SwiftFile {
  /// A function, initialiser or subscript with a body.
  struct Function {
    var name: String
    /// The index of `func`, `init`, `deinit` or `subscript`.
    var keyword: Int
    /// The tokens from its opening to its closing brace.
    var body: ClosedRange<Int>
  }

  /// The path relative to the root.
  let path: String
  let lines: [Substring]
  let tokens: [Token]
  let comments: [Int: String]
  let functions: [Function]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let lexer = Lexer(text)
    tokens = lexer.tokens
    comments = lexer.comments
    functions = Self.functions(in: lexer.tokens)
  }

  /// The folder of the target that the file is in: the third folder of a path in `Sources` and
  /// `Tests`, the second one of a path in `tools`.
  var module: String? {
    let parts = path.split(separator: "/")
    let place = parts.first == "tools" ? 1 : 2
    return parts.count > place + 1 ? String(parts[place]) : nil
  }

  var name: Substring { path.split(separator: "/").last ?? "" }

  func `is`(_ index: Int, _ text: String) -> Bool {
    tokens.indices.contains(index) && tokens[index].is(text)
  }

  /// Whether the line, or one of the given number of lines before it, has a comment.
  func isExplained(_ line: Int, linesBefore: Int) -> Bool {
    (line - linesBefore...line).contains { comments[$0] != nil }
  }

  /// The index of the bracket that closes the one at `open`, or of the last token.
  func closing(_ open: Int) -> Int { Self.closing(open, in: tokens) }

  private static func closing(_ open: Int, in tokens: [Token]) -> Int {
    var depth = 0
    for index in open..<tokens.count where tokens[index].kind == .symbol {
      switch tokens[index].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth == 0 { return index }
    }
    return tokens.count - 1
  }

  private static func functions(in tokens: [Token]) -> [Function] {
    var found: [Function] = []
    var protocolEnd = -1
    for index in tokens.indices where tokens[index].kind == .word {
      guard index == 0 || !tokens[index - 1].is(".") else { continue }
      switch tokens[index].text {
      case "protocol" where index + 1 < tokens.count && tokens[index + 1].kind == .word:
        if let open = body(after: index, in: tokens) { protocolEnd = closing(open, in: tokens) }
      case "func", "init", "deinit", "subscript":
        // A protocol's requirement has no body.
        guard index > protocolEnd, isDeclaration(index, in: tokens),
          let open = body(after: index, in: tokens)
        else { continue }
        let isNamed = tokens[index].text == "func" && index + 1 < tokens.count
        found.append(
          Function(
            name: tokens[isNamed ? index + 1 : index].text, keyword: index,
            body: open...closing(open, in: tokens)))
      default: break
      }
    }
    return found
  }

  private static func isDeclaration(_ index: Int, in tokens: [Token]) -> Bool {
    guard index + 1 < tokens.count else { return false }
    let next = tokens[index + 1]
    switch tokens[index].text {
    case "func": return next.kind == .word || next.kind == .symbol
    case "deinit": return next.is("{")
    default: return next.is("(") || next.is("<") || next.is("?")
    }
  }

  /// The first `{` outside parentheses, before the scope ends.
  private static func body(after keyword: Int, in tokens: [Token]) -> Int? {
    var index = keyword + 1
    while index < tokens.count {
      if tokens[index].kind == .symbol {
        switch tokens[index].text {
        case "{": return index
        case "}", ")", "]": return nil
        case "(", "[": index = closing(index, in: tokens)
        default: break
        }
      }
      index += 1
    }
    return nil
  }
}
