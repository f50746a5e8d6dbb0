import QuiverCommandLine
import Testing

@testable import quiver_load

@Suite("The help of quiver-load", .timeLimit(.minutes(5)))
struct HelpTests {
  /// A value that the flag accepts.
  private static func value(of flag: FlagHelp) -> String {
    switch flag.valueName ?? "" {
    case "TIME": "5s"
    case "N", "R": "3"
    case "OBJECTIVES": "p99<5ms"
    case "KEY=VALUE": "a=b"
    case "http://HOST:PORT": "http://127.0.0.1:8080"
    case "constant|poisson": "poisson"
    default: "text"
    }
  }

  @Test("Every flag of the help is read, with a value where the help has one")
  func read() throws {
    for flag in LoadHelp.program.flags where flag.name != "--help-as" {
      let value = flag.valueName == nil ? [] : [Self.value(of: flag)]
      // What does not go together with other flags is refused by its own sentence.
      do throws(Options.Wrong) {
        _ = try Options([flag.name] + value)
      } catch {
        #expect(
          [
            "--search wants --rate", "--verify wants --count", "--retry goes with run and with",
            "--gateway goes with run",
          ].contains { error.description.hasPrefix($0) }, "\(error.description)")
      }
    }
  }

  @Test("Every flag is in the manual page and in the completions of each shell")
  func forms() {
    for flag in LoadHelp.program.flags {
      for form in [ProgramHelp.Form.bash, .zsh] {
        #expect(LoadHelp.program.text(as: form).contains(flag.name))
      }
      let manual = "\\fB\(flag.name.replacing("-", with: "\\-"))\\fR"
      #expect(LoadHelp.program.text(as: .man).contains(manual), "\(flag.name)")
    }
  }
}
