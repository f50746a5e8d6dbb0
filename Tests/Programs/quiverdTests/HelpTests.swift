import QuiverCommandLine
import Testing

@testable import quiverd

@Suite("The help of quiverd", .timeLimit(.minutes(5)))
struct HelpTests {
  @Test("Every flag is in the help, the manual page and the completions", arguments: Flag.all)
  func flags(flag: Flag) {
    let text = HelpText.text(of: Help.program)
    #expect(text.contains("\n  \(flag.usage)\n"), "\(flag.name)")
    let dashes = flag.name.split(separator: "-", omittingEmptySubsequences: false)
    let manual = Help.program.text(as: .man)
    #expect(manual.contains("\\fB" + dashes.joined(separator: "\\-") + "\\fR"), "\(flag.name)")
    for form in [ProgramHelp.Form.bash, .zsh] {
      #expect(Help.program.text(as: form).contains(flag.name), "\(flag.name)")
    }
    #expect(Help.program.text(as: .fish).contains("-l \(flag.settingName) "), "\(flag.name)")
  }

  @Test("The help has the flags of the program and no other, each once")
  func noOthers() {
    let names = Help.program.flags.map(\.name)
    #expect(Set(names) == Set((Flag.all.map(\.name)) + FlagHelp.ofEveryProgram.map(\.name)))
    #expect(Set(names).count == names.count)
  }

  @Test("Every command of the help is one that the program takes")
  func commands() throws {
    for command in Help.program.commands {
      var operand = command.operands.isEmpty ? [] : ["file", "--data", "x"]
      if command.name == "epoch new" { operand = ["--data", "x"] }
      if command.name == "migrate" { operand = ["--data", "x", "--database", "postgres://x/y"] }
      let words = command.name.split(separator: " ").map(String.init) + operand
      #expect(throws: Never.self, "\(command.name)") { try Invocation(words) }
    }
  }

  @Test("--help-as prints the help in another form, whatever else is written")
  func forms() throws {
    #expect(try Invocation(["--help-as", "man"]) == .text(Help.program.text(as: .man)))
    #expect(try Invocation(["--data=x", "--help-as=zsh"]) == .text(Help.program.text(as: .zsh)))
    #expect(throws: UsageError.self) { try Invocation(["--help-as=pdf"]) }
  }
}
