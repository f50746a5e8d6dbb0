/// Standard output is written by one mechanism, so that no program ignores an error of a write.
enum OutputRules {
  /// The only file that writes to the descriptor.
  static let outputFile = "Sources/RPC/QuiverCommandLine/StandardOutput.swift"
  /// A package of its own, which uses the products only, and a plug-in, which can import nothing
  /// and writes nothing.
  private static let exempt = ["tools/examples/", "tools/embed-plugin/"]
  private static let functions: Set<String> = ["print", "debugPrint", "puts", "fputs", "putchar"]

  static func findings(in tree: Tree) -> [Finding] {
    (tree.files(in: "Sources") + tree.files(in: "tools"))
      .filter { file in
        file.path != outputFile && !exempt.contains { file.path.hasPrefix($0) }
      }
      .flatMap { writes(in: $0) + unprepared(in: $0) }
  }

  private static func writes(in file: SwiftFile) -> [Finding] {
    let own = Set(file.functions.map(\.name))
    return file.tokens.indices.filter { index in
      let token = file.tokens[index]
      guard token.kind == .word else { return false }
      if token.text == "standardOutput" {
        return file.is(index - 1, ".") && file.is(index - 2, "FileHandle")
      }
      if token.text == "STDOUT_FILENO" {
        return file.is(index - 1, "(") && file.is(index - 2, "write")
      }
      return functions.contains(token.text) && file.is(index + 1, "(") && !file.is(index - 1, ".")
        && !own.contains(token.text)
    }.map { index in
      Finding(
        file: file.path, line: file.tokens[index].line, rule: .output,
        sentence: "\(file.tokens[index].text) ignores an error of the write; use StandardOutput")
    }
  }

  /// Main functions that do not begin with the standard streams.
  private static func unprepared(in file: SwiftFile) -> [Finding] {
    let prepares = file.tokens.indices.contains { index in
      file.is(index, "StandardStreams") && file.is(index + 2, "prepare")
    }
    guard !prepares else { return [] }
    return file.tokens.indices.filter { file.is($0, "main") && file.is($0 - 1, "@") }.map { index in
      Finding(
        file: file.path, line: file.tokens[index].line, rule: .output,
        sentence: "a program begins with StandardStreams.prepare()")
    }
  }
}
