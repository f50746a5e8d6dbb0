/// Traps and unsafe code are absent from code that reads bytes of a peer, and explained elsewhere.
enum TrapRules {
  private static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
  ]
  /// The only file that may call `makeSignalSource`: it waits until no signal can be lost.
  static let signalFile = "Sources/RPC/QuiverPlatform/SignalHandler.swift"
  private static let proof = "// proved:"

  static func findings(in tree: Tree) -> [Finding] {
    let sources = tree.files(in: "Sources")
    return sources.filter { readsPeers($0) }.flatMap { peerFindings(in: $0) }
      + (sources + tree.files(in: "tools")).flatMap { explanations(in: $0) + signals(in: $0) }
  }

  private static func signals(in file: SwiftFile) -> [Finding] {
    guard file.path != signalFile else { return [] }
    return file.tokens.filter { $0.kind == .word && $0.text == "makeSignalSource" }.map {
      Finding(
        file: file.path, line: $0.line, rule: .lostSignal,
        sentence: "a signal that arrives before Dispatch takes it over is lost; use SignalHandler")
    }
  }

  static func readsPeers(_ file: SwiftFile) -> Bool {
    guard let module = file.module else { return false }
    if Module.peerModules.contains(module) { return true }
    return module == Module.scanModule && (file.name.contains("Scan") || file.name.contains("scan"))
  }

  private static func peerFindings(in file: SwiftFile) -> [Finding] {
    file.tokens.indices.compactMap { index in
      if let force = force(index, in: file) {
        return Finding(
          file: file.path, line: file.tokens[index].line, rule: .peerTrap,
          sentence: "\(force) traps on input of a peer")
      }
      guard isConversion(index, in: file), !isProved(file.tokens[index].line, in: file) else {
        return nil
      }
      return Finding(
        file: file.path, line: file.tokens[index].line, rule: .peerConversion,
        sentence: "\(file.tokens[index].text)(…) traps if the value does not fit; use exactly:, "
          + "clamping:, truncatingIfNeeded:, or `\(proof)` and a proof")
    }
  }

  private static func force(_ index: Int, in file: SwiftFile) -> String? {
    let token = file.tokens[index]
    guard token.kind == .symbol, token.text.hasPrefix("!"), !token.follows, index > 0 else {
      return nil
    }
    let before = file.tokens[index - 1]
    if before.is("try") || before.is("as") { return before.text + "!" }
    guard !token.text.hasPrefix("!="), before.line == token.line else { return nil }
    let isOperand =
      before.kind != .symbol || before.is(")") || before.is("]") || before.is("}")
      || before.text.hasSuffix("?")
    return isOperand ? "the forced \(before.text)!" : nil
  }

  /// `Int(x)` with one unlabelled argument that is not a literal.
  private static func isConversion(_ index: Int, in file: SwiftFile) -> Bool {
    let token = file.tokens[index]
    guard token.kind == .word, integers.contains(token.text), file.is(index + 1, "("),
      !file.is(index - 1, "func"), !file.is(index - 1, "case")
    else { return false }
    let end = file.closing(index + 1)
    let arguments = file.tokens[(index + 2)..<max(end, index + 2)]
    guard let first = arguments.first else { return false }
    if arguments.count > 1, first.kind == .word, file.is(index + 3, ":") { return false }
    let isLiteral =
      arguments.count <= 2 && arguments.last?.kind == .number
      && (arguments.count == 1 || first.is("-"))
    return !isLiteral
  }

  private static func isProved(_ line: Int, in file: SwiftFile) -> Bool {
    (line - 1...line).contains { line in
      guard let comment = file.comments[line], let range = comment.firstRange(of: proof) else {
        return false
      }
      return comment[range.upperBound...].contains { $0.isLetter }
    }
  }

  private static func explanations(in file: SwiftFile) -> [Finding] {
    var found: [Finding] = []
    let isPeer = file.path.hasPrefix("Sources/") && readsPeers(file)
    for index in file.tokens.indices {
      let line = file.tokens[index].line
      if let trap = trap(index, in: file), !(isPeer && trap != "fatalError"),
        !file.isExplained(line, linesBefore: 1)
      {
        found.append(
          Finding(
            file: file.path, line: line, rule: .unexplainedTrap,
            sentence: "\(trap) without a comment on this line or the one before"))
      }
      if let word = unsafety(index, in: file), !file.isExplained(line, linesBefore: 3) {
        found.append(
          Finding(
            file: file.path, line: line, rule: .unexplainedUnsafe,
            sentence: "\(word) without a comment on this line or the three before"))
      }
    }
    return found
  }

  private static func trap(_ index: Int, in file: SwiftFile) -> String? {
    let token = file.tokens[index]
    guard token.kind == .word else { return nil }
    if token.text == "fatalError", file.is(index + 1, "(") { return token.text }
    guard token.text == "try" || token.text == "as", file.is(index + 1, "!"),
      !file.tokens[index + 1].follows
    else { return nil }
    return token.text + "!"
  }

  private static func unsafety(_ index: Int, in file: SwiftFile) -> String? {
    let token = file.tokens[index]
    guard token.kind == .word else { return nil }
    if token.text == "unchecked", file.is(index - 1, "@") { return "@unchecked" }
    guard token.text == "unsafe" else { return nil }
    if file.is(index - 1, "("), file.is(index - 2, "nonisolated") { return "nonisolated(unsafe)" }
    // Excludes labels and members.
    return file.is(index - 1, ".") || file.is(index + 1, ":") ? nil : "unsafe"
  }
}
