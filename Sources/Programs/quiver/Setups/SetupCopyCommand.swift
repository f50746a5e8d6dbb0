import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup copy`: a copy of a bow setup.
enum SetupCopyCommand {
  static let command = Command(
    "setup copy", operands: "SETUP [NAME]", summary: "copy a bow setup",
    details: """
      The copy has the same notes, parts and sight marks; it is active and not the default. Without
      NAME it has the old name and " (copy)".
      """,
    flags: [.json, .timeout], names: [.setup], examples: ["setup copy 'Club bow' Outdoor"], run: run
  )

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...2, "SETUP and one NAME")
    var request = CopyBowSetupRequest()
    request.name = words.dropFirst().first ?? ""
    let access = try Access(arguments)
    request.id = try await Names(access, arguments).id(of: words[0], .setup, "SETUP")
    let wanted = request
    let copy = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.copyBowSetup, wanted)
    }
    try SetupText.printResult("added, a copy of setup \(request.id)", of: copy, arguments)
  }
}
