/// The maximum length of files, functions and lines of Swift.
enum SizeRules {
  static func findings(in tree: Tree) -> [Finding] {
    tree.swift.flatMap { fileFindings(in: $0) + functionFindings(in: $0) + lineFindings(in: $0) }
      + folderFindings(in: tree)
  }

  /// Folders of `Sources` that need sub-folders by feature.
  private static func folderFindings(in tree: Tree) -> [Finding] {
    let folders = Dictionary(grouping: tree.files(in: "Sources")) { file in
      file.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    return folders.compactMap { folder, files in
      guard files.count > Limits.folderFiles else { return nil }
      return Finding(
        file: folder, line: 1, rule: .folderSize,
        sentence: "\(files.count) Swift files in one folder; the limit is \(Limits.folderFiles)")
    }
  }

  private static func fileFindings(in file: SwiftFile) -> [Finding] {
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    guard count > Limits.fileLines else { return [] }
    return [
      Finding(
        file: file.path, line: count, rule: .fileLength,
        sentence: "\(count) lines; the limit is \(Limits.fileLines)")
    ]
  }

  private static func functionFindings(in file: SwiftFile) -> [Finding] {
    file.functions.compactMap { function in
      let first = file.tokens[function.keyword].line
      let count = file.tokens[function.body.upperBound].line - first + 1
      guard count > Limits.functionLines else { return nil }
      return Finding(
        file: file.path, line: first, rule: .functionLength,
        sentence: "\(function.name) has \(count) lines; the limit is \(Limits.functionLines)")
    }
  }

  private static func lineFindings(in file: SwiftFile) -> [Finding] {
    file.lines.enumerated().compactMap { index, line in
      // Counting bytes is faster, and there are at least as many as characters.
      guard line.utf8.count > Limits.lineCharacters, line.count > Limits.lineCharacters else {
        return nil
      }
      return Finding(
        file: file.path, line: index + 1, rule: .lineLength,
        sentence: "\(line.count) characters; the limit is \(Limits.lineCharacters)")
    }
  }
}
