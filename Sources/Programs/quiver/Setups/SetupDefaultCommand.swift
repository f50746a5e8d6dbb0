import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup default`: makes a bow setup the default one.
enum SetupDefaultCommand {
  static let command = Command(
    "setup default", operands: "ID", summary: "make a bow setup the default",
    details: "The previous default is no longer the default.", flags: [.json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = SetDefaultBowSetupRequest()
    request.id = try ItemText.id(try arguments.operands(1...1, "one ID")[0], arguments)
    let access = try Access(arguments)
    let wanted = request
    let setup = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.setDefaultBowSetup, wanted)
    }
    try SetupText.printResult("the default", of: setup, arguments)
  }
}
