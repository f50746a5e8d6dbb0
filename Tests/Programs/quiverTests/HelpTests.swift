import QuiverCommandLine
import Testing

@testable import quiver_command

@Suite("The help of quiver", .timeLimit(.minutes(5)))
struct HelpTests {
  @Test("Every command with its flags is in the manual page and in the completions of each shell")
  func commands() {
    let manual = Help.program.text(as: .man)
    let bash = Help.program.text(as: .bash)
    let zsh = Help.program.text(as: .zsh)
    let fish = Help.program.text(as: .fish)
    let escaped = { (text: String) in text.replacing("-", with: "\\-") }
    for command in Command.all {
      let operands = command.operands.isEmpty ? "" : " " + command.operands
      #expect(
        manual.contains("\n.SS \(escaped(command.name))"), "\(command.name)\(operands)")
      let names = command.flags.map(\.name)
      if !names.isEmpty {
        let flags = names.joined(separator: " ")
        #expect(bash.contains("'\(command.name) '*) words='' flags='\(flags)'"), "\(command.name)")
      }
      #expect(zsh.contains("'\(command.name) '*)"), "\(command.name)")
      for name in names {
        #expect(manual.contains("\\fB\(escaped(name))\\fR"), "\(name)")
        #expect(
          fish.contains("__quiver_begins \"\(command.name) \"' -l \(name.dropFirst(2)) ")
            || fish.contains("__quiver_begins \"\(command.name) \"' -s \(name.dropFirst()) "),
          "\(command.name) \(name)")
      }
    }
  }

  @Test("Every flag of all commands is in the manual page and in the completions")
  func globalFlags() {
    for flag in Flag.global {
      #expect(Help.program.text(as: .bash).contains(flag.name))
      #expect(Help.program.text(as: .zsh).contains("'\(flag.name):"))
      #expect(Help.program.text(as: .fish).contains("-l \(flag.name.dropFirst(2)) "))
    }
  }

  @Test("--help-as prints the help in another form")
  func forms() throws {
    guard case .text(let text) = try Invocation(["equipment", "list", "--help-as=man"]) else {
      Issue.record("--help-as was not understood")
      return
    }
    #expect(text == Help.program.text(as: .man))
    #expect(throws: Failure.self) { try Invocation(["--help-as", "pdf"]) }
  }
}
