import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup default`: makes a bow setup the default one.
enum SetupDefaultCommand {
  static let command = Command(
    "setup default", operands: "SETUP", summary: "make a bow setup the default",
    details: "The previous default is no longer the default.", flags: [.json, .timeout],
    names: [.setup],
    examples: ["setup default 'Club bow'"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = SetDefaultBowSetupRequest()
    let text = try arguments.operands(1...1, "one SETUP")[0]
    let access = try Access(arguments)
    request.id = try await Names(access, arguments).id(of: text, .setup, "SETUP")
    let wanted = request
    let setup = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.setDefaultBowSetup, wanted)
    }
    try SetupText.printResult("the default", of: setup, arguments)
  }
}
