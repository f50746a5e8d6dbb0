import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup show`: a bow setup with its parts, in its latest or an earlier version.
enum SetupShowCommand {
  private static let version = Flag("--version", .word("N"), "this version; by default the latest")

  static let command = Command(
    "setup show", operands: "ID", summary: "show a bow setup and its parts",
    flags: [version, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var request = GetBowSetupRequest()
    request.id = try ItemText.id(try arguments.operands(1...1, "one ID")[0], arguments)
    if let text = arguments.value(of: version) {
      guard let number = UInt32(text), number > 0 else {
        throw arguments.usage("--version expects a number above 0, not \(text)")
      }
      request.version = number
    }
    let access = try Access(arguments)
    let wanted = request
    let setup = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.getBowSetup, wanted)
    }
    try Terminal.print(arguments.has(.json) ? SetupText.json(setup) : SetupText.table(setup))
  }
}
