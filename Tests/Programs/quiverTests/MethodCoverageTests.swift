import QuiverAPI
import QuiverRPC
import Testing

@testable import quiver_command

@Suite("Commands for methods", .timeLimit(.minutes(5)))
struct MethodCoverageTests {
  private static let prefix = "quiver.v1."

  @Test("Each method of the services has a command, or an entry that says why it has none")
  func coverage() {
    var covered: [String: String] = [:]
    for command in Command.all {
      for method in command.methods { covered[method] = command.name }
    }
    for (command, methods) in MethodCoverage.written {
      #expect(Command.all.contains { $0.name == command }, "there is no command \(command)")
      for method in methods { covered[Self.prefix + method] = command }
    }
    let methods = ServiceCatalogue.archery.methods.map(\.name)
    for method in methods {
      let reason = MethodCoverage.without[String(method.dropFirst(Self.prefix.count))]
      #expect(covered[method] != nil || reason?.isEmpty == false, "\(method) has no command")
      #expect(
        covered[method] == nil || reason == nil,
        "\(method) has the command \(covered[method] ?? "") and a reason to have none")
    }
    for method in Array(covered.keys) + MethodCoverage.without.keys.map({ Self.prefix + $0 }) {
      #expect(methods.contains(method), "there is no method \(method)")
    }
  }

  @Test("Names of commands differ, and one word is either a command or a group")
  func names() {
    let names = Command.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names where !name.contains(" ") {
      #expect(!names.contains { $0.hasPrefix(name + " ") }, "\(name) is a command and a group")
    }
  }

  @Test("The flags of each command have different names, and a help text")
  func flags() {
    for command in Command.all {
      let names = command.flags.map(\.name)
      #expect(Set(names).count == names.count, "\(command.name): \(names)")
      for flag in command.flags { #expect(!flag.help.isEmpty, "\(command.name) \(flag.name)") }
      #expect(!command.summary.isEmpty)
    }
  }
}
