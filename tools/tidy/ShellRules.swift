/// Rules of shell scripts.
enum ShellRules {
  static func findings(in tree: Tree) -> [Finding] {
    tree.texts.filter(isScript).flatMap { file -> [Finding] in
      var continues = false
      return file.lines.enumerated().flatMap { index, line -> [Finding] in
        let code = line.drop { $0 == " " || $0 == "\t" }
        guard code.first != "#" else { return [] }
        let readers = readers(in: line, continues: continues)
        continues = line.last == "|" && !line.hasSuffix("||")
        return readers.map {
          Finding(
            file: file.path, line: index + 1, rule: .earlyReader,
            sentence: "\($0) ends before its input does, which under pipefail fails the pipe at"
              + " random; read all of it, or read a variable or a file")
        }
      }
    }
  }

  /// Whether a file is a script of a shell: by its name, its first line, or because others read it
  /// with `.`, so that it has neither.
  private static func isScript(_ file: Tree.TextFile) -> Bool {
    let name = file.path.split(separator: "/").last ?? ""
    if name.hasSuffix(".sh") { return true }
    guard !name.contains("."), let first = file.lines.first else { return false }
    return !first.hasPrefix("#!") || first.hasSuffix("sh")
  }

  /// The commands behind a pipe that may end before their input does.
  ///
  /// - Parameter continues: whether the line before ends with a pipe.
  private static func readers(in line: Substring, continues: Bool) -> [String] {
    // A pipe between two words has a space before it, unlike the alternatives of an expression.
    let parts = line.split(separator: " ", omittingEmptySubsequences: true)
    var found: [String] = []
    var isReader = continues
    for (index, part) in parts.enumerated() {
      if isReader, let reader = reader(parts[index...]) { found.append(reader) }
      isReader = part == "|" || part == "|&"
    }
    return found
  }

  private static func reader(_ words: ArraySlice<Substring>) -> String? {
    let name = words.first?.prefix { $0 != ")" } ?? ""
    if name == "head" { return "head" }
    guard name == "grep" || name == "egrep" || name == "fgrep" else { return nil }
    for word in words.dropFirst() {
      guard word.first == "-" else { return nil }
      if word == "--quiet" || word == "--silent" || word.hasPrefix("--max-count") {
        return "\(name) \(word)"
      }
      guard !word.hasPrefix("--") else { continue }
      if word.contains(where: { $0 == "q" || $0 == "m" }) { return "\(name) \(word)" }
    }
    return nil
  }
}
