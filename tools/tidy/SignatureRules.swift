/// No type of a C library is visible outside the module that imports the library.
enum SignatureRules {
  private static let declarations: Set<String> = [
    "func", "init", "subscript", "var", "let", "typealias", "case", "struct", "class", "enum",
    "actor", "protocol", "extension",
  ]
  private static let access: Set<String> = ["package", "public", "open"]
  private static let begins = declarations.union(access).union([
    "internal", "fileprivate", "private", "static", "final", "lazy", "weak", "unowned", "mutating",
    "nonmutating", "nonisolated", "borrowing", "consuming", "override", "convenience", "required",
    "indirect", "associatedtype", "deinit", "@", "#",
  ])

  static func findings(in tree: Tree) -> [Finding] {
    tree.files(in: "Sources").flatMap { findings(in: $0) }
  }

  private static func findings(in file: SwiftFile) -> [Finding] {
    var found: [Finding] = []
    for index in file.tokens.indices where isAccess(index, in: file) {
      for inner in signature(after: index, in: file) where isCType(file.tokens[inner]) {
        let token = file.tokens[inner]
        found.append(
          Finding(
            file: file.path, line: token.line, rule: .cPointer,
            sentence: "\(token.text) is part of a \(file.tokens[index].text) signature"))
      }
    }
    return found
  }

  private static func isAccess(_ index: Int, in file: SwiftFile) -> Bool {
    let token = file.tokens[index]
    guard token.kind == .word, access.contains(token.text) else { return false }
    // Excludes `package(set)`, labels and members.
    return !file.is(index + 1, "(") && !file.is(index + 1, ":") && !file.is(index - 1, ".")
      && !file.is(index + 1, "import")
  }

  /// The tokens from an access word to the body, the value or the next declaration.
  private static func signature(after access: Int, in file: SwiftFile) -> [Int] {
    var found: [Int] = []
    var index = access + 1
    var seenKeyword = false
    while index < file.tokens.count {
      let token = file.tokens[index]
      // A modifier at the start of a line after the keyword starts another declaration.
      let beginsLine = token.line != file.tokens[index - 1].line
      if seenKeyword, beginsLine, begins.contains(token.text) { break }
      if token.kind == .symbol {
        if ["{", "}", "=", ")", "]", ";"].contains(token.text) { break }
        if token.text == "(" || token.text == "[" {
          let end = file.closing(index)
          found += Array(index...end)
          index = end + 1
          continue
        }
      } else if token.kind == .word, declarations.contains(token.text) {
        seenKeyword = true
      }
      found.append(index)
      index += 1
    }
    return found
  }

  private static func isCType(_ token: Token) -> Bool {
    token.kind == .word
      && (Module.cTypes.contains(token.text)
        || Module.cTypePrefixes.contains { token.text.hasPrefix($0) })
  }
}
