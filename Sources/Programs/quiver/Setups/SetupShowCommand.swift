import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup show`: a bow setup with its parts, in its latest or an earlier version.
enum SetupShowCommand {
  private static let version = Flag("--version", .word("N"), "this version; by default the latest")

  static let command = Command(
    "setup show", operands: "SETUP", summary: "show a bow setup and its parts",
    flags: [version, .json, .timeout], names: [.setup],
    examples: ["setup show 'Club bow'"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = GetBowSetupRequest()
    let text = try arguments.operands(1...1, "one SETUP")[0]
    if let word = arguments.value(of: version) {
      guard let number = UInt32(word), number > 0 else {
        throw arguments.usage("--version expects a number above 0, not \(word)")
      }
      request.version = number
    }
    let access = try Access(arguments)
    request.id = try await Names(access, arguments).id(of: text, .setup, "SETUP")
    let wanted = request
    let setup = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.getBowSetup, wanted)
    }
    try Terminal.print(arguments.has(.json) ? SetupText.json(setup) : SetupText.table(setup))
  }
}
