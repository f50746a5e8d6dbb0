import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver token revoke`: revokes a token permanently.
enum TokenRevokeCommand {
  static let command = Command(
    "token revoke", operands: "ID", summary: "revoke a token permanently",
    details: "The connections that were opened with it are closed within a second.",
    flags: [Consent.flag, .json, .timeout], examples: ["token revoke 3"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let text = try arguments.operands(1...1, "one ID")[0]
    guard let id = Int64(text), id > 0 else {
      throw arguments.usage("ID is a number above 0, as `quiver token list` shows it, not \(text)")
    }
    try Consent.ask("revokes token \(id) and closes its connections", arguments)
    let access = try Access(arguments)
    var request = RevokeTokenRequest()
    request.id = id
    let wanted = request
    let token = try await access.attempt { () async throws(RPCError) in
      try await access.client.call(Admin.revokeToken, wanted)
    }
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: token))
    } else {
      try Terminal.confirm("token \(token.id) is revoked")
    }
  }
}
