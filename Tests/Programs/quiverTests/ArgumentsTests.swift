import Testing

@testable import quiver_command

@Suite("Arguments of the command line", .timeLimit(.minutes(20)))
struct ArgumentsTests {
  private static let first = Flag("--first", .word("WORD"), "")
  private static let many = Flag("--many", .words("WORD"), "")
  private static let number = Flag("--number", .optionalNumber("N"), "")
  private static let command = Command(
    "test", summary: "", flags: [first, many, number]
  ) { _ throws(Failure) in }

  private func read(_ words: String...) throws(Failure) -> Arguments {
    try Arguments(words, for: Self.command)
  }

  @Test("Flags and operands may be in any order, with values after = or a space")
  func order() throws {
    for words in [
      ["a", "--first", "1", "b"], ["--first=1", "a", "b"], ["a", "b", "--first=1"],
    ] {
      let arguments = try Arguments(words, for: Self.command)
      #expect(arguments.operands == ["a", "b"])
      #expect(arguments.value(of: Self.first) == "1")
    }
    #expect(try read("--first=a=b").value(of: Self.first) == "a=b")
    #expect(try read("--first", "--many").value(of: Self.first) == "--many")
  }

  @Test("Arguments after -- are operands, and so are a single - and negative numbers")
  func operands() throws {
    #expect(try read("-", "-5", "--", "--first").operands == ["-", "-5", "--first"])
  }

  @Test("Repeatable flags keep their values in order; others may occur once")
  func repeats() throws {
    #expect(try read("--many", "a", "--many=b").values(of: Self.many) == ["a", "b"])
    #expect(throws: Failure.self) { try read("--first", "a", "--first", "b") }
  }

  @Test("A number may be omitted")
  func optionalNumber() throws {
    #expect(try read("--number", "2.5", "x").value(of: Self.number) == "2.5")
    let without = try read("--number", "x")
    #expect(without.value(of: Self.number) == "" && without.operands == ["x"])
    #expect(try read("x").value(of: Self.number) == nil)
  }

  @Test(
    "Unknown flags, missing values and superfluous values are refused",
    arguments: [
      (["--frist", "x"], "did you mean --first?"), (["--first"], "--first WORD"),
      (["--help=x"], "takes no value"), (["-x"], "there is no flag -x"),
    ])
  func faults(_ words: [String], _ text: String) {
    let error = #expect(throws: Failure.self) { try Arguments(words, for: Self.command) }
    #expect(error?.exitCode == 64)
    #expect(error?.lines.first?.contains(text) == true)
  }

  @Test("Common flags may precede the command")
  func globalFirst() throws {
    let invocation = try Invocation(["--server", "call", "token", "list", "--json"])
    guard case .run(let command, let arguments) = invocation else {
      Issue.record("no command was found")
      return
    }
    #expect(command.name == "token list")
    #expect(arguments.value(of: .server) == "call" && arguments.has(.json))
    #expect(arguments.operands.isEmpty)
  }

  @Test(
    "Times are numbers with a unit",
    arguments: [
      ("500ms", 500), ("5s", 5_000), ("2m", 120_000), ("12h", 43_200_000), ("30d", 2_592_000_000),
      ("1w", 604_800_000), ("0s", nil), ("5", nil), ("s", nil), ("-5s", nil), ("1.5s", nil),
      ("5 s", nil), ("99999999999999999999s", nil), ("9223372036854775807w", nil), ("6000w", nil),
      ("٣s", nil),
    ] as [(String, Int64?)])
  func times(_ text: String, _ milliseconds: Int64?) {
    #expect(TimeSpan.milliseconds(text) == milliseconds)
  }

  @Test("Text of other users stays on its line")
  func oneLine() {
    #expect(Terminal.oneLine("a\nb\u{1B}[2Jc\u{202E}d\u{2028}é") == "a b [2Jcd é")
  }
}
