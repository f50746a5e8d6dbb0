/// Each test has an expectation, is enabled, and does not depend on a wall clock.
enum TestRules {
  private static let sleeps: Set<String> = ["usleep", "nanosleep"]
  /// Names of wall clocks and of values read from them.
  private static let clockWords: Set<String> = [
    "elapsed", "took", "stopwatch", "ContinuousClock", "SuspendingClock", "DispatchTime", "Date",
    "clock_gettime",
  ]

  static func findings(in tree: Tree) -> [Finding] {
    let files = tree.files(in: "Tests")
    return Dictionary(grouping: files) { $0.module ?? "" }.values.flatMap { files in
      let asserting = assertingFunctions(in: files)
      return files.flatMap {
        emptyTests(in: $0, asserting) + disabledTests(in: $0) + timedTests(in: $0)
          + unlimitedSuites(in: $0) + testsWithoutSuite(in: $0)
      }
    }
  }

  /// The functions of a target that have an expectation, or call one that has.
  private static func assertingFunctions(in files: [SwiftFile]) -> Set<String> {
    var found: Set<String> = []
    var grown = true
    while grown {
      let before = found.count
      for file in files {
        for function in file.functions where !found.contains(function.name) {
          if asserts(function.body, in: file, found) { found.insert(function.name) }
        }
      }
      grown = found.count > before
    }
    return found
  }

  private static func asserts(
    _ body: ClosedRange<Int>, in file: SwiftFile, _ others: Set<String>
  ) -> Bool {
    body.contains { index in
      let token = file.tokens[index]
      guard token.kind == .word else { return false }
      switch token.text {
      case "expect", "require": return file.is(index - 1, "#")
      case "record": return file.is(index - 2, "Issue")
      case "confirmation": return true
      default: return file.is(index + 1, "(") && others.contains(token.text)
      }
    }
  }

  private static func emptyTests(in file: SwiftFile, _ asserting: Set<String>) -> [Finding] {
    file.functions.compactMap { function in
      guard isTest(function, in: file), !asserts(function.body, in: file, asserting) else {
        return nil
      }
      return Finding(
        file: file.path, line: file.tokens[function.keyword].line, rule: .emptyTest,
        sentence: "\(function.name) is a test without an expectation")
    }
  }

  /// Whether the function has the attribute `@Test`.
  private static func isTest(_ function: SwiftFile.Function, in file: SwiftFile) -> Bool {
    guard file.is(function.keyword, "func") else { return false }
    var depth = 0
    for index in stride(from: function.keyword - 1, through: 0, by: -1) {
      let token = file.tokens[index]
      guard token.kind == .symbol else {
        if depth == 0, token.is("Test"), file.is(index - 1, "@") { return true }
        continue
      }
      switch token.text {
      case ")", "]": depth += 1
      case "(", "[": depth -= 1
      case "{", "}", ";": if depth == 0 { return false }
      default: break
      }
      if depth < 0 { return false }
    }
    return false
  }

  private static func disabledTests(in file: SwiftFile) -> [Finding] {
    file.tokens.indices.compactMap { index in
      guard file.is(index, "disabled"), file.is(index - 1, "."), file.is(index + 1, "(") else {
        return nil
      }
      return Finding(
        file: file.path, line: file.tokens[index].line, rule: .disabledTest,
        sentence: "a disabled test checks nothing; repair or remove it")
    }
  }

  /// Suites without the trait `.timeLimit`.
  private static func unlimitedSuites(in file: SwiftFile) -> [Finding] {
    file.tokens.indices.compactMap { index in
      guard file.is(index, "Suite"), file.is(index - 1, "@") else { return nil }
      let traits =
        file.is(index + 1, "(") ? file.tokens[index...file.closing(index + 1)] : []
      guard !traits.contains(where: { $0.is("timeLimit") }) else { return nil }
      return Finding(
        file: file.path, line: file.tokens[index].line, rule: .timeLimit,
        sentence: "a suite without .timeLimit hangs if a wake-up is lost")
    }
  }

  /// Tests of functions and types that are no suites, which have no time limit.
  private static func testsWithoutSuite(in file: SwiftFile) -> [Finding] {
    var found: [Finding] = []
    var start = 0
    while let open = file.tokens[start...].firstIndex(where: { $0.is("{") }) {
      let end = file.closing(open)
      let head = start..<open
      let isLimited = head.contains { file.is($0, "extension") || isAttribute("Suite", $0, file) }
      if let test = (start...end).first(where: { isAttribute("Test", $0, file) }), !isLimited {
        found.append(
          Finding(
            file: file.path, line: file.tokens[test].line, rule: .timeLimit,
            sentence: "a test in no suite has no time limit"))
      }
      start = end + 1
    }
    return found
  }

  private static func isAttribute(_ name: String, _ index: Int, _ file: SwiftFile) -> Bool {
    file.is(index, name) && file.is(index - 1, "@")
  }

  private static func timedTests(in file: SwiftFile) -> [Finding] {
    file.tokens.indices.flatMap { index -> [Finding] in
      let token = file.tokens[index]
      func refuse(_ sentence: String) -> Finding {
        Finding(file: file.path, line: token.line, rule: .timedTest, sentence: sentence)
      }
      guard token.kind == .word else { return [] }
      if token.text == "Thread", file.is(index + 1, "."), file.is(index + 2, "sleep") {
        return [refuse("Thread.sleep waits for a clock; wait for the event")]
      }
      if sleeps.contains(token.text), file.is(index + 1, "(") {
        return [refuse("\(token.text) waits for a clock; wait for the event")]
      }
      guard token.text == "expect" || token.text == "require", file.is(index - 1, "#"),
        file.is(index + 1, "(")
      else { return [] }
      let clock = (index + 2..<max(file.closing(index + 1), index + 2)).first {
        file.tokens[$0].kind == .word && clockWords.contains(file.tokens[$0].text)
      }
      return clock.map { [refuse("asserts on a wall clock: \(file.tokens[$0].text)")] } ?? []
    }
  }
}
