import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup rm`: deletes a bow setup.
enum SetupRemoveCommand {
  static let command = Command(
    "setup rm", operands: "SETUP", summary: "delete a bow setup",
    details: "Its versions and sight marks are deleted too; its parts stay.",
    flags: [Consent.flag, .timeout], names: [.setup],
    examples: ["setup rm 'Club bow'"],
    run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = DeleteBowSetupRequest()
    let text = try arguments.operands(1...1, "one SETUP")[0]
    let access = try Access(arguments)
    request.id = try await Names(access, arguments).id(of: text, .setup, "SETUP")
    try Consent.ask("deletes bow setup \(Terminal.oneLine(text)) #\(request.id)", arguments)
    let wanted = request
    _ = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.deleteBowSetup, wanted)
    }
    try Terminal.confirm("setup \(wanted.id) is deleted")
  }
}
