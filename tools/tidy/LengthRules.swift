/// How long files, functions and lines of Swift may be.
enum LengthRules {
  static func findings(in tree: Tree) -> [Finding] {
    tree.swift.flatMap { fileFindings(in: $0) + functionFindings(in: $0) + lineFindings(in: $0) }
  }

  private static func fileFindings(in file: SwiftFile) -> [Finding] {
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    guard count > Limits.fileLines else { return [] }
    return [
      Finding(
        file: file.path, line: count, rule: .fileLength,
        sentence: "\(count) lines, where \(Limits.fileLines) are the most")
    ]
  }

  private static func functionFindings(in file: SwiftFile) -> [Finding] {
    file.functions.compactMap { function in
      let first = file.tokens[function.keyword].line
      let count = file.tokens[function.body.upperBound].line - first + 1
      guard count > Limits.functionLines else { return nil }
      return Finding(
        file: file.path, line: first, rule: .functionLength,
        sentence: "\(function.name) has \(count) lines, where \(Limits.functionLines) are the most")
    }
  }

  private static func lineFindings(in file: SwiftFile) -> [Finding] {
    file.lines.enumerated().compactMap { index, line in
      // Bytes are never fewer than characters.
      guard line.utf8.count > Limits.lineCharacters, line.count > Limits.lineCharacters else {
        return nil
      }
      return Finding(
        file: file.path, line: index + 1, rule: .lineLength,
        sentence: "\(line.count) characters, where \(Limits.lineCharacters) are the most")
    }
  }
}
