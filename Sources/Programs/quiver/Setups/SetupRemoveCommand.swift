import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup rm`: deletes a bow setup.
enum SetupRemoveCommand {
  static let command = Command(
    "setup rm", operands: "ID", summary: "delete a bow setup",
    details: "Its versions and sight marks are deleted too; its parts stay.", flags: [.timeout],
    run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = DeleteBowSetupRequest()
    request.id = try ItemText.id(try arguments.operands(1...1, "one ID")[0], arguments)
    let access = try Access(arguments)
    let wanted = request
    _ = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.deleteBowSetup, wanted)
    }
    try Terminal.confirm("setup \(wanted.id) is deleted")
  }
}
