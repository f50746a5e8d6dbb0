import ChildProcesses
import Foundation
import TestSupport
import Testing

@testable import QuiverCommandLine

@Suite("The help of a program in all its forms", .timeLimit(.minutes(5)))
struct ProgramHelpTests {
  /// A program with all that a help can have, and with text that each form must escape.
  private static let sample: ProgramHelp = {
    var help = ProgramHelp(
      "shoot-arrows", manualSection: 1, "shoot arrows", usages: ["COMMAND [flags]", "--version"])
    help.paragraphs = [
      ".A point begins this line, 'quotes' and a \\ backslash stand in it.\n\nThe second paragraph."
    ]
    help.commands = [
      .init(
        "end add", operands: "SCORES", "add an end",
        details: "Scores are numbers:\n  shoot-arrows end add 10 9 X\n  .and this",
        flags: [
          FlagHelp("--target", "outdoor|indoor", "the face"),
          FlagHelp("--sheet", "FILE", "don't use `the` usual sheet"),
        ]),
      .init("end list", "list ends", flags: [FlagHelp("--target", "field|3d", "the face")]),
      .init("finish", "end the round: it's over"),
    ]
    help.sections = [
      .init(
        "Flags",
        [FlagHelp("--folder", "DIR", "where"), FlagHelp("--bow", "NAME", "which")]
          + FlagHelp.ofEveryProgram)
    ]
    help.exitCodes = [.init("0", "done")]
    return help
  }()

  @Test(
    "bash completes commands, flags and values",
    arguments: [
      ("", "end finish"), ("e", "end"), ("end ", "add list"), ("end l", "list"),
      ("--bow x e", "end"), ("--bow e", ""), ("--bow=x e", "end"),
      ("end add --t", "--target"), ("end add --target ", "outdoor indoor field 3d"),
      ("end add --target=in", "indoor"), ("--help-as z", "zsh"),
      ("finish --", "--bow --folder --help --help-as --version"),
      ("end list --sh", ""), ("end add 10 --sh", "--sheet"), ("--folder fol", "folder"),
      ("--folder fi", ""), ("end add --sheet fi", "file"), ("--folder=fol", "folder"),
    ])
  func bash(line: String, expected: String) throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path + "/folder"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: directory.path + "/file"))
    // bash divides a line at spaces and at =.
    var words = line.replacingOccurrences(of: "=", with: " = ").split(separator: " ")
    if line.isEmpty || line.hasSuffix(" ") { words.append("") }
    let quoted = (["shoot-arrows"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script =
      Self.sample.text(as: .bash) + """
        COMP_WORDS=(\(quoted))
        COMP_CWORD=\(words.count)
        _shoot_arrows
        printf '%s\\n' "${COMPREPLY[@]}" | sort

        """
    let output = try Self.run("/bin/bash", ["-c", script], in: directory.path)
    let found = output.split(separator: "\n").map(String.init)
    #expect(found.sorted() == expected.split(separator: " ").map(String.init).sorted(), "\(line)")
  }

  @Test("The manual page has every command, flag and exit code, and roff interprets none of them")
  func manual() {
    let page = Self.sample.text(as: .man)
    for word in [
      "end add SCORES", "\\-\\-target", "\\-\\-folder", "\\-\\-help\\-as", "EXIT STATUS",
    ] {
      #expect(page.contains(word), "\(word)")
    }
    for line in page.split(separator: "\n") where line.hasPrefix(".") {
      let macro = line.prefix { $0 != " " }
      #expect(
        [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br", ".nf", ".fi", ".\\\""].contains(macro),
        "\(line)")
    }
    #expect(!page.split(separator: "\n").contains { $0.hasPrefix("'") })
    #expect(page.contains("a \\e backslash") && page.contains("\\(aqquotes\\(aq"))
  }

  @Test("Texts for shells cannot end their quotes")
  func quotes() {
    #expect(CompletionTable.quoted("it's") == "'it'\\''s'")
    #expect(Self.sample.text(as: .zsh).contains("'finish:end the round: it'\\''s over'"))
    #expect(Self.sample.text(as: .fish).contains("'end the round: it\\'s over'"))
  }

  @Test("--help-as names a form, and anything else is refused")
  func forms() throws {
    #expect(try Self.sample.answer(to: ["--help-as", "man"])?.contains(".TH") == true)
    #expect(try Self.sample.answer(to: ["end", "--help-as=fish"])?.contains("complete -c") == true)
    #expect(try Self.sample.answer(to: ["end", "--", "--help-as=fish"]) == nil)
    #expect(try Self.sample.answer(to: ["--help"]) == nil)
    #expect(throws: UsageError.self) { try Self.sample.answer(to: ["--help-as"]) }
    #expect(throws: UsageError.self) { try Self.sample.answer(to: ["--help-as=pdf"]) }
  }

  /// Runs a program and answers what it prints.
  private static func run(
    _ program: String, _ arguments: [String], in directory: String
  ) throws -> String {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    try? output.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
