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

  /// Methods that begin with such a word and destroy nothing that the same person cannot make again
  /// by one command.
  private static let harmless: Set = [
    "quiver.v1.Equipment/RemoveBowSetupComponent", "quiver.v1.Events/LeaveTarget",
    "quiver.v1.Tournament/ReopenTournament",
  ]

  @Test("A command that deletes, ends or revokes asks on a terminal, and takes --yes")
  func consent() {
    let acts = [
      "Cancel", "Delete", "Disable", "Dismiss", "Disqualify", "End", "Forfeit", "Remove", "Reopen",
      "Revoke", "Withdraw",
    ]
    var found = 0
    // A command that fails halfway removes what it has made itself.
    for command in Command.all where command.name != "event create" {
      let written = (MethodCoverage.written[command.name] ?? []).map { Self.prefix + $0 }
      for method in command.methods + written where !Self.harmless.contains(method) {
        let name = method.split(separator: "/").last ?? ""
        guard acts.contains(where: name.hasPrefix) else { continue }
        found += 1
        #expect(command.flags.contains { $0.name == Consent.flag.name }, "\(command.name) asks")
      }
    }
    #expect(found > 25)
  }

  @Test("The sentence of a question names arguments of its command")
  func sentences() {
    for command in Command.all {
      guard let table = command.table, let destroys = table.destroys else { continue }
      let names = table.arguments.map(\.name)
      for match in destroys.act.matches(of: /\x7B([^\x7D]+)\x7D/) {
        #expect(names.contains(String(match.1)), "\(command.name): \(destroys.act)")
      }
      if let argument = destroys.argument {
        #expect(names.contains(argument), "\(command.name): \(argument)")
      }
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
